// SPDX-License-Identifier: Apache-2.0
// Real training: epochs over a data set with validation after each; loss, accuracy and time. Validation time is kept
// separate. Single-threaded except for the data pipeline. Deterministic for a seed on one device.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/bench/training/generation.h"
#include "engine/bench/training/workload_data.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"

namespace steelyard::bench {

struct TrainingOptions {
    std::int64_t epochs = 1;
    std::int64_t batch = 0;  // 0: the workload's default
    plan::Precision precision = plan::Precision::Fp32;
    std::uint64_t seed = 1;
    std::optional<double> targetAccuracy;       // on the validation set; the time until it is reached is recorded
    bool stopAtTarget = false;                  // otherwise training continues
    std::optional<GenerationOptions> generate;  // after training on text
    compute::CompileOptions compile;
};

struct EpochResult {
    std::int64_t epoch = 0;  // from 1
    double trainSeconds = 0;
    double validationSeconds = 0;
    double trainLoss = 0;  // mean over the epoch's steps
    std::optional<double> validationLoss;
    std::optional<double> validationAccuracy;
};

struct TrainingResult {
    std::vector<EpochResult> epochs;
    std::optional<double> secondsToTarget;  // training time until the target accuracy was first reached
    std::optional<GeneratedText> generated;
};

// Errors: InvalidArgument if the data do not fit the network's input, or an accuracy target is set without validation
// data; Cancelled between steps; Internal, with the step, for a non-finite loss.
[[nodiscard]] Result<TrainingResult> train(compute::Backend& backend, const WorkloadData& source,
                                           const TrainingOptions& options, const Clock& clock,
                                           const std::function<void(const EpochResult&)>& onEpoch,
                                           const std::function<bool()>& cancelled);

}  // namespace steelyard::bench
