// SPDX-License-Identifier: Apache-2.0
// Operations of imported networks. Formulas: model/array/array_evaluate.cpp. array_layer.h is only used for the names
// of functions.
#include <math.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"
#include "engine/model/array/array_layer.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

using model::MapKind;

template <class F>
STEELYARD_INLINE void unary(const MapRow& row, F f) {
    float* y = row.y;
    const float* a = row.a;
    if (row.repeatsA) {
        const float value = f(a[0]);
        for (std::int64_t i = 0; i < row.n; ++i) y[i] = value;
        return;
    }
#pragma omp simd
    for (std::int64_t i = 0; i < row.n; ++i) y[i] = f(a[i]);
}

template <class F>
STEELYARD_INLINE void binary(const MapRow& row, F f) {
    float* y = row.y;
    const float *a = row.a, *b = row.b;
    if (!row.repeatsA && !row.repeatsB) {
#pragma omp simd
        for (std::int64_t i = 0; i < row.n; ++i) y[i] = f(a[i], b[i]);
    } else if (!row.repeatsA) {
        const float right = b[0];
#pragma omp simd
        for (std::int64_t i = 0; i < row.n; ++i) y[i] = f(a[i], right);
    } else if (!row.repeatsB) {
        const float left = a[0];
#pragma omp simd
        for (std::int64_t i = 0; i < row.n; ++i) y[i] = f(left, b[i]);
    } else {
        const float value = f(a[0], b[0]);
        for (std::int64_t i = 0; i < row.n; ++i) y[i] = value;
    }
}

void select(const MapRow& row) {
    const std::int64_t a = row.repeatsA ? 0 : 1, b = row.repeatsB ? 0 : 1, c = row.repeatsC ? 0 : 1;
    if (a == 1 && b == 1 && c == 1) {
#pragma omp simd
        for (std::int64_t i = 0; i < row.n; ++i) row.y[i] = row.a[i] != 0 ? row.b[i] : row.c[i];
        return;
    }
    for (std::int64_t i = 0; i < row.n; ++i) row.y[i] = row.a[i * a] != 0 ? row.b[i * b] : row.c[i * c];
}

STEELYARD_INLINE bool isNan(float x) {
    return x != x;
}

// Without the clamping of exponential(): infinite above the range of float.
STEELYARD_INLINE float power(float x) {
    const float e = exponential(x);
    return x > 88.72284F ? __builtin_inff() : e;
}

STEELYARD_INLINE float softplus(float x) {
    return (x > 0 ? x : 0.0F) + log1pf(expf(x > 0 ? -x : x));
}

