// SPDX-License-Identifier: Apache-2.0
// Accuracy targets of real training: the results that the authors of the original programs published for their data,
// epochs and batch size. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/bench/training/training.h"

namespace steelyard::bench {

enum class AccuracyMetric { ValidationAccuracy, TrainLoss };

// M. Woolf, "Benchmarking TensorFlow on Cloud CPUs", 2017, and the Keras examples that he ran.
struct AccuracyTarget {
    std::string_view workload;
    AccuracyMetric metric = AccuracyMetric::ValidationAccuracy;
    double low = 0, high = 1;  // the published range
};
[[nodiscard]] std::optional<AccuracyTarget> accuracyTargetOf(const model::Workload& workload);

enum class AccuracyState { Passed, Failed, NotJudged };
[[nodiscard]] std::string_view toString(AccuracyState state);  // "passed", "failed", "not judged"

struct AccuracyVerdict {
    AccuracyState state = AccuracyState::NotJudged;
    std::optional<double> value;  // after the last epoch
    Message sentence;             // "validation accuracy 0.9912, at least 0.99 was published"
};

// Not judged, with a reason, if data, batch size or epochs differ from the published training. Better than the
// published range also passes. Unset for workloads without a target.
[[nodiscard]] std::optional<AccuracyVerdict> judgeAccuracy(const model::Workload& workload,
                                                           const data::DatasetPair& data,
                                                           const TrainingOptions& options,
                                                           const TrainingResult& result);

}  // namespace steelyard::bench
