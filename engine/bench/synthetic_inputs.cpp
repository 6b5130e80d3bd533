// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/synthetic_inputs.h"

#include <algorithm>
#include <vector>

#include "engine/core/random.h"
#include "engine/model/layer.h"

namespace steelyard::bench {
namespace {

using plan::TensorId;
using plan::TensorRole;

constexpr std::uint64_t kInputStream = 0x2000;
constexpr std::uint64_t kLabelStream = 0x3000;

// Ids an embedding can look up: the smallest vocabulary that reads this input.
std::uint32_t vocabularyOf(const plan::Plan& plan, TensorId input) {
    std::int64_t smallest = 0;
    for (const auto& op : plan.operations) {
        if (op.kind != plan::OperationKind::Embedding || op.pass != plan::Pass::Forward || op.inputs[0] != input) continue;
        const auto size = std::get<model::Embedding>(op.layer).vocabulary;
        smallest = smallest == 0 ? size : std::min(smallest, size);
    }
    return static_cast<std::uint32_t>(std::max<std::int64_t>(smallest, 1));
}

Result<void> writeIds(compute::Executable& executable, TensorId id, RandomStream stream, std::uint32_t count) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(executable.plan().tensor(id).elements()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(stream.below(static_cast<std::uint32_t>(i), count));
    return executable.write(id, std::span<const std::int32_t>(values));
}

Result<void> writeInput(compute::Executable& executable, TensorId id, RandomStream stream) {
    const auto& plan = executable.plan();
    if (plan.tensor(id).type == model::DataType::Int32) return writeIds(executable, id, stream, vocabularyOf(plan, id));
    std::vector<float> values(static_cast<std::size_t>(plan.tensor(id).elements()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = stream.normal(static_cast<std::uint32_t>(i));
    return executable.write(id, std::span<const float>(values));
}

}  // namespace

Result<void> writeSyntheticBatch(compute::Executable& executable, std::uint64_t seed, std::uint64_t batch) {
    const auto& plan = executable.plan();
    const auto batchSeed = seed + (batch << 32);
    for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
        if (auto ok = writeInput(executable, plan.inputs[i], RandomStream(batchSeed, kInputStream + i)); !ok) return ok;
    }
    for (std::size_t h = 0; h < plan.heads.size(); ++h) {
        const auto& head = plan.heads[h];
        if (head.labels == plan::kNoTensor) continue;
        const bool softmax = head.head.loss == model::LossKind::SoftmaxCrossEntropy;
        const auto classes = softmax ? static_cast<std::uint32_t>(plan.tensor(head.logits).dims.back()) : 2U;
        if (auto ok = writeIds(executable, head.labels, RandomStream(batchSeed, kLabelStream + h), classes); !ok) return ok;
    }
    return {};
}

Result<void> writeInitialWeights(compute::Executable& executable, std::uint64_t seed) {
    const auto& plan = executable.plan();
    std::vector<float> values;
    for (std::size_t p = 0; p < plan.parameters.size(); ++p) {
        model::initialize(plan.parameters[p], seed, values);
        if (auto ok = executable.write(plan.parameterTensors[p], std::span<const float>(values)); !ok) return ok;
    }
    const auto parameters = plan.parameterTensors;
    for (const auto& tensor : plan.tensors) {
        const bool carried = tensor.role == TensorRole::State && std::find(parameters.begin(), parameters.end(), tensor.id) == parameters.end();
        if (tensor.role != TensorRole::OptimizerState && !carried) continue;
        values.assign(static_cast<std::size_t>(tensor.elements()), 0.0F);
        if (auto ok = executable.write(tensor.id, std::span<const float>(values)); !ok) return ok;
    }
    return {};
}

Result<void> writeSyntheticState(compute::Executable& executable, std::uint64_t seed) {
    if (auto ok = writeInitialWeights(executable, seed); !ok) return ok;
    return writeSyntheticBatch(executable, seed);
}

}  // namespace steelyard::bench
