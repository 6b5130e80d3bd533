// SPDX-License-Identifier: Apache-2.0
// Activation functions and their slopes, one value at a time. Internal to kernels/. Sources: D. Hendrycks, K. Gimpel,
// Gaussian Error Linear Units, 2016; P. Ramachandran, B. Zoph, Q. Le, Searching for Activation Functions, 2017.
#pragma once

#include "engine/compute/cuda/kernels/pointwise.h"
#include "engine/compute/cuda/kernels/portable.h"

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

STEELYARD_HD float activated(Activation kind, float x) {
    switch (kind) {
        case Activation::None:
            return x;
        case Activation::Relu:
            return x > 0.0F ? x : 0.0F;
        case Activation::Relu6:
            return x > 0.0F ? (x < 6.0F ? x : 6.0F) : 0.0F;
        case Activation::Sigmoid:
            return logistic(x);
        case Activation::Tanh:
            return std::tanh(x);
        case Activation::Gelu:
            return 0.5F * x * std::erfc(-x * 0.7071067812F);
        case Activation::GeluTanh:
            return 0.5F * x * (1.0F + std::tanh(geluArgument(x)));
        case Activation::Swish:
            return x * logistic(x);
    }
    return x;
}

// value: the input x or the output y, as slopeNeedsInput(kind) says.
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
            return 0.5F * std::erfc(-value * 0.7071067812F) + value * 0.3989422804F * std::exp(-0.5F * value * value);
        case Activation::GeluTanh: {
            const float t = std::tanh(geluArgument(value));
            return 0.5F * (1.0F + t) + 0.5F * value * (1.0F - t * t) * geluArgumentSlope(value);
        }
        case Activation::Swish: {
            const float s = logistic(value);
            return s + value * s * (1.0F - s);
        }
    }
    return 1.0F;
}

}  // namespace steelyard::compute::cuda::kernels
