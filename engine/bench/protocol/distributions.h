// SPDX-License-Identifier: Apache-2.0
// Special functions and distributions for statistical tests. Pure functions; any thread. NaN outside a function's
// domain.
#pragma once

#include <span>
#include <vector>

namespace steelyard::bench {

// Derivatives of log gamma for x > 0: the recurrences psi(x) = psi(x + 1) - 1 / x and
// psi'(x) = psi'(x + 1) + 1 / x^2 up to x >= 10, then the asymptotic series (Abramowitz & Stegun 6.3.18, 6.4.12).
[[nodiscard]] double digamma(double x);
[[nodiscard]] double trigamma(double x);
// x with trigamma(x) = y, for y > 0: Newton iteration from the appendix of Smyth 2004 (visit_variance.h).
[[nodiscard]] double inverseTrigamma(double y);

// P(|T| >= |t|) for Student's t with `degrees` > 0 of freedom (infinity: normal distribution): the regularized
// incomplete beta function I_x(degrees / 2, 1 / 2) at x = degrees / (degrees + t^2), by its continued fraction
// (Abramowitz & Stegun 26.7.1, 26.5.8).
[[nodiscard]] double studentTwoSided(double t, double degrees);
// The t >= 0 with P(|T| >= t) = probability, 0 < probability < 1.
[[nodiscard]] double studentQuantile(double probability, double degrees);

// P-values adjusted so that those at most q have a false discovery rate of at most q (Y. Benjamini, Y. Hochberg,
// "Controlling the False Discovery Rate", J. R. Stat. Soc. B 57, 1995). In the order given.
[[nodiscard]] std::vector<double> benjaminiHochberg(std::span<const double> pValues);
// Two-stage variant for a given q, with more power if many hypotheses are false: a first pass at q / (1 + q) estimates
// the number of true ones (Y. Benjamini, A. M. Krieger, D. Yekutieli, "Adaptive Linear Step-up Procedures That Control
// the False Discovery Rate", Biometrika 93, 2006, definition 6). Only the comparison of the result with q is
// meaningful.
[[nodiscard]] std::vector<double> twoStageBenjaminiHochberg(std::span<const double> pValues, double q);

}  // namespace steelyard::bench
