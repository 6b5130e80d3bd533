// SPDX-License-Identifier: Apache-2.0
#include "tests/performance/fit/training_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "engine/core/quantile.h"

namespace steelyard::fit {
namespace {

using advisor::TrainingParameters;
using advisor::TrainingRow;
using advisor::TrainingStack;

constexpr double kRobustness = 0.2;  // logarithms beyond this are weighted linearly instead of quadratically
constexpr double kPrior = 0.1;       // weight of log(constant / start): keeps constants without data close to the start
constexpr double kFirstStep = 0.4, kLastStep = 1e-5;

// Supported devices of the programs; not contained in the rows.
struct KnownStack {
    const char* id;
    const char* title;
    std::vector<std::string> makers;
    double share, layerMicroseconds;  // start values of the search
};
const std::vector<KnownStack>& knownStacks() {
    static const std::vector<KnownStack> known{
        {"transformers", "Transformers with PEFT", {"nvidia", "amd", "intel", "apu", "cpu"}, 0.5, 1500},
        {"unsloth", "Unsloth", {"nvidia"}, 0.6, 0},
        {"torchtune", "torchtune", {"nvidia", "amd"}, 0.6, 0},
        {"llm_foundry", "LLM Foundry", {"nvidia", "amd"}, 0.7, 0},
        {"mlx", "MLX", {"apple"}, 0.4, 0},
    };
    return known;
}

double sixDigits(double value) {
    return std::stod(fmt::format("{:.6g}", value));
}

// FLOPs in products relative to the peak reached by a row.
double reachedShare(const TrainingRow& row) {
    return row.measured / row.work.stepTokens * (row.work.productFlops() + row.work.attentionFlops()) /
           row.device.flops;
}

TrainingParameters start(std::span<const TrainingRow* const> rows) {
    TrainingParameters p;
    p.referenceFlops = 3e14;
    p.lowestFlops = 1e30;
    p.rateExponent = 0.3;
    p.widthExponent = 0.1;
    p.attentionShare = 0.4;
    p.nf4Bytes = 8;
    p.groupsBytes = 20;
    p.optimizerBytes = 28;
    p.highestShare = 0;
    for (const auto* row : rows) {
        p.highestShare = std::max(p.highestShare, reachedShare(*row));
        if (row->device.maker != "nvidia") continue;  // others have a separate share
        p.lowestFlops = std::min(p.lowestFlops, row->device.flops);
        p.highestFlops = std::max(p.highestFlops, row->device.flops);
    }
    p.highestShare = sixDigits(p.highestShare);
    for (const auto& known : knownStacks()) {
        std::set<std::string> devices, makers;
        for (const auto* row : rows) {
            if (row->stack != known.id) continue;
            devices.insert(row->deviceName);
            makers.insert(row->device.maker);
        }
        if (devices.empty()) continue;
        p.stacks.push_back({.id = known.id,
                            .title = known.title,
                            .makers = known.makers,
                            .seenOn = {makers.begin(), makers.end()},
                            .devicesSeen = static_cast<std::int64_t>(devices.size()),
                            .share = known.share,
                            .layerMicroseconds = known.layerMicroseconds});
    }
    return p;
}

std::vector<double*> constantsOf(TrainingParameters& p) {
    std::vector<double*> constants{&p.rateExponent, &p.widthExponent, &p.attentionShare,
                                   &p.nf4Bytes,     &p.groupsBytes,   &p.optimizerBytes};
    for (auto& stack : p.stacks) {
        constants.push_back(&stack.share);
        if (stack.layerMicroseconds > 0) constants.push_back(&stack.layerMicroseconds);
    }
    return constants;
}

double loss(const TrainingParameters& p, std::span<const TrainingRow* const> rows, std::span<const double> moved) {
    double sum = 0;
    for (const auto* row : rows) {
        const double z = std::log(advisor::predictedTokensPerSecond(p, *row) / row->measured) / kRobustness;
        sum += 2 * kRobustness * kRobustness * (std::sqrt(1 + z * z) - 1);
    }
    for (const double one : moved) sum += kPrior * kPrior * one * one;
    return sum;
}

}  // namespace

TrainingParameters fitTraining(std::span<const TrainingRow> all, const std::function<bool(const TrainingRow&)>& use) {
    std::vector<const TrainingRow*> rows;
    for (const auto& row : all)
        if (use(row)) rows.push_back(&row);
    auto p = start(rows);
    const auto constants = constantsOf(p);
    std::vector<double> begun, moved(constants.size());
    for (const auto* constant : constants) begun.push_back(*constant);
    double best = loss(p, rows, moved);
    for (double step = kFirstStep; step > kLastStep;) {
        bool better = false;
        for (std::size_t i = 0; i < constants.size(); ++i)
            for (const double direction : {step, -step}) {
                const double before = moved[i];
                moved[i] += direction;
                *constants[i] = begun[i] * std::exp(moved[i]);
                const double value = loss(p, rows, moved);
                if (value < best - 1e-12) {
                    best = value;
                    better = true;
                    break;
                }
                moved[i] = before;
                *constants[i] = begun[i] * std::exp(before);
            }
        if (!better) step /= 2;
    }
    for (auto* constant : constants) *constant = sixDigits(*constant);
    return p;
}

TrainingRatios trainingRatios(std::span<const TrainingRow> rows) {
    TrainingRatios ratios;
    std::set<std::string> devices, stacks;
    for (const auto& row : rows) {
        devices.insert(row.deviceName);
        stacks.insert(row.stack);
    }
    const auto add = [&](const TrainingParameters& p, const TrainingRow& row, std::vector<double>& list) {
        list.push_back(row.measured / advisor::predictedTokensPerSecond(p, row));
    };
    const auto whole = fitTraining(rows, [](const TrainingRow&) { return true; });
    for (const auto& row : rows) add(whole, row, ratios.fitted);
    for (const auto& device : devices) {
        const auto p = fitTraining(rows, [&](const TrainingRow& row) { return row.deviceName != device; });
        for (const auto& row : rows)
            if (row.deviceName == device && p.findStack(row.stack) != nullptr) add(p, row, ratios.deviceLeftOut);
    }
    for (const auto& stack : stacks) {
        const auto p = fitTraining(rows, [&](const TrainingRow& row) { return row.stack != stack; });
        for (const auto& row : rows)
            if (row.stack == stack) add(p, row, ratios.stackLeftOut);
    }
    return ratios;
}

TrainingParameters shippedTraining(std::span<const TrainingRow> rows, const TrainingRatios& ratios,
                                   const std::string& date) {
    auto p = fitTraining(rows, [](const TrainingRow&) { return true; });
    p.source = fmt::format("fitted to {} published speeds by fit_training; their sources are in training_rows.csv",
                           rows.size());
    p.date = date;
    const auto bandOf = [](const std::vector<double>& list) {
        return advisor::Band{.low = sixDigits(quantile(list, 0.1)),
                             .median = sixDigits(quantile(list, 0.5)),
                             .high = sixDigits(quantile(list, 0.9))};
    };
    p.bands["training"] = bandOf(ratios.deviceLeftOut);
    p.bands["stack_unknown"] = bandOf(ratios.stackLeftOut);
    // Sparse over dense of the same software and device, model FLOP/s: Qwen3-30B-A3B over Llama 3 8B on H100 (121 /
    // 744), B200 (214 / 1576), GB200 (547 / 1622), GB300 (666 / 1933), Megatron-Bridge 2025-11; Mixtral 8x7B over Llama
    // 2 70B on TPU v6e (35.23 / 43.8) and v5p (52.56 / 65.4), MaxText 2025.
    const std::vector<double> sparse{121.0 / 744, 214.0 / 1576, 547.0 / 1622, 666.0 / 1933, 35.23 / 43.8, 52.56 / 65.4};
    p.expertsShare = sixDigits(quantile(sparse, 0.5));
    p.bands["experts"] = {.low = sixDigits(quantile(sparse, 0.1) / p.expertsShare),
                          .median = 1,
                          .high = sixDigits(quantile(sparse, 0.9) / p.expertsShare)};
    return p;
}

}  // namespace steelyard::fit
