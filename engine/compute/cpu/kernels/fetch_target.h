// SPDX-License-Identifier: Apache-2.0
// Prefetch of the results of a panel before they are written.
#pragma once

#include <cstdint>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

// Of rows from `row` on, `width` bytes per element. The rows of a panel are far apart, which the hardware prefetcher
// does not handle.
STEELYARD_INLINE void fetchTarget(const WindowProduct& p, std::int64_t width, std::int64_t row, std::int64_t rows) {
    constexpr std::int64_t kLine = 64;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t byte = 0; byte < p.columns * width; byte += kLine)
            __builtin_prefetch(p.y + (row + r) * p.targetStride * width + byte, 1, 2);
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
