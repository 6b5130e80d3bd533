// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/visit_variance.h"

#include <algorithm>
#include <cmath>

#include "engine/bench/protocol/distributions.h"
#include "engine/bench/protocol/statistics.h"

namespace steelyard::bench {
namespace {

constexpr double kSmallestOfMedian = 1e-5;

}  // namespace

Variance varianceOfLogarithms(std::span<const double> values) {
    RunningMoments moments;
    for (const double value : values)
        if (value > 0) moments.add(std::log(value));  // add() ignores non-finite values
    if (moments.count() < 2) return {};
    return {*moments.variance(), static_cast<double>(moments.count() - 1)};
}

Variance fitPrior(std::span<const Variance> cases) {
    std::vector<double> values;
    double degreesOfAll = 0;
    for (const auto& one : cases)
        if (one.degrees > 0 && std::isfinite(one.value)) values.push_back(one.value);
    if (values.size() < kMinimumForPrior) return {};
    std::sort(values.begin(), values.end());
    const double smallest = kSmallestOfMedian * *medianOfSorted(values);
    if (!(smallest > 0)) return {};  // most cases do not vary at all: the clock does not advance
    // The paper's e_g: logarithms corrected for the bias of chi-squared.
    RunningMoments moments;
    double expected = 0;  // variance of e_g if all cases had the same true variance
    for (const auto& one : cases) {
        if (!(one.degrees > 0) || !std::isfinite(one.value)) continue;
        const double half = one.degrees / 2;
        moments.add(std::log(std::max(one.value, smallest)) - digamma(half) + std::log(half));
        expected += trigamma(half) / static_cast<double>(values.size());
        degreesOfAll += one.degrees;
    }
    const double excess = *moments.variance() - expected;
    if (excess <= 0) return {std::exp(*moments.mean()), degreesOfAll};
    const double half = inverseTrigamma(excess);
    return {std::exp(*moments.mean() + digamma(half) - std::log(half)), std::min(2 * half, degreesOfAll)};
}

Variance pooled(const Variance& a, const Variance& b) {
    const double degrees = a.degrees + b.degrees;
    if (!(degrees > 0)) return {};
    return {(a.degrees * a.value + b.degrees * b.value) / degrees, degrees};
}

Variance sum(const Variance& a, const Variance& b) {
    if (!(a.degrees > 0)) return b;
    if (!(b.degrees > 0)) return a;
    const double value = a.value + b.value;
    const double square = a.value * a.value / a.degrees + b.value * b.value / b.degrees;
    return {value, square > 0 ? value * value / square : a.degrees + b.degrees};
}

Variance moderate(const Variance& own, const Variance& prior) {
    return pooled(prior, own);
}

}  // namespace steelyard::bench
