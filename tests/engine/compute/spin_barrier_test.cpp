// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/spin_barrier.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace steelyard::compute::cpu {
namespace {

// Each thread reads in a round what all have written in the round before.
TEST(SpinBarrier, EveryThreadSeesWhatTheOthersWrote) {
    constexpr std::int64_t kMost = 5, kRounds = 2000;
    SpinBarrier barrier(kMost);
    for (std::int64_t threads = 1; threads <= kMost; ++threads) {
        barrier.reset();
        std::vector<std::int64_t> written(static_cast<std::size_t>(2 * threads), -1),
            errors(static_cast<std::size_t>(threads));
        std::vector<std::thread> team;
        for (std::int64_t thread = 0; thread < threads; ++thread)
            team.emplace_back([&, thread] {
                for (std::int64_t round = 0; round < kRounds; ++round) {
                    const auto first = round % 2 * threads;
                    written[static_cast<std::size_t>(first + thread)] = round;
                    barrier.wait(thread, threads);
                    for (std::int64_t other = 0; other < threads; ++other)
                        if (written[static_cast<std::size_t>(first + other)] != round)
                            ++errors[static_cast<std::size_t>(thread)];
                }
            });
        for (auto& thread : team) thread.join();
        for (std::int64_t thread = 0; thread < threads; ++thread)
            EXPECT_EQ(errors[static_cast<std::size_t>(thread)], 0) << thread << " of " << threads;
    }
}

}  // namespace
}  // namespace steelyard::compute::cpu
