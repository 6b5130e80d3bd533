// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/parallel/scaling.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/compute/parallel/rendezvous.h"

namespace steelyard::compute {
namespace {

TEST(Scaling, StrongKeepsTheWork) {
    const auto rows = scalingOf(Scaling::Strong, {{4, 0.4, 0.1, 0.04}, {1, 1.0, {}, {}}, {2, 0.5, {}, {}}}).value();
    ASSERT_EQ(rows.size(), 3);
    EXPECT_EQ(rows[0].devices, 1);
    EXPECT_DOUBLE_EQ(rows[0].speedup, 1);
    EXPECT_FALSE(rows[0].serialFraction);
    EXPECT_DOUBLE_EQ(rows[1].speedup, 2);
    EXPECT_DOUBLE_EQ(rows[1].efficiency, 1);
    EXPECT_NEAR(*rows[1].serialFraction, 0, 1e-12);
    EXPECT_DOUBLE_EQ(rows[2].speedup, 2.5);
    EXPECT_DOUBLE_EQ(rows[2].efficiency, 0.625);
    EXPECT_NEAR(*rows[2].serialFraction, 0.2, 1e-12);  // (0.4 - 0.25) / 0.75
    EXPECT_DOUBLE_EQ(*rows[2].exchangeShare, 0.25);
    EXPECT_DOUBLE_EQ(*rows[2].exposedShare, 0.1);
}

TEST(Scaling, SharesAreOfTheStepByTheSameClock) {
    const auto rows = scalingOf(Scaling::Strong, {{1, 1.0, {}, {}, {}}, {2, 0.6, 2e-6, 1e-6, 8e-6}}).value();
    EXPECT_NEAR(rows[1].speedup, 1 / 0.6, 1e-12) << "by the host's clock, which has the whole step";
    EXPECT_DOUBLE_EQ(*rows[1].exchangeShare, 0.25);
    EXPECT_DOUBLE_EQ(*rows[1].exposedShare, 0.125);
    EXPECT_FALSE(scalingOf(Scaling::Strong, {{2, 1, 1, 1, 0.0}}));
}

TEST(Scaling, WeakGrowsTheWork) {
    const auto rows = scalingOf(Scaling::Weak, {{2, 1.0, {}, {}}, {8, 1.25, {}, {}}}).value();
    EXPECT_DOUBLE_EQ(rows[1].speedup, 3.2);  // four times the work in 1.25 times the time
    EXPECT_DOUBLE_EQ(rows[1].efficiency, 0.8);
    EXPECT_FALSE(rows[1].serialFraction);
}

TEST(Scaling, RefusesWhatIsNoMeasurement) {
    EXPECT_FALSE(scalingOf(Scaling::Strong, {}));
    EXPECT_FALSE(scalingOf(Scaling::Strong, {{0, 1, {}, {}}}));
    EXPECT_FALSE(scalingOf(Scaling::Strong, {{1, 0, {}, {}}}));
    EXPECT_FALSE(scalingOf(Scaling::Strong, {{2, 1, {}, {}}, {2, 1, {}, {}}}));
}

TEST(Scaling, ARingMovesTwiceAllButOnePart) {
    EXPECT_EQ(ringSeconds(Bytes(1000), 1, {1, 1}), 0);
    EXPECT_DOUBLE_EQ(ringSeconds(Bytes(1000), 4, {0, 100}), 15);  // 2 x 3 / 4 x 10 s
    EXPECT_DOUBLE_EQ(ringSeconds(Bytes(0), 4, {0.5, 100}), 3);    // 2 x 3 hops
}

// Forward 1 s, two backward operations of 2 s and 3 s with a bucket each, an update of 1 s.
struct Timeline {
    plan::Plan plan;
    std::vector<Bucket> buckets{2};
    std::vector<double> seconds{1, 2, 3, 1};

