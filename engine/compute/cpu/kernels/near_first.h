// SPDX-License-Identifier: Apache-2.0
// Division of a loop among the threads of a parallel region: each thread first takes the iterations of its own
// contiguous part, in order, and then those left in the parts of others, the last first. Layers whose loops run over
// the same rows thus read what the same core wrote, as with a static schedule, and no thread waits for a slower one, as
// with a dynamic one. Cores without a common cache read each other's lines several times more slowly.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace steelyard::compute::cpu {

// Created before the region; next() is called by its threads, numbered from 0.
class NearFirst {
public:
    NearFirst(std::int64_t count, int threads) : m_parts(std::clamp(threads, 1, kMostParts)) {
        for (int part = 0; part < m_parts; ++part)
            m_left[static_cast<std::size_t>(part)].store(pack(count * part / m_parts, count * (part + 1) / m_parts),
                                                         std::memory_order_relaxed);
    }

    // The next iteration of a thread, or -1 if there are none left.
    [[nodiscard]] std::int64_t next(int thread) {
        const int own = thread % m_parts;
        if (const auto index = take(own, true); index >= 0) return index;
        for (int other = 1; other < m_parts; ++other)
            if (const auto index = take((own + other) % m_parts, false); index >= 0) return index;
        return -1;
    }

private:
    static constexpr int kMostParts = 64, kHalf = 32;  // bits

    // A part's iterations [begin, end) in one word. At most 2^32 iterations.
    static std::uint64_t pack(std::int64_t begin, std::int64_t end) {
        return static_cast<std::uint64_t>(begin) << kHalf | static_cast<std::uint64_t>(end);
    }

    std::int64_t take(int part, bool first) {
        auto& left = m_left[static_cast<std::size_t>(part)];
        auto seen = left.load(std::memory_order_relaxed);
        for (;;) {
            const auto begin = static_cast<std::int64_t>(seen >> kHalf);
            const auto end = static_cast<std::int64_t>(seen & ((std::uint64_t{1} << kHalf) - 1));
            if (begin >= end) return -1;
            const auto rest = first ? pack(begin + 1, end) : pack(begin, end - 1);
            if (left.compare_exchange_weak(seen, rest, std::memory_order_relaxed)) return first ? begin : end - 1;
        }
    }

    struct alignas(64) Left : std::atomic<std::uint64_t> {};  // a cache line each
    int m_parts = 1;
    std::array<Left, kMostParts> m_left;
};

}  // namespace steelyard::compute::cpu
