// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/operation_cost.h"

#include <algorithm>

#include "engine/plan/quantisation.h"

namespace steelyard::plan {
namespace {

double elements(const Plan& plan, TensorId id) {
    return id == kNoTensor ? 0 : static_cast<double>(plan.tensor(id).elements());
}

// Cost of the forward operation, independent of the pass. Backward operations have no output, so the sizes come from
// output or outputGradient, whichever is present.
TensorId resultOf(const Operation& op) {
    return op.output != kNoTensor ? op.output : op.outputGradient;
}

void fillConvolution(Operation& op, const Plan& plan, const model::Conv2d& layer, const model::Shape& weight) {
    const double taps = static_cast<double>(weight[1] * layer.kernel.height * layer.kernel.width);
    op.macs = elements(plan, resultOf(op)) * taps;
    op.outputChannels = static_cast<double>(layer.filters / layer.groups);
    op.reductionLength = taps;
}

void fillRecurrent(Operation& op, const model::Recurrent& layer, const model::Shape& input) {
    const double directions = layer.bidirectional ? 2 : 1;
    const double gates = static_cast<double>(model::gateCount(layer.cell) * layer.units);
    const double steps = static_cast<double>(input[1]);
    op.macs = directions * static_cast<double>(input[0]) * steps * gates * static_cast<double>(input[2] + layer.units);
    op.outputChannels = gates;
    op.reductionLength = static_cast<double>(input[2] + layer.units);
    op.sequentialSteps = input[1];
}

void fillArray(Operation& op, const Plan& plan, const model::ArrayLayer& layer) {
    std::vector<model::Shape> shapes;
    for (auto id : op.inputs) shapes.push_back(plan.tensor(id).dims);
    const auto& output = plan.tensor(op.output).dims;
    op.macs = model::arrayMacs(layer.operation, shapes, output);
    if (std::holds_alternative<model::MatrixProduct>(layer.operation)) {
        op.outputChannels = static_cast<double>(output.back());
        op.reductionLength = static_cast<double>(shapes[0].back());
    }
    if (std::holds_alternative<model::AttendArrays>(layer.operation)) {
        op.outputChannels = static_cast<double>(shapes[1].back());
        op.reductionLength = static_cast<double>(shapes[0].back());
    }
    if (std::holds_alternative<model::ConvolveNd>(layer.operation)) {
        op.outputChannels = static_cast<double>(output[1]);
        op.reductionLength = op.macs / static_cast<double>(model::elementCount(output));
    }
    if (const auto* pass = std::get_if<model::RecurrentPass>(&layer.operation)) {
        op.outputChannels = static_cast<double>(shapes[1][1]);
        op.reductionLength = static_cast<double>(shapes[1][2] + pass->units);
        op.sequentialSteps = shapes[0][0];
    }
}

void fillMatrixWork(Operation& op, const Plan& plan, const model::Shape& firstInput, const model::Shape& weight) {
    if (const auto* conv = std::get_if<model::Conv2d>(&op.layer)) return fillConvolution(op, plan, *conv, weight);
    if (std::get_if<model::Dense>(&op.layer) != nullptr && op.kind == OperationKind::MatMul) {
        op.macs = elements(plan, resultOf(op)) * static_cast<double>(weight[1]);
        op.outputChannels = static_cast<double>(weight[0]);
        op.reductionLength = static_cast<double>(weight[1]);
        return;
    }
    if (const auto* attention = std::get_if<model::Attention>(&op.layer)) {
        const double tokens = static_cast<double>(firstInput[1]);
        const double keys = tokens + static_cast<double>(attention->cachedTokens);
        const double features = static_cast<double>(firstInput[2]) / 3;
        op.macs = 2 * static_cast<double>(firstInput[0]) * tokens * keys * features;
        op.outputChannels = keys;
        op.reductionLength = features / static_cast<double>(attention->heads);
        return;
    }
    if (const auto* attention = std::get_if<model::GroupedAttention>(&op.layer)) {
        const double tokens = static_cast<double>(firstInput[1]), features = static_cast<double>(firstInput[2]);
        const double keys = attention->window > 0 ? std::min(tokens, static_cast<double>(attention->window)) : tokens;
        op.macs = 2 * static_cast<double>(plan.options.batch) * tokens * keys * features;
        op.outputChannels = keys;
        op.reductionLength = features / static_cast<double>(attention->heads);
        return;
    }
    if (const auto* product = std::get_if<model::Product>(&op.layer)) {
        op.outputChannels = static_cast<double>(plan.tensor(op.output).dims.back());
        op.reductionLength = static_cast<double>(firstInput[product->transposeA ? 1 : 2]);
        op.macs = elements(plan, op.output) * op.reductionLength;
        return;
    }
    if (const auto* recurrent = std::get_if<model::Recurrent>(&op.layer)) fillRecurrent(op, *recurrent, firstInput);
    if (const auto* array = std::get_if<model::ArrayLayer>(&op.layer)) fillArray(op, plan, *array);
}

// Arithmetic per output element of operations without a matrix product, by the textbook formula.
double pointwiseFlops(OperationKind kind, Pass pass) {
    switch (kind) {
        case OperationKind::BatchNorm:
        case OperationKind::LayerNorm:
            return pass == Pass::Forward ? 4 : 8;
        case OperationKind::Softmax:
        case OperationKind::SoftmaxCrossEntropy:
            return pass == Pass::Forward ? 4 : 2;
        case OperationKind::RmsNorm:
            return pass == Pass::Forward ? 3 : 7;
        case OperationKind::RotaryEmbedding:
            return 3;
        case OperationKind::GatedActivation:
            return pass == Pass::Forward ? 2 : 4;
        case OperationKind::Flatten:
        case OperationKind::Concat:
        case OperationKind::ToTokens:
        case OperationKind::SelectStep:
        case OperationKind::ShortcutPad:
        case OperationKind::Embedding:
            return pass == Pass::Forward ? 0 : 1;
        default:
            return 1;
    }
}

// The kind of layer with the same arithmetic as an imported operation.
OperationKind likeOf(const Operation& op) {
    const auto* array = std::get_if<model::ArrayLayer>(&op.layer);
    if (array == nullptr) return op.kind;
    if (std::holds_alternative<model::SoftmaxAlong>(array->operation)) return OperationKind::Softmax;
    if (std::holds_alternative<model::Normalise>(array->operation)) return OperationKind::LayerNorm;
    return op.kind;
}

double updateFlops(const Operation& op, const Plan& plan) {
    if (op.kind == OperationKind::ClipGradients) return 3;
    switch (plan.options.optimizer.kind) {
        case model::OptimizerKind::Sgd:
            return 2;
        case model::OptimizerKind::Momentum:
            return 4;
        case model::OptimizerKind::RmsProp:
            return 7;
        case model::OptimizerKind::Adadelta:
            return 12;
        case model::OptimizerKind::Adam:
            return 11;
    }
    return 2;
}

// Weight elements that an operation reads: for tables, only rows that are looked up or updated.
double weightElementsRead(const Operation& op, const Plan& plan, TensorId weight) {
    const double all = elements(plan, weight);
    if (op.kind == OperationKind::Embedding) return elements(plan, resultOf(op));
    if (op.kind == OperationKind::AddParameter)
        return std::min(all, elements(plan, resultOf(op)) / static_cast<double>(plan.options.batch));
    return all;
}

// Maximum number of table rows that a batch touches, if only those are updated.
double sparseRows(const Operation& op, const Plan& plan, TensorId tensor) {
    const auto* embedding = std::get_if<model::Embedding>(&op.layer);
    if (embedding == nullptr || !embedding->sparseUpdate) return 1;
    const auto& table = plan.tensor(tensor);
    if (table.role == TensorRole::ActivationGradient || table.type == model::DataType::Int32) return 1;
    const double ids = static_cast<double>(plan.tokensPerSample() * plan.options.batch);
    return std::min(1.0, ids / static_cast<double>(embedding->vocabulary));
}

// Operations that move or select values read no more than they write.
bool isMove(const Operation& op) {
    const auto* array = std::get_if<model::ArrayLayer>(&op.layer);
    if (array == nullptr) return false;
    const auto& kind = array->operation;
    return std::holds_alternative<model::Rearrange>(kind) || std::holds_alternative<model::PadArray>(kind) ||
           std::holds_alternative<model::JoinArrays>(kind) || std::holds_alternative<model::LookUp>(kind) ||
           std::holds_alternative<model::Scatter>(kind) || std::holds_alternative<model::Triangle>(kind);
}

double trafficBytes(const Operation& op, const Plan& plan) {
    if (op.kind == OperationKind::Flatten) return 0;  // no data movement
    const auto activationWidth = static_cast<double>(model::bytesOf(activationType(plan.options.precision)));
    double sum = 0;
    for (auto id : op.reads()) {
        const auto& tensor = plan.tensor(id);
        if (isMove(op)) {
            const auto width = tensor.type == model::DataType::Int32 ? 4.0 : activationWidth;
            sum += std::min(elements(plan, id), elements(plan, op.output)) * width;
            continue;
        }
        if (tensor.role == TensorRole::Weight && op.pass != Pass::Update) {
            const bool eightBits = isEightBitProduct(op, plan) && id == op.parameters[0];
            sum += weightElementsRead(op, plan, id) * (eightBits ? 1 : activationWidth);
        } else {
            sum += static_cast<double>(tensor.bytes()) * (op.pass == Pass::Update ? sparseRows(op, plan, id) : 1);
        }
    }
    for (auto id : op.writes())
        sum += static_cast<double>(plan.tensor(id).bytes()) * (op.pass == Pass::Forward ? 1 : sparseRows(op, plan, id));
    return sum;
}

}  // namespace

void fillCost(Operation& op, const Plan& plan) {
    op.bytes = trafficBytes(op, plan);
    if (op.pass == Pass::Update) {
        double count = 0;
        for (auto id : op.parameterGradients) count += elements(plan, id) * sparseRows(op, plan, id);
        op.flops = updateFlops(op, plan) * count;
        return;
    }
    const bool matrixLike = op.macs > 0;
    const double perElement = matrixLike || isMove(op) ? 0 : pointwiseFlops(likeOf(op), op.pass);
    double result = elements(plan, resultOf(op));
    if (op.kind == OperationKind::Array) result = std::max(result, elements(plan, op.inputs[0]));
    if (op.kind == OperationKind::Pool || op.kind == OperationKind::GlobalPool)
        result = elements(plan, op.inputs.empty() ? kNoTensor : op.inputs[0]);
    if (result == 0 && !op.inputGradients.empty()) result = elements(plan, op.inputGradients[0]);
    op.flops = 2 * op.macs + perElement * result;
    // A bias adds once per output element forward, and is reduced once per output element backward.
    const bool biased = op.pass == Pass::Forward
                            ? op.parameters.size() == 2
                            : op.pass == Pass::BackwardWeights && op.parameterGradients.size() == 2;
    if (matrixLike && biased) op.flops += elements(plan, resultOf(op));
}

void fillMatrixCost(Operation& op, const Plan& plan, const model::Shape& firstInput, const model::Shape& weight) {
    fillMatrixWork(op, plan, firstInput, weight);
    const bool joint = op.pass == Pass::Backward;
    if (joint) op.macs *= 2;
}

}  // namespace steelyard::plan
