// SPDX-License-Identifier: Apache-2.0
// The queue that exchanges on a thread of its own, and CPU executables that share their steps: ranks are threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "engine/compute/cpu/cpu_backend.h"
#include "engine/compute/parallel/host_ranks.h"
#include "engine/model/resolve.h"
#include "tests/engine/compute/parallel/joint_training.h"
#include "tests/engine/compute/parallel/thread_group.h"

namespace steelyard::compute {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ThreadMeeting;

// Runs it as each rank of a group of threads.
template <typename Function>
void asRanks(int size, Function function, const HostPatience& patience = {}) {
    ThreadMeeting meeting(size);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            auto communicator = HostCommunicator::start([&] { return meeting.join(rank); }, patience);
            ASSERT_TRUE(communicator) << communicator.error().detail;
            function(*communicator);
        });
    for (auto& thread : threads) thread.join();
}

TEST(HostCommunicator, AveragesInTheOrderOfItsQueue) {
    asRanks(3, [](const std::shared_ptr<HostCommunicator>& ranks) {
        std::vector<float> values{static_cast<float>(ranks->rank()), 10};
        std::vector<float> more{static_cast<float>(3 * ranks->rank())};
        ASSERT_TRUE(ranks->average(values.data(), 2, ranks->exchangeStream()));
        ASSERT_TRUE(ranks->average(more.data(), 1, ranks->exchangeStream()));
        ASSERT_TRUE(ranks->follow(ranks->exchangeStream(), HostCommunicator::computeStream()));
        EXPECT_THAT(values, ElementsAre(1, 10));
        EXPECT_THAT(more, ElementsAre(3));
        EXPECT_EQ(ranks->size(), 3);
    });
}

TEST(HostCommunicator, RestrictsTheGroupToTheFirstRanksAndBack) {
    asRanks(3, [](const std::shared_ptr<HostCommunicator>& ranks) {
        const auto among = ranks->restrictTo(2);
        ASSERT_TRUE(among);
        EXPECT_EQ(*among, ranks->rank() < 2);
        if (*among) {
            EXPECT_EQ(ranks->size(), 2);
            float value = static_cast<float>(ranks->rank());
            ASSERT_TRUE(ranks->average(&value, 1, nullptr));
            ASSERT_TRUE(ranks->wait());
            EXPECT_EQ(value, 0.5F);
        }
        const auto all = ranks->restrictTo(3);
        ASSERT_TRUE(all);
        EXPECT_TRUE(*all);
        EXPECT_EQ(ranks->size(), 3);
    });
}

// A pulled cable: a call that never returns.
TEST(HostCommunicator, GivesUpOnASilentPeerWithASentence) {
    HostPatience patience;
    patience.call = patience.firstCalls = Seconds(0.2);
    ThreadMeeting meeting(2);
    auto ranks = HostCommunicator::start([&] { return meeting.joinAlone(0); }, patience);
    ASSERT_TRUE(ranks);
    float value = 1;
    ASSERT_TRUE((*ranks)->average(&value, 1, nullptr));
    const auto lost = (*ranks)->wait();
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().kind, ErrorKind::TimedOut);
    EXPECT_THAT(lost.error().detail.text, HasSubstr("the network between the nodes was lost"));
    EXPECT_TRUE((*ranks)->isLost());
    EXPECT_FALSE((*ranks)->average(&value, 1, nullptr)) << "nothing more is exchanged";
    meeting.breakUp();
}

TEST(HostCommunicator, EndsWhenItIsCancelled) {
    std::atomic<bool> stop{false};
    HostPatience patience;
    patience.cancelled = [&] { return stop.load(); };
    ThreadMeeting meeting(2);
    auto ranks = HostCommunicator::start([&] { return meeting.joinAlone(0); }, patience);
    ASSERT_TRUE(ranks);
    stop = true;
    const auto lost = (*ranks)->run([](HostGroup& group) { return group.barrier(); });
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().kind, ErrorKind::Cancelled);
    meeting.breakUp();
}

TEST(HostCommunicator, TellsTheFirstErrorAndIsLost) {
    ThreadMeeting meeting(1);
    auto ranks = HostCommunicator::start([&] { return meeting.join(0); });
    ASSERT_TRUE(ranks);
    const auto failed =
        (*ranks)->run([](HostGroup&) -> Result<void> { return fail(ErrorKind::Internal, "MPI", Message("broken")); });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().detail, "broken");
    EXPECT_TRUE((*ranks)->isLost());
}

