// SPDX-License-Identifier: Apache-2.0
// The normalisation of a softmax in one pass: largest value and sum of exponentials together (M. Milakov, N.
// Gimelshein, Online normalizer calculation for softmax, 2018). Internal to kernels/.
#pragma once

#include <limits>

#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {

struct PlusWide {
    STEELYARD_HD_MEMBER double operator()(double a, double b) const { return a + b; }
};

// The largest value itself is 1 of the sum and left out: added, it would round away what small losses consist of.
struct ExponentialSums {
    float largest = -3.402823466e38F;  // nothing was taken
    float rest = 0;                    // of exp(value - largest) over the other values

    // T: the type the values came in (exponential).
    template <typename T, int N>
    STEELYARD_HD_MEMBER void take(const float (&values)[N]) {
        float upper = values[0];
        for (int i = 1; i < N; ++i) upper = values[i] > upper ? values[i] : upper;
        bool leaveOut = upper > largest;  // its first occurrence
        if (leaveOut) {
            rest = (rest + 1) * std::exp(largest - upper);
            largest = upper;
        }
        for (int i = 0; i < N; ++i) {
            const bool left = leaveOut && values[i] == upper;
            rest += left ? 0.0F : exponential<T>(values[i] - largest);
            leaveOut = leaveOut && !left;
        }
    }
    [[nodiscard]] STEELYARD_HD_MEMBER float logRest() const { return std::log1p(rest); }
    [[nodiscard]] STEELYARD_HD_MEMBER float logSum() const { return largest + logRest(); }
};

struct MergeExponentialSums {
    STEELYARD_HD_MEMBER ExponentialSums operator()(const ExponentialSums& a, const ExponentialSums& b) const {
        const bool second = a.largest < b.largest;  // values, not references: those would ask for memory
        const float upper = second ? b.largest : a.largest, lower = second ? a.largest : b.largest;
        const float upperRest = second ? b.rest : a.rest, lowerRest = second ? a.rest : b.rest;
        return {upper, upperRest + (lowerRest + 1) * std::exp(lower - upper)};
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
            float values[N];
            for (int i = 0; i < N; ++i)
                values[i] = v * N + i < visible ? scale * toFloat(in.at[i]) : -std::numeric_limits<float>::infinity();
            part.template take<T>(values);
        },
        MergeExponentialSums{});
}

// A warp, a block or a large block for a row, by its length and how many there are.
template <typename Work>
Status softmaxTeams(Stream stream, std::int64_t rows, std::int64_t columns, const Work& work) {
    if (columns <= 1024) return teams<32>(stream, rows, work);
    if (columns <= 8192 || (columns <= 65536 && rows >= 256)) return teams<256>(stream, rows, work);
    return teams<1024>(stream, rows, work);
}

}  // namespace steelyard::compute::cuda::kernels
