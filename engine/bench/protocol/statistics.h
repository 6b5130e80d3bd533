// SPDX-License-Identifier: Apache-2.0
// Non-parametric statistics of the samples of one case: run times are skewed and have outliers, so medians, order
// statistics and ranks are used (Hoefler & Belli, "Scientific Benchmarking of Parallel Computing Systems", SC'15). Pure
// functions; any thread. Samples that are not finite are ignored; a statistic that needs more samples is unset, never
// 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/bench/record/record.h"

namespace steelyard::bench {

// Minimum number of samples for statements about noise.
inline constexpr std::size_t kMinimumForNoise = 5;
inline constexpr std::size_t kMinimumForP90 = 10;
inline constexpr std::size_t kMinimumForP99 = 100;

struct Interval {
    double low = 0;
    double high = 0;

    friend bool operator==(const Interval&, const Interval&) = default;
};

// The finite values in ascending order, as expected by functions with a parameter `sorted`.
[[nodiscard]] std::vector<double> sortedFinite(std::span<const double> values);

// Middle value, or the mean of the two middle ones.
[[nodiscard]] std::optional<double> medianOfSorted(std::span<const double> sorted);

// See engine/core/quantile.h; fraction in [0, 1].
[[nodiscard]] std::optional<double> quantileOfSorted(std::span<const double> sorted, double fraction);

// Interval [x(k), x(n + 1 - k)] of order statistics with the largest k whose coverage of the median,
// 1 - 2 P(Binomial(n, 1/2) < k), is at least 95 %. Unset below 6 samples, where even [min, max] covers less.
[[nodiscard]] std::optional<Interval> medianIntervalOfSorted(std::span<const double> sorted);
// The k above, counted from 1; 0 if there is none.
[[nodiscard]] std::size_t medianIntervalRank(std::size_t n);

// Median of the absolute deviations from the median, unscaled.
[[nodiscard]] std::optional<double> medianAbsoluteDeviation(std::span<const double> sorted);

// Mean and variance in one pass, numerically stable (B. P. Welford, "Note on a Method for Calculating Corrected Sums of
// Squares and Products", 1962).
class RunningMoments {
public:
    void add(double value);
    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] std::optional<double> mean() const;
    [[nodiscard]] std::optional<double> variance() const;  // sample variance, n - 1; needs two values
    [[nodiscard]] std::optional<double> standardDeviation() const;

private:
    std::int64_t m_count = 0;
    double m_mean = 0;
    double m_squares = 0;
};

// Values more than 1.5 interquartile ranges outside the quartiles (Tukey, "Exploratory Data Analysis", 1977). Marked
// for the reader, but included in every statistic.
struct Outliers {
    std::optional<Interval> fences;    // unset below kMinimumForNoise
    std::vector<std::size_t> indices;  // into the samples, ascending
};
[[nodiscard]] Outliers tukeyOutliers(std::span<const double> samples);

// Speed in the last third of the time over that in the first third; a sample belongs to the third in which it ends.
// Below 1 if the machine slowed down (heat, power limits, other work). Unset if a third is empty.
[[nodiscard]] std::optional<double> sustainedRatio(std::span<const double> samples);
// Minimum ratio of a stable machine.
inline constexpr double kStableRatio = 0.97;

// Unset without finite samples.
[[nodiscard]] std::optional<Summary> summarize(std::span<const double> samples);

}  // namespace steelyard::bench
