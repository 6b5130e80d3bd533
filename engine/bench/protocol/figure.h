// SPDX-License-Identifier: Apache-2.0
// The result of a case: a median with an interval for repetitions. Samples of one process say nothing about the next
// process, so the interval is computed over visits, each in its own process. Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/machine_reading.h"

namespace steelyard::bench {

inline constexpr double kOutsideInterval = 0.05;

// Windows are classified by machine state (machine_state.h); each valid window contributes the median of its samples.
// The result is the median over the windows of the most frequent state, in seconds per step. The interval contains the
// result of a repetition with the same number of visits in 95 % of cases (a prediction interval: G. J. Hahn, W. Q.
// Meeker, "Statistical Intervals", 1991, of the mean of m future values, with the standard error of a median instead of
// a mean):
//     figure x exp(+- t sqrt(2 (s^2 c(V)^2 / V + r^2))),
// V visits in that state, s the moderated standard deviation of the logarithms of all visits within their states, c(V)
// the ratio of the standard error of the median to that of the mean of V normal values, r the run effect
// (visit_variance.h), t Student's quantile with the degrees of freedom of the sum. If only one of several visits is
// valid in a state, s is that of the other cases; a case with a single visit has no interval. If no window is valid,
// all are used and the result is marked as disturbed.
//
// `samples`: seconds per step, of all windows of all visits in order. Unset if there are no windows.
[[nodiscard]] std::optional<Figure> figureOf(std::span<const double> samples, std::span<const Visit> visits,
                                             int threads, const Noise& noise);

// The samples of the windows that the result is based on.
[[nodiscard]] std::vector<double> countedSamples(std::span<const double> samples, std::span<const Visit> visits,
                                                 int threads);

// Bandwidth of reading a language model's weights during those windows: the mean of the readings before and after each
// (MachineReading::weightBandwidth), weighted by the time of its samples, so that its product with the time of all
// steps is what would have been read in that time.
struct WeightBandwidth {
    double mean = 0, slowest = 0, fastest = 0;  // byte/s
};
// Unset if a window has no readings.
[[nodiscard]] std::optional<WeightBandwidth> countedWeightBandwidth(std::span<const double> samples,
                                                                    std::span<const Visit> visits, int threads);

// Variance of a result's visits before shrinkage, for fitPrior(): pooled within machine states, since logarithms vary
// equally in all of them.
[[nodiscard]] Variance visitVariance(const Figure& figure);

// Standard deviation of the median of n normal values over that of their mean: exact to n = 7 (J. L. Hodges, E. L.
// Lehmann, "On Medians and Quasi Medians", JASA 62, 1967), sqrt(pi / 2) beyond.
[[nodiscard]] double medianOverMeanDeviation(std::size_t n);

}  // namespace steelyard::bench
