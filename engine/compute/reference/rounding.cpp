// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/reference/rounding.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace steelyard::compute::reference {
namespace {

constexpr int kTf32Bits = 10;  // reference_backend.h says why
constexpr int kFp32Bits = 16;

// IEEE 754 binary16: 11 significant bits, exponents -14 to 15, subnormal steps of 2^-24.
float toFloat16(float value) {
    if (!std::isfinite(value) || value == 0) return value;
    int exponent = 0;
    std::frexp(value, &exponent);  // value = m 2^exponent, 0.5 <= |m| < 1
    const int lastBit = std::max(exponent - 11, -24);
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

}  // namespace

float roundedToBits(int significantBits, float value) {
    if (!std::isfinite(value) || significantBits >= 24) return value;
    const int dropped = 24 - significantBits;
    auto bits = std::bit_cast<std::uint32_t>(value);
    bits += (1U << (dropped - 1)) - 1 + ((bits >> dropped) & 1U);
    return std::bit_cast<float>(bits & ~((1U << dropped) - 1));
}

int coarserBits(plan::Precision precision) {
    if (precision == plan::Precision::Fp32) return kFp32Bits;
    return precision == plan::Precision::Tf32 ? kTf32Bits : 0;
}

float roundedTo(model::DataType type, float value) {
    if (type == model::DataType::BFloat16) return roundedToBits(8, value);
    return type == model::DataType::Float16 ? toFloat16(value) : value;
}

void roundStored(plan::Precision precision, const plan::Tensor& tensor, std::span<float> values) {
    const bool input = tensor.role == plan::TensorRole::Input;
    const bool sum = isValueOfAStep(tensor.role) || tensor.role == plan::TensorRole::Gradient;
    const bool coarser = precision == plan::Precision::Fp32 ? sum : input || isValueOfAStep(tensor.role);
    if (const int bits = coarserBits(precision); bits > 0 && coarser)
        roundAll(values, [&](float value) { return roundedToBits(bits, value); });
    if (model::bytesOf(plan::activationType(precision)) < 4 && tensor.role != plan::TensorRole::Saved)
        roundAll(values, [&](float value) { return roundedTo(tensor.type, value); });
}

void roundWeights(plan::Precision precision, std::span<float> values) {
    if (precision == plan::Precision::Tf32)
        roundAll(values, [](float value) { return roundedToBits(kTf32Bits, value); });
    else
        roundAll(values, [&](float value) { return roundedTo(plan::activationType(precision), value); });
}

}  // namespace steelyard::compute::reference
