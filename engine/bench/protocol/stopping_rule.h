// SPDX-License-Identifier: Apache-2.0
// When to stop warming up and sampling, and how many steps make one sample. The objects only see numbers, so that tests
// can use synthetic ones; one per case, one thread. No errors, and every sequence of numbers (zeros, NaN) terminates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/bench/protocol/statistics.h"
#include "engine/bench/record/record.h"
#include "engine/core/units.h"

namespace steelyard::bench {

// Sampling -----------------------------------------------------------------------------------------------------------

inline constexpr double kPreciseHalfWidth = 0.01;  // with `precise`

struct StoppingLimits {
    Seconds timeCap{30};              // wall time of sampling
    Seconds minimumTime{0};           // earliest time for the criteria of precision and noise
    double relativeHalfWidth = 0.02;  // of the median's 95 % interval, relative to the median
    std::int64_t minimumSamples = 10;
    std::int64_t maximumSamples = 1'000'000;  // in case the clock does not advance
    bool wholeTime = false;                   // sample until the cap, regardless of the interval
};

// Call add() for each sample, then stopReason(). Reasons:
//   precision      half the 95 % interval of the median is below the limit,
//   noise_stable   the noise (coefficient of variation) no longer changes, so that more samples only cost time; checked
// after a quarter of the cap to give precision a chance first,
//   time_cap       the cap is reached,
//   sustained      the cap is reached with wholeTime; no other reason applies then.
class StoppingRule {
public:
    explicit StoppingRule(StoppingLimits limits);

    // `sample`: seconds per step; `elapsed`: since sampling started. Of a sample that is not finite, only the time
    // counts.
    void add(double sample, Seconds elapsed);
    // Unset: take another sample.
    [[nodiscard]] std::optional<StopReason> stopReason() const { return m_reason; }

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_sorted.size()); }
    // Of the samples so far.
    [[nodiscard]] std::optional<double> median() const { return medianOfSorted(m_sorted); }
    [[nodiscard]] std::optional<Interval> interval() const { return medianIntervalOfSorted(m_sorted); }

    // The noise is evaluated after kNoiseStride more samples and a growth by kNoiseGrowth (to keep it cheap); it is
    // stable if the last kNoiseHistory values lie within kNoiseSpread of their mean.
    static constexpr std::int64_t kNoiseStride = 5;
    static constexpr double kNoiseGrowth = 1.05;
    static constexpr std::size_t kNoiseHistory = 10;
    static constexpr double kNoiseSpread = 0.05;

private:
    [[nodiscard]] bool isPrecise() const;
    void lookAtNoise();
    [[nodiscard]] bool isNoiseStable() const;

    StoppingLimits m_limits;
    std::vector<double> m_sorted;
    RunningMoments m_moments;
    std::vector<double> m_noise;  // recent values, oldest first
    std::int64_t m_added = 0;
    std::int64_t m_nextLook = kNoiseStride;
    std::optional<StopReason> m_reason;
};

// Number of normally distributed samples until half the 95 % interval of their median is that narrow: the standard
// error of a median is sqrt(pi / 2) sigma / sqrt(n), sigma is 1.4826 median absolute deviations. noise: the latter
// relative to the median. Between 1 and the default of maximumSamples.
[[nodiscard]] double samplesUntilPrecise(double noise, double relativeHalfWidth);
// Approximate number of samples before the noise can be stable.
inline constexpr double kSamplesUntilStable =
    static_cast<double>(StoppingRule::kNoiseStride) * static_cast<double>(StoppingRule::kNoiseHistory);

// Warm-up ------------------------------------------------------------------------------------------------------------

struct WarmUpLimits {
    Seconds timeCap{30};  // of the case; warm-up may take a fifth of it
    std::int64_t minimumSteps = 3;
    Seconds minimumTime{0.3};
    Seconds windowTime{0.1};  // minimum length of a window, which contains at least one step
    double settledDifference = 0.02;
    std::int64_t maximumSteps = 1'000'000;
};

enum class WarmUpState { Continue, Settled, CapReached };

// Warmed up when the mean step times of two consecutive windows differ by less than 2 %.
class WarmUpRule {
public:
    explicit WarmUpRule(WarmUpLimits limits) : m_limits(limits) {}

    void add(Seconds step);
    [[nodiscard]] WarmUpState state() const { return m_state; }
    [[nodiscard]] WarmUp total() const { return m_total; }
    // From the last full window, or from all steps before the first one is full: an estimate for planning the samples.
    [[nodiscard]] std::optional<double> secondsPerStep() const;

    static constexpr double kShareOfCap = 0.2;

private:
    void closeWindow();

    WarmUpLimits m_limits;
    WarmUp m_total;
    WarmUp m_window;
    std::optional<double> m_lastMean;  // seconds per step of the last full window
    bool m_agree = false;              // of the last two windows
    WarmUpState m_state = WarmUpState::Continue;
};

// Steps per sample ---------------------------------------------------------------------------------------------------

inline constexpr double kMinimumSampleSeconds = 1e-3;
inline constexpr double kMinimumSustainedSampleSeconds = 0.1;  // ten minutes give six thousand samples
inline constexpr double kResolutionsPerSample = 1000;
inline constexpr std::int64_t kMaximumStepsPerSample = 1'000'000;

// The smallest k for which k steps take at least `minimumSeconds` and 1000 times the clock's resolution. A step of zero
// duration counts as one resolution; an unknown resolution (not positive) as 1 ns.
[[nodiscard]] std::int64_t stepsPerSample(double stepSeconds, double clockResolutionSeconds,
                                          double minimumSeconds = kMinimumSampleSeconds);

}  // namespace steelyard::bench
