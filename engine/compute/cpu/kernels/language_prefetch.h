// SPDX-License-Identifier: Apache-2.0
// Prefetching of weights and values by the kernels of language models (language_kernels.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/compute/cpu/kernels/language_kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kCacheLine = 64;  // bytes of a cache line

// Where the weights of some tokens are prefetched to, unless they are in the cache. Without explicit prefetching,
// reading and products of several tokens would take turns. Every line is prefetched: whether hardware fetches it by
// itself depends on where the loop is linked. Stride: to the first-level cache, from one of several parts in turn.
enum class Prefetch { NonTemporal, FirstLevel, SecondLevel, Stride, None };

template <Prefetch To>
STEELYARD_INLINE void fetch(const std::byte* p) {
    if constexpr (To == Prefetch::NonTemporal)
        __builtin_prefetch(p, 0, 0);
    else if constexpr (To == Prefetch::FirstLevel)
        __builtin_prefetch(p, 0, 3);
    else if constexpr (To == Prefetch::SecondLevel)
        __builtin_prefetch(p, 0, 2);
}
// Lines for the second-level cache are prefetched farther ahead, and again from there, half as far.
template <Prefetch To>
STEELYARD_INLINE void ahead(const std::byte* p, std::int64_t bytes = kBytesAhead) {
    if constexpr (To == Prefetch::Stride) {
        fetch<Prefetch::FirstLevel>(p + kStrideBytesAhead);
    } else if constexpr (To == Prefetch::SecondLevel) {
        fetch<Prefetch::SecondLevel>(p + bytes * 3 / 2);
        fetch<Prefetch::FirstLevel>(p + bytes / 2);
    } else {
        fetch<To>(p + bytes);
    }
}

// Calls a function with the prefetching of `tokens` tokens from `token` on, of `all`: the first ones read from memory,
// the following ones from the cache.
template <class Function>
STEELYARD_INLINE void withPrefetch(ReadPattern pattern, int tokens, std::int64_t token, std::int64_t all,
                                   Function function) {
    const bool once = tokens == 1 || all == tokens;
    if (token > 0 && !once)
        function(std::integral_constant<Prefetch, Prefetch::None>());
    else if (pattern == ReadPattern::MultiStrided)
        function(std::integral_constant<Prefetch, Prefetch::SecondLevel>());
    else if (once)
        function(std::integral_constant<Prefetch, Prefetch::NonTemporal>());
    else
        function(std::integral_constant<Prefetch, Prefetch::FirstLevel>());
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
