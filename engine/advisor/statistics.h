// SPDX-License-Identifier: Apache-2.0
// Small statistics of the advisor. Pure functions.
#pragma once

#include <vector>

namespace steelyard::advisor {

// predicted / measured - 1: what the fits make small and the back-test reports. In logarithms being twice too slow
// would count no more than being twice too fast.
[[nodiscard]] constexpr double relativeError(double predicted, double measured) {
    return predicted / measured - 1;
}

// Linear between the order statistics; `values` is not empty, 0 <= share <= 1.
[[nodiscard]] double quantile(std::vector<double> values, double share);

// The median, drawn toward 0 when few values stand behind it: median n / (n + 1/2). 0 without values.
[[nodiscard]] double shrunkMedian(const std::vector<double>& values);

}  // namespace steelyard::advisor
