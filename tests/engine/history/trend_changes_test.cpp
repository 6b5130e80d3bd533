// SPDX-License-Identifier: Apache-2.0
#include "engine/history/trend_changes.h"

#include <gtest/gtest.h>

namespace steelyard::history {
namespace {

TrendPoint point(double median, double half) {
    TrendPoint result;
    result.medianSeconds = median;
    result.ci95Low = median - half;
    result.ci95High = median + half;
    return result;
}

TEST(TrendChanges, ALevelThatHoldsHasNone) {
    const std::vector points{point(1.00, 0.02), point(1.01, 0.02), point(0.99, 0.02), point(1.005, 0.02)};
    EXPECT_TRUE(trendChanges(points).empty());
    EXPECT_TRUE(trendChanges({}).empty());
}

TEST(TrendChanges, AStepUpAndBackAreTwo) {
    const std::vector points{point(1.0, 0.01), point(1.0, 0.01), point(1.2, 0.01), point(1.2, 0.01), point(1.0, 0.01)};
    const auto changes = trendChanges(points);
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].position, 2U);
    EXPECT_NEAR(changes[0].ratio, 1.2, 1e-12);
    EXPECT_EQ(changes[1].position, 4U);
    EXPECT_NEAR(changes[1].ratio, 1 / 1.2, 1e-12);
}

TEST(TrendChanges, WideIntervalsAndSmallDifferencesAreNoEvidence) {
    EXPECT_TRUE(trendChanges(std::vector{point(1.0, 0.15), point(1.2, 0.15)}).empty()) << "the intervals overlap";
    EXPECT_TRUE(trendChanges(std::vector{point(1.0, 0.001), point(1.015, 0.001)}).empty()) << "less than 2 %";
    auto unknown = point(1.5, 0.01);
    unknown.ci95Low.reset();
    EXPECT_TRUE(trendChanges(std::vector{point(1.0, 0.01), unknown}).empty()) << "no interval, no evidence";
}

TEST(TrendChanges, DisturbedPointsAndOtherStatesAreNoChange) {
    auto disturbed = point(1.5, 0.01);
    disturbed.disturbed = true;
    EXPECT_TRUE(trendChanges(std::vector{point(1.0, 0.01), disturbed, point(1.0, 0.01)}).empty());
    const auto inState = [](double median, double roundTrip) {
        auto result = point(median, 0.01);
        result.roundTripSeconds = roundTrip;
        return result;
    };
    EXPECT_TRUE(trendChanges(std::vector{inState(1.0, 50e-9), inState(1.5, 330e-9), inState(1.0, 52e-9)}).empty());
    // Within one state, regardless of points in between.
    const auto changes =
        trendChanges(std::vector{inState(1.0, 50e-9), inState(1.5, 330e-9), disturbed, inState(1.2, 52e-9)});
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_EQ(changes[0].position, 3U);
    EXPECT_NEAR(changes[0].ratio, 1.2, 1e-12);
}

}  // namespace
}  // namespace steelyard::history
