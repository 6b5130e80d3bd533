// SPDX-License-Identifier: Apache-2.0
// Dense layers, y = x W^T + b over the last dimension, by the implementations that dense_layer.h chooses.
#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/folding.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/operations/dense/dense_layer.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

using plan::Pass;

// A flattened image is read in place, with weights laid out to match; all others as rows of features.
Value sourceOf(Compiler& compiler, const plan::Operation& op, DenseShape& shape) {
    auto x = compiler.value(op.inputs[0]);
    if (dimsOf(x.desc).size() == 4 && channelLayout(x.desc)) {
        shape.source = x.desc;
        shape.features = channelLayout(x.desc)->size() / shape.rows;
        return x;
    }
    x = compiler.plainValue(op.inputs[0]);
    shape.source = x.desc = plainDesc(Dims{shape.rows, shape.features}, kindOf(x.desc));
    return x;
}

DenseShape denseShapeOf(const Compiler& compiler, const plan::Operation& op) {
    DenseShape shape;
    const auto& weights = compiler.tensor(op.parameters[0]).dims;
    shape.units = weights[0];
    shape.features = weights[1];
    shape.rows = compiler.tensor(op.output).elements() / shape.units;
    shape.bias = op.parameters.size() > 1 || !compiler.fusion().normalisation.empty();
    shape.kind = dataKind(compiler.tensor(op.output).type);
    shape.activation = compiler.fusion().activation;
    return shape;
}

// The weights in the layout of the chosen forward implementation.
Value weightsOf(Compiler& compiler, const DenseChoice& choice, TensorId id) {
    if (!isEmpty(choice.master)) compiler.placeMaster(id, choice.master);
    const auto weights = compiler.weight(id, choice.weightsDesc());
    return choice.blocked || choice.packed ? weights : weights.viewed(choice.shape.weightRows(choice.shape.kind));
}

Result<void> emitDenseForward(Compiler& compiler, const plan::Operation& op) {
    auto shape = denseShapeOf(compiler, op);
    const auto x = sourceOf(compiler, op, shape);
    const auto choice = chooseDense(compiler, shape, op);
    Value weights, bias;
    if (compiler.fusion().normalisation.empty()) {
        weights = weightsOf(compiler, choice, op.parameters[0]);
        if (shape.bias) bias = compiler.weight(op.parameters[1], shape.biasDesc());
    } else {
        auto dims = dimsOf(shape.source);
        dims[0] = shape.units;
        const auto folded = foldNormalisation(compiler, op, dims, choice.weightsDesc());
        weights =
            choice.blocked || choice.packed ? folded.weights : folded.weights.viewed(shape.weightRows(shape.kind));
        bias = folded.bias;
    }
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output)).viewed(shape.target());
    choice.forward.emit(compiler, {.a = x, .b = weights, .c = y, .bias = bias});
    compiler.remember(op.node, choice);
    return {};
}

Result<void> emitDenseBackwardData(Compiler& compiler, const plan::Operation& op) {
    const auto& choice = compiler.recall<DenseChoice>(op.node);
    const auto& shape = choice.shape;
    const auto dy = compiler.plainValue(op.outputGradient).viewed(shape.target());
    const auto weights = weightsOf(compiler, choice, op.parameters[0]);
    const auto dx =
        compiler.inputGradient(op, 0, shape.isImage() ? shape.source : compiler.plainDescOf(op.inputGradients[0]));
    const auto stored = choice.blocked ? compiler.weight(op.parameters[0], choice.data.weights) : weights;
    choice.data.emit(compiler, {.a = dy, .b = stored, .c = dx.value});
    compiler.finishGradient(dx);
    return {};
}

Result<void> emitDenseBackwardWeights(Compiler& compiler, const plan::Operation& op) {
    const auto& choice = compiler.recall<DenseChoice>(op.node);
    const auto& shape = choice.shape;
    const auto source = compiler.valueAs(op.inputs[0], shape.source);
    const auto dy = compiler.plainValue(op.outputGradient).viewed(shape.target());
    GradientTarget bias;
    if (shape.bias) bias = compiler.parameterGradient(op, 1, shape.biasDesc());
    const auto weights = compiler.parameterGradient(op, 0, choice.weights.weights);
    choice.weights.emit(compiler, {.a = dy, .b = source, .c = weights.value, .bias = bias.value});
    compiler.finishGradient(weights);
    compiler.finishGradient(bias);
    return {};
}

}  // namespace

Result<void> emitMatMul(Compiler& compiler, const plan::Operation& op) {
    switch (op.pass) {
        case Pass::BackwardData:
            return emitDenseBackwardData(compiler, op);
        case Pass::BackwardWeights:
            return emitDenseBackwardWeights(compiler, op);
        case Pass::Forward:
        case Pass::Backward:
        case Pass::Update:
            break;
    }
    return emitDenseForward(compiler, op);
}

}  // namespace steelyard::compute::cpu
