// SPDX-License-Identifier: Apache-2.0
// Batches for a training loop: shuffled per epoch, augmented, produced ahead of use by the pipeline's own threads into
// a bounded ring. Which samples a batch holds, and every augmented value, depends on the seed alone and not on the
// number of threads. next() is called by one thread; the producers are joined by the destructor.
//
//     auto pipeline = BatchPipeline::create(train, {.batch = 128, .shuffle = true}, clock);
//     while (true) {
//         auto batch = (*pipeline)->next(stop);      // endless: batch->epoch tells which epoch this is
//         if (!batch) return fail...                 // Cancelled, or what went wrong while reading
//         step((*batch)->values, (*batch)->labels);  // valid until the following next()
//     }
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/data/dataset.h"
#include "engine/data/pipeline/augment.h"

namespace steelyard::data {

struct PipelineOptions {
    std::int64_t batch = 32;
    bool dropLast = false;  // leave out the smaller last batch of an epoch
    bool shuffle = false;
    std::uint64_t seed = 1;
    Augmentation augmentation;
    int threads = 1;  // 0: next() itself produces the batch
    int ahead = 2;    // batches kept ready at most; at least 1 with threads
};

struct Batch {
    std::int64_t epoch = 0;    // from 0
    std::int64_t number = 0;   // within the epoch, from 0
    std::int64_t samples = 0;  // may be fewer in the last batch
    std::vector<std::int64_t> indices;
    std::vector<float> values;         // FeatureKind::Values
    std::vector<std::int32_t> tokens;  // FeatureKind::Tokens
    std::vector<std::int32_t> labels;
};

// Whether the step waits for data or the data for the step. Times are totals since the start.
struct PipelineStatistics {
    std::int64_t batches = 0;  // handed out
    std::int64_t samples = 0;
    std::int64_t samplesProduced = 0;  // handed out or kept ready
    Seconds elapsed;                   // since the first call of next()
    Seconds consumerWait;              // next() waited for a batch that was not ready
    Seconds producing;                 // summed over the producers
    Seconds producerWait;              // summed over the producers: the ring was full
    int producers = 0;                 // threads; 0 when next() produces

    // Samples per second that the producers can make without waiting. No value before the first batch.
    [[nodiscard]] std::optional<double> producibleRate() const;
    // Fraction of the elapsed time spent waiting for data. No value before any time has passed.
    [[nodiscard]] std::optional<double> waitFraction() const;
    // True when the pipeline is what limits: more than a tenth of the time is spent waiting for data.
    [[nodiscard]] std::optional<bool> pipelineLimits() const;
};

class BatchPipeline {
public:
    // InvalidArgument for options that do not fit the set; the clock must outlive the pipeline.
    [[nodiscard]] static Result<std::unique_ptr<BatchPipeline>> create(DatasetPtr dataset,
                                                                       const PipelineOptions& options,
                                                                       const Clock& clock);
    virtual ~BatchPipeline() = default;

    // The next batch in order, valid until the following call. Cancelled when `stop` is requested while waiting or
    // before; an error of a producer is returned at its batch and by every later call.
    [[nodiscard]] virtual Result<const Batch*> next(std::stop_token stop) = 0;
    [[nodiscard]] virtual PipelineStatistics statistics() const = 0;
    [[nodiscard]] virtual std::int64_t batchesPerEpoch() const = 0;
};

}  // namespace steelyard::data
