// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/training/accuracy_targets.h"

#include <fmt/format.h>

#include <array>

#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

// Where one figure was published ("about .906"), it stands for itself within this.
constexpr double kAbout = 0.01;

constexpr std::array kGates{Gate{"mnist_mlp", GateMetric::ValidationAccuracy, 0.98, 1},
                            Gate{"mnist_cnn", GateMetric::ValidationAccuracy, 0.99, 1},
                            Gate{"cifar10_cnn", GateMetric::ValidationAccuracy, 0.73, 0.76},
                            Gate{"imdb_fasttext", GateMetric::ValidationAccuracy, 0.906 - kAbout, 0.906 + kAbout},
                            Gate{"imdb_bilstm", GateMetric::ValidationAccuracy, 0.828, 0.838},
                            Gate{"text_lstm", GateMetric::TrainLoss, 1.39, 1.42}};

// Why this is not the training whose result was published; empty when it is.
Message differenceFromPublished(const model::Workload& workload, const data::DatasetPair& data,
                                const TrainingOptions& options, const TrainingResult& result) {
    const auto samples = data.train->size();
    if (data.train->info().synthetic) return messages::syntheticData();
    if (samples != workload.trainSamples) return messages::otherSampleCount(samples, workload.trainSamples);
    if (options.batch > 0 && options.batch != workload.batch)
        return messages::otherBatch(options.batch, workload.batch);
    const auto epochs = static_cast<std::int64_t>(result.epochs.size());
    if (epochs != workload.epochs) return messages::otherEpochs(epochs, workload.epochs);
    return {};
}

}  // namespace

std::optional<Gate> gateOf(const model::Workload& workload) {
    const auto base = std::string_view(workload.id).substr(0, workload.id.find('('));
    for (const auto& gate : kGates)
        if (gate.workload == base) return gate;
    return std::nullopt;
}

std::string_view toString(GateState state) {
    switch (state) {
        case GateState::Passed:
            return "passed";
        case GateState::Failed:
            return "failed";
        case GateState::NotJudged:
            return "not judged";
    }
    return {};
}

std::optional<GateVerdict> judgeGate(const model::Workload& workload, const data::DatasetPair& data,
                                     const TrainingOptions& options, const TrainingResult& result) {
    const auto gate = gateOf(workload);
    if (!gate) return std::nullopt;
    const bool accuracy = gate->metric == GateMetric::ValidationAccuracy;
    GateVerdict verdict;
    if (!result.epochs.empty()) {
        const auto& last = result.epochs.back();
        verdict.value = accuracy ? last.validationAccuracy : std::optional(last.trainLoss);
    }
    if (!verdict.value) {
        verdict.sentence = accuracy ? messages::noValidationAccuracy() : messages::noLoss();
        return verdict;
    }
    if (const auto why = differenceFromPublished(workload, data, options, result); !why.empty()) {
        verdict.sentence = why;
        return verdict;
    }
    const bool passed = accuracy ? *verdict.value >= gate->low : *verdict.value <= gate->high;
    const bool better = accuracy ? *verdict.value > gate->high : *verdict.value < gate->low;
    verdict.state = passed ? GateState::Passed : GateState::Failed;
    const auto low = fmt::format("{:.4g}", gate->low), high = fmt::format("{:.4g}", gate->high);
    const auto published = accuracy && gate->high >= 1 ? messages::atLeast(low) : messages::range(low, high);
    const auto value = fmt::format("{:.4f}", *verdict.value);
    verdict.sentence = accuracy ? messages::accuracyVerdict(value, published) : messages::lossVerdict(value, published);
    if (better) verdict.sentence = messages::betterThanPublished(std::move(verdict.sentence));
    return verdict;
}

}  // namespace steelyard::bench
