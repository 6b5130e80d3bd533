// SPDX-License-Identifier: Apache-2.0
// Averages the gradients of a step over the ranks, bucket by bucket, on a separate stream that overlaps with the
// backward pass. The executable calls afterOperation() when it enqueues an operation on the compute stream, and join()
// before the first update; all may be captured into a graph (the streams fork and join by events).
#pragma once

#include <functional>
#include <vector>

#include "engine/compute/parallel/bucket_plan.h"
#include "engine/compute/parallel/communicator.h"

namespace steelyard::compute {

// Ordering between streams, provided by the device's runtime.
class StreamOrder {
public:
    StreamOrder() = default;
    StreamOrder(const StreamOrder&) = delete;
    StreamOrder& operator=(const StreamOrder&) = delete;
    virtual ~StreamOrder() = default;
    // Work enqueued in `later` from now on waits for the work now in `earlier`.
    [[nodiscard]] virtual Result<void> follow(void* earlier, void* later) = 0;
};

class GradientExchange {
public:
    struct Streams {
        void* compute = nullptr;
        void* exchange = nullptr;
    };
    // memory: per bucket, Bucket::elements of Float32 to which the backward pass writes its gradients. The communicator
    // and the order must outlive this object.
    GradientExchange(Communicator& communicator, StreamOrder& order, std::vector<Bucket> buckets,
                     std::vector<float*> memory, Streams streams);

    [[nodiscard]] Result<void> afterOperation(int operation);
    // InvalidArgument if a bucket was never ready because an operation was skipped. Resets for the next step.
    [[nodiscard]] Result<void> join();

    // Broadcasts initial weights and states from rank 0.
    [[nodiscard]] Result<void> spread(float* values, std::int64_t count);

    [[nodiscard]] const std::vector<Bucket>& buckets() const { return m_buckets; }

private:
    Communicator& m_communicator;
    StreamOrder& m_order;
    std::vector<Bucket> m_buckets;
    std::vector<float*> m_memory;
    Streams m_streams;
    std::size_t m_next = 0;  // bucket index
};

}  // namespace steelyard::compute
