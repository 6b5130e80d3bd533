// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/reference/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace steelyard::compute::reference {
namespace {

constexpr int kTf32Bits = 10;  // see reference_backend.h
constexpr int kFp32Bits = 16;
constexpr int kFloat32Bits = 24, kFloat16Bits = 11, kBFloat16Bits = 8;  // of the types

// IEEE 754 binary16: 11 significant bits, exponents -14 to 15, subnormal steps of 2^-24.
float toFloat16(float value) {
    if (!std::isfinite(value) || value == 0) return value;
    int exponent = 0;
    std::frexp(value, &exponent);  // value = m 2^exponent, 0.5 <= |m| < 1
    const int lastBit = std::max(exponent - kFloat16Bits, -24);
    const float rounded = std::ldexp(std::nearbyint(std::ldexp(value, -lastBit)), lastBit);
    return std::abs(rounded) > 65504.0F ? std::copysign(HUGE_VALF, value) : rounded;
}

bool isValueOfAStep(plan::TensorRole role) {
    using R = plan::TensorRole;
    return role == R::Activation || role == R::ActivationGradient || role == R::Probability;
}

template <typename Rounded>
void roundAll(std::span<float> values, const Rounded& rounded) {
    for (auto& value : values) value = rounded(value);
}

void roundAllAtRandom(int significantBits, std::span<float> values, const RandomStream& stream) {
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = roundedToBits(significantBits, values[i], stream.bits(static_cast<std::uint32_t>(i)));
}

int significantBits(model::DataType type) {
    if (type == model::DataType::BFloat16) return kBFloat16Bits;
    return type == model::DataType::Float16 ? kFloat16Bits : kFloat32Bits;
}

}  // namespace

float roundedToBits(int significantBits, float value) {
    if (!std::isfinite(value) || significantBits >= kFloat32Bits) return value;
    const int dropped = kFloat32Bits - significantBits;
    auto bits = std::bit_cast<std::uint32_t>(value);
    bits += (1U << (dropped - 1)) - 1 + ((bits >> dropped) & 1U);
    return std::bit_cast<float>(bits & ~((1U << dropped) - 1));
}

float roundedToBits(int significantBits, float value, std::uint32_t random) {
    if (!std::isfinite(value) || significantBits >= kFloat32Bits) return value;
    const std::uint32_t below = (1U << (kFloat32Bits - significantBits)) - 1;
    return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + (random & below)) & ~below);
}

int coarserBits(plan::Precision precision) {
    if (precision == plan::Precision::Fp32) return kFp32Bits;
    return precision == plan::Precision::Tf32 ? kTf32Bits : 0;
}

float roundedTo(model::DataType type, float value) {
    if (type == model::DataType::BFloat16) return roundedToBits(kBFloat16Bits, value);
    return type == model::DataType::Float16 ? toFloat16(value) : value;
}

void roundStored(plan::Precision precision, const plan::Tensor& tensor, std::span<float> values,
                 const std::optional<RandomStream>& atRandom) {
    const bool input = tensor.role == plan::TensorRole::Input;
    const bool sum = isValueOfAStep(tensor.role) || tensor.role == plan::TensorRole::Gradient;
    const bool coarser = precision == plan::Precision::Fp32 ? sum : input || isValueOfAStep(tensor.role);
    const bool narrow = model::bytesOf(plan::activationType(precision)) < 4 && tensor.role != plan::TensorRole::Saved;
    const int bits = coarser && coarserBits(precision) > 0 ? coarserBits(precision) : kFloat32Bits;
    if (atRandom)
        roundAllAtRandom(narrow ? std::min(bits, significantBits(tensor.type)) : bits, values, *atRandom);
    else if (bits < kFloat32Bits)
        roundAll(values, [&](float value) { return roundedToBits(bits, value); });
    if (narrow) roundAll(values, [&](float value) { return roundedTo(tensor.type, value); });
}

void roundWeights(plan::Precision precision, std::span<float> values) {
    if (precision == plan::Precision::Tf32)
        roundAll(values, [](float value) { return roundedToBits(kTf32Bits, value); });
    else
        roundAll(values, [&](float value) { return roundedTo(plan::activationType(precision), value); });
}

}  // namespace steelyard::compute::reference
