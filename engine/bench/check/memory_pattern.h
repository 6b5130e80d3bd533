// SPDX-License-Identifier: Apache-2.0
// Memory test with patterns: all bits clear and set, alternating bits, the address of each word, and seeded random
// words with their complement. A pattern is written to the whole allocation before it is read back, so that caches do
// not hide the memory. Finds stuck, coupled and wrongly addressed cells; not every weak one. The calling thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/compute/raw_memory.h"

namespace steelyard::bench {

struct MemoryFault {
    std::int64_t offset = 0;  // in bytes, of the word
    std::uint64_t expected = 0, found = 0;
};

struct MemoryTally {
    std::int64_t bytes = 0;          // tested with every pattern
    int patterns = 0;                // completed
    std::int64_t wrongWords = 0;     // of 64 bits, over all patterns
    std::uint64_t wrongBits = 0;     // in any of them
    std::vector<MemoryFault> first;  // at most a few
    bool cancelled = false;
};

struct MemoryPatternOptions {
    std::uint64_t seed = 1;
    std::function<void(double fraction)> onProgress = {};  // 0..1
    std::function<bool()> cancelled = {};
};

// Errors: those of reading and writing.
[[nodiscard]] Result<MemoryTally> testPatterns(compute::RawMemory& memory, const MemoryPatternOptions& options);

// Main memory. OutOfMemory if it cannot be allocated.
[[nodiscard]] Result<std::unique_ptr<compute::RawMemory>> allocateMainMemory(Bytes bytes);

}  // namespace steelyard::bench
