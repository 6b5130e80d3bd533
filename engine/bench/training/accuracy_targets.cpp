// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/training/accuracy_targets.h"

#include <fmt/format.h>

#include <array>

#include "engine/core/messages/bench.h"

namespace steelyard::bench {
namespace {

// Tolerance if a single value was published ("about .906").
constexpr double kAbout = 0.01;

constexpr std::array kAccuracyTargets{
    AccuracyTarget{"mnist_mlp", AccuracyMetric::ValidationAccuracy, 0.98, 1},
    AccuracyTarget{"mnist_cnn", AccuracyMetric::ValidationAccuracy, 0.99, 1},
    AccuracyTarget{"cifar10_cnn", AccuracyMetric::ValidationAccuracy, 0.73, 0.76},
    AccuracyTarget{"imdb_fasttext", AccuracyMetric::ValidationAccuracy, 0.906 - kAbout, 0.906 + kAbout},
    AccuracyTarget{"imdb_bilstm", AccuracyMetric::ValidationAccuracy, 0.828, 0.838},
    AccuracyTarget{"text_lstm", AccuracyMetric::TrainLoss, 1.39, 1.42}};

// Why this is not the published training; empty if it is.
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

std::optional<AccuracyTarget> accuracyTargetOf(const model::Workload& workload) {
    const auto base = std::string_view(workload.id).substr(0, workload.id.find('('));
    for (const auto& target : kAccuracyTargets)
        if (target.workload == base) return target;
    return std::nullopt;
}

std::string_view toString(AccuracyState state) {
    switch (state) {
        case AccuracyState::Passed:
            return "passed";
        case AccuracyState::Failed:
            return "failed";
        case AccuracyState::NotJudged:
            return "not judged";
    }
    return {};
}

std::optional<AccuracyVerdict> judgeAccuracy(const model::Workload& workload, const data::DatasetPair& data,
                                             const TrainingOptions& options, const TrainingResult& result) {
    const auto target = accuracyTargetOf(workload);
    if (!target) return std::nullopt;
    const bool accuracy = target->metric == AccuracyMetric::ValidationAccuracy;
    AccuracyVerdict verdict;
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
    const bool passed = accuracy ? *verdict.value >= target->low : *verdict.value <= target->high;
    const bool better = accuracy ? *verdict.value > target->high : *verdict.value < target->low;
    verdict.state = passed ? AccuracyState::Passed : AccuracyState::Failed;
    const auto low = fmt::format("{:.4g}", target->low), high = fmt::format("{:.4g}", target->high);
    const auto published = accuracy && target->high >= 1 ? messages::atLeast(low) : messages::range(low, high);
    const auto value = fmt::format("{:.4f}", *verdict.value);
    verdict.sentence = accuracy ? messages::accuracyVerdict(value, published) : messages::lossVerdict(value, published);
    if (better) verdict.sentence = messages::betterThanPublished(std::move(verdict.sentence));
    return verdict;
}

}  // namespace steelyard::bench
