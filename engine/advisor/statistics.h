// SPDX-License-Identifier: Apache-2.0
// Small statistics of the advisor. Pure functions.
#pragma once

#include <vector>

namespace steelyard::advisor {

// Linear between the order statistics; `values` is not empty, 0 <= share <= 1.
[[nodiscard]] double quantile(std::vector<double> values, double share);

// The median, drawn toward 0 when few values stand behind it: median n / (n + 1/2). 0 without values.
[[nodiscard]] double shrunkMedian(const std::vector<double>& values);

}  // namespace steelyard::advisor
