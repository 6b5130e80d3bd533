// SPDX-License-Identifier: Apache-2.0
// Splits a range over the OpenMP threads of the calling thread, in contiguous pieces that start at multiples of 64
// elements. Small ranges stay on the calling thread: starting a region costs a few microseconds.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>

namespace steelyard::compute::cpu {

inline constexpr std::int64_t kSerialElements = 8192;

// ceil(count / size).
constexpr std::int64_t blocks(std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
}

template <class Function>
void parallelRanges(std::int64_t count, Function&& function, std::int64_t serialBelow = kSerialElements,
                    std::int64_t multiple = 64) {
    if (count <= serialBelow || omp_get_max_threads() == 1) {
        if (count > 0) function(std::int64_t{0}, count);
        return;
    }
#pragma omp parallel
    {
        const std::int64_t threads = omp_get_num_threads();
        const std::int64_t piece = blocks(blocks(count, threads), multiple) * multiple;
        const std::int64_t begin = std::min(count, piece * omp_get_thread_num());
        const std::int64_t end = std::min(count, begin + piece);
        if (begin < end) function(begin, end);
    }
}

// Rows of `length` elements each: pieces are whole rows.
template <class Function>
void parallelRows(std::int64_t rows, std::int64_t length, Function&& function) {
    parallelRanges(rows, function, std::max<std::int64_t>(1, kSerialElements / std::max<std::int64_t>(1, length)), 1);
}

}  // namespace steelyard::compute::cpu
