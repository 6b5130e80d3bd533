// SPDX-License-Identifier: Apache-2.0
// Scalar formulas of the element-wise functions (map_kind.h), in the type T: double for naive evaluation, float on
// devices. Included by host and device kernels.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "engine/model/array/map_kind.h"

#if defined(__CUDACC__)
#define STEELYARD_MAP_FUNCTION __host__ __device__ inline
#else
#define STEELYARD_MAP_FUNCTION inline
#endif

namespace steelyard::model {

// Propagates NaN.
template <class T>
STEELYARD_MAP_FUNCTION T mapClamped(T x, T low, T high) {
    const T above = x < low ? low : x;
    return high < above ? high : above;
}

// Unary functions; `a` and `b` are Map's alpha and beta.
template <class T>
STEELYARD_MAP_FUNCTION T unaryValue(MapKind kind, T x, T a, T b) {
    using K = MapKind;
    const T one = 1, half = T(0.5);
    switch (kind) {
        case K::Identity:
            return x;
        case K::Neg:
            return -x;
        case K::Abs:
            return std::abs(x);
        case K::Exp:
            return std::exp(x);
        case K::Log:
            return std::log(x);
        case K::Sqrt:
            return std::sqrt(x);
        case K::Reciprocal:
            return one / x;
        case K::Erf:
            return std::erf(x);
        case K::Floor:
            return std::floor(x);
        case K::Ceil:
            return std::ceil(x);
        case K::Round:
            return std::nearbyint(x);  // ties to even
        case K::Sign:
            return x > 0 ? one : x < 0 ? -one : x;
        case K::Sin:
            return std::sin(x);
        case K::Cos:
            return std::cos(x);
        case K::Tan:
            return std::tan(x);
        case K::Asin:
            return std::asin(x);
        case K::Acos:
            return std::acos(x);
        case K::Atan:
            return std::atan(x);
        case K::Sinh:
            return std::sinh(x);
        case K::Cosh:
            return std::cosh(x);
        case K::Asinh:
            return std::asinh(x);
        case K::Acosh:
            return std::acosh(x);
        case K::Atanh:
            return std::atanh(x);
        case K::Tanh:
            return std::tanh(x);
        case K::Sigmoid:
            return one / (one + std::exp(-x));
        case K::Relu:
            return x < 0 ? T(0) : x;
        case K::Gelu:
            return half * x * std::erfc(-x / std::numbers::sqrt2_v<T>);
        case K::GeluTanh:
            return half * x *
                   (one + std::tanh(std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T> *
                                    (x + T(0.044715) * x * x * x)));
        case K::Softplus:
            return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
        case K::Softsign:
            return x / (1 + std::abs(x));
        case K::Elu:
            return x < 0 ? a * std::expm1(x) : x;
        case K::Selu:
            return b * (x < 0 ? a * std::expm1(x) : x);
        case K::Celu:
            return x < 0 ? a * std::expm1(x / a) : x;
        case K::LeakyRelu:
            return x < 0 ? a * x : x;
        case K::ThresholdedRelu:
            return x > a ? x : T(0);
        case K::HardSigmoid:
            return mapClamped(a * x + b, T(0), one);
        case K::HardSwish:
            return x * mapClamped(x / 6 + half, T(0), one);
        case K::Mish:
            return x * std::tanh(x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)));
        case K::Shrink:
            return x < -a ? x + b : x > a ? x - b : T(0);
        case K::Clip:
            return mapClamped(x, a, b);
        case K::Scale:
            return a * x + b;
        case K::Truncate:
            return std::trunc(x);
        case K::ToBool:
            return x != 0 ? one : T(0);
        case K::Not:
            return x == 0 ? one : T(0);
        case K::IsNaN:
            return std::isnan(x) ? one : T(0);
        case K::IsInf:
            return std::isinf(x) && ((x < 0 && a != 0) || (x > 0 && b != 0)) ? one : T(0);
        default:
            return x;
    }
}

// Binary functions; for Mean, the partial sum.
template <class T>
STEELYARD_MAP_FUNCTION T binaryValue(MapKind kind, T x, T y) {
    using K = MapKind;
    const T one = 1;
    switch (kind) {
        case K::Add:
        case K::Mean:
            return x + y;
        case K::Sub:
            return x - y;
        case K::Mul:
            return x * y;
        case K::Div:
            return x / y;
        case K::IntegerDiv:
            return y == 0 ? T(0) : std::trunc(x / y);
        case K::Pow:
            return std::pow(x, y);
        case K::Max:
            return std::isnan(x) || std::isnan(y) ? std::numeric_limits<T>::quiet_NaN() : (x < y ? y : x);
        case K::Min:
            return std::isnan(x) || std::isnan(y) ? std::numeric_limits<T>::quiet_NaN() : (y < x ? y : x);
        case K::PRelu:
            return x < 0 ? x * y : x;
        case K::Mod:
            return y == 0 ? T(0) : x - y * std::floor(x / y);
        case K::Fmod:
            return std::fmod(x, y);
        case K::And:
            return x != 0 && y != 0 ? one : T(0);
        case K::Or:
            return x != 0 || y != 0 ? one : T(0);
        case K::Xor:
            return (x != 0) != (y != 0) ? one : T(0);
        case K::Equal:
            return x == y ? one : T(0);
        case K::Less:
            return x < y ? one : T(0);
        case K::LessOrEqual:
            return x <= y ? one : T(0);
        case K::Greater:
            return x > y ? one : T(0);
        case K::GreaterOrEqual:
            return x >= y ? one : T(0);
        default:
            return x;
    }
}

}  // namespace steelyard::model
