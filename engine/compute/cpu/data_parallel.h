// SPDX-License-Identifier: Apache-2.0
// One rank's part in a data-parallel step on the CPU. The step's tasks copy gradients into buckets, row-major whatever
// layouts the kernels of this rank chose, and call afterOperation(); the communicator's thread exchanges a bucket while
// the backward pass goes on. Made with the step, attached when it is to run; failures are kept until outcome().
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
    // memory: of each bucket; losses: one value each, which are averaged with the first bucket.
    void attach(std::shared_ptr<HostCommunicator> communicator, std::vector<float*> memory, std::vector<float*> losses);
    [[nodiscard]] HostCommunicator& communicator() const { return *m_communicator; }

    // Within a step; nothing while paused or after a failure.
    void afterOperation(int operation);
    void join();
    void pause(bool paused) { m_paused = paused; }
    // The first failure of the step.
    [[nodiscard]] Result<void> outcome();

    // Rank 0's value.
    [[nodiscard]] Result<std::int64_t> fromFirst(std::int64_t value);
    // All exchanges of a step with nothing beside them, the best of a few, s.
    [[nodiscard]] Result<double> exchangeSeconds();

private:
    [[nodiscard]] Result<void> averageLosses();
    void keep(const Result<void>& result);

    std::vector<Bucket> m_buckets;
    std::shared_ptr<HostCommunicator> m_communicator;
    std::vector<float*> m_memory, m_losses;
    std::optional<GradientExchange> m_exchange;  // once attached
    std::optional<Error> m_failure;
    bool m_lossesSent = false;
    bool m_paused = false;
};

}  // namespace steelyard::compute::cpu
