// SPDX-License-Identifier: Apache-2.0
// Endless stream of batches of real data for a network that is being measured: read, augmented, shuffled and batched
// by the pipeline's threads (engine/data/pipeline/pipeline.h). One thread.
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
    bool training = true;  // training set, shuffled and augmented; otherwise the validation set if there is one
    std::uint64_t seed = 1;
    int threads = 1;
};

class InputFeed {
public:
    // The clock must outlive the object.
    [[nodiscard]] static Result<std::unique_ptr<InputFeed>> create(const WorkloadData& data, const FeedOptions& options,
                                                                   const Clock& clock);

    // Advances to the next batch.
    [[nodiscard]] Result<void> advance();
    // Writes the current batch to the network's inputs: features, and labels if it takes them.
    [[nodiscard]] Result<void> write(compute::Executable& executable) const;
    // Statistics of the batches so far.
    [[nodiscard]] InputUse use() const;

private:
    InputFeed() = default;

    std::unique_ptr<data::BatchPipeline> m_pipeline;
    const data::Batch* m_batch = nullptr;
};

// Number of producer threads beside a step on `usable` threads: few, since they compete with the step.
[[nodiscard]] int feedThreads(int usable);

// Writes features (values or tokens) and labels of a full batch to the inputs of an executable.
[[nodiscard]] Result<void> writeBatch(compute::Executable& executable, const data::Batch& batch);

}  // namespace steelyard::bench
