// SPDX-License-Identifier: Apache-2.0
// Names, and the tensors that operations read and write.
#include "engine/plan/plan.h"

#include "engine/model/zoo/zoo.h"

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

Mode usualMode(const model::Workload& workload) {
    return workload.inferenceOnly || workload.usuallyInferred ? Mode::Infer : Mode::Train;
}

std::optional<Mode> modeFromString(std::string_view name) {
    for (auto mode : kModes)
        if (toString(mode) == name) return mode;
    return std::nullopt;
}

std::string_view toString(Precision precision) {
    switch (precision) {
        case Precision::Fp32:
            return "fp32";
        case Precision::Tf32:
            return "tf32";
        case Precision::Bf16:
            return "bf16";
        case Precision::Fp16:
            return "fp16";
        case Precision::Int8:
            return "int8";
    }
    return {};
}

std::optional<Precision> precisionFromString(std::string_view name) {
    for (auto precision : kPrecisions)
        if (toString(precision) == name) return precision;
    return std::nullopt;
}

model::DataType activationType(Precision precision) {
    switch (precision) {
        case Precision::Bf16:
            return model::DataType::BFloat16;
        case Precision::Fp16:
            return model::DataType::Float16;
        case Precision::Fp32:
        case Precision::Tf32:
        case Precision::Int8:
            return model::DataType::Float32;
    }
    return model::DataType::Float32;
}

std::string_view toString(OperationKind kind) {
    switch (kind) {
        case OperationKind::Convolution:
            return "convolution";
        case OperationKind::DepthwiseConvolution:
            return "depthwise_convolution";
        case OperationKind::MatMul:
            return "matmul";
        case OperationKind::Attention:
            return "attention";
        case OperationKind::Recurrent:
            return "recurrent";
        case OperationKind::Activation:
            return "activation";
        case OperationKind::Dropout:
            return "dropout";
        case OperationKind::Add:
            return "add";
        case OperationKind::Concat:
            return "concat";
        case OperationKind::Flatten:
            return "flatten";
        case OperationKind::Pool:
            return "pool";
        case OperationKind::GlobalPool:
            return "global_pool";
        case OperationKind::BatchNorm:
            return "batch_norm";
        case OperationKind::LayerNorm:
            return "layer_norm";
        case OperationKind::Embedding:
            return "embedding";
        case OperationKind::AddParameter:
            return "add_parameter";
        case OperationKind::ClassToken:
            return "class_token";
        case OperationKind::ToTokens:
            return "to_tokens";
        case OperationKind::SelectStep:
            return "select_step";
        case OperationKind::ShortcutPad:
            return "shortcut_pad";
        case OperationKind::Product:
            return "product";
        case OperationKind::Array:
            return "array";
        case OperationKind::RmsNorm:
            return "rms_norm";
        case OperationKind::RotaryEmbedding:
            return "rotary_embedding";
        case OperationKind::GroupedAttention:
            return "grouped_attention";
        case OperationKind::GatedActivation:
            return "gated_activation";
        case OperationKind::Scale:
            return "scale";
        case OperationKind::Softmax:
            return "softmax";
        case OperationKind::Sigmoid:
            return "sigmoid";
        case OperationKind::SoftmaxCrossEntropy:
            return "softmax_cross_entropy";
        case OperationKind::SigmoidCrossEntropy:
            return "sigmoid_cross_entropy";
        case OperationKind::ClipGradients:
            return "clip_gradients";
        case OperationKind::Update:
            return "update";
    }
    return {};
}

std::string_view toString(Pass pass) {
    switch (pass) {
        case Pass::Forward:
            return "forward";
        case Pass::Backward:
            return "backward";
        case Pass::BackwardData:
            return "backward_data";
        case Pass::BackwardWeights:
            return "backward_weights";
        case Pass::Update:
            return "update";
    }
    return {};
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
    for (const auto& op : operations) {
        if (op.pass != Pass::Forward) break;  // the rest is the backward pass, including its array operations
        sum += op.macs;
    }
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
