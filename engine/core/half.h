// SPDX-License-Identifier: Apache-2.0
// IEEE 754 binary16 as bits. Pure functions.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace steelyard {

[[nodiscard]] inline float fromHalf(std::uint16_t bits) {
    const auto sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
    const std::uint32_t exponent = bits >> 10 & 31U, fraction = bits & 1023U;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const auto magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
}

// Round to nearest, ties to even.
[[nodiscard]] inline std::uint16_t toHalf(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
    const auto magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) return static_cast<std::uint16_t>(sign | 0x7E00U);
    if (magnitude >= 0x477FF000U) return static_cast<std::uint16_t>(sign | 0x7C00U);  // rounds to 65520 or more
    if (magnitude < 0x38800000U)  // below 2^-14: a multiple of 2^-24
        return static_cast<std::uint16_t>(
            sign | static_cast<std::uint16_t>(std::nearbyint(std::bit_cast<float>(magnitude) * 0x1p24F)));
    const auto rounded = magnitude + 0xFFFU + (magnitude >> 13 & 1U);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>((rounded - 0x38000000U) >> 13));
}

}  // namespace steelyard
