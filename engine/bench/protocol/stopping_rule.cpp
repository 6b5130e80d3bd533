// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/stopping_rule.h"

#include <algorithm>
#include <cmath>

namespace steelyard::bench {

StoppingRule::StoppingRule(StoppingLimits limits) : m_limits(limits) {}

void StoppingRule::add(double sample, Seconds elapsed) {
    ++m_added;
    if (std::isfinite(sample)) {
        m_sorted.insert(std::upper_bound(m_sorted.begin(), m_sorted.end(), sample), sample);
        m_moments.add(sample);
        if (count() >= m_nextLook) lookAtNoise();
    }
    m_reason.reset();
    const bool over = !(elapsed < m_limits.timeCap) || m_added >= m_limits.maximumSamples;  // NaN also stops
    if (m_limits.wholeTime) {
        if (over) m_reason = StopReason::Sustained;
    } else if (elapsed < m_limits.minimumTime && !over) {
        return;
    } else if (count() >= m_limits.minimumSamples && isPrecise()) {
        m_reason = StopReason::Precision;
    } else if (count() >= m_limits.minimumSamples && elapsed.value() >= m_limits.timeCap.value() / 4 &&
               isNoiseStable()) {
        m_reason = StopReason::NoiseStable;
    } else if (over) {
        m_reason = StopReason::TimeCap;
    }
}

bool StoppingRule::isPrecise() const {
    const auto range = interval();
    if (!range) return false;
    // As a product, so that samples of zero length count as precise instead of 0 / 0.
    const double halfWidth = (range->high - range->low) / 2;
    const double allowed = m_limits.relativeHalfWidth * *median();
    return halfWidth < allowed || halfWidth == 0;
}

void StoppingRule::lookAtNoise() {
    m_nextLook =
        std::max(count() + kNoiseStride, static_cast<std::int64_t>(static_cast<double>(count()) * kNoiseGrowth));
    const auto deviation = m_moments.standardDeviation();
    const auto mean = m_moments.mean();
    if (!deviation || !mean || *mean <= 0) return;
    if (m_noise.size() == kNoiseHistory) m_noise.erase(m_noise.begin());
    m_noise.push_back(*deviation / *mean);
}

bool StoppingRule::isNoiseStable() const {
    if (m_noise.size() < kNoiseHistory) return false;
    const auto [lowest, highest] = std::minmax_element(m_noise.begin(), m_noise.end());
    double mean = 0;
    for (const double noise : m_noise) mean += noise / static_cast<double>(m_noise.size());
    return *highest - *lowest <= kNoiseSpread * mean;
}

double samplesUntilPrecise(double noise, double relativeHalfWidth) {
    constexpr double kQuantile = 1.96, kMedianError = 1.2533, kDeviations = 1.4826;
    const double root = kQuantile * kMedianError * kDeviations * noise / relativeHalfWidth;
    const auto most = static_cast<double>(StoppingLimits().maximumSamples);
    return root > 1 ? std::min(root * root, most) : 1;
}

void WarmUpRule::add(Seconds step) {
    const double seconds = std::isfinite(step.value()) ? std::max(0.0, step.value()) : 0.0;
    ++m_total.steps;
    ++m_window.steps;
    m_total.seconds += seconds;
    m_window.seconds += seconds;
    if (m_window.seconds >= m_limits.windowTime.value()) closeWindow();
    const bool longEnough = m_total.steps >= m_limits.minimumSteps && m_total.seconds >= m_limits.minimumTime.value();
    m_state = WarmUpState::Continue;
    if (longEnough && m_agree) {
        m_state = WarmUpState::Settled;
    } else if (m_total.seconds >= kShareOfCap * m_limits.timeCap.value() || m_total.steps >= m_limits.maximumSteps) {
        m_state = WarmUpState::CapReached;
    }
}

void WarmUpRule::closeWindow() {
    const double mean = m_window.seconds / static_cast<double>(m_window.steps);
    m_agree = m_lastMean && std::fabs(mean - *m_lastMean) < m_limits.settledDifference * *m_lastMean;
    m_lastMean = mean;
    m_window = {};
}

std::optional<double> WarmUpRule::secondsPerStep() const {
    if (m_lastMean) return m_lastMean;
    if (m_total.steps == 0) return std::nullopt;
    return m_total.seconds / static_cast<double>(m_total.steps);
}

std::int64_t stepsPerSample(double stepSeconds, double clockResolutionSeconds, double minimumSeconds) {
    constexpr double kUnknownResolution = 1e-9;
    const double resolution = std::isfinite(clockResolutionSeconds) && clockResolutionSeconds > 0
                                  ? clockResolutionSeconds
                                  : kUnknownResolution;
    const double target = std::max(minimumSeconds, kResolutionsPerSample * resolution);
    if (stepSeconds >= target) return 1;
    const double step = std::isfinite(stepSeconds) ? std::max(stepSeconds, resolution) : resolution;
    const double steps = std::ceil(target / step * (1 - 1e-12));  // 1e-3 / 1e-5 is a little more than 100
    return static_cast<std::int64_t>(std::clamp(steps, 1.0, static_cast<double>(kMaximumStepsPerSample)));
}

}  // namespace steelyard::bench
