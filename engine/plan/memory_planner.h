// SPDX-License-Identifier: Apache-2.0
// Places buffers with known lifetimes in one arena without overlap of simultaneously live ones. Greedy by size
// (Pisarchyk & Lee, Efficient Memory Management for Deep Neural Net Inference, 2020): largest first, each at the lowest
// offset that is free for its whole lifetime. Pure function; also used by backends whose layouts change sizes.
#pragma once

#include <cstdint>
#include <vector>

namespace steelyard::plan {

struct Lifetime {
    std::int64_t bytes = 0;
    int firstUse = 0;
    int lastUse = 0;  // inclusive
};

struct Placement {
    std::vector<std::int64_t> offsets;  // aligned, in input order
    std::int64_t totalBytes = 0;
};

[[nodiscard]] Placement placeBuffers(const std::vector<Lifetime>& buffers, std::int64_t alignment = 64);

}  // namespace steelyard::plan
