// SPDX-License-Identifier: Apache-2.0
// The tests of the twin on a GPU: the same sources, linked with the kernels of the device. Everything a test allocates
// with new lies in memory that host and device share, and every launch is waited for, so that a test need not know
// where it runs. Ends with 77 (skipped) where there is no GPU.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace {

constexpr std::size_t kArenaBytes = std::size_t{1} << 30, kSmallest = 64;

// Blocks of powers of two out of one piece of managed memory; malloc's where there is none, or no more.
class SharedMemory {
public:
    void* take(std::size_t bytes) {
        const std::lock_guard lock(m_mutex);
        if (!m_asked) {
            m_asked = true;
            // Before anything else of CUDA, which reads it once; main would be too late, since names of tests are made
            // first.
            ::setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
            void* arena = nullptr;
            if (cudaMallocManaged(&arena, kArenaBytes) == cudaSuccess)
                m_next = m_begin = static_cast<std::byte*>(arena);
        }
        const auto size = std::bit_ceil(bytes < kSmallest ? kSmallest : bytes);
        auto& free = m_free[static_cast<std::size_t>(std::countr_zero(size))];
        if (m_begin == nullptr || size > kArenaBytes) return std::malloc(bytes);
        if (free != nullptr) return std::exchange(free, *static_cast<void**>(free));
        if (static_cast<std::size_t>(m_begin + kArenaBytes - m_next) < size + sizeof(std::max_align_t))
            return std::malloc(bytes);
        // The size stands before the block.
        auto* block = m_next + kSmallest;
        *reinterpret_cast<std::size_t*>(m_next) = size;
        m_next = block + size;
        return block;
    }
    void give(void* block) {
        const std::lock_guard lock(m_mutex);
        auto* bytes = static_cast<std::byte*>(block);
        if (m_begin == nullptr || bytes < m_begin || bytes >= m_begin + kArenaBytes) return std::free(block);
        const auto size = *reinterpret_cast<std::size_t*>(bytes - kSmallest);
        auto& free = m_free[static_cast<std::size_t>(std::countr_zero(size))];
        *static_cast<void**>(block) = free;
        free = block;
    }

private:
    std::mutex m_mutex;
    bool m_asked = false;
    std::byte* m_begin = nullptr;
    std::byte* m_next = nullptr;
    std::array<void*, 64> m_free{};
};

constinit SharedMemory memory;

}  // namespace

void* operator new(std::size_t bytes) {
    void* block = memory.take(bytes);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}
void operator delete(void* block) noexcept {
    if (block != nullptr) memory.give(block);
}
void operator delete(void* block, std::size_t /*bytes*/) noexcept {
    if (block != nullptr) memory.give(block);
}

int main(int argc, char** argv) {
    int devices = 0;
    const auto found = cudaGetDeviceCount(&devices);
    if (found != cudaSuccess || devices == 0) {
        std::printf("there is no GPU: %s\n", cudaGetErrorString(found));
        return 77;
    }
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
