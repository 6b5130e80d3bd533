// SPDX-License-Identifier: Apache-2.0
// Divides a task's scratch memory. For null memory the pieces are null, which computes the size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace steelyard::compute::cpu {

inline constexpr std::int64_t kCacheLine = 64;  // bytes

class ScratchPieces {
public:
    explicit ScratchPieces(void* memory) : m_memory(static_cast<std::byte*>(memory)) {}

    // Elements, aligned to a cache line if the memory is.
    template <class T>
    [[nodiscard]] T* take(std::int64_t count) {
        auto* piece = m_memory == nullptr ? nullptr : reinterpret_cast<T*>(m_memory + m_bytes);
        const auto bytes = count * static_cast<std::int64_t>(sizeof(T));
        m_bytes += (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
        return piece;
    }
    // Bytes taken so far.
    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }

private:
    std::byte* m_memory;
    std::int64_t m_bytes = 0;
};

}  // namespace steelyard::compute::cpu