void mapUnary(const MapRow& row) {
    using K = MapKind;
    const float a = row.alpha, b = row.beta;
    switch (row.kind) {
        case K::Neg:
            return unary(row, [](float x) { return -x; });
        case K::Abs:
            return unary(row, [](float x) { return fabsf(x); });
        case K::Exp:
            return unary(row, [](float x) { return power(x); });
        case K::Log:
            return unary(row, [](float x) { return logf(x); });
        case K::Sqrt:
            return unary(row, [](float x) { return __builtin_sqrtf(x); });
        case K::Reciprocal:
            return unary(row, [](float x) { return 1.0F / x; });
        case K::Erf:
            return unary(row, [](float x) { return 2.0F * normalIntegral(x * 1.41421356F) - 1.0F; });
        case K::Floor:
            return unary(row, [](float x) { return __builtin_floorf(x); });
        case K::Ceil:
            return unary(row, [](float x) { return __builtin_ceilf(x); });
        case K::Round:
            return unary(row, [](float x) { return __builtin_rintf(x); });
        case K::Truncate:
            return unary(row, [](float x) { return __builtin_truncf(x); });
        case K::Sign:
            return unary(row, [](float x) { return x > 0 ? 1.0F : x < 0 ? -1.0F : x; });
        case K::Sin:
            return unary(row, [](float x) { return sinf(x); });
        case K::Cos:
            return unary(row, [](float x) { return cosf(x); });
        case K::Tan:
            return unary(row, [](float x) { return tanf(x); });
        case K::Asin:
            return unary(row, [](float x) { return asinf(x); });
        case K::Acos:
            return unary(row, [](float x) { return acosf(x); });
        case K::Atan:
            return unary(row, [](float x) { return atanf(x); });
        case K::Sinh:
            return unary(row, [](float x) { return sinhf(x); });
        case K::Cosh:
            return unary(row, [](float x) { return coshf(x); });
        case K::Asinh:
            return unary(row, [](float x) { return asinhf(x); });
        case K::Acosh:
            return unary(row, [](float x) { return acoshf(x); });
        case K::Atanh:
            return unary(row, [](float x) { return atanhf(x); });
        case K::Tanh:
            return unary(row, [](float x) { return hyperbolicTangent(x); });
        case K::Sigmoid:
            return unary(row, [](float x) { return logistic(x); });
        case K::Relu:
            return unary(row, [](float x) { return x < 0 ? 0.0F : x; });
        case K::Gelu:
            return unary(row, [](float x) { return x * normalIntegral(x); });
        case K::GeluTanh:
            return unary(row, [](float x) { return x * logistic(1.59576912F * (x + 0.044715F * x * x * x)); });
        case K::Softplus:
            return unary(row, [](float x) { return softplus(x); });
        case K::Softsign:
            return unary(row, [](float x) { return x / (1.0F + fabsf(x)); });
        case K::Elu:
            return unary(row, [a](float x) { return x < 0 ? a * (exponential(x) - 1.0F) : x; });
        case K::Selu:
            return unary(row, [a, b](float x) { return b * (x < 0 ? a * (exponential(x) - 1.0F) : x); });
        case K::Celu:
            return unary(row, [a](float x) { return x < 0 ? a * (exponential(x / a) - 1.0F) : x; });
        case K::LeakyRelu:
            return unary(row, [a](float x) { return x < 0 ? a * x : x; });
        case K::ThresholdedRelu:
            return unary(row, [a](float x) { return x > a ? x : 0.0F; });
        case K::HardSigmoid:
            return unary(row, [a, b](float x) {
                const float v = a * x + b;
                const float low = v < 0 ? 0.0F : v;
                return low > 1 ? 1.0F : low;
            });
        case K::HardSwish:
            return unary(row, [](float x) {
                const float v = x * (1.0F / 6) + 0.5F;
                const float low = v < 0 ? 0.0F : v;
                return x * (low > 1 ? 1.0F : low);
            });
        case K::Mish:
            return unary(row, [](float x) { return x * hyperbolicTangent(softplus(x)); });
        case K::Shrink:
            return unary(row, [a, b](float x) { return x < -a ? x + b : x > a ? x - b : 0.0F; });
        case K::Clip:
            return unary(row, [a, b](float x) {
                const float low = x < a ? a : x;
                return low > b ? b : low;
            });
        case K::Scale:
            return unary(row, [a, b](float x) { return a * x + b; });
        case K::ToBool:
            return unary(row, [](float x) { return x != 0 ? 1.0F : 0.0F; });
        case K::Not:
            return unary(row, [](float x) { return x == 0 ? 1.0F : 0.0F; });
        case K::IsNaN:
            return unary(row, [](float x) { return isNan(x) ? 1.0F : 0.0F; });
        case K::IsInf:
            return unary(row, [a, b](float x) {
                const bool low = x == -__builtin_inff() && a != 0, high = x == __builtin_inff() && b != 0;
                return low || high ? 1.0F : 0.0F;
            });
        default:
            return unary(row, [](float x) { return x; });
    }
}

