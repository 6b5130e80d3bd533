// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/parallel/fake_nccl.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace steelyard::compute::testing {
namespace {

// A barrier that releases all waiting threads after an abort.
class Group {
public:
    explicit Group(int count) : size(count), pointers(static_cast<std::size_t>(count)) {}
    [[nodiscard]] bool meet() {
        std::unique_lock lock(m_mutex);
        const auto round = m_round;
        if (++m_here == size) {
            m_here = 0;
            ++m_round;
            m_changed.notify_all();
        }
        m_changed.wait(lock, [&] { return m_round != round || m_broken; });
        return !m_broken;
    }
    void give() {
        const std::lock_guard lock(m_mutex);
        m_broken = true;
        m_changed.notify_all();
    }
    int size;
    std::vector<void*> pointers;

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    int m_here = 0;
    std::int64_t m_round = 0;
    bool m_broken = false;
};

constexpr int kRemoteError = 6;

struct Rank {
    std::shared_ptr<Group> group;
    int rank = 0;
};

std::mutex mutex;
std::map<std::string, std::shared_ptr<Group>> groups;
std::atomic<int> ids{0}, created{0}, destroyed{0}, aborted{0};

int getVersion(int* version) {
    *version = 22803;
    return 0;
}
int getUniqueId(NcclId* id) {
    const auto text = "fake " + std::to_string(++ids);
    std::memcpy(id->bytes.data(), text.c_str(), text.size() + 1);
    return 0;
}
int commInitRank(NcclHandle* handle, int size, NcclId id, int rank) {
    std::shared_ptr<Group> group;
    {
        const std::lock_guard lock(mutex);
        auto& slot = groups[id.bytes.data()];
        if (!slot) slot = std::make_shared<Group>(size);
        group = slot;
    }
    if (group->size != size) return 4;  // ncclInvalidArgument
    *handle = new Rank{group, rank};
    ++created;
    return group->meet() ? 0 : kRemoteError;
}
int commDestroy(NcclHandle handle) {
    ++destroyed;
    delete static_cast<Rank*>(handle);
    return 0;
}
int commAbort(NcclHandle handle) {
    ++aborted;
    static_cast<Rank*>(handle)->group->give();
    delete static_cast<Rank*>(handle);
    return 0;
}

int allReduce(const void* from, void* to, std::size_t count, int type, int operation, NcclHandle handle,
              void* /*stream*/) {
    auto& rank = *static_cast<Rank*>(handle);
    if (type != kNcclFloat32 || operation != kNcclAverage || from != to) return 4;
    rank.group->pointers[static_cast<std::size_t>(rank.rank)] = to;
    if (!rank.group->meet()) return kRemoteError;
    std::vector<float> mean(count);
    for (std::size_t i = 0; i < count; ++i) {
        double sum = 0;
        for (auto* part : rank.group->pointers) sum += static_cast<double>(static_cast<const float*>(part)[i]);
        mean[i] = static_cast<float>(sum / rank.group->size);
    }
    if (!rank.group->meet()) return kRemoteError;
    std::memcpy(to, mean.data(), count * sizeof(float));
    return 0;
}
int failingAllReduce(const void*, void*, std::size_t, int, int, NcclHandle, void*) {
    return 3;
}
int broadcast(const void* from, void* to, std::size_t count, int type, int root, NcclHandle handle, void* /*stream*/) {
    auto& rank = *static_cast<Rank*>(handle);
    if (type != kNcclInt8) return 4;
    rank.group->pointers[static_cast<std::size_t>(rank.rank)] = const_cast<void*>(from);
    if (!rank.group->meet()) return kRemoteError;
    if (rank.rank != root) std::memcpy(to, rank.group->pointers[static_cast<std::size_t>(root)], count);
    if (!rank.group->meet()) return kRemoteError;
    return 0;
}
const char* errorString(int status) {
    if (status == kRemoteError) return "another rank has given up";
    return status == 3 ? "internal error of the fake" : "another error of the fake";
}

}  // namespace

NcclTable fakeNccl(bool failAllReduce) {
    return {getVersion, getUniqueId, commInitRank, commDestroy, commAbort, failAllReduce ? failingAllReduce : allReduce,
            broadcast,  errorString};
}

FakeNcclCounts fakeNcclCounts() {
    return {created, destroyed, aborted};
}

}  // namespace steelyard::compute::testing