TEST(HostCommunicator, SaysWhyThereIsNoGroup) {
    const auto none = HostCommunicator::start(
        []() -> Result<std::unique_ptr<HostGroup>> { return fail(ErrorKind::BackendUnavailable, "x", Message("no")); });
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().detail, "no");
}

// A group of one whose exchanges take until they are let go.
class GatedGroup final : public HostGroup {
public:
    struct Gate {
        std::atomic<int> begun{0}, ended{0};
        std::atomic<bool> open{false};
    };
    explicit GatedGroup(Gate& gate) : m_gate(gate) {}
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return 1; }
    [[nodiscard]] int processesHere() const override { return 1; }
    [[nodiscard]] std::string library() const override { return "gate"; }
    [[nodiscard]] Result<void> sum(float* /*values*/, std::int64_t /*count*/) override {
        ++m_gate.begun;
        m_gate.open.wait(false);
        ++m_gate.ended;
        return {};
    }
    [[nodiscard]] Result<void> broadcast(void*, std::int64_t, int) override { return {}; }
    [[nodiscard]] Result<void> gather(const void*, std::int64_t, void*) override { return {}; }
    [[nodiscard]] Result<void> barrier() override { return {}; }
    [[nodiscard]] Result<void> send(const void*, std::int64_t, int) override { return {}; }
    [[nodiscard]] Result<void> receive(void*, std::int64_t, int) override { return {}; }
    [[nodiscard]] Result<std::unique_ptr<HostGroup>> first(int) override { return std::unique_ptr<HostGroup>(); }

private:
    Gate& m_gate;
};

// The backward pass goes on while a bucket is exchanged, and the update waits for all of them.
TEST(HostCommunicator, ExchangesBesideTheBackwardPass) {
    GatedGroup::Gate gate;
    auto ranks = HostCommunicator::start(
        [&]() -> Result<std::unique_ptr<HostGroup>> { return std::make_unique<GatedGroup>(gate); });
    ASSERT_TRUE(ranks);
    auto& communicator = **ranks;
    std::vector<Bucket> buckets(2);
    buckets[0].elements = 10, buckets[0].readyAfter = 3;
    buckets[1].elements = 20, buckets[1].readyAfter = 5;
    float values[30] = {};
    GradientExchange exchange(communicator, communicator, buckets, {values, values + 10},
                              {HostCommunicator::computeStream(), communicator.exchangeStream()});
    for (int operation = 0; operation < 6; ++operation) ASSERT_TRUE(exchange.afterOperation(operation));
    while (gate.begun == 0) std::this_thread::yield();
    EXPECT_EQ(gate.ended, 0) << "all operations of the backward pass are through before the first exchange is";
    gate.open = true;
    gate.open.notify_all();
    ASSERT_TRUE(exchange.join());
    EXPECT_EQ(gate.ended, 2);
}

TEST(HostGroups, NeedTheModule) {
    const auto none = joinMpi({"/nonexistent"});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().kind, ErrorKind::BackendUnavailable);
    EXPECT_THAT(none.error().detail.text, HasSubstr("libopenmpi-dev"));
}

TEST(CpuRanks, AreRefusedWithoutAGroup) {
    const auto graph = model::resolveWorkload("mnist_mlp")->build().value();
    auto plan = std::make_shared<const plan::Plan>(
        plan::lower(graph, {plan::Mode::Train, 4, plan::Precision::Fp32, {}}).value());
    CompileOptions options;
    options.ranks = RankGroup{0, 2, {}, {}};
    const auto refused = makeCpuBackend()->compile(plan, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::Unsupported);
}

class CpuRanksLearn : public ::testing::TestWithParam<const char*> {};

// Part of the samples each, dropout and all: what one process learns of the joint batch, in layouts of each rank's own.
TEST_P(CpuRanksLearn, WhatOneLearnsOfTheJointBatch) {
    asRanks(2, [](const std::shared_ptr<HostCommunicator>& ranks) {
        const auto found = testing::trainTogether(ranks, GetParam(), 8, 10);
        EXPECT_GT(found.parameters, 0);
        EXPECT_GT(found.learned, 1e-4) << "a parameter that does not move proves nothing";
        EXPECT_LT(found.worstParameters, 1e-5);
        EXPECT_LT(found.worstLoss, 1e-5);
    });
}

INSTANTIATE_TEST_SUITE_P(Networks, CpuRanksLearn, ::testing::Values("fcn_r", "mnist_cnn", "tied", "clipped"),
                         [](const auto& network) { return std::string(network.param); });

}  // namespace
}  // namespace steelyard::compute
