// SPDX-License-Identifier: Apache-2.0
// An anonymous mapping, with huge pages if available, first touched by the threads that use it. Movable, not copyable.
// Fails with OutOfMemory (needed and available bytes) instead of triggering the OOM killer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/core/error.h"

namespace steelyard::compute::cpu {

class Arena {
public:
    Arena() = default;
    [[nodiscard]] static Result<Arena> allocate(std::int64_t bytes);
    Arena(Arena&& other) noexcept : m_data(std::exchange(other.m_data, nullptr)), m_bytes(other.m_bytes) {}
    Arena& operator=(Arena&& other) noexcept;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena();

    [[nodiscard]] std::byte* data() const { return m_data; }
    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }

private:
    std::byte* m_data = nullptr;
    std::int64_t m_bytes = 0;
};

// Requests huge pages if the range contains any; call before the first touch. Falls back to ordinary pages.
void adviseHugePages(void* data, std::int64_t bytes);

// MemAvailable of /proc/meminfo; the maximum if it cannot be read.
[[nodiscard]] std::int64_t availableMemory();

}  // namespace steelyard::compute::cpu
