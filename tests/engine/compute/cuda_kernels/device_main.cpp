// SPDX-License-Identifier: Apache-2.0
// Runs the host kernel tests on a GPU: the same sources, linked with the device kernels. Allocations with new are in
// managed memory, shared by host and device, and every launch is synchronised, so that tests run unchanged. Exits with
// 77 (skipped) without a GPU.
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

// Power-of-two blocks from one managed allocation; malloc if there is none, or no space.
class SharedMemory {
public:
    void* take(std::size_t bytes) {
        const std::lock_guard lock(m_mutex);
        if (!m_asked) {
            m_asked = true;
            // Before any other CUDA call, which reads it once; main would be too late, since test names are created
            // earlier.
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
        // The size is stored before the block.
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
