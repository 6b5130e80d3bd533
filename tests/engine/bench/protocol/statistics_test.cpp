// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/protocol/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/random.h"
#include "tests/support/special_values.h"

namespace steelyard::bench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<double> countTo(int last) {
    std::vector<double> values(static_cast<std::size_t>(last));
    std::iota(values.begin(), values.end(), 1.0);
    return values;
}

TEST(Median, OfOddEvenAndNoValues) {
    EXPECT_EQ(medianOfSorted(std::vector{1.0, 2.0, 10.0}), 2.0);
    EXPECT_EQ(medianOfSorted(std::vector{1.0, 2.0, 4.0, 10.0}), 3.0);
    EXPECT_EQ(medianOfSorted({}), std::nullopt);
}

TEST(Quantile, InterpolatesAsNumpyDoes) {
    // numpy.quantile([1, 2, 3, 4], [0, 0.25, 0.5, 0.9, 1]) = 1, 1.75, 2.5, 3.7, 4.
    const std::vector values{1.0, 2.0, 3.0, 4.0};
    EXPECT_EQ(quantileOfSorted(values, 0), 1.0);
    EXPECT_DOUBLE_EQ(*quantileOfSorted(values, 0.25), 1.75);
    EXPECT_DOUBLE_EQ(*quantileOfSorted(values, 0.5), 2.5);
    EXPECT_DOUBLE_EQ(*quantileOfSorted(values, 0.9), 3.7);
    EXPECT_EQ(quantileOfSorted(values, 1), 4.0);
    EXPECT_EQ(quantileOfSorted({}, 0.5), std::nullopt);
}

TEST(MedianInterval, RanksAreThoseOfTheBinomialTable) {
    // For n = 12: P(Bin <= 2) = 79 / 4096 = 0.019 and P(Bin <= 3) = 299 / 4096 = 0.073, so the third value from each
    // end. The others are in the usual tables of distribution-free intervals of the median.
    EXPECT_EQ(medianIntervalRank(0), 0U);
    EXPECT_EQ(medianIntervalRank(5), 0U);  // [min, max] of five covers 1 - 2 / 32 = 93.75 %
    EXPECT_EQ(medianIntervalRank(6), 1U);  // 1 - 2 / 64 = 96.9 %
    EXPECT_EQ(medianIntervalRank(8), 1U);
    EXPECT_EQ(medianIntervalRank(9), 2U);
    EXPECT_EQ(medianIntervalRank(10), 2U);
    EXPECT_EQ(medianIntervalRank(12), 3U);
    EXPECT_EQ(medianIntervalRank(15), 4U);
    EXPECT_EQ(medianIntervalRank(20), 6U);
    EXPECT_EQ(medianIntervalRank(25), 8U);
    EXPECT_EQ(medianIntervalRank(30), 10U);
    EXPECT_EQ(medianIntervalRank(50), 18U);
    EXPECT_EQ(medianIntervalRank(100), 40U);
}

TEST(MedianInterval, LargeNumbersFollowTheNormalApproximation) {
    // k = n / 2 - 1.96 sqrt(n) / 2 with a correction below one rank.
    for (const std::size_t n : {1000U, 10'000U, 1'000'000U}) {
        const double expected = static_cast<double>(n) / 2 - 1.959964 * std::sqrt(static_cast<double>(n)) / 2;
        EXPECT_NEAR(static_cast<double>(medianIntervalRank(n)), expected, 1.5) << n;
    }
}

TEST(MedianInterval, CoversTheMedianInAtLeastNinetyFiveOfAHundred) {
    constexpr int kTrials = 4000;
    int covered = 0;
    for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
        const RandomStream stream(42, trial);
        std::vector<double> values;
        for (std::uint32_t i = 0; i < 15; ++i) values.push_back(std::exp(stream.normal(i)));  // median 1
        const auto interval = medianIntervalOfSorted(sortedFinite(values));
        covered += interval->low <= 1 && 1 <= interval->high ? 1 : 0;
    }
    EXPECT_GE(covered, kTrials * 95 / 100);
    EXPECT_LT(covered, kTrials * 99 / 100);  // and not because it is far too wide (exact coverage 96.5 %)
}

TEST(MedianAbsoluteDeviation, ByHand) {
    // Median of 1, 1, 2, 2, 4, 6, 9 is 2; deviations 1, 1, 0, 0, 2, 4, 7, in order 0, 0, 1, 1, 2, 4, 7: median 1.
    EXPECT_EQ(medianAbsoluteDeviation(std::vector<double>{1, 1, 2, 2, 4, 6, 9}), 1.0);
    EXPECT_EQ(medianAbsoluteDeviation({}), std::nullopt);
}

