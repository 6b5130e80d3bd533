// SPDX-License-Identifier: Apache-2.0
// Quantiles of samples by linear interpolation between order statistics (definition 7 of Hyndman & Fan, "Sample
// Quantiles in Statistical Packages", 1996; the default of R and NumPy). Pure functions; any thread. Samples are
// finite.
#pragma once

#include <span>
#include <vector>

namespace steelyard {

// `sorted` is ascending and not empty; fraction is clamped to [0, 1].
[[nodiscard]] double quantileOfAscending(std::span<const double> sorted, double fraction);
// `values` is not empty.
[[nodiscard]] double quantile(std::vector<double> values, double fraction);
// Middle value, or the mean of the two middle ones; `values` is not empty.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace steelyard
