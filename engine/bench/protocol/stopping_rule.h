// SPDX-License-Identifier: Apache-2.0
// When to stop: warming up, and sampling; and how many steps make one sample. The objects see only numbers, so that
// tests drive them with invented ones; whoever measures owns one per case, on one thread. Nothing can fail, and no
// sequence of numbers (zeros, NaN) keeps a rule going for ever: there is always a last sample.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/bench/protocol/statistics.h"
#include "engine/bench/record/record.h"
#include "engine/core/units.h"

namespace steelyard::bench {

// Sampling -----------------------------------------------------------------------------------------------------------

inline constexpr double kPreciseHalfWidth = 0.01;  // for the protocol `precise`

struct StoppingLimits {
    Seconds timeCap{30};              // wall time of sampling
    Seconds minimumTime{0};           // precision and stable noise are not asked for before
    double relativeHalfWidth = 0.02;  // of the median's 95 % interval, relative to the median
    std::int64_t minimumSamples = 10;
    std::int64_t maximumSamples = 1'000'000;  // for clocks that stand still
    bool wholeTime = false;                   // sample until the cap, however narrow the interval
};

// Add each sample, then ask. Stops for
//   precision      half the 95 % interval of the median is below the limit,
//   noise_stable   the noise (standard deviation over mean) has stopped changing: it is what it is, and more samples
//                  only cost time. Asked after a quarter of the cap, so that precision has its chance first,
//   time_cap       the cap is reached, however few samples there are,
//   sustained      the cap is reached, as was asked for (wholeTime); nothing else stops then.
class StoppingRule {
public:
    explicit StoppingRule(StoppingLimits limits);

    // `sample` in seconds per step; `elapsed` since sampling started. A sample that is not finite counts as none, but
    // its time passes.
    void add(double sample, Seconds elapsed);
    // Empty: take another sample.
    [[nodiscard]] std::optional<StopReason> stopReason() const { return m_reason; }

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_sorted.size()); }
    // Of the samples so far.
    [[nodiscard]] std::optional<double> median() const { return medianOfSorted(m_sorted); }
    [[nodiscard]] std::optional<Interval> interval() const { return medianIntervalOfSorted(m_sorted); }

    // The noise is looked at each time there are kNoiseStride more samples and kNoiseGrowth times as many as before (so
    // that looking stays cheap); it is stable when the last kNoiseHistory looks lie within kNoiseSpread of their mean.
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
    std::vector<double> m_noise;  // the last looks, oldest first
    std::int64_t m_added = 0;
    std::int64_t m_nextLook = kNoiseStride;
    std::optional<StopReason> m_reason;
};

// How many samples it takes until half the 95 % interval of their median is that narrow, if they are normal: the
// standard error of a median is sqrt(pi / 2) deviations over sqrt(n), a deviation 1.4826 median absolute deviations.
// noise: the latter, over the median. At least 1; not more than maximumSamples' default, whatever is given.
[[nodiscard]] double samplesUntilPrecise(double noise, double relativeHalfWidth);
// From about so many on the noise can be stable.
inline constexpr double kSamplesUntilStable =
    static_cast<double>(StoppingRule::kNoiseStride) * static_cast<double>(StoppingRule::kNoiseHistory);

// Warm-up ------------------------------------------------------------------------------------------------------------

struct WarmUpLimits {
    Seconds timeCap{30};  // of the case; warming up may take a fifth of it
    std::int64_t minimumSteps = 3;
    Seconds minimumTime{0.3};
    Seconds windowTime{0.1};  // a window is at least this long and at least one step
    double settledDifference = 0.02;
    std::int64_t maximumSteps = 1'000'000;
};

enum class WarmUpState { Continue, Settled, CapReached };

// Settled when the mean step times of two consecutive windows differ by less than 2 %.
class WarmUpRule {
public:
    explicit WarmUpRule(WarmUpLimits limits) : m_limits(limits) {}

    void add(Seconds step);
    [[nodiscard]] WarmUpState state() const { return m_state; }
    [[nodiscard]] WarmUp total() const { return m_total; }
    // Of the last full window, or of all steps before the first one is full: an estimate to plan the samples with.
    [[nodiscard]] std::optional<double> secondsPerStep() const;

    static constexpr double kShareOfCap = 0.2;

private:
    void closeWindow();

    WarmUpLimits m_limits;
    WarmUp m_total;
    WarmUp m_window;
    std::optional<double> m_lastMean;  // seconds per step of the last full window
    bool m_agree = false;              // the last two windows
    WarmUpState m_state = WarmUpState::Continue;
};

// Steps per sample ---------------------------------------------------------------------------------------------------

inline constexpr double kMinimumSampleSeconds = 1e-3;
inline constexpr double kMinimumSustainedSampleSeconds = 0.1;  // ten minutes are six thousand samples then
inline constexpr double kResolutionsPerSample = 1000;
inline constexpr std::int64_t kMaximumStepsPerSample = 1'000'000;

// The smallest k for which k steps take at least `minimumSeconds` and 1000 times the clock's resolution. A step that
// took no measurable time is taken to be as long as the resolution; an unknown resolution (not positive) as 1 ns.
[[nodiscard]] std::int64_t stepsPerSample(double stepSeconds, double clockResolutionSeconds,
                                          double minimumSeconds = kMinimumSampleSeconds);

}  // namespace steelyard::bench
