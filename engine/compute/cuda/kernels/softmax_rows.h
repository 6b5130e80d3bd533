// SPDX-License-Identifier: Apache-2.0
// The normalisation of a softmax in one pass: largest value and sum of exponentials together (M. Milakov, N.
// Gimelshein, Online normalizer calculation for softmax, 2018). Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/execution.h"

namespace steelyard::compute::cuda::kernels {

struct PlusWide {
    STEELYARD_HD_MEMBER double operator()(double a, double b) const { return a + b; }
};

// The largest value itself is 1 of the sum and left out: added, it would round away what small losses consist of.
struct ExponentialSums {
    float largest = -3.402823466e38F;  // nothing was taken
    float rest = 0;                    // of exp(value - largest) over the other values

    STEELYARD_HD_MEMBER void take(float value) {
        if (value > largest) {
            rest = (rest + 1) * std::exp(largest - value);
            largest = value;
        } else {
            rest += std::exp(value - largest);
        }
    }
    [[nodiscard]] STEELYARD_HD_MEMBER float logRest() const { return std::log1p(rest); }
    [[nodiscard]] STEELYARD_HD_MEMBER float logSum() const { return largest + logRest(); }
};

struct MergeExponentialSums {
    STEELYARD_HD_MEMBER ExponentialSums operator()(const ExponentialSums& a, const ExponentialSums& b) const {
        const auto& upper = a.largest < b.largest ? b : a;
        const auto& lower = a.largest < b.largest ? a : b;
        return {upper.largest, upper.rest + (lower.rest + 1) * std::exp(lower.largest - upper.largest)};
    }
};

// Of scale * row[0 .. visible); the row has `columns` values, a multiple of N.
template <int N, typename Team, typename T>
STEELYARD_HD ExponentialSums exponentialSums(const Team& team, const T* row, std::int64_t columns, std::int64_t visible,
                                             float scale) {
    return team.template reduce<ExponentialSums>(
        columns / N,
        [&](ExponentialSums& part, std::int64_t v) {
            if (v * N >= visible) return;
            const auto in = load<N>(row + v * N);
            for (int i = 0; i < N; ++i)
                if (v * N + i < visible) part.take(scale * toFloat(in.at[i]));
        },
        MergeExponentialSums{});
}

// A warp, a block or a large block for a row, by its length.
template <typename Work>
Status softmaxTeams(Stream stream, std::int64_t rows, std::int64_t columns, const Work& work) {
    if (columns <= 1024) return teams<32>(stream, rows, work);
    if (columns <= 8192) return teams<256>(stream, rows, work);
    return teams<1024>(stream, rows, work);
}

}  // namespace steelyard::compute::cuda::kernels
