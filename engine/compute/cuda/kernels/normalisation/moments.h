// SPDX-License-Identifier: Apache-2.0
// Mean and variance of values that arrive one at a time and in parts. Internal to kernels/. A part keeps sums of
// differences from its first value, which avoids the cancellation of plain sums of squares; parts are merged as in T.
// Chan, G. Golub, R. LeVeque, Updating Formulae and a Pairwise Algorithm for Computing Sample Variances, 1979.
#pragma once

#include "engine/compute/cuda/kernels/execution/portable.h"

namespace steelyard::compute::cuda::kernels {

struct Moments {
    float count = 0, shift = 0, sum = 0, squares = 0;  // of value - shift

    STEELYARD_HD_MEMBER void take(float value) {
        if (count == 0.0F) shift = value;
        const float difference = value - shift;
        count += 1.0F;
        sum += difference;
        squares += difference * difference;
    }
    // The sum of merged parts is 0, which needs no division.
    [[nodiscard]] STEELYARD_HD_MEMBER float mean() const { return sum != 0.0F ? shift + ratio(sum, count) : shift; }
    // Sum of squared differences from the mean.
    [[nodiscard]] STEELYARD_HD_MEMBER float deviations() const {
        if (sum == 0.0F) return squares;
        const float rest = squares - sum * ratio(sum, count);
        return rest > 0.0F ? rest : 0.0F;
    }
    [[nodiscard]] STEELYARD_HD_MEMBER float variance() const {
        return count > 0.0F ? ratio(deviations(), count) : 0.0F;
    }

    [[nodiscard]] STEELYARD_HD_MEMBER Moments merged(const Moments& other) const {
        if (count == 0.0F) return other;
        if (other.count == 0.0F) return *this;
        Moments whole;
        whole.count = count + other.count;
        const float delta = other.mean() - mean(), share = ratio(other.count, whole.count);
        whole.shift = mean() + delta * share;
        whole.squares = deviations() + other.deviations() + delta * delta * count * share;
        return whole;
    }
};

// Two sums for the backward pass of a normalisation: of g, and of g x^.
struct TwoSums {
    float plain = 0, weighted = 0;

    [[nodiscard]] STEELYARD_HD_MEMBER TwoSums merged(const TwoSums& other) const {
        return {plain + other.plain, weighted + other.weighted};
    }
};

}  // namespace steelyard::compute::cuda::kernels
