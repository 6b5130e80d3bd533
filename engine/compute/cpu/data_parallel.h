// SPDX-License-Identifier: Apache-2.0
// One rank of a data-parallel step on the CPU. The step's tasks copy gradients to buckets, row-major regardless of this
// rank's kernel layouts, and call afterOperation(); the communicator's thread exchanges a bucket while the backward
// pass continues. Created with the step, attached before running; errors are kept until outcome().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/compute/parallel/gradient_exchange.h"
#include "engine/compute/parallel/host_communicator.h"

namespace steelyard::compute::cpu {

class DataParallel {
public:
    explicit DataParallel(std::vector<Bucket> buckets) : m_buckets(std::move(buckets)) {}

    [[nodiscard]] const std::vector<Bucket>& buckets() const { return m_buckets; }
    // memory: per bucket; losses: one value each, averaged with the first bucket.
    void attach(std::shared_ptr<HostCommunicator> communicator, std::vector<float*> memory, std::vector<float*> losses);
    [[nodiscard]] HostCommunicator& communicator() const { return *m_communicator; }

    // Called within a step; no-op while paused or after an error.
    void afterOperation(int operation);
    void join();
    void pause(bool paused) { m_paused = paused; }
    // The first error of the step.
    [[nodiscard]] Result<void> outcome();

    // Broadcasts rank 0's value.
    [[nodiscard]] Result<std::int64_t> valueOfRankZero(std::int64_t value);
    // Time of all exchanges of a step without overlap, best of a few, in seconds.
    [[nodiscard]] Result<double> exchangeSeconds();

private:
    [[nodiscard]] Result<void> averageLosses();
    void keep(const Result<void>& result);

    std::vector<Bucket> m_buckets;
    std::shared_ptr<HostCommunicator> m_communicator;
    std::vector<float*> m_memory, m_losses;
    std::optional<GradientExchange> m_exchange;  // set by attach()
    std::optional<Error> m_failure;
    bool m_lossesSent = false;
    bool m_paused = false;
};

}  // namespace steelyard::compute::cpu
