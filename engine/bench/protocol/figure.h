// SPDX-License-Identifier: Apache-2.0
// The figure of a case: one number with an interval that holds tomorrow. Samples of one process say nothing about the
// next one, so the interval is made of visits, each a process of its own. Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/machine_reading.h"

namespace steelyard::bench {

inline constexpr double kOutsideInterval = 0.05;

// Windows are put into states (machine_state.h); those that count give the median of their samples. The figure is the
// median over the windows of the state with most windows, in seconds per step. Its interval is where a repetition with
// as many visits is expected to lie in 95 of 100 cases (a prediction interval: G. J. Hahn, W. Q. Meeker, "Statistical
// Intervals", 1991, of the mean of m future values, with the standard error of a median instead of a mean):
//     figure x exp(+- t sqrt(2 (s^2 c(V)^2 / V + r^2))),
// V visits in that state, s the moderated deviation of the logarithms of all visits within their states, c(V) how much
// wider the median of V normal values scatters than their mean, r the run effect (visit_variance.h), t Student's
// quantile with the degrees of freedom of the sum. Where no window counts, all are taken and the figure is marked as
// disturbed.
//
// `samples`: seconds per step, of all windows of all visits one after another. Empty when there are no windows.
[[nodiscard]] std::optional<Figure> figureOf(std::span<const double> samples, std::span<const Visit> visits,
                                             int threads, const Noise& noise);

// The samples of the windows that the figure is made of.
[[nodiscard]] std::vector<double> countedSamples(std::span<const double> samples, std::span<const Visit> visits,
                                                 int threads);

// What the visits of a figure show, before shrinkage: for fitPrior(). The variance within its states, all of them
// together: logarithms differ as much in one as in the other.
[[nodiscard]] Variance visitVariance(const Figure& figure);

// Standard deviation of the median of n normal values over that of their mean: exact to n = 7 (J. L. Hodges, E. L.
// Lehmann, "On Medians and Quasi Medians", JASA 62, 1967), sqrt(pi / 2) beyond.
[[nodiscard]] double medianOverMeanDeviation(std::size_t n);

}  // namespace steelyard::bench
