// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels of one and of two operands, from an operation on float values. Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {

// y (+)= op(x), element by element.
template <typename From, typename To, typename Op>
struct MapOne {
    const From* x;
    To* y;
    Op op;
    bool accumulate;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const auto in = load<N>(x + first);
        Pack<To, N> out;
        if (accumulate) out = load<N>(y + first);
        for (int i = 0; i < N; ++i) {
            const float before = accumulate ? toFloat(out.at[i]) : 0.0F;
            out.at[i] = fromFloat<To>(before + op(toFloat(in.at[i])));
        }
        store<N>(y + first, out);
    }
};

// y (+)= op(a, b)
template <typename T, typename Op>
struct MapTwo {
    const T* a;
    const T* b;
    T* y;
    Op op;
    bool accumulate;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const auto left = load<N>(a + first);
        const auto right = load<N>(b + first);
        Pack<T, N> out;
        if (accumulate) out = load<N>(y + first);
        for (int i = 0; i < N; ++i) {
            const float before = accumulate ? toFloat(out.at[i]) : 0.0F;
            out.at[i] = fromFloat<T>(before + op(toFloat(left.at[i]), toFloat(right.at[i])));
        }
        store<N>(y + first, out);
    }
};

template <typename From, typename To, typename Op>
Status mapOne(Stream stream, const void* x, void* y, std::int64_t n, Op op, bool accumulate) {
    constexpr int kN = kPack < From >> kPack<To> ? kPack<From> : kPack<To>;
    return packs<kN>(stream, n, areAligned(x, y),
                     MapOne<From, To, Op>{static_cast<const From*>(x), static_cast<To*>(y), op, accumulate});
}

template <typename T, typename Op>
Status mapTwo(Stream stream, const void* a, const void* b, void* y, std::int64_t n, Op op, bool accumulate) {
    return packs<kPack<T>>(
        stream, n, areAligned(a, b, y),
        MapTwo<T, Op>{static_cast<const T*>(a), static_cast<const T*>(b), static_cast<T*>(y), op, accumulate});
}

}  // namespace steelyard::compute::cuda::kernels
