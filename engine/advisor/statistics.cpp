// SPDX-License-Identifier: Apache-2.0
#include "engine/advisor/statistics.h"

#include "engine/core/quantile.h"

namespace steelyard::advisor {

double shrunkMedian(const std::vector<double>& values) {
    if (values.empty()) return 0;
    const double n = static_cast<double>(values.size());
    return median(values) * n / (n + 0.5);
}

}  // namespace steelyard::advisor
