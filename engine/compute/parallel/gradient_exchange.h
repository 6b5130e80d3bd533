// SPDX-License-Identifier: Apache-2.0
// Averages the gradients of a step over the ranks, bucket by bucket, on a stream of its own beside the backward pass.
// The executable calls afterOperation() as it puts each operation of the plan into the compute stream, and join()
// before the first update; all of it may be captured into a graph (the two streams fork and join by events).
#pragma once

#include <functional>
#include <vector>

#include "engine/compute/parallel/bucket_plan.h"
#include "engine/compute/parallel/communicator.h"

namespace steelyard::compute {

// Order between streams, as the device's runtime gives it.
class StreamOrder {
public:
    StreamOrder() = default;
    StreamOrder(const StreamOrder&) = delete;
    StreamOrder& operator=(const StreamOrder&) = delete;
    virtual ~StreamOrder() = default;
    // What is put into `later` from now on waits for what is in `earlier` by now.
    [[nodiscard]] virtual Result<void> follow(void* earlier, void* later) = 0;
};

class GradientExchange {
public:
    struct Streams {
        void* compute = nullptr;
        void* exchange = nullptr;
    };
    // memory: of each bucket, Bucket::elements of Float32, where the backward pass writes its gradients. The
    // communicator and the order outlive this.
    GradientExchange(Communicator& communicator, StreamOrder& order, std::vector<Bucket> buckets,
                     std::vector<float*> memory, Streams streams);

    [[nodiscard]] Result<void> afterOperation(int operation);
    // InvalidArgument when a bucket was never ready: an operation was left out. Ready for the next step then.
    [[nodiscard]] Result<void> join();

    // Weights and states at the start, from rank 0, so that all ranks begin alike.
    [[nodiscard]] Result<void> spread(float* values, std::int64_t count);

    [[nodiscard]] const std::vector<Bucket>& buckets() const { return m_buckets; }

private:
    Communicator& m_communicator;
    StreamOrder& m_order;
    std::vector<Bucket> m_buckets;
    std::vector<float*> m_memory;
    Streams m_streams;
    std::size_t m_next = 0;  // bucket
};

}  // namespace steelyard::compute
