// SPDX-License-Identifier: Apache-2.0
// What a training must reach to count as correct: the figures that the authors of the original programs published for
// their data, epochs and batch. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/bench/training/training.h"

namespace steelyard::bench {

enum class GateMetric { ValidationAccuracy, TrainLoss };

// M. Woolf, "Benchmarking TensorFlow on Cloud CPUs", 2017, and the Keras examples that he ran.
struct Gate {
    std::string_view workload;
    GateMetric metric = GateMetric::ValidationAccuracy;
    double low = 0, high = 1;  // the published range
};
[[nodiscard]] std::optional<Gate> gateOf(const model::Workload& workload);

enum class GateState { Passed, Failed, NotJudged };
[[nodiscard]] std::string_view toString(GateState state);  // "passed", "failed", "not judged"

struct GateVerdict {
    GateState state = GateState::NotJudged;
    std::optional<double> value;  // what the last epoch reached
    Message sentence;             // "validation accuracy 0.9912, at least 0.99 was published"
};

// Not judged, saying why, when the training was not the published one: other data, another batch, fewer epochs. Better
// than the published range passes too, and says so. No verdict for workloads without a gate.
[[nodiscard]] std::optional<GateVerdict> judgeGate(const model::Workload& workload, const data::DatasetPair& data,
                                                   const TrainingOptions& options, const TrainingResult& result);

}  // namespace steelyard::bench
