// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/statistics.h"

#include <algorithm>
#include <cmath>

namespace steelyard::advisor {

double quantile(std::vector<double> values, double fraction) {
    std::ranges::sort(values);
    const double at = fraction * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    if (below + 1 >= values.size()) return values.back();
    return values[below] + (at - std::floor(at)) * (values[below + 1] - values[below]);
}

double shrunkMedian(const std::vector<double>& values) {
    if (values.empty()) return 0;
    const double n = static_cast<double>(values.size());
    return quantile(values, 0.5) * n / (n + 0.5);
}

}  // namespace steelyard::advisor
