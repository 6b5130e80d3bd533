// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/stopping_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "engine/core/random.h"
#include "tests/support/special_values.h"

namespace steelyard::bench {
namespace {

struct Outcome {
    std::int64_t samples = 0;
    StopReason reason = StopReason::TimeCap;
};

// Feeds sample(i) until the rule stops; each sample advances the clock by its time times `clockFactor`.
Outcome drive(const StoppingLimits& limits, const std::function<double(std::uint32_t)>& sample,
              double clockFactor = 1) {
    StoppingRule rule(limits);
    double elapsed = 0;
    for (std::uint32_t i = 0; i < 3'000'000; ++i) {
        const double value = sample(i);
        elapsed += std::isfinite(value) ? value * clockFactor : 1e-3;
        rule.add(value, Seconds(elapsed));
        if (rule.stopReason()) return {i + 1, *rule.stopReason()};
    }
    ADD_FAILURE() << "did not stop";
    return {};
}

TEST(StoppingRule, QuietSamplesStopAtTheMinimum) {
    const auto outcome = drive({}, [](std::uint32_t i) { return 0.1 + 1e-5 * (i % 3); });
    EXPECT_EQ(outcome.samples, 10);
    EXPECT_EQ(outcome.reason, StopReason::Precision);
}

TEST(StoppingRule, HalfWidthIsHeldAgainstTheLimit) {
    // With ten samples the interval is [x2, x9]. Two values at each end make the half width exactly 2.5 % or 1.5 %.
    const auto edges = [](double share) {
        return [share](std::uint32_t i) { return i < 10 && i < 2 ? 1 - share : i < 10 && i >= 8 ? 1 + share : 1.0; };
    };
    EXPECT_GT(drive({}, edges(0.025)).samples, 10);
    EXPECT_EQ(drive({}, edges(0.015)).samples, 10);
    StoppingLimits precise;
    precise.relativeHalfWidth = 0.01;
    EXPECT_GT(drive(precise, edges(0.015)).samples, 10);
    EXPECT_EQ(drive(precise, edges(0.005)).samples, 10);
}

TEST(StoppingRule, TakesAboutAsManySamplesAsTheNoiseForetells) {
    constexpr int kStreams = 50;
    for (const double noise : {0.05, 0.1, 0.2}) {  // median absolute deviation
        double samples = 0;
        for (int stream = 0; stream < kStreams; ++stream) {
            const RandomStream random(7, static_cast<std::uint64_t>(stream));
            const auto normal = [&](std::uint32_t i) { return 1e-3 * (1 + noise / 0.6745 * random.normal(i)); };
            samples += static_cast<double>(drive({.timeCap = Seconds(1e6)}, normal, 1e-3).samples) / kStreams;
        }
        const double foretold = samplesUntilPrecise(noise, StoppingLimits().relativeHalfWidth);
        EXPECT_GT(foretold, samples / 1.5) << noise;
        EXPECT_LT(foretold, samples * 1.5) << noise;  // the rule may stop early by chance
    }
    EXPECT_EQ(samplesUntilPrecise(0, 0.02), 1);
    EXPECT_EQ(samplesUntilPrecise(test::kNan, 0.02), 1);
    EXPECT_EQ(samplesUntilPrecise(0.1, 0), 1e6);
}

TEST(StoppingRule, NoisySamplesNeedMoreForMorePrecision) {
    const RandomStream stream(3, 4);
    const auto noisy = [&stream](std::uint32_t i) { return 0.01 * (1 + 0.1 * stream.normal(i)); };
    StoppingLimits precise;
    precise.relativeHalfWidth = 0.01;
    const auto standard = drive({}, noisy);
    const auto exact = drive(precise, noisy);
    EXPECT_EQ(standard.reason, StopReason::Precision);
    EXPECT_EQ(exact.reason, StopReason::Precision);
    EXPECT_GT(standard.samples, 50);
    EXPECT_GT(exact.samples, 2 * standard.samples);
}

TEST(StoppingRule, NoiseThatHasSettledEndsAHopelessCaseBeforeTheCap) {
    // Two clusters: the median's interval spans both, regardless of the number of samples.
    StoppingLimits limits;
    limits.timeCap = Seconds(100);
    const auto outcome = drive(limits, [](std::uint32_t i) { return i % 2 == 0 ? 0.1 : 0.2; });
    EXPECT_EQ(outcome.reason, StopReason::NoiseStable);
    EXPECT_GE(static_cast<double>(outcome.samples) * 0.15, 25 - 0.2);  // a quarter of the cap
    EXPECT_LT(static_cast<double>(outcome.samples) * 0.15, 100);
}

TEST(StoppingRule, NoiseThatGrowsGoesOnToTheCap) {
    StoppingLimits limits;
    limits.timeCap = Seconds(20);
    const auto outcome = drive(limits, [](std::uint32_t i) {
        return 0.01 * (1 + (i % 2 == 0 ? 1.0 : -1.0) * std::min(0.9, 0.1 + 0.0005 * i));
    });
    EXPECT_EQ(outcome.reason, StopReason::TimeCap);
}

TEST(StoppingRule, TheCapHoldsHoweverFewSamplesThereAre) {
    StoppingLimits limits;
    limits.timeCap = Seconds(30);
    const auto slow = drive(limits, [](std::uint32_t) { return 40.0; });
    EXPECT_EQ(slow.samples, 1);
    EXPECT_EQ(slow.reason, StopReason::TimeCap);
    EXPECT_EQ(drive(limits, [](std::uint32_t) { return 8.0; }).samples, 4);
}

TEST(StoppingRule, SamplesTheWholeTimeWhenAskedTo) {
    StoppingLimits limits;
    limits.timeCap = Seconds(20);
    limits.wholeTime = true;
    const auto quiet = drive(limits, [](std::uint32_t) { return 0.1; });
    EXPECT_EQ(quiet.reason, StopReason::Sustained);
    EXPECT_NEAR(static_cast<double>(quiet.samples), 200, 1);
    EXPECT_EQ(drive(limits, [](std::uint32_t i) { return i % 2 == 0 ? 0.1 : 0.2; }).reason, StopReason::Sustained);
    limits.maximumSamples = 50;
    EXPECT_EQ(drive(limits, [](std::uint32_t) { return 0.0; }).samples, 50);
}

TEST(StoppingRule, NeverHangs) {
    EXPECT_EQ(drive({}, [](std::uint32_t) { return 0.0; }).samples, 10);
    // A stopped clock, and samples that never converge.
    StoppingLimits limits;
    limits.maximumSamples = 2000;
    const auto stuck = drive(
        limits, [](std::uint32_t i) { return i % 2 == 0 ? 0.0 : 1.0; }, 0);
    EXPECT_EQ(stuck.samples, 2000);
    EXPECT_EQ(stuck.reason, StopReason::TimeCap);
    EXPECT_EQ(drive({}, [](std::uint32_t) { return test::kNan; }).reason, StopReason::TimeCap);
    StoppingRule rule({});
    rule.add(1, Seconds(test::kNan));
    EXPECT_EQ(rule.stopReason(), StopReason::TimeCap);
}

TEST(StoppingRule, TellsMedianAndIntervalSoFar) {
    StoppingRule rule({});
    EXPECT_EQ(rule.median(), std::nullopt);
    for (const double value : {3.0, 1.0, 2.0, 6.0, 5.0, 4.0}) rule.add(value, Seconds(1));
    EXPECT_EQ(rule.median(), 3.5);
    EXPECT_EQ(rule.interval(), (Interval{1, 6}));
    EXPECT_EQ(rule.count(), 6);
}

WarmUpRule warm(const WarmUpLimits& limits, const std::function<double(int)>& step) {
    WarmUpRule rule(limits);
    for (int i = 0; i < 2'000'000 && rule.state() == WarmUpState::Continue; ++i) rule.add(Seconds(step(i)));
    return rule;
}

TEST(WarmUpRule, TakesAtLeastThreeStepsAndThreeTenthsOfASecond) {
    const auto slow = warm({}, [](int) { return 0.5; });
    EXPECT_EQ(slow.state(), WarmUpState::Settled);
    EXPECT_EQ(slow.total().steps, 3);
    const auto quick = warm({}, [](int) { return 0.001; });
    EXPECT_EQ(quick.state(), WarmUpState::Settled);
    EXPECT_NEAR(quick.total().seconds, 0.3, 0.002);
}

TEST(WarmUpRule, WaitsUntilTwoWindowsAgree) {
    // Each step 5 % faster than the one before, until the twentieth; every step is a window.
    const auto rule = warm({}, [](int i) { return 0.2 * std::pow(0.95, std::min(i, 10)); });
    EXPECT_EQ(rule.state(), WarmUpState::Settled);
    EXPECT_EQ(rule.total().steps, 12);
    EXPECT_NEAR(*rule.secondsPerStep(), 0.2 * std::pow(0.95, 10), 1e-12);
}

TEST(WarmUpRule, TakesAtMostAFifthOfTheCap) {
    WarmUpLimits limits;
    limits.timeCap = Seconds(10);
    const auto restless = warm(limits, [](int i) { return i % 2 == 0 ? 0.15 : 0.30; });
    EXPECT_EQ(restless.state(), WarmUpState::CapReached);
    EXPECT_GE(restless.total().seconds, 2.0);
    EXPECT_LE(restless.total().seconds, 2.3);
    const auto huge = warm(limits, [](int) { return 60.0; });
    EXPECT_EQ(huge.state(), WarmUpState::CapReached);
    EXPECT_EQ(huge.total().steps, 1);
}

TEST(WarmUpRule, NeverHangsOnStepsWithoutLength) {
    WarmUpLimits limits;
    limits.maximumSteps = 1000;
    EXPECT_EQ(warm(limits, [](int) { return 0.0; }).state(), WarmUpState::CapReached);
    EXPECT_EQ(warm(limits, [](int) { return test::kNan; }).total().steps, 1000);
    EXPECT_EQ(WarmUpRule({}).secondsPerStep(), std::nullopt);
}

TEST(StepsPerSample, MakesSamplesLongEnoughForTheClock) {
    EXPECT_EQ(stepsPerSample(0.5, 1e-9), 1);
    EXPECT_EQ(stepsPerSample(1e-3, 1e-9), 1);
    EXPECT_EQ(stepsPerSample(0.9e-3, 1e-9), 2);
    EXPECT_EQ(stepsPerSample(1e-5, 1e-9), 100);
    EXPECT_EQ(stepsPerSample(0.01, 1e-4), 10);  // a coarse clock: 1000 x 0.1 ms
    EXPECT_EQ(stepsPerSample(0.0, 1e-6), 1000);
    EXPECT_EQ(stepsPerSample(0.0, 1e-9), 1'000'000);
    EXPECT_EQ(stepsPerSample(-1.0, 1e-15), kMaximumStepsPerSample);
    EXPECT_EQ(stepsPerSample(test::kNan, test::kNan), 1'000'000);
    EXPECT_EQ(stepsPerSample(1e-4, 0), 10);
    EXPECT_EQ(stepsPerSample(std::numeric_limits<double>::infinity(), 1e-9), 1);
}

}  // namespace
}  // namespace steelyard::bench