TEST(RunningMoments, KeepDigitsBesideALargeOffset) {
    // 4, 7, 13, 16: mean 10, variance 30. With 1e9 added, a sum of squares in double would lose them.
    RunningMoments moments;
    for (const double value : {4.0, 7.0, test::kNan, 13.0, 16.0}) moments.add(1e9 + value);
    EXPECT_EQ(moments.count(), 4);
    EXPECT_DOUBLE_EQ(*moments.mean(), 1e9 + 10);
    EXPECT_DOUBLE_EQ(*moments.variance(), 30.0);
    EXPECT_DOUBLE_EQ(*moments.standardDeviation(), std::sqrt(30.0));
}

TEST(RunningMoments, UnknownBeforeThereIsEnough) {
    RunningMoments moments;
    EXPECT_EQ(moments.mean(), std::nullopt);
    moments.add(3);
    EXPECT_EQ(moments.mean(), 3.0);
    EXPECT_EQ(moments.variance(), std::nullopt);
}

TEST(TukeyOutliers, AreMarkedByTheirPositionInTheSamples) {
    // Sorted 1 .. 8, 30: quartiles 3 and 7, fences 3 - 6 = -3 and 7 + 6 = 13.
    const std::vector<double> samples{5, 30, 1, 2, 3, 4, 6, 7, 8};
    const auto outliers = tukeyOutliers(samples);
    EXPECT_EQ(outliers.fences, (Interval{-3, 13}));
    EXPECT_THAT(outliers.indices, ElementsAre(1));
    EXPECT_THAT(tukeyOutliers(std::vector<double>{1, 1, 1, 100}).indices, IsEmpty());
    EXPECT_FALSE(tukeyOutliers(std::vector<double>{1, 1, 1, 100}).fences);
}

TEST(SustainedRatio, ComparesTheLastThirdOfTheTimeWithTheFirst) {
    EXPECT_DOUBLE_EQ(sustainedRatio(std::vector<double>(30, 0.1)).value(), 1);
    // Twice as slow from half time on: 10 steps in the first 10 s, 5 in the last 10 s.
    std::vector<double> slowing(15, 1.0);
    slowing.insert(slowing.end(), 8, 2.0);
    EXPECT_NEAR(sustainedRatio(slowing).value(), 0.5, 1e-12);
    std::vector<double> warming(8, 2.0);
    warming.insert(warming.end(), 15, 1.0);
    EXPECT_GT(sustainedRatio(warming).value(), 1.8);
    EXPECT_FALSE(sustainedRatio(std::vector<double>{}));
    EXPECT_FALSE(sustainedRatio(std::vector<double>{1}));
    EXPECT_FALSE(sustainedRatio(std::vector<double>{0, 0, 0}));
    EXPECT_DOUBLE_EQ(sustainedRatio(std::vector<double>{test::kNan, 1, 1, test::kNan, 1}).value(), 1);
}

TEST(Summarize, GivesNoFigureThatTheNumberOfSamplesDoesNotAllow) {
    EXPECT_EQ(summarize({}), std::nullopt);
    EXPECT_EQ(summarize(std::vector{test::kNan}), std::nullopt);
    const auto summaryOf = [](int count) { return *summarize(countTo(count)); };
    EXPECT_EQ(summaryOf(1).median, 1);
    EXPECT_EQ(summaryOf(1).n, 1);
    EXPECT_FALSE(summaryOf(4).mad);
    EXPECT_FALSE(summaryOf(4).ci95Low);
    EXPECT_TRUE(summaryOf(5).mad);
    EXPECT_FALSE(summaryOf(5).ci95Low);
    EXPECT_TRUE(summaryOf(6).ci95Low);
    EXPECT_FALSE(summaryOf(9).p90);
    EXPECT_TRUE(summaryOf(10).p90);
    EXPECT_FALSE(summaryOf(99).p99);
    EXPECT_TRUE(summaryOf(100).p99);
}

TEST(Summarize, ByHand) {
    const auto summary = *summarize(std::vector<double>{10, 1, 9, 2, 8, 3, 7, test::kNan, 4, 6, 5});
    EXPECT_EQ(summary.n, 10);
    EXPECT_EQ(summary.median, 5.5);
    EXPECT_EQ(summary.mean, 5.5);
    EXPECT_EQ(summary.min, 1);
    EXPECT_EQ(summary.mad, 2.5);    // deviations 0.5, 0.5, 1.5, 1.5, 2.5, 2.5, ...
    EXPECT_EQ(summary.ci95Low, 2);  // rank 2 of 10
    EXPECT_EQ(summary.ci95High, 9);
    EXPECT_DOUBLE_EQ(*summary.p90, 9.1);
}

}  // namespace
}  // namespace steelyard::bench
