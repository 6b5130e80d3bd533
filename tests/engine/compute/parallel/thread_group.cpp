// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/parallel/thread_group.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "engine/core/messages/compute.h"

namespace steelyard::compute::testing {

struct ThreadMeeting::Place {
    explicit Place(int count) : size(count), parts(static_cast<std::size_t>(count)) {}

    // All deposit their bytes, then read those of the others. False if the group was aborted.
    template <typename Take>
    bool meet(int rank, const void* bytes, std::size_t count, Take take) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return !leaving || broken; });
        auto& own = parts[static_cast<std::size_t>(rank)];
        own.resize(count);
        if (count > 0) std::memcpy(own.data(), bytes, count);
        if (++here == size) leaving = true;
        changed.notify_all();
        changed.wait(lock, [&] { return leaving || broken; });
        if (broken) return false;
        take();
        if (--here == 0) leaving = false;
        changed.notify_all();
        return true;
    }

    int size;
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::vector<char>> parts;
    int here = 0;
    bool leaving = false, broken = false;
    std::map<int, std::shared_ptr<Place>> smaller;  // by size
};

class ThreadMeeting::Member final : public HostGroup {
public:
    Member(std::shared_ptr<Place> place, int rank) : m_place(std::move(place)), m_rank(rank) {}
    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int size() const override { return m_place->size; }
    [[nodiscard]] int processesHere() const override { return m_place->size; }
    [[nodiscard]] std::string library() const override { return "threads"; }

    [[nodiscard]] Result<void> sum(float* values, std::int64_t count) override {
        const auto bytes = static_cast<std::size_t>(count) * sizeof(float);
        return told(m_place->meet(m_rank, values, bytes, [&] {
            std::fill(values, values + count, 0.0F);
            for (const auto& part : m_place->parts) {
                const auto* theirs = reinterpret_cast<const float*>(part.data());
                for (std::int64_t i = 0; i < count; ++i) values[i] += theirs[i];
            }
        }));
    }
    [[nodiscard]] Result<void> broadcast(void* bytes, std::int64_t count, int root) override {
        const auto size = static_cast<std::size_t>(count);
        return told(m_place->meet(m_rank, bytes, size, [&] {
            std::memcpy(bytes, m_place->parts[static_cast<std::size_t>(root)].data(), size);
        }));
    }
    [[nodiscard]] Result<void> gather(const void* mine, std::int64_t count, void* all) override {
        const auto size = static_cast<std::size_t>(count);
        return told(m_place->meet(m_rank, mine, size, [&] {
            for (std::size_t r = 0; r < m_place->parts.size(); ++r)
                std::memcpy(static_cast<char*>(all) + r * size, m_place->parts[r].data(), size);
        }));
    }
    [[nodiscard]] Result<void> barrier() override {
        return told(m_place->meet(m_rank, nullptr, 0, [] {}));
    }
    // Through a rendezvous of two: the place of this pair.
    [[nodiscard]] Result<void> send(const void* bytes, std::int64_t count, int to) override {
        return told(pair(to)->meet(m_rank < to ? 0 : 1, bytes, static_cast<std::size_t>(count), [] {}));
    }
    [[nodiscard]] Result<void> receive(void* bytes, std::int64_t count, int from) override {
        const auto place = pair(from);
        const std::size_t theirs = m_rank < from ? 1 : 0;
        return told(place->meet(m_rank < from ? 0 : 1, nullptr, 0, [&] {
            std::memcpy(bytes, place->parts[theirs].data(), static_cast<std::size_t>(count));
        }));
    }
    [[nodiscard]] Result<std::unique_ptr<HostGroup>> first(int count) override {
        std::unique_ptr<HostGroup> group;
        if (m_rank < count) group = std::make_unique<Member>(placeOf(count), m_rank);
        return group;
    }

private:
    static constexpr int kPairs = 1000;  // beyond the sizes of groups
    std::shared_ptr<Place> placeOf(int count, int key = 0) {
        const std::lock_guard lock(m_place->mutex);
        auto& place = m_place->smaller[key > 0 ? key : count];
        if (!place) place = std::make_shared<Place>(count);
        return place;
    }
    std::shared_ptr<Place> pair(int other) {
        return placeOf(2, kPairs * (1 + std::min(m_rank, other)) + std::max(m_rank, other));
    }
    static Result<void> told(bool met) {
        return met ? Result<void>() : fail(ErrorKind::Internal, "threads", messages::rankAborted());
    }

    std::shared_ptr<Place> m_place;
    int m_rank;
};

ThreadMeeting::ThreadMeeting(int size) : m_place(std::make_shared<Place>(size)) {}
ThreadMeeting::~ThreadMeeting() = default;

Result<std::unique_ptr<HostGroup>> ThreadMeeting::joinAlone(int rank) {
    return std::make_unique<Member>(m_place, rank);
}

Result<std::unique_ptr<HostGroup>> ThreadMeeting::join(int rank) {
    auto member = joinAlone(rank);
    TRY((*member)->barrier());
    return member;
}

void ThreadMeeting::breakUp() {
    const std::lock_guard lock(m_place->mutex);
    m_place->broken = true;
    m_place->changed.notify_all();
}

}  // namespace steelyard::compute::testing
