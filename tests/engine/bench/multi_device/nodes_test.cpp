// SPDX-License-Identifier: Apache-2.0
// Cases on several nodes: enumeration, messages between processes, network measurement, and predicted efficiency. Ranks
// are threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/bench/multi_device/gpu_sweep.h"
#include "engine/bench/multi_device/network_probe.h"
#include "engine/bench/multi_device/node_group.h"
#include "engine/bench/multi_device/node_runner.h"
#include "engine/bench/multi_device/scaling_tables.h"
#include "engine/bench/suite/suite.h"
#include "tests/engine/compute/parallel/thread_group.h"

namespace steelyard::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <typename Function>
void asNodes(int size, Function function) {
    compute::testing::ThreadMeeting meeting(size);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            auto ranks = compute::HostCommunicator::start([&] { return meeting.join(rank); });
            ASSERT_TRUE(ranks);
            function(**ranks);
        });
    for (auto& thread : threads) thread.join();
}

TEST(CasesOverNodes, ShareABatchOrHaveOneEach) {
    const Case base{.workload = "fcn_r", .batch = 30};
    std::vector<Message> notes;
    std::vector<std::string> found;
    for (const auto& spec : casesOverNodes(base, {1, 2, 4}, {}, notes))
        found.push_back(spec.device + " " + std::to_string(spec.batch));
    EXPECT_THAT(found, ElementsAre("cpu 30", "cpu+cpu 30", "cpu+cpu 60", "cpu+cpu+cpu+cpu 120"));
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_THAT(notes[0].text, HasSubstr("does not divide evenly among 4 nodes"));
    EXPECT_EQ(casesOverNodes(base, {2}, {ScalingKind::Experiments}, notes).size(), 0U) << "nothing is shared";
}

TEST(CasesOverNodes, AreThoseOfARequestThatNamesNodes) {
    RunRequest request;
    request.workloads = {"mnist_mlp"};
    request.batches = {32};
    request.nodes = {2};
    request.scalings = {ScalingKind::Weak};
    const auto suite = makeSuite(request);
    ASSERT_TRUE(suite);
    ASSERT_EQ(suite->cases.size(), 1U) << "training only";
    EXPECT_EQ(suite->cases[0].device, "cpu+cpu");
    EXPECT_EQ(suite->cases[0].batch, 64);
}

TEST(NodeGroup, TellsTextsOfAnyLength) {
    asNodes(3, [](compute::HostCommunicator& ranks) {
        const std::vector<std::string> words{"", "two", "a longer one"};
        EXPECT_EQ(gatherTexts(ranks, words[static_cast<std::size_t>(ranks.rank())]).value(), words);
        EXPECT_EQ(broadcastText(ranks, ranks.rank() == 0 ? "rank 0's" : "mine").value(), "rank 0's");
        EXPECT_EQ(broadcastText(ranks, ranks.rank() == 0 ? "" : "mine").value(), "");
    });
}

TEST(NodeGroup, IsReadyWhenAllAre) {
    asNodes(2, [](compute::HostCommunicator& ranks) {
        EXPECT_TRUE(allReady(ranks, {}));
        const bool isAble = ranks.rank() == 0;
        const auto ready =
            allReady(ranks, isAble ? Result<void>() : fail(ErrorKind::Unsupported, "bf16", Message("no such unit")));
        ASSERT_FALSE(ready);
        EXPECT_EQ(ready.error().kind, isAble ? ErrorKind::Internal : ErrorKind::Unsupported);
        EXPECT_THAT(describe(ready.error()), HasSubstr("no such unit"));
    });
}

TEST(NetworkProbe, MeasuresAndChecksEverySize) {
    asNodes(3, [](compute::HostCommunicator& ranks) {
        const auto found = measureNetwork(ranks, {Bytes(2048), Bytes(2048), Seconds(0.01), true});
        ASSERT_TRUE(found);
        EXPECT_EQ(found->ranks, 3);
        ASSERT_EQ(found->peers.size(), 2U);
        EXPECT_EQ(found->peers[1].rank, 2);
        std::vector<std::int64_t> sizes;
        for (const auto& time : found->allReduce) {
            sizes.push_back(time.bytes);
            EXPECT_EQ(time.wrong, 0);
            EXPECT_DOUBLE_EQ(time.busBandwidth, time.algorithmBandwidth * 4 / 3);
        }
        EXPECT_THAT(sizes, ElementsAre(8, 32, 128, 512, 2048));
        for (const auto& time : found->peers[0].times) EXPECT_EQ(time.wrong, 0);
        EXPECT_GT(found->link.bytesPerSecond, 0);
    });
    asNodes(1, [](compute::HostCommunicator& ranks) { EXPECT_FALSE(measureNetwork(ranks)); });
}

