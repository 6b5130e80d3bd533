// SPDX-License-Identifier: Apache-2.0
// Barrier for threads that wait for each other every few microseconds. That of GCC's OpenMP calls the kernel each time.
// One object serves one team at a time; waiting uses the processor.
#pragma once

#include <immintrin.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace steelyard::compute::cpu {

// Between two looks at what another thread does.
inline void pauseAfter(int tries) {
    constexpr int kBusyTries = 1000;
    if (tries < kBusyTries) {
        _mm_pause();
    } else {
        std::this_thread::yield();  // to what keeps the other from running
    }
}

class SpinBarrier {
public:
    explicit SpinBarrier(std::int64_t threads) : m_arrivals(static_cast<std::size_t>(threads)) {}

    // Before a team of another size uses the barrier; no thread may be waiting.
    void reset() {
        for (auto& arrivals : m_arrivals) arrivals.count.store(0, std::memory_order_relaxed);
    }
    // Returns when threads 0 to `threads` - 1 have called it as often as `thread`.
    void wait(std::int64_t thread, std::int64_t threads) {
        const auto own = of(thread).load(std::memory_order_relaxed) + 1;
        of(thread).store(own, std::memory_order_release);
        for (std::int64_t other = 0; other < threads; ++other)
            for (int tries = 0; of(other).load(std::memory_order_acquire) < own; ++tries) pauseAfter(tries);
    }

private:
    struct alignas(64) Arrivals {
        std::atomic<std::int64_t> count{0};
    };
    std::atomic<std::int64_t>& of(std::int64_t thread) { return m_arrivals[static_cast<std::size_t>(thread)].count; }

    std::vector<Arrivals> m_arrivals;
};

}  // namespace steelyard::compute::cpu
