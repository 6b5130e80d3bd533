// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/work_sharing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "engine/compute/cpu/language/weight_panels.h"
#include "engine/compute/cpu/spin_barrier.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kUnit = 2;

// Every element of every loop is processed once, by loops with and without a barrier between them.
TEST(WorkSharing, ProcessesEveryElementOnce) {
    constexpr std::int64_t kMost = 4, kRounds = 500, kCount = 37;
    WorkSharing work(kMost);
    SpinBarrier barrier(kMost);
    for (std::int64_t threads = 1; threads <= kMost; ++threads) {
        work.reset();
        barrier.reset();
        std::vector<std::int64_t> times(static_cast<std::size_t>(WorkSharing::kLoops * kCount));
        std::vector<std::int64_t> errors(static_cast<std::size_t>(threads));
        const auto process = [&](std::int64_t thread) {
            for (std::int64_t round = 0; round < kRounds; ++round) {
                const auto loops = round % WorkSharing::kLoops + 1;
                for (std::int64_t loop = 0; loop < loops; ++loop)
                    work.forEach(
                        thread, threads, kUnit, [&](std::int64_t t) { return shareOf(kCount, kUnit, t, threads); },
                        [&](const PanelRange& piece) {
                            for (auto i = piece.begin; i < piece.end; ++i)
                                ++times[static_cast<std::size_t>(loop * kCount + i)];
                        });
                barrier.wait(thread, threads);
                if (thread == 0) {
                    errors[0] += std::count_if(times.begin(), times.begin() + loops * kCount,
                                               [](std::int64_t count) { return count != 1; });
                    std::fill(times.begin(), times.end(), 0);
                }
                barrier.wait(thread, threads);
            }
        };
        std::vector<std::thread> team;
        for (std::int64_t thread = 0; thread < threads; ++thread) team.emplace_back(process, thread);
        for (auto& thread : team) thread.join();
        EXPECT_EQ(errors[0], 0) << threads;
    }
}

// A thread that never takes anything leaves its share to the other one.
TEST(WorkSharing, TakesTheShareOfAThreadThatIsLate) {
    WorkSharing work(2);
    std::vector<std::int64_t> begins;
    const auto share = [](std::int64_t thread) { return shareOf(64, kUnit, thread, 2); };
    work.forEach(1, 2, kUnit, share, [&](const PanelRange& piece) {
        EXPECT_EQ(piece.begin % kUnit, 0);
        for (auto i = piece.begin; i < piece.end; ++i) begins.push_back(i);
    });
    ASSERT_EQ(begins.size(), 64U);
    EXPECT_EQ(begins.front(), 32);  // its own share first
    EXPECT_EQ(begins.back(), 31);
    work.forEach(0, 2, kUnit, share, [](const PanelRange&) { ADD_FAILURE() << "nothing is left"; });
}

// Every element of every thread's own share is processed once, and not before its thread has computed its input.
TEST(WorkSharing, ProcessesOwnSharesWhenTheirInputIsComputed) {
    constexpr std::int64_t kMost = 4, kRounds = 1000, kCount = 8;
    WorkSharing work(kMost);
    SpinBarrier barrier(kMost);
    for (std::int64_t threads = 1; threads <= kMost; ++threads) {
        work.reset();
        barrier.reset();
        std::vector<std::int64_t> times(static_cast<std::size_t>(threads * kCount)),
            input(static_cast<std::size_t>(threads)), errors(static_cast<std::size_t>(threads));
        const auto process = [&](std::int64_t thread) {
            for (std::int64_t round = 1; round <= kRounds; ++round) {
                input[static_cast<std::size_t>(thread)] = round;
                work.forEachOfOwn(
                    thread, threads,
                    [](std::int64_t) {
                        return PanelRange{0, kCount};
                    },
                    [&](std::int64_t owner, const PanelRange& piece) {
                        if (input[static_cast<std::size_t>(owner)] != round) ++errors[static_cast<std::size_t>(thread)];
                        for (auto i = piece.begin; i < piece.end; ++i)
                            ++times[static_cast<std::size_t>(owner * kCount + i)];
                    });
                barrier.wait(thread, threads);
            }
        };
        std::vector<std::thread> team;
        for (std::int64_t thread = 0; thread < threads; ++thread) team.emplace_back(process, thread);
        for (auto& thread : team) thread.join();
        EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](std::int64_t count) { return count == kRounds; }));
        EXPECT_EQ(std::accumulate(errors.begin(), errors.end(), std::int64_t{0}), 0) << threads;
    }
}

// Pieces get smaller towards the end of a share.
TEST(WorkSharing, TakesSmallerPiecesTowardsTheEnd) {
    WorkSharing work(1);
    std::vector<std::int64_t> sizes;
    work.forEach(
        0, 1, kUnit,
        [](std::int64_t) {
            return PanelRange{10, 75};
        },
        [&](const PanelRange& piece) { sizes.push_back(piece.end - piece.begin); });
    EXPECT_EQ(sizes.front(), 16);
    EXPECT_TRUE(std::is_sorted(sizes.rbegin(), sizes.rend()));
    EXPECT_EQ(sizes.back(), 1);  // what is left of a unit
}

}  // namespace
}  // namespace steelyard::compute::cpu
