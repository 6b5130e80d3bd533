// SPDX-License-Identifier: Apache-2.0
// Softmax normalisation in one pass: maximum and sum of exponentials together (M. Milakov, N. Gimelshein, Online
// normalizer calculation for softmax, 2018). Internal to kernels/.
#pragma once

#include <limits>

#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {

struct PlusWide {
    STEELYARD_HD_MEMBER double operator()(double a, double b) const { return a + b; }
};

// The maximum itself contributes 1 to the sum and is excluded: adding it would round away small losses.
struct ExponentialSums {
    float largest = -3.402823466e38F;  // empty
    float rest = 0;                    // sum of exp(value - largest) over the other values

    // T: original type of the values (exponential).
    template <typename T, int N>
    STEELYARD_HD_MEMBER void take(const float (&values)[N]) {
        float upper = values[0];
        for (int i = 1; i < N; ++i) upper = values[i] > upper ? values[i] : upper;
        bool leaveOut = upper > largest;  // first occurrence
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
        const bool second = a.largest < b.largest;  // values, not references, which would force memory
        const float upper = second ? b.largest : a.largest, lower = second ? a.largest : b.largest;
        const float upperRest = second ? b.rest : a.rest, lowerRest = second ? a.rest : b.rest;
        return {upper, upperRest + (lowerRest + 1) * std::exp(lower - upper)};
    }
};

// A stored score as the softmax reads it, and the derivative of that.
struct ScaledScore {
    static constexpr bool kConstantSlope = true;
    float scale;
    STEELYARD_HD_MEMBER float operator()(float score) const { return scale * score; }
    STEELYARD_HD_MEMBER float slope(float /*score*/) const { return scale; }
};
struct CappedScore {  // cap tanh(scale score / cap)
    static constexpr bool kConstantSlope = false;
    float scale, cap;
    STEELYARD_HD_MEMBER float operator()(float score) const { return cap * std::tanh(scale * score / cap); }
    STEELYARD_HD_MEMBER float slope(float score) const {
        const float part = std::tanh(scale * score / cap);
        return scale * (1.0F - part * part);
    }
};

// Of score(row[from .. until)), which is not empty; the row has `columns` values, a multiple of N.
template <int N, typename Team, typename T, typename Score>
STEELYARD_HD ExponentialSums exponentialSums(const Team& team, const T* row, std::int64_t columns, std::int64_t from,
                                             std::int64_t until, const Score& score) {
    return team.template reduce<ExponentialSums>(
        columns / N,
        [&](ExponentialSums& part, std::int64_t v) {
            const std::int64_t first = v * N;
            if (first >= until || first + N <= from) return;
            const auto in = load<N>(row + first);
            float values[N];
            for (int i = 0; i < N; ++i)
                values[i] = first + i >= from && first + i < until ? score(toFloat(in.at[i]))
                                                                   : -std::numeric_limits<float>::infinity();
            part.template take<T>(values);
        },
        MergeExponentialSums{});
}
// Of a whole row.
template <int N, typename Team, typename T>
STEELYARD_HD ExponentialSums exponentialSums(const Team& team, const T* row, std::int64_t columns) {
    return exponentialSums<N>(team, row, columns, 0, columns, ScaledScore{1.0F});
}

// Team size per row: a warp, a block or a large block, by the length and number of rows.
template <typename Work>
Status softmaxTeams(Stream stream, std::int64_t rows, std::int64_t columns, const Work& work) {
    if (columns <= 1024) return teams<32>(stream, rows, work);
    if (columns <= 8192 || (columns <= 65536 && rows >= 256)) return teams<256>(stream, rows, work);
    return teams<1024>(stream, rows, work);
}

}  // namespace steelyard::compute::cuda::kernels
