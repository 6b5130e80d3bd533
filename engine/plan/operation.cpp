// SPDX-License-Identifier: Apache-2.0
// Names, and which tensors an operation touches.
#include <array>

#include "engine/plan/plan.h"

namespace steelyard::plan {
namespace {

void appendPresent(std::vector<TensorId>& list, const std::vector<TensorId>& ids) {
    for (auto id : ids)
        if (id != kNoTensor) list.push_back(id);
}

}  // namespace

std::string_view toString(Mode mode) {
    return mode == Mode::Train ? "train" : "infer";
}

std::optional<Mode> modeFromString(std::string_view name) {
    if (name == "train") return Mode::Train;
    if (name == "infer") return Mode::Infer;
    return std::nullopt;
}

std::string_view toString(Precision precision) {
    constexpr std::array<std::string_view, 4> names{"fp32", "tf32", "bf16", "fp16"};
    return names[static_cast<std::size_t>(precision)];
}

std::optional<Precision> precisionFromString(std::string_view name) {
    for (auto precision : {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16})
        if (toString(precision) == name) return precision;
    return std::nullopt;
}

model::DataType activationType(Precision precision) {
    switch (precision) {
        case Precision::Bf16:
            return model::DataType::BFloat16;
        case Precision::Fp16:
            return model::DataType::Float16;
        default:
            return model::DataType::Float32;
    }
}

std::string_view toString(OperationKind kind) {
    constexpr std::array<std::string_view, 27> names{"convolution",
                                                     "depthwise_convolution",
                                                     "matmul",
                                                     "attention",
                                                     "recurrent",
                                                     "activation",
                                                     "dropout",
                                                     "add",
                                                     "concat",
                                                     "flatten",
                                                     "pool",
                                                     "global_pool",
                                                     "batch_norm",
                                                     "layer_norm",
                                                     "embedding",
                                                     "add_parameter",
                                                     "class_token",
                                                     "to_tokens",
                                                     "select_step",
                                                     "shortcut_pad",
                                                     "product",
                                                     "softmax",
                                                     "sigmoid",
                                                     "softmax_cross_entropy",
                                                     "sigmoid_cross_entropy",
                                                     "clip_gradients",
                                                     "update"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view toString(Pass pass) {
    constexpr std::array<std::string_view, 5> names{"forward", "backward", "backward_data", "backward_weights",
                                                    "update"};
    return names[static_cast<std::size_t>(pass)];
}

std::vector<TensorId> Operation::reads() const {
    std::vector<TensorId> list;
    appendPresent(list, inputs);
    appendPresent(list, parameters);
    switch (pass) {
        case Pass::Forward:
            appendPresent(list, states);
            break;
        case Pass::Update:
            appendPresent(list, parameterGradients);
            appendPresent(list, states);
            break;
        default:
            appendPresent(list, {output, outputGradient});
            appendPresent(list, saved);
            for (std::size_t i = 0; i < inputGradients.size(); ++i)
                if (accumulate[i]) appendPresent(list, {inputGradients[i]});
            if (accumulateParameters) appendPresent(list, parameterGradients);
    }
    return list;
}

std::vector<TensorId> Operation::writes() const {
    std::vector<TensorId> list;
    switch (pass) {
        case Pass::Forward:
            appendPresent(list, {output});
            appendPresent(list, saved);
            if (kind == OperationKind::Recurrent) appendPresent(list, states);
            break;
        case Pass::Update:
            if (kind == OperationKind::ClipGradients)
                appendPresent(list, parameterGradients);
            else
                appendPresent(list, parameters);
            appendPresent(list, states);
            break;
        default:
            appendPresent(list, inputGradients);
            appendPresent(list, parameterGradients);
    }
    return list;
}

double Plan::stepFlops() const {
    double sum = 0;
    for (const auto& op : operations) sum += op.flops;
    return sum;
}

double Plan::stepBytes() const {
    double sum = 0;
    for (const auto& op : operations) sum += op.bytes;
    return sum;
}

double Plan::forwardMacsPerSample() const {
    double sum = 0;
    for (const auto& op : operations)
        if (op.pass == Pass::Forward) sum += op.macs;
    return sum / static_cast<double>(options.batch);
}

std::int64_t Plan::tokensPerSample() const {
    for (auto id : inputs) {
        const auto& t = tensor(id);
        if (t.type == model::DataType::Int32) return t.elements() / options.batch;
    }
    return 1;
}

}  // namespace steelyard::plan
