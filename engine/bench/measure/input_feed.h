// SPDX-License-Identifier: Apache-2.0
// Real data as an endless stream of batches for a network that is being measured: read, augmented, shuffled and batched
// by the pipeline's own threads (engine/data/pipeline/pipeline.h). One thread uses it.
#pragma once

#include <memory>

#include "engine/bench/record/record.h"
#include "engine/bench/training/workload_data.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"
#include "engine/data/pipeline/pipeline.h"

namespace steelyard::bench {

struct FeedOptions {
    std::int64_t batch = 0;
    bool training = true;  // the training part, shuffled and augmented; else the validation part where there is one
    std::uint64_t seed = 1;
    int threads = 1;
};

class InputFeed {
public:
    // The clock must outlive it.
    [[nodiscard]] static Result<std::unique_ptr<InputFeed>> create(const WorkloadData& data, const FeedOptions& options,
                                                                   const Clock& clock);

    // Makes the next batch the current one.
    [[nodiscard]] Result<void> advance();
    // Hands the current batch to the network: features, and labels where it takes them.
    [[nodiscard]] Result<void> write(compute::Executable& executable) const;
    // What is known after the batches so far.
    [[nodiscard]] InputUse use() const;

private:
    InputFeed() = default;

    std::unique_ptr<data::BatchPipeline> m_pipeline;
    const data::Batch* m_batch = nullptr;
};

// Threads that make batches while a step runs on `usable` ones: few, since they take time from the step.
[[nodiscard]] int feedThreads(int usable);

// Features (values or tokens) and labels of a full batch into the inputs of an executable.
[[nodiscard]] Result<void> writeBatch(compute::Executable& executable, const data::Batch& batch);

}  // namespace steelyard::bench
