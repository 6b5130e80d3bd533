// SPDX-License-Identifier: Apache-2.0
// The ranks of a data-parallel run in ordinary memory. One thread of its own makes and serves the group with blocking
// calls, in the order in which they were put into its queue: exchanges go on while the caller computes (a
// non-blocking MPI_Iallreduce makes progress in calls of the library only). Calls return at once, but for wait() and
// what says so. Belongs to one caller's thread.
// Errors: those of the group; Cancelled when `cancelled` says so, TimedOut when a call takes so long that a process or
// the network must be gone. After either the group is lost: nothing more is exchanged, and the process must end without
// waiting for the thread (isLost).
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
    std::function<bool()> cancelled;     // asked several times a second while waiting; may be empty
    Seconds call{25};                    // of one call, besides its bytes; more where calls have taken long
    Seconds firstCalls{300};             // of the first few, in which ranks still prepare themselves
    double slowestBytesPerSecond = 5e6;  // of its bytes
};

class HostCommunicator final : public Communicator, public StreamOrder {
public:
    using Make = std::function<Result<std::unique_ptr<HostGroup>>()>;
    // Returns when the thread has made the group. No timeout ends this: whoever starts the processes does.
    [[nodiscard]] static Result<std::shared_ptr<HostCommunicator>> start(const Make& make, HostTimeouts timeouts = {});
    ~HostCommunicator() override;

    [[nodiscard]] int rank() const override;
    [[nodiscard]] int size() const override;
    [[nodiscard]] int processesHere() const;
    [[nodiscard]] std::string library() const;

    // The two streams of GradientExchange: the caller's thread, which is at its end whenever it calls, and the queue.
    [[nodiscard]] static void* computeStream() { return nullptr; }
    [[nodiscard]] void* exchangeStream() { return this; }

    // The values must stay where they are until wait().
    [[nodiscard]] Result<void> average(float* values, std::int64_t count, void* stream) override;
    [[nodiscard]] Result<void> broadcast(void* bytes, std::int64_t count, int root, void* stream) override;
    // To the caller's thread: wait(). To the queue: nothing, what is put there comes later anyway.
    [[nodiscard]] Result<void> follow(void* earlier, void* later) override;
    // Until the queue is empty. The first error since the last call.
    [[nodiscard]] Result<void> wait();
    // Runs it with the group on the thread, after what is in the queue, and waits for it as long as it takes.
    [[nodiscard]] Result<void> run(const std::function<Result<void>(HostGroup&)>& function);
    // From now on the first `count` ranks are the group, or all again; rank() and size() follow. False in a rank that
    // is not among them, whose group is all of them still. All ranks of the whole group call it.
    [[nodiscard]] Result<bool> restrictTo(int count);

    void giveUp() override;
    [[nodiscard]] bool isLost() const;

private:
    struct Shared;
    explicit HostCommunicator(std::shared_ptr<Shared> shared);
    [[nodiscard]] Result<void> put(std::function<Result<void>(HostGroup&)> call, std::optional<std::int64_t> bytes);

    std::shared_ptr<Shared> m_shared;  // with the thread, which may outlive this when the group is lost
};

}  // namespace steelyard::compute
