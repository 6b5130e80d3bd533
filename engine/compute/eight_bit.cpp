// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/eight_bit.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "engine/compute/step_values.h"

namespace steelyard::compute {
namespace {

constexpr double kCalibrationFlops = 60e9;
constexpr std::int64_t kMostSamples = 8;
constexpr std::uint64_t kCalibrationSeed = 0x9e3779b9;  // added to the seed of the weights

float largestMagnitude(std::span<const float> values) {
    float largest = 0;
    for (const float value : values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace

int weightLevelsOf(Backend& backend) {
    const auto* products = dynamic_cast<EightBitProducts*>(&backend);
    return products == nullptr ? 127 : products->weightLevels();
}

void roundWeightRows(std::span<const float> weights, std::span<const float> declared, int levels,
                     std::span<std::int8_t> rounded, std::span<float> steps) {
    constexpr int kLevelsOfFiles = 127;
    constexpr float kFarthest = 128.5F;  // steps
    const auto length = weights.size() / std::max<std::size_t>(1, steps.size());
    for (std::size_t r = 0; r < steps.size(); ++r) {
        const auto row = weights.subspan(r * length, length);
        const float largest = largestMagnitude(row);
        const bool keeps = r < declared.size() && levels == kLevelsOfFiles && largest < kFarthest * declared[r];
        const float step = keeps ? declared[r] : largest > 0 ? largest / static_cast<float>(levels) : 1.0F;
        const float inverse = 1.0F / step;
        steps[r] = step;
        for (std::size_t i = 0; i < length; ++i) {
            const float scaled = std::isfinite(row[i]) ? std::nearbyintf(row[i] * inverse) : 0.0F;
            const auto limit = static_cast<float>(levels);
            rounded[r * length + i] = static_cast<std::int8_t>(std::clamp(scaled, -limit, limit));
        }
    }
}

namespace {

// The largest magnitudes in a step of the network in Float32.
Result<std::vector<float>> measuredRanges(Backend& reference, const model::Graph& graph, plan::PlanOptions exact,
                                          const CalibrationOptions& calibration) {
    ASSIGN(auto lowered, plan::lower(graph, exact));
    const auto plan = std::make_shared<const plan::Plan>(std::move(lowered));
    ASSIGN(const auto executable, reference.compile(plan, {.device = "reference", .threads = calibration.threads}));
    TRY((calibration.write != nullptr ? calibration.write : writeInitialValues)(*executable, calibration.seed));
    TRY(writeSyntheticBatch(*executable, calibration.seed + kCalibrationSeed));
    TRY(executable->step({}));
    std::vector<float> ranges(plan->tensors.size(), 0.0F), values;
    for (const auto& tensor : plan->tensors) {
        using R = plan::TensorRole;
        const bool isValue = tensor.role == R::Activation || tensor.role == R::Input || tensor.role == R::Probability;
        if (!isValue || tensor.type == model::DataType::Int32) continue;
        values.resize(static_cast<std::size_t>(tensor.elements()));
        TRY(executable->read(tensor.id, values));
        ranges[static_cast<std::size_t>(tensor.id)] = largestMagnitude(values);
    }
    return ranges;
}

}  // namespace

Result<plan::Quantisation> calibrate(Backend& reference, Backend& backend, const model::Graph& original,
                                     const plan::PlanOptions& options, const CalibrationOptions& calibration) {
    std::optional<model::Graph> declaring;
    if (original.inEightBits) {
        ASSIGN(declaring, original.inEightBits());
    }
    const auto& graph = declaring ? *declaring : original;
    auto exact = options;
    exact.precision = plan::Precision::Fp32;
    // The shapes of an imported network may fix the batch size.
    const auto allows = [&](std::int64_t batch) {
        return !graph.wholeShapes || batch == graph.fixedBatch || graph.atBatch(batch).has_value();
    };
    if (allows(1)) {
        exact.batch = 1;
        ASSIGN(const auto one, plan::lower(graph, exact));
        const auto batch = std::clamp(static_cast<std::int64_t>(kCalibrationFlops / std::max(1.0, one.stepFlops())),
                                      std::int64_t{1}, kMostSamples);
        if (allows(batch)) exact.batch = batch;
    }
    auto narrow = options;
    narrow.batch = exact.batch;
    ASSIGN(const auto bytes, plan::lower(graph, narrow));
    plan::Quantisation result;
    result.weightLevels = weightLevelsOf(backend);
    result.ranges = plan::declaredRanges(bytes);
    const bool isComplete = std::all_of(bytes.tensors.begin(), bytes.tensors.end(), [&](const plan::Tensor& tensor) {
        return result.ranges[static_cast<std::size_t>(tensor.id)] > 0 || !plan::needsRange(bytes, tensor.id);
    });
    if (isComplete) return result;
    ASSIGN(const auto measured, measuredRanges(reference, graph, exact, calibration));
    for (std::size_t i = 0; i < measured.size(); ++i)
        if (result.ranges[i] <= 0) result.ranges[i] = measured[i];
    result.ranges = plan::sharedRanges(bytes, std::move(result.ranges));
    return result;
}

Result<plan::Plan> lowerCalibrated(Backend& reference, Backend& backend, const model::Graph& graph,
                                   plan::PlanOptions options, const CalibrationOptions& calibration) {
    if (options.precision == plan::Precision::Int8 && options.quantisation.ranges.empty()) {
        ASSIGN(auto quantisation, calibrate(reference, backend, graph, options, calibration));
        options.quantisation = std::move(quantisation);
    }
    return plan::lower(graph, options);
}

}  // namespace steelyard::compute
