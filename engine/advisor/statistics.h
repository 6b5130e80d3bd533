// SPDX-License-Identifier: Apache-2.0
// Statistics for the advisor. Pure functions.
#pragma once

#include <vector>

namespace steelyard::advisor {

// predicted / measured - 1: minimised by the fits and reported by the back-test. A logarithmic error would weigh a
// prediction twice too slow like one twice too fast.
[[nodiscard]] constexpr double relativeError(double predicted, double measured) {
    return predicted / measured - 1;
}

// median * n / (n + 1/2): shrunk towards 0 for small n. 0 without values.
[[nodiscard]] double shrunkMedian(const std::vector<double>& values);

}  // namespace steelyard::advisor
