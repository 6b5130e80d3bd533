// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/precision_cost.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "engine/compute/step_values.h"

namespace steelyard::bench {
namespace {

constexpr std::uint64_t kFirstSeed = 1000;  // not used by verification and calibration

constexpr float kSmallest = 1e-6F;  // smaller probabilities carry no information about their logits
constexpr int kMostHalvings = 40;

// Recovers logits from probabilities; for softmax, up to a constant per sample.
void invertHead(model::LossKind loss, std::size_t classes, std::span<float> values) {
    if (loss == model::LossKind::SigmoidCrossEntropy)
        for (auto& value : values) value = std::log(value / (1 - value));
    if (loss != model::LossKind::SoftmaxCrossEntropy) return;
    for (std::size_t at = 0; at < values.size(); at += classes) {
        double sum = 0;
        for (auto& value : values.subspan(at, classes)) sum += static_cast<double>(value = std::log(value));
        for (auto& value : values.subspan(at, classes)) value -= static_cast<float>(sum / static_cast<double>(classes));
    }
}

// On the samples of a seed, as they are for the plan `source`.
Result<std::vector<float>> probabilitiesOf(compute::Executable& executable, const plan::Plan& source,
                                           std::uint64_t seed) {
    TRY(compute::writeInitialStates(executable));
    TRY(compute::writeSyntheticBatchOf(source, executable, seed));
    TRY(executable.step({}));
    std::vector<float> all;
    for (const auto& head : executable.plan().heads) {
        std::vector<float> values(static_cast<std::size_t>(executable.plan().tensor(head.probabilities).elements()));
        TRY(executable.read(head.probabilities, values));
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

Result<std::vector<float>> outputsOf(compute::Executable& executable, const plan::Plan& source, std::uint64_t seed) {
    ASSIGN(auto all, probabilitiesOf(executable, source, seed));
    std::size_t at = 0;
    for (const auto& head : executable.plan().heads) {
        const auto& tensor = executable.plan().tensor(head.probabilities);
        const auto count = static_cast<std::size_t>(tensor.elements());
        invertHead(head.head.loss, static_cast<std::size_t>(tensor.dims.back()), std::span(all).subspan(at, count));
        at += count;
    }
    return all;
}

// Multiplies the initial weights of the layers that compute logits by `factor`.
Result<void> scaleHeads(compute::Executable& executable, std::uint64_t seed, float factor) {
    const auto& plan = executable.plan();
    std::vector<float> values;
    for (const auto& op : plan.operations) {
        const bool isHead = std::any_of(plan.heads.begin(), plan.heads.end(), [&](const auto& head) {
            return head.logits == op.output && head.head.loss != model::LossKind::None;
        });
        if (!isHead || op.kind != plan::OperationKind::MatMul) continue;
        for (const auto tensor : op.parameters) {
            const auto found = std::find(plan.parameterTensors.begin(), plan.parameterTensors.end(), tensor);
            const auto& parameter = plan.parameters[static_cast<std::size_t>(found - plan.parameterTensors.begin())];
            TRY(model::initialValues(parameter, seed, values));
            for (auto& value : values) value *= factor;
            TRY(executable.write(tensor, values));
        }
    }
    return {};
}

// Initial logits may be so large that probabilities are 0 and 1. Returns a factor that reduces them.
Result<float> logitScale(compute::Executable& executable, std::uint64_t seed) {
    const auto& heads = executable.plan().heads;
    float factor = 1;
    if (std::all_of(heads.begin(), heads.end(), [](const auto& h) { return h.head.loss == model::LossKind::None; }))
        return factor;
    for (int i = 0; i < kMostHalvings; ++i) {
        ASSIGN(const auto values, probabilitiesOf(executable, executable.plan(), kFirstSeed + seed));
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        if (*low > kSmallest && *high < 1 - kSmallest) return factor;
        factor /= 4;
        TRY(scaleHeads(executable, seed, factor));
    }
    return factor;
}

std::int64_t largestAt(const float* row, std::size_t classes) {
    return std::max_element(row, row + classes) - row;
}

}  // namespace

Result<PrecisionCost> precisionCost(compute::Backend& backend, compute::Executable& executable,
                                    const model::Graph& graph, const PrecisionCostOptions& options,
                                    const Clock& clock) {
    auto exact = executable.plan().options;
    exact.precision = plan::Precision::Fp32;
    ASSIGN(auto lowered, plan::lower(graph, exact));
    const auto plan = std::make_shared<const plan::Plan>(std::move(lowered));
    std::vector<std::vector<float>> expected;
    {
        ASSIGN(const auto single, backend.compile(plan, options.compile));
        TRY(compute::writeInitialValuesOf(executable.plan(), *single, options.seed));
        ASSIGN(const auto factor, logitScale(*single, options.seed));
        TRY(scaleHeads(executable, options.seed, factor));
        const auto start = clock.nowNanoseconds();
        do {
            ASSIGN(auto outputs, outputsOf(*single, executable.plan(), kFirstSeed + options.seed + expected.size()));
            expected.push_back(std::move(outputs));
        } while (static_cast<std::int64_t>(expected.size()) * exact.batch < kCostSamples &&
                 secondsBetween(start, clock.nowNanoseconds()) < options.time);
    }
    // Top-1 agreement needs a single head with classes as rows.
    const auto& heads = plan->heads;
    const auto& dims = plan->tensor(heads.front().probabilities).dims;
    const auto classes = static_cast<std::size_t>(dims.back());
    const bool classifies = heads.size() == 1 && dims.size() >= 2 && classes > 1;
    double squares = 0, differences = 0;
    std::int64_t rows = 0, same = 0;
    for (std::size_t b = 0; b < expected.size(); ++b) {
        ASSIGN(const auto outputs, outputsOf(executable, executable.plan(), kFirstSeed + options.seed + b));
        const auto& exactly = expected[b];
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const double difference = static_cast<double>(outputs[i]) - static_cast<double>(exactly[i]);
            differences += difference * difference;
            squares += static_cast<double>(exactly[i]) * static_cast<double>(exactly[i]);
        }
        for (std::size_t at = 0; classifies && at < outputs.size(); at += classes, ++rows)
            if (largestAt(&outputs[at], classes) == largestAt(&exactly[at], classes)) ++same;
    }
    PrecisionCost cost;
    cost.relativeRms = squares > 0 ? std::sqrt(differences / squares) : 0;
    cost.samples = static_cast<std::int64_t>(expected.size()) * exact.batch;
    if (classifies) cost.topClassAgreement = static_cast<double>(same) / static_cast<double>(rows);
    return cost;
}

}  // namespace steelyard::bench
