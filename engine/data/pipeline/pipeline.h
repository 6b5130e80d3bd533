// SPDX-License-Identifier: Apache-2.0
// Batches for a training loop: shuffled per epoch, augmented, prefetched by the pipeline's threads into a bounded ring
// buffer. The samples of a batch and all augmented values depend on the seed only, not on the number of threads. next()
// is called by one thread; the destructor joins the producers.
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
    bool dropLast = false;  // drop an incomplete last batch of an epoch
    bool shuffle = false;
    std::uint64_t seed = 1;
    Augmentation augmentation;
    int threads = 1;  // 0: next() produces the batch itself
    int ahead = 2;    // maximum of prefetched batches; at least 1 with threads
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

// Whether the step or the data pipeline is the bottleneck. Times are totals since the start.
struct PipelineStatistics {
    std::int64_t batches = 0;  // handed out
    std::int64_t samples = 0;
    std::int64_t samplesProduced = 0;  // delivered or prefetched
    Seconds elapsed;                   // since the first call of next()
    Seconds consumerWait;              // time that next() waited for a batch
    Seconds producing;                 // total of the producers
    Seconds producerWait;              // total of the producers: the ring buffer was full
    int producers = 0;                 // threads; 0 if next() produces

    // Production rate without waiting, in samples per second. No value before the first batch.
    [[nodiscard]] std::optional<double> producibleRate() const;
    // Fraction of the elapsed time spent waiting for data. No value while the elapsed time is 0.
    [[nodiscard]] std::optional<double> waitFraction() const;
    // Whether the pipeline is the bottleneck: more than 10 % of the time is spent waiting for data.
    [[nodiscard]] std::optional<bool> pipelineLimits() const;
};

class BatchPipeline {
public:
    // InvalidArgument for options that do not match the set; the clock must outlive the pipeline.
    [[nodiscard]] static Result<std::unique_ptr<BatchPipeline>> create(DatasetPtr dataset,
                                                                       const PipelineOptions& options,
                                                                       const Clock& clock);
    virtual ~BatchPipeline() = default;

    // The next batch, valid until the following call. Cancelled if `stop` was requested; an error of a producer is
    // returned at its batch and by every later call.
    [[nodiscard]] virtual Result<const Batch*> next(std::stop_token stop) = 0;
    [[nodiscard]] virtual PipelineStatistics statistics() const = 0;
    [[nodiscard]] virtual std::int64_t batchesPerEpoch() const = 0;
};

}  // namespace steelyard::data
