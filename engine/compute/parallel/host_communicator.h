// SPDX-License-Identifier: Apache-2.0
// Communicator in host memory. A separate thread creates the group and executes its blocking calls in queue order, so
// that exchanges overlap with the caller's computation (MPI_Iallreduce only progresses within library calls). Calls
// return immediately, except wait() and those documented otherwise. One calling thread.
// Errors: those of the group; Cancelled if `cancelled` returns true, TimedOut if a call takes so long that a process or
// the network must be gone. After either the group is lost: nothing more is exchanged, and the process must exit
// without joining the thread (isLost).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/compute/parallel/communicator.h"
#include "engine/compute/parallel/gradient_exchange.h"
#include "engine/compute/parallel/host_group.h"
#include "engine/core/units.h"

namespace steelyard::compute {

struct HostTimeouts {
    std::function<bool()> cancelled;     // polled several times per second while waiting; may be empty
    Seconds call{25};                    // per call, in addition to its transfer time; extended if calls have been slow
    Seconds firstCalls{300};             // for the first calls, during which ranks may still initialize
    double slowestBytesPerSecond = 5e6;  // for the transfer time of a call
};

class HostCommunicator final : public Communicator, public StreamOrder {
public:
    using Make = std::function<Result<std::unique_ptr<HostGroup>>()>;
    // Returns when the thread has created the group. No timeout: the launcher is responsible for starting all
    // processes.
    [[nodiscard]] static Result<std::shared_ptr<HostCommunicator>> start(const Make& make, HostTimeouts timeouts = {});
    ~HostCommunicator() override;

    [[nodiscard]] int rank() const override;
    [[nodiscard]] int size() const override;
    [[nodiscard]] int processesHere() const;
    [[nodiscard]] std::string library() const;

    // The two streams of GradientExchange: the calling thread, which is always up to date, and the queue.
    [[nodiscard]] static void* computeStream() { return nullptr; }
    [[nodiscard]] void* exchangeStream() { return this; }

    // The values must stay valid until wait().
    [[nodiscard]] Result<void> average(float* values, std::int64_t count, void* stream) override;
    [[nodiscard]] Result<void> broadcast(void* bytes, std::int64_t count, int root, void* stream) override;
    // To the calling thread: wait(). To the queue: no-op, since it is ordered.
    [[nodiscard]] Result<void> follow(void* earlier, void* later) override;
    // Waits until the queue is empty. Returns the first error since the last call.
    [[nodiscard]] Result<void> wait();
    // Runs a function with the group on the thread, after the queued work, and waits without timeout.
    [[nodiscard]] Result<void> run(const std::function<Result<void>(HostGroup&)>& function);
    // Restricts the group to the first `count` ranks, or restores all; rank() and size() follow. False in excluded
    // ranks, whose group remains complete. Collective over the whole group.
    [[nodiscard]] Result<bool> restrictTo(int count);

    void abort() override;
    [[nodiscard]] bool isLost() const;

private:
    struct Shared;
    explicit HostCommunicator(std::shared_ptr<Shared> shared);
    [[nodiscard]] Result<void> put(std::function<Result<void>(HostGroup&)> call, std::optional<std::int64_t> bytes);

    std::shared_ptr<Shared> m_shared;  // shared with the thread, which may outlive this object if the group is lost
};

}  // namespace steelyard::compute
