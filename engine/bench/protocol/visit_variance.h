// SPDX-License-Identifier: Apache-2.0
// How much the visits of a case differ. A few visits tell it badly: with three of them a t-interval is four times as
// wide as with many. So the variance of one case is drawn toward what the other cases show (G. K. Smyth, "Linear Models
// and Empirical Bayes Methods for Assessing Differential Expression in Microarray Experiments", Stat. Appl. Genet. Mol.
// Biol. 3, 2004: moderated t). Variances are of natural logarithms of times: a deviation of 0.02 is 2 %, whatever the
// case. Pure functions; any thread.
#pragma once

#include <span>
#include <vector>

namespace steelyard::bench {

struct Variance {
    double value = 0;
    double degrees = 0;  // of freedom; 0: nothing is known, infinity: known exactly

    friend bool operator==(const Variance&, const Variance&) = default;
};

// Of the logarithms; no degrees of freedom below two values. Values that are not positive and finite are left out.
[[nodiscard]] Variance varianceOfLogarithms(std::span<const double> values);

// What is known of the noise beside a case's own visits.
struct Noise {
    Variance betweenVisits;  // the prior of every case, from fitPrior()
    // Of the run effect: what moves all cases of a run by one factor, such as the host's clock and its other guests
    // over minutes. The visits of one run do not show it. No degrees: not counted.
    Variance runEffect;
};

// The run effect of a computer without runs of its own: 2 %, counted like five runs. Seen between seven quick suites on
// an idle virtual machine of two CPUs (tests/performance/RESULTS.md, 2026-11-25); earlier runs replace it by and by.
inline constexpr Variance kUsualRunEffect{0.02 * 0.02, 4};

// The prior s0^2 with d0 degrees of freedom, fitted to the logarithms of the variances by their first two moments
// (section 6.2 of the paper). No degrees below kMinimumForPrior cases with any. Variances below 1e-5 of their median
// count as that, as in limma: two equal visits would otherwise spoil the logarithms.
inline constexpr std::size_t kMinimumForPrior = 3;
[[nodiscard]] Variance fitPrior(std::span<const Variance> cases);

// (d0 s0^2 + d s^2) / (d0 + d), with d0 + d degrees of freedom. fitPrior() gives no infinity but at most all degrees
// that it was fitted to, so that a prior of few cases is not taken for certain.
[[nodiscard]] Variance moderate(const Variance& own, const Variance& prior);

// Of a sum of two independent parts, with the degrees of freedom of F. E. Satterthwaite, "An Approximate Distribution
// of Estimates of Variance Components", Biometrics Bulletin 2, 1946. A part without degrees adds nothing.
[[nodiscard]] Variance sum(const Variance& a, const Variance& b);

// Two estimates of one variance: weighted by their degrees.
[[nodiscard]] Variance pooled(const Variance& a, const Variance& b);

}  // namespace steelyard::bench
