// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda/shared_memory_nccl.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace steelyard::compute::cuda::test {
namespace {

constexpr std::size_t kSlotBytes = std::size_t{1} << 20;  // per rank
constexpr int kMostRanks = 16;

struct Header {
    std::atomic<int> here, round, gaveUp;
};
static_assert(std::atomic<int>::is_always_lock_free);
constexpr std::size_t kHeaderBytes = 4096;

struct Rank {
    std::byte* memory = nullptr;
    int rank = 0, size = 1;

    [[nodiscard]] Header& header() const { return *reinterpret_cast<Header*>(memory); }
    [[nodiscard]] std::byte* slot(int of) const {
        return memory + kHeaderBytes + static_cast<std::size_t>(of) * kSlotBytes;
    }
    [[nodiscard]] bool meet() const {
        auto& h = header();
        const int round = h.round;
        if (++h.here == size) {
            h.here = 0;
            ++h.round;
        }
        while (h.round == round && h.gaveUp == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
        return h.gaveUp == 0;
    }
};

Rank& of(NcclHandle handle) {
    return *static_cast<Rank*>(handle);
}

int getVersion(int* version) {
    *version = 22803;
    return 0;
}
int getUniqueId(NcclId* id) {
    auto name = (std::filesystem::temp_directory_path() / "simulated-nccl-XXXXXX").string();
    const int file = ::mkstemp(name.data());
    if (file < 0 || name.size() >= id->bytes.size()) return 2;
    ::close(file);
    std::memcpy(id->bytes.data(), name.c_str(), name.size() + 1);
    return 0;
}
int commInitRank(NcclHandle* handle, int size, NcclId id, int rank) {
    if (size > kMostRanks) return 4;
    const int file = ::open(id.bytes.data(), O_RDWR | O_CLOEXEC);
    if (file < 0) return 2;
    const auto bytes = kHeaderBytes + kMostRanks * kSlotBytes;
    void* memory = MAP_FAILED;
    if (::ftruncate(file, static_cast<off_t>(bytes)) == 0)
        memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (memory == MAP_FAILED) return 2;
    auto* made = new Rank{static_cast<std::byte*>(memory), rank, size};
    *handle = made;
    const bool met = made->meet();
    if (rank == 0) ::unlink(id.bytes.data());  // all have it open
    return met ? 0 : 6;
}
int commDestroy(NcclHandle handle) {
    delete &of(handle);
    return 0;
}
int commAbort(NcclHandle handle) {
    of(handle).header().gaveUp = 1;
    delete &of(handle);
    return 0;
}
int allReduce(const void* from, void* to, std::size_t count, int, int, NcclHandle handle, void*) {
    const auto& rank = of(handle);
    constexpr std::size_t kFloats = kSlotBytes / sizeof(float);
    for (std::size_t first = 0; first < count; first += kFloats) {
        const auto part = std::min(kFloats, count - first);
        std::memcpy(rank.slot(rank.rank), static_cast<const float*>(from) + first, part * sizeof(float));
        if (!rank.meet()) return 6;
        for (std::size_t i = 0; i < part; ++i) {
            double sum = 0;
            for (int other = 0; other < rank.size; ++other)
                sum += static_cast<double>(reinterpret_cast<const float*>(rank.slot(other))[i]);
            static_cast<float*>(to)[first + i] = static_cast<float>(sum / rank.size);
        }
        if (!rank.meet()) return 6;
    }
    return 0;
}
int broadcast(const void* from, void* to, std::size_t count, int, int root, NcclHandle handle, void*) {
    const auto& rank = of(handle);
    for (std::size_t first = 0; first < count; first += kSlotBytes) {
        const auto part = std::min(kSlotBytes, count - first);
        if (rank.rank == root) std::memcpy(rank.slot(root), static_cast<const std::byte*>(from) + first, part);
        if (!rank.meet()) return 6;
        if (rank.rank != root) std::memcpy(static_cast<std::byte*>(to) + first, rank.slot(root), part);
        if (!rank.meet()) return 6;
    }
    return 0;
}
const char* errorString(int status) {
    return status == 6 ? "another rank has given up" : "simulated failure";
}

}  // namespace

NcclTable sharedMemoryNccl() {
    return {getVersion, getUniqueId, commInitRank, commDestroy, commAbort, allReduce, broadcast, errorString};
}

}  // namespace steelyard::compute::cuda::test
