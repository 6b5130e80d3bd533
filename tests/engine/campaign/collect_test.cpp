// SPDX-License-Identifier: Apache-2.0
// Results from machines: complete, duplicated, truncated, foreign, contradictory, or missing.
#include "engine/campaign/collect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/bench/suite/suite.h"
#include "engine/campaign/node_rank.h"
#include "engine/core/messages/campaign.h"
#include "engine/core/version.h"
#include "tests/support/random_records.h"

namespace steelyard::campaign {
namespace {

using test::Optionals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Campaign twoChunks() {
    Campaign campaign{.id = "0123456789ab"};
    campaign.candidates = {Candidate{.id = "01"}, Candidate{.id = "02"}};
    return campaign;
}

TaskResult goodResult(std::string candidate, std::uint64_t seed) {
    TaskResult result{.campaign = "0123456789ab", .candidate = std::move(candidate), .exitCode = kMeasured};
    result.endedUnixMs = static_cast<std::int64_t>(seed);
    result.runs = {test::inventRun(seed, Optionals::All, 1)};
    result.runs[0].records[0].status = bench::Status::Ok;
    return result;
}

TEST(Collect, AResultInAFileAndALogCountsOnce) {
    const auto one = goodResult("01", 1), two = goodResult("02", 2);
    const auto gathered = gatherResults(
        twoChunks(),
        {{"b.log", "noise\n" + logLines(two) + logLines(one)}, {"01.r0.json", toJson(one)}, {"empty", ""}});
    EXPECT_THAT(gathered.problems, IsEmpty());
    EXPECT_EQ(gathered.results, std::vector({one, two}));
}

TEST(Collect, ACutFileIsReportedAndTheLogStillCounts) {
    const auto one = goodResult("01", 1);
    const auto text = toJson(one);
    auto gathered =
        gatherResults(twoChunks(), {{"01.r0.json", text.substr(0, text.size() / 2)}, {"log", logLines(one)}});
    ASSERT_THAT(gathered.problems, SizeIs(1));
    EXPECT_THAT(gathered.problems[0].text, HasSubstr("01.r0.json"));
    EXPECT_THAT(gathered.results, SizeIs(1));
    const auto log = logLines(one);
    gathered = gatherResults(twoChunks(), {{"log", log.substr(0, log.size() / 2)}});
    ASSERT_THAT(gathered.problems, SizeIs(1));
    EXPECT_THAT(gathered.problems[0].text, HasSubstr("incomplete"));
    EXPECT_THAT(gathered.results, IsEmpty());
    EXPECT_THAT(gatherResults(twoChunks(), {{"log", log.substr(0, log.size() / 2)}, {"01.r0.json", text}}).problems,
                IsEmpty());
}

TEST(Collect, FilesOfOthersAreReportedAndLeftOut) {
    auto foreign = goodResult("01", 1), unknown = goodResult("77", 2);
    foreign.campaign = "ffffffffffff";
    const auto gathered = gatherResults(
        twoChunks(), {{"a.json", toJson(foreign)}, {"b.json", toJson(unknown)}, {"c.json", R"({"format": "other"})"}});
    EXPECT_THAT(gathered.results, IsEmpty());
    ASSERT_THAT(gathered.problems, SizeIs(3));
    std::string all;
    for (const auto& problem : gathered.problems) all += problem.text + "\n";
    EXPECT_THAT(all, HasSubstr("ffffffffffff"));
    EXPECT_THAT(all, HasSubstr("77"));
    EXPECT_THAT(all, HasSubstr("c.json"));
}

TEST(Collect, ContradictoryResultsCountAsNone) {
    const auto one = goodResult("01", 1);
    auto other = one;
    other.runs[0].records[0].stepSeconds->median = 123;
    auto gathered = gatherResults(twoChunks(), {{"a.json", toJson(one)}, {"b.json", toJson(other)}});
    EXPECT_THAT(gathered.results, IsEmpty());
    ASSERT_THAT(gathered.problems, SizeIs(1));
    EXPECT_THAT(gathered.problems[0].text, HasSubstr(one.runs[0].id));
    auto claimed = one;  // the same run, attributed to another candidate
    claimed.candidate = "02";
    EXPECT_THAT(gatherResults(twoChunks(), {{"a.json", toJson(one)}, {"b.json", toJson(claimed)}}).results, IsEmpty());
}

TEST(Collect, AChunkThatWasMeasuredTwiceKeepsBothRuns) {
    const auto gathered =
        gatherResults(twoChunks(), {{"a.json", toJson(goodResult("01", 1))}, {"b.json", toJson(goodResult("01", 2))}});
    EXPECT_THAT(gathered.problems, IsEmpty());
    EXPECT_THAT(gathered.results, SizeIs(2));
}

TEST(Collect, WhatBroughtNothingIsNamed) {
    auto campaign = twoChunks();
    campaign.candidates[0].state = CandidateState::Collected;
    EXPECT_THAT(withoutResult(campaign), ElementsAre("02"));
    campaign.candidates[1].state = CandidateState::Failed;
    EXPECT_THAT(withoutResult(campaign), IsEmpty());
}

TEST(Collect, TheFailureOfAnEarlierAttemptIsNoNews) {
    auto campaign = twoChunks();
    auto& candidate = campaign.candidates[0];
    auto failed = goodResult("01", 1);
    failed.runs[0].records[0].status = bench::Status::Crashed;
    failed.endedUnixMs = 1000;
    candidate.state = CandidateState::Submitted;
    candidate.submittedUnixMs = 2000;
    applyResult(campaign, candidate, failed);
    EXPECT_EQ(candidate.state, CandidateState::Submitted);
    failed.endedUnixMs = 3000;
    applyResult(campaign, candidate, failed);
    EXPECT_EQ(candidate.state, CandidateState::Failed);
}

TEST(Collect, ADisturbedMeasurementSaysSo) {
    for (const bool isDisturbed : {false, true}) {
        auto campaign = twoChunks();
        auto result = goodResult("01", 1);
        auto& record = result.runs[0].records[0];
        result.runs[0].suiteVersion = bench::kSuiteVersion;
        result.programVersion = programVersion();
        record.spec.part = bench::Part::Step;
        record.stepSeconds.emplace().median = 0.01;
        record.figure.emplace().disturbed = isDisturbed;
        campaign.question = Question{.workload = record.spec.workload,
                                     .mode = std::string(plan::toString(record.spec.mode)),
                                     .batch = record.spec.batch,
                                     .precision = std::string(plan::toString(record.spec.precision))};
        auto& candidate = campaign.candidates[0];
        applyResult(campaign, candidate, result);
        EXPECT_EQ(candidate.state, CandidateState::Collected);
        ASSERT_TRUE(candidate.measuredStepSeconds) << "it is shown all the same";
        EXPECT_EQ(candidate.reason, isDisturbed ? messages::measuredWhileBusy() : Message());
    }
}

TEST(NodeRank, IsThatOfTheLauncherAndNeverAGroupOfOne) {
    const auto rankWith = [](int nodes, std::vector<std::pair<std::string, std::string>> variables) {
        return nodeRank(nodes, [variables](const char* name) -> const char* {
            for (const auto& [known, value] : variables)
                if (known == name) return value.c_str();
            return nullptr;
        });
    };
    EXPECT_EQ(rankWith(1, {}), 0);
    EXPECT_EQ(rankWith(4, {{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "4"}}), 3);
    EXPECT_EQ(rankWith(2, {{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}), 1);
    EXPECT_EQ(rankWith(2, {{"JOB_COMPLETION_INDEX", "1"}}), 1);
    EXPECT_FALSE(rankWith(2, {}));
    EXPECT_FALSE(rankWith(2, {{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}));
    EXPECT_FALSE(rankWith(2, {{"PMIX_RANK", "two"}}));
    EXPECT_FALSE(rankWith(2, {{"PMIX_RANK", "2"}}));
}

}  // namespace
}  // namespace steelyard::campaign
