// SPDX-License-Identifier: Apache-2.0
// One rank of a data-parallel step: gradient buckets are exchanged on a separate stream, which forks from the compute
// stream when a bucket is complete and joins it before the update. Calls within a step can be captured in its graph.
// Belongs to one executable, whose runtime and communicator must outlive it.
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
    // Sets the buckets and the losses (one value each), which are averaged with the first bucket.
    void place(std::vector<float*> buckets, std::vector<float*> losses);

    // Called within a step, as in GradientExchange; no-op while paused.
    [[nodiscard]] Result<void> afterOperation(int operation);
    [[nodiscard]] Result<void> join();
    void pause(bool paused) { m_paused = paused; }

    // Broadcasts bytes of rank 0 on the compute stream.
    [[nodiscard]] Result<void> spread(void* bytes, std::int64_t count);
    // Broadcasts rank 0's value; synchronous.
    [[nodiscard]] Result<std::int64_t> valueOfRankZero(std::int64_t value);
    // Time of all exchanges of a step without overlap, in seconds.
    [[nodiscard]] Result<double> exchangeSeconds(Event first, Event last);
    void abort() { m_communicator->abort(); }

private:
    DataParallel(DeviceRuntime& runtime, std::shared_ptr<Communicator> communicator, std::vector<Bucket> buckets);
    [[nodiscard]] Result<void> follow(void* earlier, void* later) override;
    [[nodiscard]] Result<void> averageLosses();

    DeviceRuntime& m_runtime;
    std::shared_ptr<Communicator> m_communicator;
    std::vector<Bucket> m_buckets;
    Stream m_exchangeStream = nullptr;
    Event m_order = nullptr;
    DeviceMemory m_word;  // of valueOfRankZero
    std::vector<float*> m_memory, m_losses;
    std::optional<GradientExchange> m_exchange;  // set by place()
    bool m_lossesSent = false;
    bool m_paused = false;
};

}  // namespace steelyard::compute::cuda
