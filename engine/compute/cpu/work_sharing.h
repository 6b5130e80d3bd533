// SPDX-License-Identifier: Apache-2.0
// Dynamic scheduling of a loop among the threads of a team: each thread takes pieces of its own share first, then what
// is left of the others' shares (work stealing), so that a thread whose core is slower or busy does not keep the others
// waiting. Pieces get smaller towards the end of a share (guided scheduling).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace steelyard::compute::cpu {

class WorkSharing {
public:
    // Loops from one barrier of the team to the next, at most.
    static constexpr int kLoops = 3;

    explicit WorkSharing(std::int64_t threads) : m_threads(static_cast<std::size_t>(threads)) {}

    // Before a team of another size uses it; no thread may be in a loop.
    void reset() {
        for (auto& thread : m_threads) thread.loops = 0;
    }

    // Calls function(range) for pieces of the shares [begin, end), share(t) of thread t, in multiples of `unit` from
    // the start of a share. All `threads` threads call it, in the same order of loops; it returns when nothing is left
    // to take, which others may still be processing.
    template <class Share, class Function>
    void forEach(std::int64_t thread, std::int64_t threads, std::int64_t unit, Share share, Function function) {
        auto& loops = of(thread).loops;
        const auto slot = static_cast<std::size_t>(loops++ % kSlots);
        for (std::int64_t i = 0; i < threads; ++i) {
            const auto owner = (thread + i) % threads;
            const auto all = share(owner);
            for (auto piece = take(of(owner).taken[slot], all, unit); piece.begin < piece.end;
                 piece = take(of(owner).taken[slot], all, unit))
                function(piece);
        }
        // The last one prepares the slot for another loop, which begins after a barrier.
        auto& finished = of(0).finished[slot];
        if (finished.fetch_add(1, std::memory_order_acq_rel) + 1 < threads) return;
        for (std::int64_t t = 0; t < threads; ++t) of(t).taken[slot].store(0, std::memory_order_relaxed);
        finished.store(0, std::memory_order_relaxed);
    }

private:
    static constexpr int kSlots = kLoops + 1;
    static constexpr std::int64_t kPieces = 4;  // of what is left, the size of the next one

    struct alignas(64) Thread {
        std::array<std::atomic<std::int64_t>, kSlots> taken{}, finished{};  // elements of the share; threads
        std::int64_t loops = 0;
    };
    Thread& of(std::int64_t thread) { return m_threads[static_cast<std::size_t>(thread)]; }

    // Empty if nothing is left.
    template <class Range>
    static Range take(std::atomic<std::int64_t>& taken, const Range& all, std::int64_t unit) {
        const auto count = all.end - all.begin;
        auto begin = taken.load(std::memory_order_relaxed);
        for (;;) {
            if (begin >= count) return {all.end, all.end};
            const auto units = (count - begin + unit - 1) / unit;
            const auto end = std::min(count, begin + std::max<std::int64_t>(1, units / kPieces) * unit);
            if (taken.compare_exchange_weak(begin, end, std::memory_order_relaxed))
                return {all.begin + begin, all.begin + end};
        }
    }

    std::vector<Thread> m_threads;
};

}  // namespace steelyard::compute::cpu
