// SPDX-License-Identifier: Apache-2.0
// One rank's part in a data-parallel step: the exchange of the gradients' buckets on a stream of its own, which forks
// from the compute stream when a bucket is complete and joins it before the update. What the tasks of a step call may
// be captured in the step's graph. Belongs to one executable, whose runtime and communicator outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/compute/cuda/execute/device_runtime.h"
#include "engine/compute/parallel/gradient_exchange.h"
#include "engine/compute/rank_group.h"

namespace steelyard::compute::cuda {

class DataParallel final : private StreamOrder {
public:
    [[nodiscard]] static Result<std::unique_ptr<DataParallel>> make(DeviceRuntime& runtime,
                                                                    std::shared_ptr<Communicator> communicator,
                                                                    std::vector<Bucket> buckets);
    ~DataParallel() override;

    [[nodiscard]] const std::vector<Bucket>& buckets() const { return m_buckets; }
    // Where the buckets lie and the losses, one value each, which are averaged with the first bucket.
    void place(std::vector<float*> buckets, std::vector<float*> losses);

    // Within a step, as GradientExchange; nothing while paused.
    [[nodiscard]] Result<void> afterOperation(int operation);
    [[nodiscard]] Result<void> join();
    void pause(bool paused) { m_paused = paused; }

    // Bytes of rank 0 to all, on the compute stream.
    [[nodiscard]] Result<void> spread(void* bytes, std::int64_t count);
    // Rank 0's value; returns when it is there.
    [[nodiscard]] Result<std::int64_t> fromFirst(std::int64_t value);
    // All exchanges of a step with nothing beside them, s.
    [[nodiscard]] Result<double> exchangeSeconds(Event first, Event last);
    void giveUp() { m_communicator->giveUp(); }

private:
    DataParallel(DeviceRuntime& runtime, std::shared_ptr<Communicator> communicator, std::vector<Bucket> buckets);
    [[nodiscard]] Result<void> follow(void* earlier, void* later) override;
    [[nodiscard]] Result<void> averageLosses();

    DeviceRuntime& m_runtime;
    std::shared_ptr<Communicator> m_communicator;
    std::vector<Bucket> m_buckets;
    Stream m_exchangeStream = nullptr;
    Event m_order = nullptr;
    DeviceMemory m_word;  // of fromFirst
    std::vector<float*> m_memory, m_losses;
    std::optional<GradientExchange> m_exchange;  // once placed
    bool m_lossesSent = false;
    bool m_paused = false;
};

}  // namespace steelyard::compute::cuda
