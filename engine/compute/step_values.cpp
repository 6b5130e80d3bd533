// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/step_values.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/core/random.h"

namespace steelyard::compute {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kBatchStream = 0x2000;  // beside the parameters' streams (engine/model/graph.cpp)

// The element with the same name: usually that at the same index.
template <class Named>
const Named* sameIn(const std::vector<Named>& list, const Named& wanted) {
    const auto index = static_cast<std::size_t>(wanted.id);
    if (index < list.size() && list[index].name == wanted.name) return &list[index];
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == wanted.name; });
    return found == list.end() ? nullptr : &*found;
}

Result<void> writeSynthetic(const plan::Plan& source, Executable& executable, const plan::Tensor& tensor,
                            std::uint64_t seed) {
    const auto* same = sameIn(source.tensors, tensor);
    const auto number = same == nullptr ? tensor.id : same->id;
    const RandomStream stream(seed, kBatchStream + static_cast<std::uint64_t>(number));
    const auto count = static_cast<std::size_t>(tensor.elements());
    if (tensor.type != model::DataType::Int32) {
        std::vector<float> values(count);
        fillNormal(values, stream);
        return executable.write(tensor.id, values);
    }
    auto limit = static_cast<std::uint32_t>(integerLimit(executable.plan(), tensor.id));
    if (limit == kUnlimited && tensor.role == plan::TensorRole::Input) limit = 2;  // most likely a mask
    std::vector<std::int32_t> values(count);
    fillBelow(values, stream, limit);
    return executable.write(tensor.id, values);
}

}  // namespace

Result<void> writeInitialValues(Executable& executable, std::uint64_t seed) {
    return writeInitialValuesOf(executable.plan(), executable, seed);
}

Result<void> writeInitialValuesOf(const plan::Plan& source, Executable& executable, std::uint64_t seed) {
    const auto& plan = executable.plan();
    std::vector<float> values;
    for (const auto& parameter : plan.parameters) {
        const auto* same = sameIn(source.parameters, parameter);
        const bool fits = same != nullptr && same->spec.shape == parameter.spec.shape;
        TRY(model::initialValues(fits ? *same : parameter, seed, values));
        const auto tensor = plan.parameterTensors[static_cast<std::size_t>(parameter.id)];
        if (parameter.spec.type == model::DataType::Int32) {
            const std::vector<std::int32_t> integers(values.begin(), values.end());
            TRY(executable.write(tensor, integers));
            continue;
        }
        if (auto ok = executable.write(tensor, values); !ok) return ok;
    }
    return writeInitialStates(executable);
}

Result<void> writeInitialStates(Executable& executable) {
    const auto& plan = executable.plan();
    std::vector<float> values;
    for (const auto& op : plan.operations) {
        if (op.kind == plan::OperationKind::Attention) continue;  // its cache is part of the batch
        for (auto state : op.states) {
            values.assign(static_cast<std::size_t>(plan.tensor(state).elements()), 0.0F);
            if (auto ok = executable.write(state, values); !ok) return ok;
        }
    }
    return {};
}

Result<void> writeSyntheticBatch(Executable& executable, std::uint64_t seed) {
    return writeSyntheticBatchOf(executable.plan(), executable, seed);
}

Result<void> writeSyntheticBatchOf(const plan::Plan& source, Executable& executable, std::uint64_t seed) {
    const auto& plan = executable.plan();
    for (const auto& tensor : plan.tensors) {
        if (tensor.role != plan::TensorRole::Input && tensor.role != plan::TensorRole::Label) continue;
        if (auto ok = writeSynthetic(source, executable, tensor, seed); !ok) return ok;
    }
    for (const auto& op : plan.operations) {
        if (op.kind != plan::OperationKind::Attention) continue;
        for (auto state : op.states)
            if (auto ok = writeSynthetic(source, executable, plan.tensor(state), seed); !ok) return ok;
    }
    return {};
}

Result<void> writeSyntheticState(Executable& executable, std::uint64_t seed) {
    if (auto ok = writeInitialValues(executable, seed); !ok) return ok;
    return writeSyntheticBatch(executable, seed);
}

std::int64_t integerLimit(const plan::Plan& plan, plan::TensorId tensor) {
    std::int64_t limit = kUnlimited;
    for (const auto& head : plan.heads) {
        if (head.labels != tensor) continue;
        const bool softmax = head.head.loss == model::LossKind::SoftmaxCrossEntropy;
        limit = std::min<std::int64_t>(limit, softmax ? plan.tensor(head.logits).dims.back() : 2);
    }
    for (const auto& op : plan.operations) {
        const auto* embedding = std::get_if<model::Embedding>(&op.layer);
        if (embedding != nullptr && op.pass == plan::Pass::Forward && op.inputs[0] == tensor)
            limit = std::min(limit, embedding->vocabulary);
        const auto* array = std::get_if<model::ArrayLayer>(&op.layer);
        if (array == nullptr) continue;
        const auto* lookUp = std::get_if<model::LookUp>(&array->operation);
        if (lookUp != nullptr && lookUp->kind == model::LookUpKind::Axis && op.inputs[1] == tensor)
            limit = std::min(limit, plan.tensor(op.inputs[0]).dims[static_cast<std::size_t>(lookUp->axis)]);
        // Looks through operations that only move values.
        if (std::holds_alternative<model::Rearrange>(array->operation) && op.inputs[0] == tensor)
            limit = std::min(limit, integerLimit(plan, op.output));
    }
    return limit;
}

bool isWithin(std::int32_t value, std::int64_t limit) {
    return limit == kUnlimited || (value >= 0 && value < limit);
}

}  // namespace steelyard::compute
