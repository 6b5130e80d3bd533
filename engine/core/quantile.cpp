// SPDX-License-Identifier: Apache-2.0
#include "engine/core/quantile.h"

#include <algorithm>
#include <cmath>

namespace steelyard {

double quantileOfAscending(std::span<const double> sorted, double fraction) {
    const double position = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    if (below + 1 >= sorted.size()) return sorted.back();
    return std::lerp(sorted[below], sorted[below + 1], position - static_cast<double>(below));
}

double quantile(std::vector<double> values, double fraction) {
    std::ranges::sort(values);
    return quantileOfAscending(values, fraction);
}

double median(std::vector<double> values) {
    return quantile(std::move(values), 0.5);
}

}  // namespace steelyard
