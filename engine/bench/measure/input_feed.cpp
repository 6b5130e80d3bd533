// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/input_feed.h"

#include <algorithm>

namespace steelyard::bench {

Result<std::unique_ptr<InputFeed>> InputFeed::create(const WorkloadData& data, const FeedOptions& options,
                                                     const Clock& clock) {
    const bool training = options.training || !data.data.validation;
    const auto& set = training ? data.data.train : data.data.validation;
    data::PipelineOptions pipeline{.batch = options.batch,
                                   .dropLast = true,
                                   .shuffle = training && !set->info().carriedBatch,
                                   .seed = options.seed};
    if (options.training) pipeline.augmentation = data.augmentation;
    pipeline.threads = options.threads;
    ASSIGN(auto batches, data::BatchPipeline::create(set, pipeline, clock));
    std::unique_ptr<InputFeed> feed(new InputFeed);
    feed->m_pipeline = std::move(batches);
    return feed;
}

Result<void> InputFeed::advance() {
    ASSIGN(const auto batch, m_pipeline->next({}));
    m_batch = batch;
    return {};
}

Result<void> InputFeed::write(compute::Executable& executable) const {
    return writeBatch(executable, *m_batch);
}

InputUse InputFeed::use() const {
    const auto statistics = m_pipeline->statistics();
    return {statistics.producers, statistics.waitFraction(), statistics.producibleRate(), statistics.pipelineLimits()};
}

int feedThreads(int usable) {
    return std::max(1, usable / 4);
}

Result<void> writeBatch(compute::Executable& executable, const data::Batch& batch) {
    const auto& plan = executable.plan();
    const auto input = plan.inputs.front();
    auto written = batch.tokens.empty() ? executable.write(input, std::span<const float>(batch.values))
                                        : executable.write(input, std::span<const std::int32_t>(batch.tokens));
    if (!written) return written;
    for (const auto& head : plan.heads) {
        if (head.labels == plan::kNoTensor) continue;
        if (auto ok = executable.write(head.labels, std::span<const std::int32_t>(batch.labels)); !ok) return ok;
    }
    return {};
}

}  // namespace steelyard::bench
