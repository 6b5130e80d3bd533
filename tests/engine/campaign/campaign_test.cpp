// SPDX-License-Identifier: Apache-2.0
// Campaign data, sweep chunks, and results in logs.
#include "engine/campaign/campaign.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "engine/campaign/campaign_json.h"
#include "engine/campaign/sweep.h"
#include "engine/campaign/task_result.h"
#include "tests/support/random_records.h"

namespace steelyard::campaign {
namespace {

using test::Optionals;

Candidate candidateOf(std::string id, double usdPerHour) {
    Candidate candidate;
    candidate.id = std::move(id);
    candidate.placements = {{"aws/x", "AWS", "x", "us-east-1", true, usdPerHour}};
    candidate.capSeconds = 1800;
    return candidate;
}

TaskResult resultOf(bench::Status status) {
    TaskResult result{.campaign = "0123456789ab", .candidate = "01", .host = "Knoten \"ä\"", .exitCode = kMeasured};
    result.runs.push_back(test::inventRun(7, Optionals::All, 2));
    for (auto& record : result.runs.front().records) record.status = status;
    return result;
}

TEST(Campaign, IsTheSameAfterJson) {
    Campaign campaign{.id = "0123456789ab", .name = "a \"name\"", .createdUnixMs = 5};
    campaign.question = Question{.workload = "resnet50", .mode = "train", .batch = 64, .steps = 1e6};
    campaign.budgetUsd = 12.5;
    auto candidate = candidateOf("01", 3.06);
    candidate.forecast = Forecast{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, 4.5, "extrapolated", 1, 60.0};
    candidate.cases = {test::inventCase(1, Optionals::All), test::inventCase(2, Optionals::None)};
    candidate.state = CandidateState::GivenUp;
    candidate.reason = Message("out of memory");
    candidate.runIds = {"abcdefabcdef"};
    candidate.startedUnixMs = 17;
    campaign.candidates = {candidate, candidateOf("02", 1)};
    const auto again = campaignFromJson(toJson(campaign));
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(*again, campaign);
    EXPECT_FALSE(campaignFromJson(R"({"id": "x"})"));
}

// Half an hour, ten minutes to start, one to stop and five idle, for each possible attempt.
TEST(Campaign, CostsAtMostItsAttemptsTimesPriceTimesNodes) {
    Campaign campaign{.id = "0123456789ab"};
    campaign.candidates = {candidateOf("01", 60), candidateOf("02", 30)};
    campaign.candidates[1].nodes = 3;
    campaign.retries = 0;
    EXPECT_DOUBLE_EQ(*worstUsd(campaign), 46 + 23 * 3);
    campaign.retries = 2;
    EXPECT_DOUBLE_EQ(*worstUsd(campaign), 3 * (46 + 23 * 3));
    campaign.budgetUsd = 345.01;
    EXPECT_TRUE(checkBudget(campaign));
    campaign.budgetUsd = 344.99;
    EXPECT_FALSE(checkBudget(campaign));
    EXPECT_EQ(campaign.candidates[0].spentUsd(1'000'000), 0);
    campaign.candidates[0].startedUnixMs = 0;
    EXPECT_EQ(campaign.candidates[0].spentUsd(900'000), 15);
}

TEST(Campaign, ALostSpotMachineIsAnotherCandidate) {
    Campaign campaign{.id = "0123456789ab"};
    campaign.candidates = {candidateOf("01", 4)};
    campaign.candidates[0].externalId = "17";
    repeatLostSpot(campaign, "01");
    ASSERT_EQ(campaign.candidates.size(), 2U);
    EXPECT_EQ(campaign.candidates[0].state, CandidateState::GivenUp);
    EXPECT_EQ(campaign.candidates[1].repeats, "01");
    EXPECT_TRUE(campaign.candidates[1].externalId.empty());
    EXPECT_EQ(stateOf(campaign), CampaignState::Running);
}

TEST(Sweep, ChunksTakeAtLeastAMinuteAndNoCaseIsLost) {
    std::vector<bench::Case> cases(100);
    for (std::size_t i = 0; i < cases.size(); ++i) cases[i].batch = static_cast<std::int64_t>(i + 1);
    const auto seconds = [](const bench::Case& spec) { return spec.batch % 7 == 0 ? 45.0 : 8.0; };
    for (const std::size_t most : {std::size_t{1001}, std::size_t{4}}) {
        const auto chunks = chunksOf(cases, seconds, most);
        EXPECT_LE(chunks.size(), most);
        std::int64_t next = 1;
        for (const auto& chunk : chunks) {
            double sum = 0;
            for (const auto& spec : chunk) {
                EXPECT_EQ(spec.batch, next++);
                sum += seconds(spec);
            }
            EXPECT_GE(sum, kLeastChunkSeconds);
        }
        EXPECT_EQ(next, 101);
    }
    EXPECT_EQ(chunksOf({cases[0]}, seconds, 1001).size(), 1U);
    EXPECT_TRUE(chunksOf({}, seconds, 1001).empty());
}

TEST(Sweep, ATaskFindsItsChunkByItsIndex) {
    Campaign campaign{.id = "0123456789ab"};
    campaign.protocol = SweepProtocol{2, 0.5};
    Candidate first, second;
    first.id = "01";
    second.id = "02";
    second.cases = {test::inventCase(3, Optionals::All)};
    const auto document = sweepDocument(campaign, {&first, &second});
    const auto chunk = sweepChunk(document, 1);
    ASSERT_TRUE(chunk) << describe(chunk.error());
    EXPECT_EQ(chunk->candidate, "02");
    EXPECT_EQ(chunk->order.cases, second.cases);
    EXPECT_EQ(chunk->order.protocol.visits, 2);
    EXPECT_FALSE(sweepChunk(document, 2));
    EXPECT_FALSE(sweepChunk(document, -1));
    EXPECT_FALSE(sweepChunk("{}", 0));
}

TEST(Sweep, WhatIsMissingBecomesNewChunks) {
    Campaign campaign{.id = "0123456789ab"};
    Candidate chunk;
    chunk.id = "01";
    for (std::int64_t batch : {1, 2, 3}) chunk.cases.emplace_back().batch = batch;
    chunk.state = CandidateState::Failed;
    campaign.candidates = {chunk};
    bench::CaseRecord good, crashed;
    good.spec = chunk.cases[0];
    good.status = bench::Status::Ok;
    crashed.spec = chunk.cases[1];
    crashed.status = bench::Status::Crashed;
    EXPECT_EQ(replanMissing(campaign, {good, crashed}, [](const auto&) { return 1.0; }), 2U);
    ASSERT_EQ(campaign.candidates.size(), 2U);
    EXPECT_EQ(campaign.candidates[1].cases, std::vector({chunk.cases[1], chunk.cases[2]}));
    EXPECT_EQ(campaign.candidates[1].state, CandidateState::Planned);
    EXPECT_EQ(replanMissing(campaign, {good, crashed}, [](const auto&) { return 1.0; }), 0U) << "planned already";
}

TEST(Sweep, EstimatesFollowWhatWasMeasured) {
    Campaign campaign{.id = "0123456789ab"};
    Candidate chunk;
    chunk.id = "01";
    chunk.cases.resize(3);
    campaign.candidates = {chunk};
    const auto seconds = [](const auto&) { return 10.0; };
    EXPECT_EQ(measuredPace(campaign, seconds), 1);
    campaign.candidates[0].state = CandidateState::Collected;
    campaign.candidates[0].startedUnixMs = 0;
    campaign.candidates[0].endedUnixMs = 60'000;
    EXPECT_EQ(measuredPace(campaign, seconds), 2);
}

TEST(TaskResult, ComesThroughALogThatMixesPrefixesAndRepeats) {
    const auto one = resultOf(bench::Status::Ok);
    auto two = one;
    two.candidate = "02";
    std::string log = "noise\n";
    auto a = logLines(one), b = logLines(two);
    while (!a.empty() || !b.empty()) {  // interleaved by lines, like the logs of two machines
        for (auto* rest : {&a, &b}) {
            const auto end = rest->find('\n');
            if (rest->empty()) continue;
            const auto line = fmt::format("(task, pid={}) {}\r\n", rest == &a ? 1 : 2, rest->substr(0, end));
            EXPECT_LT(line.size(), 1024U);
            log += line + line;
            rest->erase(0, end + 1);
        }
    }
    EXPECT_EQ(readLog(log).results, std::vector({one, two}));
}

TEST(TaskResult, OneThatIsNotCompleteDoesNotCount) {
    const auto lines = logLines(resultOf(bench::Status::Ok));
    const auto second = lines.find('\n', lines.find('\n') + 1) + 1;
    const auto half = readLog(lines.substr(0, lines.size() / 2));
    EXPECT_TRUE(half.results.empty());
    EXPECT_EQ(half.cut, std::vector{resultHash(toJson(resultOf(bench::Status::Ok)))});
    EXPECT_TRUE(readLog(lines).cut.empty());
    EXPECT_TRUE(readLog(lines.substr(second)).results.empty());
    auto changed = lines;
    changed[second - 3] = changed[second - 3] == 'x' ? 'y' : 'x';
    EXPECT_TRUE(readLog(changed).results.empty());
    EXPECT_TRUE(readLog("steelyard-result 0123456789abcdef begin 99999999999\n").results.empty());
}

TEST(TaskResult, SaysWhetherAnotherAttemptHelps) {
    EXPECT_EQ(judge(resultOf(bench::Status::Ok).runs).exitCode, kMeasured);
    EXPECT_EQ(judge(resultOf(bench::Status::OutOfMemory).runs).exitCode, kCannotFit);
    EXPECT_EQ(judge(resultOf(bench::Status::Crashed).runs).exitCode, kTryAgain);
    EXPECT_EQ(judge({}).exitCode, kTryAgain);
    Campaign campaign;
    Candidate candidate;
    applyResult(campaign, candidate, resultOf(bench::Status::OutOfMemory));
    EXPECT_EQ(candidate.state, CandidateState::GivenUp);
    EXPECT_FALSE(candidate.reason.empty());
    applyResult(campaign, candidate, resultOf(bench::Status::Ok));
    EXPECT_EQ(candidate.state, CandidateState::Collected);
    applyResult(campaign, candidate, resultOf(bench::Status::Crashed));
    EXPECT_EQ(candidate.state, CandidateState::Collected);
}

}  // namespace
}  // namespace steelyard::campaign
