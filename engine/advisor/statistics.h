// SPDX-License-Identifier: Apache-2.0
// Statistics for the advisor. Pure functions.
#pragma once

#include <vector>

namespace steelyard::advisor {

// predicted / measured - 1: minimised by the fits and reported by the back-test. In logarithms a prediction twice too
// slow would count as much as one twice too fast.
[[nodiscard]] constexpr double relativeError(double predicted, double measured) {
    return predicted / measured - 1;
}

// The median, shrunk towards 0 if there are few values: median n / (n + 1/2). 0 without values.
[[nodiscard]] double shrunkMedian(const std::vector<double>& values);

}  // namespace steelyard::advisor
