// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/distributions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace steelyard::bench {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kAsymptotic = 10;

// The continued fraction of the incomplete beta function by Lentz's method; converges fast for x < (a + 1) / (a + b +
// 2).
double betaFraction(double a, double b, double x) {
    constexpr double kTiny = 1e-300, kPrecision = 1e-15;
    constexpr int kMost = 500;
    const auto guarded = [](double value) { return std::fabs(value) < kTiny ? kTiny : value; };
    double c = 1;
    double d = 1 / guarded(1 - (a + b) * x / (a + 1));
    double result = d;
    for (int m = 1; m <= kMost; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / guarded(1 + even * d);
        c = guarded(1 + even / c);
        result *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / guarded(1 + odd * d);
        c = guarded(1 + odd / c);
        result *= d * c;
        if (std::fabs(d * c - 1) < kPrecision) break;
    }
    return result;
}

double incompleteBeta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * betaFraction(a, b, x) / a;
    return 1 - front * betaFraction(b, a, 1 - x) / b;
}

}  // namespace

double digamma(double x) {
    if (!(x > 0)) return kNan;
    double sum = 0;
    for (; x < kAsymptotic; ++x) sum -= 1 / x;
    const double r = 1 / (x * x);
    return sum + std::log(x) - 0.5 / x - r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r * (1.0 / 240 - r / 132))));
}

double trigamma(double x) {
    if (!(x > 0)) return kNan;
    double sum = 0;
    for (; x < kAsymptotic; ++x) sum += 1 / (x * x);
    const double r = 1 / (x * x);
    return sum + 1 / x + r / 2 + r / x * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r / 30)));
}

double inverseTrigamma(double y) {
    if (!(y > 0)) return kNan;
    if (y > 1e7) return 1 / std::sqrt(y);
    if (y < 1e-6) return 1 / y;
    // Newton's method on 1 / trigamma, which is convex and nearly linear, converges from here for every y.
    double x = 0.5 + 1 / y;
    for (int i = 0; i < 50; ++i) {
        const double value = trigamma(x);
        const double step = 1e-5 * x;
        const double slope = (trigamma(x + step) - trigamma(x - step)) / (2 * step);
        const double change = value * (1 - value / y) / slope;
        x += change;
        if (-change / x < 1e-10) break;
    }
    return x;
}

double studentTwoSided(double t, double degrees) {
    if (std::isnan(t) || !(degrees > 0)) return kNan;
    if (std::isinf(t)) return 0;
    if (degrees > 1e8) return std::erfc(std::fabs(t) / std::sqrt(2.0));
    return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

double studentQuantile(double probability, double degrees) {
    if (!(probability > 0 && probability < 1) || !(degrees > 0)) return kNan;
    double low = 0, high = 1;
    while (studentTwoSided(high, degrees) > probability && high < 1e300) high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
        const double middle = std::midpoint(low, high);
        (studentTwoSided(middle, degrees) > probability ? low : high) = middle;
    }
    return std::midpoint(low, high);
}

std::vector<double> benjaminiHochberg(std::span<const double> pValues) {
    std::vector<std::size_t> order(pValues.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return pValues[a] < pValues[b]; });
    std::vector<double> adjusted(pValues.size());
    double smallest = 1;
    for (std::size_t rank = order.size(); rank > 0; --rank) {
        const auto index = order[rank - 1];
        smallest = std::min(smallest, pValues[index] * static_cast<double>(order.size()) / static_cast<double>(rank));
        adjusted[index] = smallest;
    }
    return adjusted;
}

std::vector<double> twoStageBenjaminiHochberg(std::span<const double> pValues, double q) {
    auto adjusted = benjaminiHochberg(pValues);
    const auto rejected = std::count_if(adjusted.begin(), adjusted.end(), [&](double p) { return p * (1 + q) <= q; });
    // If all are rejected, one counts as true, so that the p-values stay above 0.
    const auto all = static_cast<std::ptrdiff_t>(adjusted.size());
    const double trueShare =
        static_cast<double>(std::max<std::ptrdiff_t>(1, all - rejected)) / static_cast<double>(all);
    for (auto& p : adjusted) p = std::min(1.0, p * trueShare * (1 + q));
    return adjusted;
}

}  // namespace steelyard::bench