void mapBinary(const MapRow& row) {
    using K = MapKind;
    const auto truth = [](bool value) { return value ? 1.0F : 0.0F; };
    switch (row.kind) {
        case K::Add:
        case K::Mean:
            return binary(row, [](float x, float z) { return x + z; });
        case K::Sub:
            return binary(row, [](float x, float z) { return x - z; });
        case K::Mul:
            return binary(row, [](float x, float z) { return x * z; });
        case K::Div:
            return binary(row, [](float x, float z) { return x / z; });
        case K::IntegerDiv:
            return binary(row, [](float x, float z) { return z == 0 ? 0.0F : __builtin_truncf(x / z); });
        case K::Pow:
            return binary(row, [](float x, float z) { return powf(x, z); });
        case K::Max:
            return binary(row, [](float x, float z) { return isNan(x) || x > z ? x : z; });
        case K::Min:
            return binary(row, [](float x, float z) { return isNan(x) || x < z ? x : z; });
        case K::PRelu:
            return binary(row, [](float x, float z) { return x < 0 ? x * z : x; });
        case K::Mod:
            return binary(row, [](float x, float z) { return z == 0 ? 0.0F : x - z * __builtin_floorf(x / z); });
        case K::Fmod:
            return binary(row, [](float x, float z) { return fmodf(x, z); });
        case K::And:
            return binary(row, [=](float x, float z) { return truth(x != 0 && z != 0); });
        case K::Or:
            return binary(row, [=](float x, float z) { return truth(x != 0 || z != 0); });
        case K::Xor:
            return binary(row, [=](float x, float z) { return truth((x != 0) != (z != 0)); });
        case K::Equal:
            return binary(row, [=](float x, float z) { return truth(x == z); });
        case K::Less:
            return binary(row, [=](float x, float z) { return truth(x < z); });
        case K::LessOrEqual:
            return binary(row, [=](float x, float z) { return truth(x <= z); });
        case K::Greater:
            return binary(row, [=](float x, float z) { return truth(x > z); });
        case K::GreaterOrEqual:
            return binary(row, [=](float x, float z) { return truth(x >= z); });
        default:
            return unary(row, [](float x) { return x; });
    }
}

void map(const MapRow& row) {
    if (row.kind == MapKind::Where) return select(row);
    if (row.kind < MapKind::Add) return mapUnary(row);
    mapBinary(row);
}

float sum(const float* x, std::int64_t n) {
    float total = 0;
#pragma omp simd reduction(+ : total)
    for (std::int64_t i = 0; i < n; ++i) total += x[i];
    return total;
}

float sumOfSquares(const float* x, float centre, std::int64_t n) {
    float total = 0;
#pragma omp simd reduction(+ : total)
    for (std::int64_t i = 0; i < n; ++i) total += (x[i] - centre) * (x[i] - centre);
    return total;
}

float maximum(const float* x, std::int64_t n) {
    float most = x[0], strange = 0;
#pragma omp simd reduction(max : most) reduction(+ : strange)
    for (std::int64_t i = 0; i < n; ++i) {
        most = x[i] > most ? x[i] : most;
        strange += isNan(x[i]) ? 1.0F : 0.0F;
    }
    return strange > 0 ? __builtin_nanf("") : most;
}

float minimum(const float* x, std::int64_t n) {
    float least = x[0], strange = 0;
#pragma omp simd reduction(min : least) reduction(+ : strange)
    for (std::int64_t i = 0; i < n; ++i) {
        least = x[i] < least ? x[i] : least;
        strange += isNan(x[i]) ? 1.0F : 0.0F;
    }
    return strange > 0 ? __builtin_nanf("") : least;
}

void addScaled(float* y, const float* x, float factor, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

void fromInt32(float* y, const std::int32_t* x, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<float>(x[i]);
}

void toInt32(std::int32_t* y, const float* x, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) {
        const float v = x[i];
        y[i] = isNan(v)            ? 0
               : v >= 2147483648.F ? 2147483647
               : v < -2147483648.F ? -2147483647 - 1
                                   : static_cast<std::int32_t>(v);
    }
}

}  // namespace

void fillArray(Kernels& table) {
    table.array = {map, sum, sumOfSquares, maximum, minimum, addScaled, fromInt32, toInt32};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