    Timeline() {
        plan.operations.resize(4);
        plan.operations[1].pass = plan.operations[2].pass = plan::Pass::BackwardWeights;
        plan.operations[3].pass = plan::Pass::Update;
        buckets[0].readyAfter = 1;
        buckets[1].readyAfter = 2;
    }
    [[nodiscard]] OverlappedStep with(std::vector<double> exchange) const {
        return overlap(plan, seconds, buckets, exchange);
    }
};

TEST(Overlap, HidesWhatFitsBesideTheBackwardPass) {
    const Timeline t;
    const auto hidden = t.with({2.5, 0.5});  // the first ends at 5.5, before the backward pass at 6
    EXPECT_DOUBLE_EQ(hidden.computeSeconds, 7);
    EXPECT_DOUBLE_EQ(hidden.exchangeSeconds, 3);
    EXPECT_DOUBLE_EQ(hidden.exposedSeconds, 0.5);
    EXPECT_DOUBLE_EQ(hidden.stepSeconds(), 7.5);
    EXPECT_DOUBLE_EQ(t.with({4, 1}).exposedSeconds, 2);  // 3 .. 7 .. 8, and the pass ended at 6
    EXPECT_DOUBLE_EQ(t.with({0, 0}).exposedSeconds, 0);
}

TEST(AllReduce, TakesTheFasterOfRingAndTree) {
    const Link link{1e-5, 1e9};
    const Bytes small(8), large(std::int64_t{1} << 30);
    EXPECT_DOUBLE_EQ(treeSeconds(small, 64, link), 12e-5 + 16e-9);
    EXPECT_EQ(allReduceSeconds(small, 64, link), treeSeconds(small, 64, link)) << "latency counts";
    EXPECT_EQ(allReduceSeconds(large, 64, link), ringSeconds(large, 64, link)) << "bytes count";
    EXPECT_EQ(allReduceSeconds(large, 1, link), 0);
}

TEST(AllReduce, GoesByLevelsWhereTheInsideIsFaster) {
    const Link inside{1e-6, 1e11}, between{2e-5, 1e9};
    const Bytes bytes(std::int64_t{100} << 20);
    const double levels = allReduceSeconds(bytes, 8, inside) + allReduceSeconds(bytes, 4, between);
    EXPECT_DOUBLE_EQ(hierarchicalSeconds(bytes, 4, 8, inside, between), levels);
    EXPECT_LT(levels, ringSeconds(bytes, 32, between));
    EXPECT_DOUBLE_EQ(hierarchicalSeconds(bytes, 1, 8, inside, between), allReduceSeconds(bytes, 8, inside));
}

TEST(MeasuredLinks, HaveTheLatencyOfSmallAndTheBandwidthOfLargeMessages) {
    std::vector<TimedMessage> timed;
    for (std::int64_t bytes = 8; bytes <= (std::int64_t{64} << 20); bytes *= 4) {
        double seconds = 2e-5 + static_cast<double>(bytes) / 1.25e8;
        if (bytes > 1000 && bytes < 1'000'000) seconds = 2e-5 + static_cast<double>(bytes) / 1e9;  // into a buffer
        timed.push_back({bytes, seconds});
    }
    const auto fit = fitTimes(timed);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->alpha, 2e-5, 1e-6);
    EXPECT_NEAR(1 / fit->beta, 1.25e8, 1e6);
    const auto link = linkOf(*fit, 4);
    EXPECT_NEAR(ringSeconds(Bytes(timed.back().bytes), 4, link), timed.back().seconds, 0.02 * timed.back().seconds);
    EXPECT_FALSE(fitTimes({{8, 1e-5}}));
    EXPECT_DOUBLE_EQ(fitTimes({{8, 1e-5}, {1000, 1e-6}})->beta, 1e-9) << "more bytes, less time: noise";
}

TEST(Efficiency, IsForecastBetweenNothingAndAllHidden) {
    const auto one = forecastEfficiency(1.0, 0.5, 5);
    EXPECT_DOUBLE_EQ(one.low, 1 / 1.5);
    EXPECT_DOUBLE_EQ(one.high, 1 / 1.1) << "the last of five pieces is never hidden";
    EXPECT_DOUBLE_EQ(one.expected, 1 / 1.3);
    const auto slow = forecastEfficiency(1.0, 10, 100);
    EXPECT_DOUBLE_EQ(slow.high, 1 / (1 + 10 - 2.0 / 3)) << "the backward pass is too short";
    EXPECT_DOUBLE_EQ(forecastEfficiency(1.0, 0, 0).low, 1);
}

class Rendezvous : public ::testing::Test {
protected:
    Rendezvous() {
        std::string name = (std::filesystem::temp_directory_path() / "steelyard-rendezvous-XXXXXX").string();
        m_folder = ::mkdtemp(name.data());
    }
    ~Rendezvous() override { std::filesystem::remove_all(m_folder); }
    static NcclId id() {
        NcclId id;
        for (std::size_t i = 0; i < id.bytes.size(); ++i) id.bytes[i] = static_cast<char>(i * 7);
        return id;
    }
    std::filesystem::path m_folder;
};

TEST_F(Rendezvous, AnotherProcessGetsTheId) {
    const auto child = ::fork();
    if (child == 0) {
        const auto found = awaitId(m_folder, 2, Seconds(20), nullptr);
        ::_exit(found && found->bytes == id().bytes ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    ASSERT_TRUE(publishId(m_folder, id(), 2));
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(m_folder), {}), 1) << "nothing else is left behind";
    const auto mode = std::filesystem::status(m_folder / "nccl-id").permissions();
    EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(Rendezvous, SaysWhatIsWrong) {
    EXPECT_EQ(awaitId(m_folder, 2, Seconds(0.05), nullptr).error().kind, ErrorKind::TimedOut);
    EXPECT_EQ(awaitId(m_folder, 2, Seconds(20), [] { return true; }).error().kind, ErrorKind::Cancelled);
    EXPECT_EQ(awaitId(m_folder / "nccl-id" / "x", 2, Seconds(0), nullptr).error().kind, ErrorKind::TimedOut);
    ASSERT_TRUE(publishId(m_folder, id(), 2));
    EXPECT_EQ(publishId(m_folder, id(), 2).error().kind, ErrorKind::InvalidArgument);
    EXPECT_EQ(awaitId(m_folder, 3, Seconds(0), nullptr).error().kind, ErrorKind::CorruptData);
    std::ofstream(m_folder / "nccl-id", std::ios::trunc) << "something else";
    EXPECT_EQ(awaitId(m_folder, 2, Seconds(0), nullptr).error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(publishId("/nowhere/at/all", id(), 2).error().kind, ErrorKind::IoFailed);
}

}  // namespace
}  // namespace steelyard::compute
