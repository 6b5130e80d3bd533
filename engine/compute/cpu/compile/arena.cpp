// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/compile/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

#include "engine/core/address_space.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kHugePage = std::int64_t{2} << 20;

// Bytes up to the next huge-page boundary.
std::int64_t untilHugePage(const std::byte* start) {
    const auto misaligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(start) % kHugePage);
    return misaligned == 0 ? 0 : kHugePage - misaligned;
}

Failure outOfMemory(std::int64_t needed, std::int64_t available) {
    Error error{ErrorKind::OutOfMemory, "cpu", messages::tensorsTooLarge(), {}, needed, {}};
    if (available != std::numeric_limits<std::int64_t>::max()) error.availableBytes = available;
    return Failure(std::move(error));
}

}  // namespace

std::int64_t availableMemory() {
    const auto limit = addressSpaceLeft().value_or(std::numeric_limits<std::int64_t>::max());
    std::ifstream file("/proc/meminfo");
    std::string key, unit;
    std::int64_t kibibytes = 0;
    while (file >> key >> kibibytes) {
        if (key == "MemAvailable:") return std::min(kibibytes * 1024, limit);
        std::getline(file, unit);
    }
    return limit;
}

void adviseHugePages(void* data, std::int64_t bytes) {
    auto* start = static_cast<std::byte*>(data);
    const auto head = untilHugePage(start);
    const auto whole = (bytes - head) / kHugePage * kHugePage;
    if (whole > 0) madvise(start + head, static_cast<std::size_t>(whole), MADV_HUGEPAGE);
}

Result<Arena> Arena::allocate(std::int64_t bytes) {
    Arena arena;
    if (bytes <= 0) return arena;
    const auto available = availableMemory();
    if (bytes > available) return outOfMemory(bytes, available);
    const auto rounded = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    // One additional huge page for alignment; the remainder is never touched.
    const auto mapped = rounded + kHugePage;
    void* raw =
        mmap(nullptr, static_cast<std::size_t>(mapped), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) return outOfMemory(bytes, available);
    auto* start = static_cast<std::byte*>(raw);
    const auto head = untilHugePage(start);
    if (head > 0) munmap(start, static_cast<std::size_t>(head));
    munmap(start + head + rounded, static_cast<std::size_t>(mapped - head - rounded));
    arena.m_data = start + head;
    arena.m_bytes = rounded;
    adviseHugePages(arena.m_data, rounded);
#pragma omp parallel for schedule(static)
    for (std::int64_t offset = 0; offset < rounded; offset += 4096) arena.m_data[offset] = std::byte{0};
    return arena;
}

Arena& Arena::operator=(Arena&& other) noexcept {
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

Arena::~Arena() {
    if (m_data != nullptr) munmap(m_data, static_cast<std::size_t>(m_bytes));
}

}  // namespace steelyard::compute::cpu
