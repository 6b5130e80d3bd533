// SPDX-License-Identifier: Apache-2.0
// Division of loops among threads: every iteration once, a thread's own part in order, then what others have left.
#include "engine/compute/cpu/kernels/near_first.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace steelyard::compute::cpu {
namespace {

std::vector<std::int64_t> taken(NearFirst& loop, int thread, std::int64_t most) {
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < most; ++i) {
        const auto index = loop.next(thread);
        if (index < 0) break;
        indices.push_back(index);
    }
    return indices;
}

TEST(NearFirst, TakesOwnPartThenTheEndOfOthers) {
    NearFirst loop(8, 2);
    EXPECT_EQ(taken(loop, 1, 3), (std::vector<std::int64_t>{4, 5, 6}));
    EXPECT_EQ(taken(loop, 0, 1), (std::vector<std::int64_t>{0}));
    EXPECT_EQ(taken(loop, 1, 9), (std::vector<std::int64_t>{7, 3, 2, 1}));
    EXPECT_EQ(loop.next(0), -1);
    EXPECT_EQ(loop.next(1), -1);
}

TEST(NearFirst, DividesUnevenlyAndByMoreThreadsThanIterations) {
    NearFirst uneven(7, 3);
    EXPECT_EQ(uneven.next(0), 0);
    EXPECT_EQ(uneven.next(1), 2);
    EXPECT_EQ(uneven.next(2), 4);
    NearFirst few(2, 5);
    EXPECT_EQ(taken(few, 0, 9).size(), 2U);
    NearFirst none(0, 2);
    EXPECT_EQ(none.next(0), -1);
}

TEST(NearFirst, GivesEveryIterationOnceToManyThreads) {
    constexpr std::int64_t kCount = 20'000;
    constexpr int kThreads = 70;  // more than it has parts
    NearFirst loop(kCount, kThreads);
    std::vector<std::vector<std::int64_t>> found(kThreads);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread)
        threads.emplace_back([&, thread] { found[static_cast<std::size_t>(thread)] = taken(loop, thread, kCount); });
    for (auto& thread : threads) thread.join();
    std::vector<int> times(kCount);
    for (const auto& one : found)
        for (const auto index : one) ++times[static_cast<std::size_t>(index)];
    EXPECT_EQ(times, std::vector<int>(kCount, 1));
}

}  // namespace
}  // namespace steelyard::compute::cpu
