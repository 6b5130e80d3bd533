// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/memory_planner.h"

#include <gtest/gtest.h>

#include "engine/core/random.h"

namespace steelyard::plan {
namespace {

bool overlaps(std::int64_t a, std::int64_t sizeA, std::int64_t b, std::int64_t sizeB) {
    return a < b + sizeB && b < a + sizeA;
}

TEST(MemoryPlanner, ReusesDeadMemory) {
    const auto placement = placeBuffers({{100, 0, 1}, {100, 2, 3}, {100, 1, 2}}, 1);
    EXPECT_EQ(placement.totalBytes, 200);
    EXPECT_EQ(placement.offsets[0], placement.offsets[1]);
}

TEST(MemoryPlanner, NeverOverlapsWhatLivesTogether) {
    const RandomStream random(7, 0);
    for (std::uint32_t round = 0; round < 50; ++round) {
        std::vector<Lifetime> buffers;
        std::int64_t lowerBound = 0;
        for (std::uint32_t i = 0; i < 40; ++i) {
            const auto first = static_cast<int>(random.below(round * 1000 + 3 * i, 50));
            buffers.push_back({static_cast<std::int64_t>(random.below(round * 1000 + 3 * i + 1, 5000)) + 1, first,
                               first + static_cast<int>(random.below(round * 1000 + 3 * i + 2, 10))});
        }
        for (int t = 0; t < 60; ++t) {
            std::int64_t live = 0;
            for (const auto& b : buffers) live += b.firstUse <= t && t <= b.lastUse ? b.bytes : 0;
            lowerBound = std::max(lowerBound, live);
        }
        const auto placement = placeBuffers(buffers, 64);
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            EXPECT_EQ(placement.offsets[i] % 64, 0);
            EXPECT_LE(placement.offsets[i] + buffers[i].bytes, placement.totalBytes);
            for (std::size_t j = 0; j < i; ++j) {
                const bool together =
                    buffers[i].firstUse <= buffers[j].lastUse && buffers[j].firstUse <= buffers[i].lastUse;
                EXPECT_FALSE(together &&
                             overlaps(placement.offsets[i], buffers[i].bytes, placement.offsets[j], buffers[j].bytes));
            }
        }
        EXPECT_GE(placement.totalBytes, lowerBound);
        EXPECT_LE(placement.totalBytes, lowerBound * 3 / 2 + 64 * 40);
    }
}

}  // namespace
}  // namespace steelyard::plan
