// SPDX-License-Identifier: Apache-2.0
// Variance between the visits of a case. Few visits estimate it poorly: with three of them a t-interval is four times
// as wide as with many. The variance of one case is therefore shrunk toward that of the other cases (G. K. Smyth,
// "Linear Models and Empirical Bayes Methods for Assessing Differential Expression in Microarray Experiments", Stat.
// Appl. Genet. Mol. Biol. 3, 2004: moderated t). Variances are of natural logarithms of times: a standard deviation of
// 0.02 is 2 % in every case. Pure functions; any thread.
#pragma once

#include <span>
#include <vector>

namespace steelyard::bench {

struct Variance {
    double value = 0;
    double degrees = 0;  // of freedom; 0: unknown, infinity: known exactly

    friend bool operator==(const Variance&, const Variance&) = default;
};

// Of the logarithms; no degrees of freedom below two values. Values that are not positive and finite are ignored.
[[nodiscard]] Variance varianceOfLogarithms(std::span<const double> values);

// Prior knowledge about the noise.
struct Noise {
    Variance betweenVisits;  // prior for every case, from fitPrior()
    // Run effect: shifts all cases of a run by one factor, for example the host's clock and other guests over minutes.
    // Not visible in the visits of one run. No degrees: ignored.
    Variance runEffect;
};

// Run effect of a computer without earlier runs: 2 %, weighted like five runs. Observed between seven quick suites on
// an idle virtual machine with two CPUs (tests/performance/RESULTS.md, 2026-11-25); earlier runs gradually replace it.
inline constexpr Variance kDefaultRunEffect{0.02 * 0.02, 4};

// The prior s0^2 with d0 degrees of freedom, fitted to the logarithms of the variances by their first two moments
// (section 6.2 of the paper). No degrees below kMinimumForPrior cases. Variances below 1e-5 of their median are raised
// to it, as in limma: two equal visits would otherwise dominate the logarithms.
inline constexpr std::size_t kMinimumForPrior = 3;
[[nodiscard]] Variance fitPrior(std::span<const Variance> cases);

// (d0 s0^2 + d s^2) / (d0 + d), with d0 + d degrees of freedom. fitPrior() never returns infinity but at most the
// degrees it was fitted to, so that a prior from few cases is not overrated.
[[nodiscard]] Variance moderate(const Variance& own, const Variance& prior);

// Sum of two independent components, with Satterthwaite's degrees of freedom (F. E. Satterthwaite, "An Approximate
// Distribution of Estimates of Variance Components", Biometrics Bulletin 2, 1946). A component without degrees is
// ignored.
[[nodiscard]] Variance sum(const Variance& a, const Variance& b);

// Combines two estimates of one variance, weighted by their degrees.
[[nodiscard]] Variance pooled(const Variance& a, const Variance& b);

}  // namespace steelyard::bench
