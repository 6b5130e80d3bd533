// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/statistics.h"

#include <algorithm>
#include <cmath>

#include "engine/core/quantile.h"

namespace steelyard::bench {
namespace {

constexpr double kOutsideEachEnd = 0.025;  // tail of a 95 % interval
constexpr double kTukeyFactor = 1.5;

}  // namespace

std::vector<double> sortedFinite(std::span<const double> values) {
    std::vector<double> sorted;
    sorted.reserve(values.size());
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted),
                 [](double value) { return std::isfinite(value); });
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

std::optional<double> medianOfSorted(std::span<const double> sorted) {
    return quantileOfSorted(sorted, 0.5);
}

std::optional<double> quantileOfSorted(std::span<const double> sorted, double fraction) {
    if (sorted.empty()) return std::nullopt;
    return quantileOfAscending(sorted, fraction);
}

std::size_t medianIntervalRank(std::size_t n) {
    if (n < 6) return 0;
    // log P(Binomial(n, 1/2) = i) = log C(n, i) - n log 2; logarithms, since 2^-n underflows.
    const auto count = static_cast<double>(n);
    // Terms more than ten standard deviations (sqrt(n) / 2 each) below the middle are negligible.
    const auto first = static_cast<std::size_t>(std::max(0.0, count / 2 - 5 * std::sqrt(count)));
    const auto start = static_cast<double>(first);
    double logProbability =
        std::lgamma(count + 1) - std::lgamma(start + 1) - std::lgamma(count - start + 1) - count * std::log(2.0);
    double cumulative = 0;
    for (std::size_t i = first; i < n; ++i) {
        cumulative += std::exp(logProbability);
        // P(Binomial < i + 1) is too large for rank i + 1, so rank i is the largest possible.
        if (cumulative > kOutsideEachEnd) return i;
        logProbability += std::log((count - static_cast<double>(i)) / (static_cast<double>(i) + 1));
    }
    return 0;
}

std::optional<Interval> medianIntervalOfSorted(std::span<const double> sorted) {
    const auto rank = medianIntervalRank(sorted.size());
    if (rank == 0) return std::nullopt;
    return Interval{sorted[rank - 1], sorted[sorted.size() - rank]};
}

std::optional<double> medianAbsoluteDeviation(std::span<const double> sorted) {
    const auto median = medianOfSorted(sorted);
    if (!median) return std::nullopt;
    std::vector<double> deviations;
    deviations.reserve(sorted.size());
    for (const double value : sorted) deviations.push_back(std::fabs(value - *median));
    std::sort(deviations.begin(), deviations.end());
    return medianOfSorted(deviations);
}

void RunningMoments::add(double value) {
    if (!std::isfinite(value)) return;
    ++m_count;
    const double before = value - m_mean;
    m_mean += before / static_cast<double>(m_count);
    m_squares += before * (value - m_mean);
}

std::optional<double> RunningMoments::mean() const {
    if (m_count == 0) return std::nullopt;
    return m_mean;
}

std::optional<double> RunningMoments::variance() const {
    if (m_count < 2) return std::nullopt;
    return m_squares / static_cast<double>(m_count - 1);
}

std::optional<double> RunningMoments::standardDeviation() const {
    const auto squared = variance();
    if (!squared) return std::nullopt;
    return std::sqrt(*squared);
}

Outliers tukeyOutliers(std::span<const double> samples) {
    Outliers outliers;
    const auto sorted = sortedFinite(samples);
    if (sorted.size() < kMinimumForNoise) return outliers;
    const double lower = *quantileOfSorted(sorted, 0.25);
    const double upper = *quantileOfSorted(sorted, 0.75);
    const double reach = kTukeyFactor * (upper - lower);
    outliers.fences = Interval{lower - reach, upper + reach};
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (samples[i] < outliers.fences->low || samples[i] > outliers.fences->high) outliers.indices.push_back(i);
    }
    return outliers;
}

std::optional<double> sustainedRatio(std::span<const double> samples) {
    double total = 0;
    for (const double sample : samples)
        if (std::isfinite(sample)) total += sample;
    double first = 0, last = 0, end = 0;
    std::int64_t firstCount = 0, lastCount = 0;
    for (const double sample : samples) {
        if (!std::isfinite(sample)) continue;
        end += sample;
        if (3 * end <= total) {
            first += sample;
            ++firstCount;
        } else if (3 * end > 2 * total) {
            last += sample;
            ++lastCount;
        }
    }
    if (!(first > 0) || !(last > 0)) return std::nullopt;
    return (static_cast<double>(lastCount) / last) / (static_cast<double>(firstCount) / first);
}

std::optional<Summary> summarize(std::span<const double> samples) {
    const auto sorted = sortedFinite(samples);
    if (sorted.empty()) return std::nullopt;
    RunningMoments moments;
    for (const double value : samples) moments.add(value);
    Summary summary;
    summary.n = static_cast<std::int64_t>(sorted.size());
    summary.median = *medianOfSorted(sorted);
    summary.mean = *moments.mean();
    summary.min = sorted.front();
    if (const auto interval = medianIntervalOfSorted(sorted)) {
        summary.ci95Low = interval->low;
        summary.ci95High = interval->high;
    }
    if (sorted.size() >= kMinimumForNoise) summary.mad = medianAbsoluteDeviation(sorted);
    if (sorted.size() >= kMinimumForP90) summary.p90 = quantileOfSorted(sorted, 0.90);
    if (sorted.size() >= kMinimumForP99) summary.p99 = quantileOfSorted(sorted, 0.99);
    return summary;
}

}  // namespace steelyard::bench
