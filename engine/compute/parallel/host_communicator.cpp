// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/parallel/host_communicator.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "engine/core/messages/compute.h"

namespace steelyard::compute {
namespace {

using HostClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLookAround{50};

constexpr int kFirstCalls = 4;
constexpr double kTimesTheLongest = 5;

}  // namespace

struct HostCommunicator::Shared {
    struct Call {
        std::function<Result<void>(HostGroup&)> function;
        std::optional<std::int64_t> bytes;  // unset: no time limit
    };
    HostTimeouts timeouts;
    std::mutex mutex;
    std::condition_variable toThread, toCaller;
    std::deque<Call> queue;
    bool isBusy = false;  // the thread is in a call
    HostClock::time_point callBegan;
    std::optional<std::int64_t> callBytes;
    int callsDone = 0;  // among those with bytes
    double longestCall = 0;
    std::optional<Error> failure;  // since the last wait
    bool isEnding = false;
    bool isLost = false;
    bool isMade = false;
    std::optional<Error> whyNotMade;
    int rank = 0, size = 1, processesHere = 1;
    std::string library;
    std::unique_ptr<HostGroup> whole, part;  // owned by the thread
    std::thread thread;

    HostGroup& group() { return part ? *part : *whole; }
    void note() {
        rank = group().rank();
        size = group().size();
        processesHere = whole->processesHere();
        library = whole->library();
    }

    void serve(const Make& make) {
        auto made = make();
        {
            const std::lock_guard lock(mutex);
            if (made) {
                whole = std::move(*made);
                note();
            } else {
                whyNotMade = made.error();
            }
            isMade = true;
        }
        toCaller.notify_all();
        if (!whole) return;
        std::unique_lock lock(mutex);
        while (true) {
            toThread.wait(lock, [&] { return !queue.empty() || isEnding; });
            if (queue.empty() || isLost) break;
            auto call = std::move(queue.front());
            queue.pop_front();
            isBusy = true;
            callBegan = HostClock::now();
            callBytes = call.bytes;
            lock.unlock();
            auto done = call.function(group());
            lock.lock();
            isBusy = false;
            if (callBytes) {
                ++callsDone;
                longestCall = std::max(longestCall, secondsOfCall());
            }
            if (!done && !failure) failure = done.error();
            toCaller.notify_all();
        }
        if (isLost) return;
        lock.unlock();
        part.reset();
        whole.reset();  // waits for the other processes
    }

    [[nodiscard]] double secondsOfCall() const {
        return std::chrono::duration<double>(HostClock::now() - callBegan).count();
    }
    [[nodiscard]] bool isLate() const {
        if (!isBusy || !callBytes) return false;
        const auto usual = callsDone < kFirstCalls ? timeouts.firstCalls : timeouts.call;
        const double moving = static_cast<double>(*callBytes) / timeouts.slowestBytesPerSecond;
        return secondsOfCall() > std::max(usual.value(), kTimesTheLongest * longestCall) + moving;
    }
};

HostCommunicator::HostCommunicator(std::shared_ptr<Shared> shared) : m_shared(std::move(shared)) {}

Result<std::shared_ptr<HostCommunicator>> HostCommunicator::start(const Make& make, HostTimeouts timeouts) {
    auto shared = std::make_shared<Shared>();
    shared->timeouts = std::move(timeouts);
    shared->thread = std::thread([shared, make] { shared->serve(make); });
    std::shared_ptr<HostCommunicator> communicator(new HostCommunicator(shared));
    std::unique_lock lock(shared->mutex);
    shared->toCaller.wait(lock, [&] { return shared->isMade; });
    if (shared->whyNotMade) return Failure(*shared->whyNotMade);
    return communicator;
}

HostCommunicator::~HostCommunicator() {
    {
        const std::lock_guard lock(m_shared->mutex);
        m_shared->isEnding = true;
    }
    m_shared->toThread.notify_all();
    if (isLost())
        m_shared->thread.detach();
    else
        m_shared->thread.join();
}

int HostCommunicator::rank() const {
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->rank;
}

int HostCommunicator::size() const {
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->size;
}

int HostCommunicator::processesHere() const {
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->processesHere;
}

std::string HostCommunicator::library() const {
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->library;
}

Result<void> HostCommunicator::put(std::function<Result<void>(HostGroup&)> call, std::optional<std::int64_t> bytes) {
    {
        const std::lock_guard lock(m_shared->mutex);
        if (m_shared->isLost) return fail(ErrorKind::Cancelled, {}, messages::groupLost());
        m_shared->queue.push_back({std::move(call), bytes});
    }
    m_shared->toThread.notify_all();
    return {};
}

Result<void> HostCommunicator::average(float* values, std::int64_t count, void* /*stream*/) {
    if (count == 0) return {};
    const auto average = [values, count](HostGroup& group) -> Result<void> {
        TRY(group.sum(values, count));
        const auto share = 1.0F / static_cast<float>(group.size());
        for (std::int64_t i = 0; i < count; ++i) values[i] *= share;
        return {};
    };
    return put(average, count * 4);
}

Result<void> HostCommunicator::broadcast(void* bytes, std::int64_t count, int root, void* /*stream*/) {
    if (count == 0) return {};
    return put([=](HostGroup& group) { return group.broadcast(bytes, count, root); }, count);
}

Result<void> HostCommunicator::follow(void* /*earlier*/, void* later) {
    return later == computeStream() ? wait() : Result<void>();
}

Result<void> HostCommunicator::wait() {
    auto& shared = *m_shared;
    std::unique_lock lock(shared.mutex);
    while (!shared.isLost && (shared.isBusy || !shared.queue.empty())) {
        if (shared.failure) shared.queue.clear();  // the others no longer make these calls
        shared.toCaller.wait_for(lock, kLookAround);
        if (!shared.isBusy && shared.queue.empty()) break;
        const bool isLate = shared.isLate();
        lock.unlock();
        const bool isCancelled = shared.timeouts.cancelled && shared.timeouts.cancelled();
        lock.lock();
        if (!isLate && !isCancelled) continue;
        shared.isLost = true;
        if (!isCancelled) return fail(ErrorKind::TimedOut, {}, messages::nodesSilent(Seconds(shared.secondsOfCall())));
    }
    if (shared.isLost) return fail(ErrorKind::Cancelled, {}, messages::groupLost());
    if (auto failure = std::exchange(shared.failure, std::nullopt)) {
        shared.isLost = true;
        return Failure(std::move(*failure));
    }
    return {};
}

Result<void> HostCommunicator::run(const std::function<Result<void>(HostGroup&)>& function) {
    TRY(put(function, std::nullopt));
    return wait();
}

Result<bool> HostCommunicator::restrictTo(int count) {
    auto* shared = m_shared.get();
    TRY(run([shared, count](HostGroup&) -> Result<void> {
        ASSIGN(auto part, shared->whole->first(count));
        const std::lock_guard lock(shared->mutex);
        shared->part = std::move(part);
        shared->note();
        return {};
    }));
    const std::lock_guard lock(shared->mutex);
    return shared->part != nullptr;
}

void HostCommunicator::abort() {
    const std::lock_guard lock(m_shared->mutex);
    m_shared->isLost = true;
}

bool HostCommunicator::isLost() const {
    const std::lock_guard lock(m_shared->mutex);
    return m_shared->isLost;
}

}  // namespace steelyard::compute
