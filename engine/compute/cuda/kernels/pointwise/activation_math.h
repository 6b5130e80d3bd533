// SPDX-License-Identifier: Apache-2.0
// Scalar activation functions and their derivatives. Internal to kernels/. Sources: D. Hendrycks, K. Gimpel, Gaussian
// Error Linear Units, 2016; P. Ramachandran, B. Zoph, Q. Le, Searching for Activation Functions, 2017.
#pragma once

#include "engine/compute/cuda/kernels/execution/portable.h"
#include "engine/compute/cuda/kernels/pointwise/pointwise.h"

namespace steelyard::compute::cuda::kernels {

STEELYARD_HD float logistic(float x) {
    return 1.0F / (1.0F + std::exp(-x));
}

// tanh's argument in GeluTanh, sqrt(2 / pi) (x + 0.044715 x^3), and its derivative.
STEELYARD_HD float geluArgument(float x) {
    return 0.7978845608F * (x + 0.044715F * x * x * x);
}
STEELYARD_HD float geluArgumentSlope(float x) {
    return 0.7978845608F * (1.0F + 3.0F * 0.044715F * x * x);
}

// For values rounded to a 16-bit type T: faster functions, with an error far below the rounding.
template <typename T>
STEELYARD_HD float logisticOf(float x) {
    if constexpr (sizeof(T) < sizeof(float)) return ratio(1.0F, 1.0F + exponential<T>(-x));
    return logistic(x);
}
template <typename T>
STEELYARD_HD float normalShare(float x) {  // Phi(x)
    if constexpr (sizeof(T) < sizeof(float)) return 0.5F + 0.5F * std::erf(x * 0.7071067812F);
    return 0.5F * std::erfc(-x * 0.7071067812F);
}

template <typename T = float>
STEELYARD_HD float activated(Activation kind, float x) {
    switch (kind) {
        case Activation::None:
            return x;
        case Activation::Relu:
            return x > 0.0F ? x : 0.0F;
        case Activation::Relu6:
            return x > 0.0F ? (x < 6.0F ? x : 6.0F) : 0.0F;
        case Activation::Sigmoid:
            return logisticOf<T>(x);
        case Activation::Tanh:
            return std::tanh(x);
        case Activation::Gelu:
            return x * normalShare<T>(x);
        case Activation::GeluTanh:
            return 0.5F * x * (1.0F + std::tanh(geluArgument(x)));
        case Activation::Swish:
            return x * logisticOf<T>(x);
    }
    return x;
}

// value: the input x or the output y, as required by slopeNeedsInput(kind).
template <typename T = float>
STEELYARD_HD float slope(Activation kind, float value) {
    switch (kind) {
        case Activation::None:
            return 1.0F;
        case Activation::Relu:
            return value > 0.0F ? 1.0F : 0.0F;
        case Activation::Relu6:
            return value > 0.0F && value < 6.0F ? 1.0F : 0.0F;
        case Activation::Sigmoid:
            return value * (1.0F - value);
        case Activation::Tanh:
            return 1.0F - value * value;
        case Activation::Gelu:
            return normalShare<T>(value) + value * 0.3989422804F * exponential<T>(-0.5F * value * value);
        case Activation::GeluTanh: {
            const float t = std::tanh(geluArgument(value));
            return 0.5F * (1.0F + t) + 0.5F * value * (1.0F - t * t) * geluArgumentSlope(value);
        }
        case Activation::Swish: {
            const float s = logisticOf<T>(value);
            return s + value * s * (1.0F - s);
        }
    }
    return 1.0F;
}

// A kind known at compile time, for loops without a switch; and any kind.
template <Activation Kind>
struct FixedActivation {
    static constexpr Activation kind = Kind;
};
struct AnyActivation {
    Activation kind;
};
// Calls f with one of them: frequent kinds have specialized kernels.
template <typename F>
Status withActivation(Activation kind, const F& f) {
    switch (kind) {
        case Activation::None:
            return f(FixedActivation<Activation::None>{});
        case Activation::Relu:
            return f(FixedActivation<Activation::Relu>{});
        case Activation::Gelu:
            return f(FixedActivation<Activation::Gelu>{});
        case Activation::GeluTanh:
            return f(FixedActivation<Activation::GeluTanh>{});
        default:
            return f(AnyActivation{kind});
    }
}

}  // namespace steelyard::compute::cuda::kernels
