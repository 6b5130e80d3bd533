// SPDX-License-Identifier: Apache-2.0
// Elements in 8 bits, and the scaling of 32-bit sums. Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/eight_bit/eight_bit.h"
#include "engine/compute/cuda/kernels/execution/portable.h"
#include "engine/compute/cuda/kernels/pointwise/activation_math.h"

namespace steelyard::compute::cuda::kernels {

STEELYARD_HD float toFloat(std::int8_t value) {
    return static_cast<float>(value);
}
STEELYARD_HD float toFloat(std::uint8_t value) {
    return static_cast<float>(value);
}

// The nearest integer, ties to even, within the grid; 0 for NaN.
STEELYARD_HD float nearestStep(float value, float low, float high) {
    if (value >= low) return value <= high ? std::nearbyint(value) : high;
    return value < low ? low : 0.0F;
}
template <>
struct FromFloat<std::int8_t> {
    STEELYARD_HD_MEMBER static std::int8_t of(float value) {
        return static_cast<std::int8_t>(nearestStep(value, -127.0F, 127.0F));
    }
};
template <>
struct FromFloat<std::uint8_t> {
    STEELYARD_HD_MEMBER static std::uint8_t of(float value) {
        return static_cast<std::uint8_t>(nearestStep(value, 0.0F, 255.0F));
    }
};

// values += factor x, for N neighbours.
template <int N, typename T>
STEELYARD_HD void addElements(float (&values)[N], const void* x, std::int64_t at, float factor) {
    const auto in = load<N>(static_cast<const T*>(x) + at);
    for (int i = 0; i < N; ++i) values[i] += factor * toFloat(in.at[i]);
}
template <int N>
STEELYARD_HD void addStored(float (&values)[N], const void* x, StoredAs type, std::int64_t at, float factor) {
    if (type == StoredAs::Unsigned) return addElements<N, std::uint8_t>(values, x, at, factor);
    if (type == StoredAs::Signed) return addElements<N, std::int8_t>(values, x, at, factor);
    addElements<N, float>(values, x, at, factor);
}

template <int N, typename T>
STEELYARD_HD void storeElements(const float (&values)[N], void* y, std::int64_t at, float factor) {
    Pack<T, N> out;
    for (int i = 0; i < N; ++i) out.at[i] = fromFloat<T>(factor * values[i]);
    store<N>(static_cast<T*>(y) + at, out);
}
// y = values, in 8 bits times `inverse` and rounded.
template <int N>
STEELYARD_HD void storeAs(const float (&values)[N], void* y, StoredAs type, std::int64_t at, float inverse) {
    if (type == StoredAs::Unsigned) return storeElements<N, std::uint8_t>(values, y, at, inverse);
    if (type == StoredAs::Signed) return storeElements<N, std::int8_t>(values, y, at, inverse);
    storeElements<N, float>(values, y, at, 1.0F);
}

// Results of N neighbouring units, the first of them `unit`, at `at` in y.
template <int N>
STEELYARD_HD void storeResults(const ByteResults& r, const std::int32_t (&sums)[N], std::int64_t unit,
                               std::int64_t at) {
    const auto factors = load<N>(r.factors + unit), offsets = load<N>(r.offsets + unit);
    float values[N];
    for (int i = 0; i < N; ++i) values[i] = factors.at[i] * static_cast<float>(sums[i]) + offsets.at[i];
    if (r.shortcut != nullptr) addStored<N>(values, r.shortcut, r.shortcutType, at, r.shortcutFactor);
    for (int i = 0; i < N; ++i) values[i] = activated(r.activation, values[i]);
    storeAs<N>(values, r.y, r.type, at, r.inverse);
}

// Whether packs of N units may be stored.
template <int N>
bool resultsFit(const ByteResults& r, std::int64_t units) {
    return units % N == 0 && areAligned(r.factors, r.offsets, r.shortcut, r.y);
}

inline bool areValid(const ByteWindows& w) {
    return w.batch >= 0 && w.channels >= 1 && w.groups >= 1 && w.pitch >= w.channels * w.groups &&
           w.kernelHeight >= 1 && w.kernelWidth >= 1 && w.strideHeight >= 1 && w.strideWidth >= 1 && w.top >= 0 &&
           w.left >= 0;
}

// Calls f with a value of the element's type; not for Float.
template <typename F>
Status withBytes(StoredAs type, const F& f) {
    if (type == StoredAs::Signed) return f(std::int8_t{});
    if (type == StoredAs::Unsigned) return f(std::uint8_t{});
    return kInvalidValue;
}

}  // namespace steelyard::compute::cuda::kernels
