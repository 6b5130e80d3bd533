// SPDX-License-Identifier: Apache-2.0
// Token positions sorted by id; stable. Internal to kernels/. On a device CUB's radix sort (part of the CUDA toolkit),
// on the host the standard library's stable sort.
#pragma once

#include "engine/compute/cuda/kernels/execution/execution.h"

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#else
#include <algorithm>
#include <numeric>
#endif

namespace steelyard::compute::cuda::kernels {

struct SortedTokens {
    std::int32_t* ids;        // [tokens], ascending
    std::int32_t* positions;  // [tokens]
};

struct CountUp {
    std::int32_t* values;
    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const { values[i] = static_cast<std::int32_t>(i); }
};

#if defined(__CUDACC__)

// For the sort only; 0 if unknown (the launch then fails).
inline std::int64_t sortWorkspace(std::int64_t tokens) {
    std::size_t bytes = 0;
    std::int32_t* none = nullptr;
    if (cub::DeviceRadixSort::SortPairs(nullptr, bytes, none, none, none, none, tokens) != cudaSuccess) return 0;
    return paddedBytes(static_cast<std::int64_t>(bytes)) + paddedBytes(tokens * 4);
}

inline Status sortTokens(Stream stream, const std::int32_t* ids, std::int64_t tokens, const SortedTokens& sorted,
                         std::int64_t vocabulary, void* workspace) {
    auto* unsorted = static_cast<std::int32_t*>(workspace);
    const Status status = elements(stream, tokens, CountUp{unsorted});
    if (status != kOk) return status;
    void* scratch = static_cast<char*>(workspace) + paddedBytes(tokens * 4);
    auto bytes = static_cast<std::size_t>(sortWorkspace(tokens) - paddedBytes(tokens * 4));
    const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(vocabulary)));
    return static_cast<Status>(cub::DeviceRadixSort::SortPairs(scratch, bytes, ids, sorted.ids, unsorted,
                                                               sorted.positions, tokens, 0, bits < 32 ? bits : 32,
                                                               static_cast<cudaStream_t>(stream)));
}

#else

inline std::int64_t sortWorkspace(std::int64_t tokens) {
    return paddedBytes(tokens * 4);
}

inline Status sortTokens(Stream /*stream*/, const std::int32_t* ids, std::int64_t tokens, const SortedTokens& sorted,
                         std::int64_t /*vocabulary*/, void* /*workspace*/) {
    std::iota(sorted.positions, sorted.positions + tokens, 0);
    std::stable_sort(sorted.positions, sorted.positions + tokens,
                     [&](std::int32_t a, std::int32_t b) { return ids[a] < ids[b]; });
    for (std::int64_t i = 0; i < tokens; ++i) sorted.ids[i] = ids[sorted.positions[i]];
    return kOk;
}

#endif

}  // namespace steelyard::compute::cuda::kernels
