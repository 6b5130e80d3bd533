// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/memory_planner.h"

#include <algorithm>
#include <numeric>

namespace steelyard::plan {

Placement placeBuffers(const std::vector<Lifetime>& buffers, std::int64_t alignment) {
    Placement result;
    result.offsets.assign(buffers.size(), 0);
    std::vector<std::size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return buffers[a].bytes > buffers[b].bytes; });

    const auto rounded = [&](std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
    std::vector<std::size_t> placed;  // sorted by offset
    for (const auto index : order) {
        const auto& buffer = buffers[index];
        const auto size = rounded(buffer.bytes);
        std::int64_t offset = 0;
        for (const auto other : placed) {
            const auto& neighbour = buffers[other];
            if (neighbour.lastUse < buffer.firstUse || neighbour.firstUse > buffer.lastUse) continue;
            if (offset + size <= result.offsets[other]) break;
            offset = std::max(offset, result.offsets[other] + rounded(neighbour.bytes));
        }
        result.offsets[index] = offset;
        result.totalBytes = std::max(result.totalBytes, offset + size);
        const auto position =
            std::upper_bound(placed.begin(), placed.end(), offset,
                             [&](std::int64_t value, std::size_t other) { return value < result.offsets[other]; });
        placed.insert(position, index);
    }
    return result;
}

}  // namespace steelyard::plan
