// SPDX-License-Identifier: Apache-2.0
// Dynamic scheduling of a loop among the threads of a team: each thread takes pieces of its own share first, then what
// is left of the others' shares (work stealing), so that a thread whose core is slower or busy does not keep the others
// waiting. Pieces get smaller towards the end of a share (guided scheduling).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/compute/cpu/spin_barrier.h"

namespace steelyard::compute::cpu {

class WorkSharing {
public:
    // Loops from one barrier of the team to the next, at most.
    static constexpr int kLoops = 3;

    explicit WorkSharing(std::int64_t threads) : m_threads(static_cast<std::size_t>(threads)) {}

    // Before a team of another size uses it; no thread may be in a loop.
    void reset() {
        for (auto& thread : m_threads) thread.loops = thread.ownLoops = 0;
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
            takeAll<kPieces>(of(owner).taken[slot], all, unit, function);
        }
        // The last one prepares the slot for another loop, which begins after a barrier.
        if (!isLast(of(0).finished[slot], threads)) return;
        for (std::int64_t t = 0; t < threads; ++t) of(t).taken[slot].store(0, std::memory_order_relaxed);
    }

    // Shares that need an input of their thread, which it has computed when it calls this; then others may take from
    // its share, too: function(owner, range). One loop from a barrier to the next; a thread waits for the others to
    // call it.
    template <class Share, class Function>
    void forEachOfOwn(std::int64_t thread, std::int64_t threads, Share share, Function function) {
        const auto slot = static_cast<std::size_t>(of(thread).ownLoops++ % 2);
        of(thread).opened[slot].store(0, std::memory_order_release);
        const auto takeFrom = [&](std::int64_t owner) {
            takeAll<kOwnPieces>(of(owner).opened[slot], share(owner), 1,
                                [&](const auto& piece) { function(owner, piece); });
        };
        takeFrom(thread);
        bool waits = true;
        for (int tries = 0; waits; ++tries) {
            waits = false;
            for (std::int64_t i = 1; i < threads; ++i) {
                const auto owner = (thread + i) % threads;
                if (of(owner).opened[slot].load(std::memory_order_acquire) == kClosed) {
                    waits = true;
                } else {
                    takeFrom(owner);
                }
            }
            if (waits) pauseAfter(tries);
        }
        if (!isLast(of(0).finishedOwn[slot], threads)) return;
        for (std::int64_t t = 0; t < threads; ++t) of(t).opened[slot].store(kClosed, std::memory_order_relaxed);
    }

private:
    static constexpr int kSlots = kLoops + 1;
    static constexpr std::int64_t kPieces = 4, kOwnPieces = 2;  // of what is left, the size of the next one
    static constexpr auto kClosed = std::numeric_limits<std::int64_t>::max();

    struct alignas(64) Thread {
        // Elements of the share that are taken.
        std::array<std::atomic<std::int64_t>, kSlots> taken{};
        std::array<std::atomic<std::int64_t>, 2> opened{kClosed, kClosed};
        // Threads.
        std::array<std::atomic<std::int64_t>, kSlots> finished{};
        std::array<std::atomic<std::int64_t>, 2> finishedOwn{};
        std::int64_t loops = 0, ownLoops = 0;
    };
    Thread& of(std::int64_t thread) { return m_threads[static_cast<std::size_t>(thread)]; }

    // Whether all others have finished before; then nobody is counted.
    static bool isLast(std::atomic<std::int64_t>& finished, std::int64_t threads) {
        if (finished.fetch_add(1, std::memory_order_acq_rel) + 1 < threads) return false;
        finished.store(0, std::memory_order_relaxed);
        return true;
    }

    template <std::int64_t Pieces, class Range, class Function>
    static void takeAll(std::atomic<std::int64_t>& taken, const Range& all, std::int64_t unit, Function function) {
        for (auto piece = take<Pieces>(taken, all, unit); piece.begin < piece.end;
             piece = take<Pieces>(taken, all, unit))
            function(piece);
    }
    // Empty if nothing is left.
    template <std::int64_t Pieces, class Range>
    static Range take(std::atomic<std::int64_t>& taken, const Range& all, std::int64_t unit) {
        const auto count = all.end - all.begin;
        auto begin = taken.load(std::memory_order_relaxed);
        for (;;) {
            if (begin >= count) return {all.end, all.end};
            const auto units = (count - begin + unit - 1) / unit;
            const auto end = std::min(count, begin + std::max<std::int64_t>(1, units / Pieces) * unit);
            if (taken.compare_exchange_weak(begin, end, std::memory_order_relaxed))
                return {all.begin + begin, all.begin + end};
        }
    }

    std::vector<Thread> m_threads;
};

}  // namespace steelyard::compute::cpu
