// SPDX-License-Identifier: Apache-2.0
// The effect of measurements on the ranking of candidates, compared with manually calculated figures.
#include "engine/campaign/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/messages/campaign.h"

namespace steelyard::campaign {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Ten hours, of which eight are the job's steps, at the given hourly price.
Candidate predicted(std::string id, double step, double usdPerHour) {
    Candidate candidate{.id = id, .title = "machine " + id};
    candidate.forecast = Forecast{{step / 2, step, step * 2},
                                  {6, 10, 18},
                                  {6 * usdPerHour, 10 * usdPerHour, 18 * usdPerHour},
                                  8,
                                  "extrapolated",
                                  1,
                                  60.0};
    return candidate;
}

Campaign pair(std::string priority) {
    Campaign campaign{.id = "0123456789ab"};
    campaign.question = Question{"resnet50", "train", 64, "fp32", 1e6, std::move(priority), 1, {}, {}};
    campaign.candidates = {predicted("01", 1, 2), predicted("02", 1, 3)};
    campaign.candidates[1].forecast->hours.median = 9;
    campaign.candidates[1].forecast->usd.median = 27;
    return campaign;
}

void measure(Candidate& candidate, double step) {
    candidate.state = CandidateState::Collected;
    candidate.measuredStepSeconds = Band{step * 0.99, step, step * 1.01};
}

std::string allChanges(const Comparison& comparison) {
    std::string all;
    for (const auto& change : comparison.changes) all += change.text + "\n";
    return all;
}

TEST(Comparison, ASweepHasNone) {
    EXPECT_EQ(compare(Campaign{.id = "x"}), Comparison());
}

TEST(Comparison, WithoutMeasurementsTheForecastsStand) {
    const auto comparison = compare(pair("fastest"));
    EXPECT_EQ(comparison.candidates[0].id, "02");
    EXPECT_EQ(comparison.candidates[0].placeBefore, 1);
    EXPECT_EQ(comparison.candidates[0].placeNow, 1);
    EXPECT_THAT(comparison.changes, IsEmpty());
}

TEST(Comparison, AMeasurementScalesThePartOfTheJob) {
    auto campaign = pair("fastest");
    measure(campaign.candidates[0], 0.5);
    const auto comparison = compare(campaign);
    const auto& first = comparison.candidates[0];
    EXPECT_EQ(first.id, "01");
    EXPECT_DOUBLE_EQ(first.hours.median, 10 - 8 * 0.5);  // two hours of overhead remain
    EXPECT_DOUBLE_EQ(first.usd.median, 20 * 0.6);
    EXPECT_DOUBLE_EQ(*first.stepRatio, 0.5);
    EXPECT_TRUE(*first.insideBand);
    EXPECT_EQ(first.placeBefore, 2);
    EXPECT_EQ(first.placeNow, 1);
    const auto all = allChanges(comparison);
    EXPECT_THAT(all, HasSubstr("machine 01 is now the best choice instead of machine 02"));
    EXPECT_THAT(all, HasSubstr("machine 01 moves from rank 2 to rank 1"));
    EXPECT_THAT(all, HasSubstr("machine 01: 100 % faster than predicted, 500 ms instead of 1.00 s per step"));
}

TEST(Comparison, ThePriorityDecides) {
    auto campaign = pair("cheapest");
    measure(campaign.candidates[0], 2);  // 18 hours, $36, beside $27
    auto comparison = compare(campaign);
    EXPECT_EQ(comparison.candidates[0].id, "02");
    EXPECT_THAT(allChanges(comparison), HasSubstr("takes 100 % longer than predicted"));
    campaign.question->priority = "balanced";
    campaign.question->timeWeight = 0;  // costs alone
    EXPECT_EQ(compare(campaign).candidates, comparison.candidates);
    measure(campaign.candidates[0], 1.001);
    comparison = compare(campaign);
    EXPECT_EQ(comparison.candidates[0].id, "01");
    EXPECT_THAT(allChanges(comparison), HasSubstr("machine 01 stays the best choice"));
    EXPECT_THAT(allChanges(comparison), HasSubstr("as fast as predicted"));
}

TEST(Comparison, OutsideTheBandIsSaid) {
    auto campaign = pair("fastest");
    measure(campaign.candidates[0], 2.5);
    const auto comparison = compare(campaign);
    EXPECT_FALSE(*comparison.candidates[1].insideBand);
    EXPECT_THAT(allChanges(comparison), HasSubstr("outside the predicted range of 500 ms to 2.00 s"));
}

TEST(Comparison, WhatCannotBeToldApartIsNoChange) {
    auto campaign = pair("fastest");
    campaign.candidates[1] = predicted("02", 1, 2);
    measure(campaign.candidates[0], 0.5);
    measure(campaign.candidates[1], 0.499);
    const auto all = allChanges(compare(campaign));
    EXPECT_THAT(all, HasSubstr("the measurements do not distinguish machine 01 from machine 02"));
    EXPECT_THAT(all, Not(HasSubstr("instead of machine")));
    EXPECT_THAT(all, Not(HasSubstr("moves from")));
}

TEST(Comparison, CandidatesThatCannotDoTheJobLeaveTheRanking) {
    auto campaign = pair("fastest");
    campaign.candidates[1].state = CandidateState::GivenUp;
    campaign.candidates[1].reason = Message("out of memory");
    auto comparison = compare(campaign);
    EXPECT_EQ(comparison.candidates[0].id, "01");
    EXPECT_FALSE(comparison.candidates[1].placeNow);
    EXPECT_THAT(allChanges(comparison), HasSubstr("machine 02 leaves the ranking: out of memory"));
    campaign = pair("fastest");
    campaign.question->deadlineHours = 12;
    measure(campaign.candidates[1], 2);
    EXPECT_THAT(allChanges(compare(campaign)), HasSubstr("longer than the deadline"));
    campaign.question->deadlineHours.reset();
    campaign.question->budgetUsd = 30;
    comparison = compare(campaign);
    EXPECT_THAT(allChanges(comparison), HasSubstr("more than the budget of $30"));
    EXPECT_EQ(comparison.candidates[0].id, "01");
    for (auto& candidate : campaign.candidates) candidate.state = CandidateState::GivenUp;
    EXPECT_THAT(allChanges(compare(campaign)), HasSubstr("no candidate can do the job"));
}

TEST(Comparison, AFailureKeepsItsForecastAndIsNamed) {
    auto campaign = pair("fastest");
    campaign.candidates[1].state = CandidateState::Failed;
    campaign.candidates[1].reason = Message("the disk is full");
    const auto comparison = compare(campaign);
    EXPECT_EQ(comparison.candidates[0].id, "02");
    EXPECT_THAT(allChanges(comparison), HasSubstr("machine 02 was not measured: the disk is full"));
}

}  // namespace
}  // namespace steelyard::campaign
