// SPDX-License-Identifier: Apache-2.0
// Scalar functions that compilers vectorize. Included only by sources compiled once per instruction set, hence in an
// anonymous namespace: the linker must not pick an inline function compiled for AVX-512 for everybody. For the same
// reason no functions of the standard library are used.
#pragma once

#include <cstdint>

#include "engine/compute/cpu/kernels/kernels.h"

#define STEELYARD_INLINE __attribute__((always_inline)) inline

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

STEELYARD_INLINE float asFloat(std::uint32_t bits) {
    return __builtin_bit_cast(float, bits);
}
STEELYARD_INLINE std::uint32_t asBits(float value) {
    return __builtin_bit_cast(std::uint32_t, value);
}

STEELYARD_INLINE float load(float value) {
    return value;
}
STEELYARD_INLINE float load(BFloat16 value) {
    return asFloat(static_cast<std::uint32_t>(value.bits) << 16);
}
STEELYARD_INLINE void store(float& target, float value) {
    target = value;
}
// Rounds to nearest even; propagates NaN.
STEELYARD_INLINE void store(BFloat16& target, float value) {
    const auto bits = asBits(value);
    const auto rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
    const auto quiet = (bits >> 16) | 0x40U;
    target.bits = static_cast<std::uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? quiet : rounded);
}

// e^x to about 1e-7 relative: x = n ln 2 + r, |r| <= ln 2 / 2, Taylor series of e^r to r^7, scaled by 2^n through the
// exponent field. Clamped to the range where 2^n is a normal number.
STEELYARD_INLINE float exponential(float x) {
    x = x < -87.3F ? -87.3F : x;
    x = x > 88.0F ? 88.0F : x;
    const float shifted = x * 1.44269504F + 12582912.0F;  // adding 1.5 * 2^23 rounds to an integer
    const float n = shifted - 12582912.0F;
    const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    float p = 1.0F / 5040;
    p = p * r + 1.0F / 720;
    p = p * r + 1.0F / 120;
    p = p * r + 1.0F / 24;
    p = p * r + 1.0F / 6;
    p = p * r + 0.5F;
    p = p * r + 1.0F;
    p = p * r + 1.0F;
    const auto exponent = (asBits(shifted) << 23) + 0x3f800000U;  // the integer is in the low bits of `shifted`
    return p * asFloat(exponent);
}

STEELYARD_INLINE float logistic(float x) {
    return 1.0F / (1.0F + exponential(-x));
}

// (1 - e^-2|x|) / (1 + e^-2|x|) with the sign of x.
STEELYARD_INLINE float hyperbolicTangent(float x) {
    const float magnitude = x < 0 ? -x : x;
    const float e = exponential(-2.0F * magnitude);
    const float t = (1.0F - e) / (1.0F + e);
    return x < 0 ? -t : t;
}

// Cumulative normal distribution to 1e-7, with the error function by M. Abramowitz, I. Stegun, Handbook of Mathematical
// Functions, 7.1.26.
STEELYARD_INLINE float normalIntegral(float x) {
    const float magnitude = (x < 0 ? -x : x) * 0.70710678F;
    const float t = 1.0F / (1.0F + 0.3275911F * magnitude);
    const float p =
        t * (0.254829592F + t * (-0.284496736F + t * (1.421413741F + t * (-1.453152027F + t * 1.061405429F))));
    const float tail = 0.5F * p * exponential(-magnitude * magnitude);
    return x < 0 ? tail : 1.0F - tail;
}

// The hash of RandomStream::bits (engine/core/random.h), compared with it by a test.
STEELYARD_INLINE std::uint32_t mix(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    x ^= x >> 16;
    return x;
}
STEELYARD_INLINE std::uint32_t hashBits(std::uint32_t index, std::uint32_t key) {
    return mix(mix(index ^ key) + key);
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
