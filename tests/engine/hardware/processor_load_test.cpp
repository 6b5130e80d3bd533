// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/processor_load.h"

#include <gtest/gtest.h>

#include "tests/engine/hardware/file_tree.h"

namespace steelyard::hardware {
namespace {

using testing::FileTree;

LoadCounters countersAt(double seconds, std::int64_t busy, std::int64_t stolen, std::int64_t waitedNs, double own) {
    LoadCounters counters;
    counters.seconds = seconds;
    // Two CPUs, 100 ticks per second each.
    counters.times = CpuTimes{busy, static_cast<std::int64_t>(200 * seconds), stolen, 2};
    counters.waitedNs = waitedNs;
    counters.ownSeconds = own;
    counters.ownInvoluntary = static_cast<std::int64_t>(10 * seconds);
    return counters;
}

TEST(LoadOfOthers, NoneOnAQuietMachine) {
    const auto load = loadBetween(countersAt(10, 1000, 0, 0, 5), countersAt(11, 1200, 0, 1'000'000, 6.99), 2);
    EXPECT_NEAR(load.otherCpus.value(), 0.001, 1e-9);  // a millisecond of waiting, below tick resolution
    EXPECT_EQ(load.stolenCpus, 0);
    EXPECT_EQ(load.involuntarySwitches, 10);
}

TEST(LoadOfOthers, ThreadsThatWaitedForAProcessor) {
    // Another process used half of one of the two CPUs.
    const auto load = loadBetween(countersAt(10, 1000, 0, 0, 5), countersAt(11, 1200, 0, 500'000'000, 6.5), 2);
    EXPECT_NEAR(load.otherCpus.value(), 0.5, 1e-9);
}

TEST(LoadOfOthers, BusyTimeWhereWaitingIsNotCounted) {
    auto before = countersAt(10, 1000, 0, 0, 5);
    auto after = countersAt(11, 1200, 0, 0, 6.5);
    before.waitedNs.reset();
    after.waitedNs.reset();
    EXPECT_NEAR(loadBetween(before, after, 2).otherCpus.value(), 0.5, 1e-9);
    // A single thread leaves one CPU to others.
    EXPECT_EQ(loadBetween(before, after, 1).otherCpus, 0);
    after.times.reset();
    EXPECT_FALSE(loadBetween(before, after, 2).otherCpus);
}

TEST(LoadOfOthers, MoreThreadsThanProcessorsWaitForEachOther) {
    const auto load = loadBetween(countersAt(10, 1000, 0, 0, 5), countersAt(11, 1200, 0, 2'000'000'000, 7), 4);
    EXPECT_EQ(load.otherCpus, 0);
}

TEST(LoadOfOthers, TheHypervisor) {
    // 50 of 200 ticks were stolen; they do not count as other processes'.
    const auto load = loadBetween(countersAt(10, 1000, 0, 0, 5), countersAt(11, 1200, 50, 0, 6.5), 2);
    EXPECT_NEAR(load.stolenCpus.value(), 0.5, 1e-9);
    EXPECT_EQ(load.otherCpus, 0);
}

TEST(LoadOfOthers, NothingWithoutTime) {
    const auto once = countersAt(10, 1000, 0, 0, 5);
    EXPECT_FALSE(loadBetween(once, once, 2).otherCpus);
    EXPECT_FALSE(loadBetween(once, once, 2).stolenCpus);
}

TEST(ProcessorLoad, ReadsTheFilesOfEveryThread) {
    FileTree tree;
    tree.write("/proc/stat", "cpu0 100 0 0 900 0 0 0 0 0 0\ncpu1 100 0 0 900 0 0 0 0 0 0\n");
    tree.write("/proc/self/task/7/schedstat", "5000 1000000 3\n");
    tree.write("/proc/self/task/8/schedstat", "5000 2000000 3\n");
    ProcessorLoad processorLoad(tree.files(), {0, 1}, 2);
    EXPECT_FALSE(processorLoad.sample().otherCpus) << "needs two readings";
    tree.write("/proc/self/task/8/schedstat", "5000 9000000000000 3\n");
    tree.write("/proc/stat", "cpu0 150 0 0 900 0 0 0 25 0 0\ncpu1 150 0 0 900 0 0 0 25 0 0\n");
    const auto load = processorLoad.sample();
    EXPECT_GT(load.otherCpus.value(), 1);
    EXPECT_NEAR(load.stolenCpus.value(), 2 * 50.0 / 150, 1e-9);
    EXPECT_GE(load.involuntarySwitches.value(), 0);
}

TEST(ProcessorLoad, UnknownWhereNothingCanBeRead) {
    FileTree tree;
    ProcessorLoad processorLoad(tree.files(), {}, 2);
    (void)processorLoad.sample();
    EXPECT_FALSE(processorLoad.sample().otherCpus);
}

}  // namespace
}  // namespace steelyard::hardware