CaseRecord ofRank(double computeSeconds) {
    CaseRecord record;
    record.parallel.emplace().computeSeconds = computeSeconds;
    return record;
}

TEST(NodesUse, ComparesTheExchangeWithWhatTheNetworkPromises) {
    ParallelUse shared;
    shared.computeSeconds = 1.0;
    shared.exposedSeconds = 0.25;
    shared.exchangeSeconds = 0.5;
    shared.exchangedBytes = 50'000'000;
    shared.exchanges = 2;
    const compute::Link link{0, 1e8};  // 0.5 s for these bytes
    const auto use = nodesUse(shared, {ofRank(1.0), ofRank(1.0)}, link);
    EXPECT_DOUBLE_EQ(*use.busBandwidth, 1e8);
    EXPECT_DOUBLE_EQ(*use.efficiency, 0.8);
    EXPECT_DOUBLE_EQ(*use.predictedLow, 1 / 1.5);
    EXPECT_DOUBLE_EQ(*use.predictedHigh, 1 / 1.25) << "the second of two exchanges is not hidden";
    EXPECT_FALSE(use.slowestRank);
}

TEST(NodesUse, NamesTheSlowestRankAndExpectsTheOthersToWait) {
    ParallelUse shared;
    shared.exchangeSeconds = 0.0;
    shared.exchangedBytes = 0;
    const compute::Link link{0, 1e8};
    EXPECT_FALSE(nodesUse(shared, {ofRank(1), ofRank(1.09), ofRank(1)}, link).slowestRank);
    const auto use = nodesUse(shared, {ofRank(1), ofRank(1), ofRank(1.25)}, link);
    EXPECT_EQ(use.slowestRank, 2);
    EXPECT_DOUBLE_EQ(*use.predictedHigh, 0.8);
    EXPECT_FALSE(nodesUse(shared, {ofRank(1), CaseRecord()}, link).predictedHigh) << "not known of all";
}

TEST(ScalingOfNodes, HasThePredictionBesideWhatWasMeasured) {
    CaseRecord alone;
    alone.spec = {.workload = "fcn_r", .mode = plan::Mode::Train, .device = "cpu", .batch = 100};
    alone.status = Status::Ok;
    alone.stepSeconds = Summary{.median = 1, .mean = 1, .min = 1, .n = 10};
    alone.throughput = Throughput{100, "samples/s"};
    auto two = alone;
    two.spec.device = "cpu+cpu";
    two.stepSeconds = Summary{.median = 0.8, .mean = 0.8, .min = 0.8, .n = 10};
    two.throughput = Throughput{125, "samples/s"};
    auto& nodes = two.parallel.emplace().nodes.emplace();
    nodes.hosts = {"a", "b"};
    nodes.computeSeconds = {0.6, 0.6};  // half the batch takes more than half the time
    nodes.predictedEfficiency = 0.9, nodes.predictedLow = 0.8, nodes.predictedHigh = 0.96;
    nodes.slowestRank = 1;
    const auto tables = scalingTables({alone, two});
    ASSERT_EQ(tables.size(), 1U);
    EXPECT_TRUE(tables[0].ofNodes);
    const auto& line = tables[0].lines[1];
    EXPECT_DOUBLE_EQ(line.row.efficiency, 0.625);
    EXPECT_DOUBLE_EQ(*line.predicted, 0.9 * 50 / 0.6 / 100);
    EXPECT_DOUBLE_EQ(*line.predictedLow, 0.8 * 50 / 0.6 / 100);
    EXPECT_EQ(line.slowestHost, "b");
    EXPECT_THAT(scalingTables({alone}), IsEmpty());
}

}  // namespace
}  // namespace steelyard::bench
