// SPDX-License-Identifier: Apache-2.0
// The queue that exchanges on a dedicated thread: ranks are threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "engine/compute/parallel/host_communicator.h"
#include "tests/engine/compute/parallel/thread_ranks.h"

namespace steelyard::compute {
namespace {

using testing::asRanks;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::ThreadMeeting;

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

// A broken connection: a call that never returns.
TEST(HostCommunicator, GivesUpOnASilentPeerWithASentence) {
    HostTimeouts timeouts;
    timeouts.call = timeouts.firstCalls = Seconds(0.2);
    ThreadMeeting meeting(2);
    auto ranks = HostCommunicator::start([&] { return meeting.joinAlone(0); }, timeouts);
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
    HostTimeouts timeouts;
    timeouts.cancelled = [&] { return stop.load(); };
    ThreadMeeting meeting(2);
    auto ranks = HostCommunicator::start([&] { return meeting.joinAlone(0); }, timeouts);
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

// A group of one whose exchanges block until released.
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

// The backward pass continues while a bucket is exchanged, and the update waits for all of them.
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

}  // namespace
}  // namespace steelyard::compute
