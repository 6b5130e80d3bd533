// SPDX-License-Identifier: Apache-2.0
// Batch and layer normalisation. Operations after a batch normalisation are fused: a ReLU in both passes, the addition
// of a shortcut in the forward pass.
#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {
namespace {

kernels::BatchNormParameters parametersOf(Value scale, Value offset, double epsilon) {
    return {scale.as<const float>(), offset.as<const float>(), static_cast<float>(epsilon)};
}

// The addition must be the only reader of the normalised values, with one other operand.
const plan::Operation* addOf(const Compiler& compiler, TensorId normalised, std::size_t ahead) {
    const auto* add = compiler.next(ahead);
    const bool fits = add != nullptr && add->kind == plan::OperationKind::Add && add->pass == plan::Pass::Forward &&
                      add->inputs.size() == 2 && add->inputs[0] != add->inputs[1] && compiler.isReadOnce(normalised);
    return fits && (add->inputs[0] == normalised || add->inputs[1] == normalised) ? add : nullptr;
}

Result<void> batchNormForward(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::BatchNorm>(op.layer);
    const auto following = followingOf(compiler, op);
    for (std::size_t i = 0; i < following.operations; ++i) compiler.takeNext();
    const bool relu = following.relu;
    const auto x = compiler.value(op.inputs[0]), y = compiler.value(following.result);
    const auto shortcut = compiler.value(following.shortcut);
    const auto scale = compiler.f32Weight(op.parameters[0]), offset = compiler.f32Weight(op.parameters[1]);
    const auto mean = compiler.value(op.parameters[2]), variance = compiler.value(op.parameters[3]);
    const auto axes = compiler.channelAxes(compiler.dims(op.output));
    const auto type = compiler.type();
    if (!compiler.training()) {
        compiler.kernel("native:batch_norm", {x, y, shortcut, scale, offset, mean, variance}, [=](Stream stream) {
            return kernels::batchNormApply(stream, type, axes, x.data(), parametersOf(scale, offset, layer.epsilon),
                                           mean.as<const float>(), variance.as<const float>(), shortcut.data(), relu,
                                           y.data());
        });
        return {};
    }
    const auto savedMean = compiler.value(op.saved[0]), savedInverse = compiler.value(op.saved[1]);
    const auto workspace = compiler.scratch(kernels::batchNormWorkspace(axes));
    compiler.kernel(
        "native:batch_norm", {x, y, shortcut, scale, offset, mean, variance, savedMean, savedInverse, workspace},
        [=](Stream stream) {
            return kernels::batchNormForward(stream, type, axes, x.data(), parametersOf(scale, offset, layer.epsilon),
                                             static_cast<float>(layer.momentum), mean.as<float>(), variance.as<float>(),
                                             savedMean.as<float>(), savedInverse.as<float>(), shortcut.data(), relu,
                                             y.data(), workspace.data());
        });
    return {};
}

// relu: ReLU's skipped backward pass; null without.
Result<void> emitBatchNormBackward(Compiler& compiler, const plan::Operation& op, const plan::Operation* relu) {
    const auto x = compiler.value(op.inputs[0]);
    const auto y = relu != nullptr ? compiler.value(relu->output) : Value{};
    const auto dy = compiler.value(relu != nullptr ? relu->outputGradient : op.outputGradient);
    const auto dx = compiler.value(op.inputGradients[0]);
    const auto scale = compiler.f32Weight(op.parameters[0]);
    const auto savedMean = compiler.value(op.saved[0]), savedInverse = compiler.value(op.saved[1]);
    const auto dScale = compiler.value(op.parameterGradients[0]), dOffset = compiler.value(op.parameterGradients[1]);
    const auto axes = compiler.channelAxes(compiler.dims(op.outputGradient));
    const auto workspace = compiler.scratch(kernels::batchNormWorkspace(axes));
    compiler.kernel("native:batch_norm", {x, y, dy, dx, scale, savedMean, savedInverse, dScale, dOffset, workspace},
                    [=, type = compiler.type(), rectified = relu != nullptr, add = static_cast<bool>(op.accumulate[0]),
                     addParameters = op.accumulateParameters](Stream stream) {
                        const kernels::BatchNormGradients g{.x = x.data(),
                                                            .y = y.data(),
                                                            .dy = dy.data(),
                                                            .dx = dx.data(),
                                                            .relu = rectified,
                                                            .accumulate = add,
                                                            .accumulateParameters = addParameters,
                                                            .scale = scale.as<const float>(),
                                                            .savedMean = savedMean.as<const float>(),
                                                            .savedInverse = savedInverse.as<const float>(),
                                                            .dScale = dScale.as<float>(),
                                                            .dOffset = dOffset.as<float>()};
                        return kernels::batchNormBackward(stream, type, axes, g, workspace.data());
                    });
    return {};
}

Result<void> layerNormForward(Compiler& compiler, const plan::Operation& op) {
    const auto x = compiler.value(op.inputs[0]), y = compiler.value(op.output);
    const auto scale = compiler.f32Weight(op.parameters[0]), offset = compiler.f32Weight(op.parameters[1]);
    const auto mean = compiler.valueOf(op.saved, 0), inverse = compiler.valueOf(op.saved, 1);
    const auto features = compiler.dims(op.output).back(), rows = compiler.elements(op.output) / features;
    const auto epsilon = static_cast<float>(std::get<model::LayerNorm>(op.layer).epsilon);
    compiler.kernel(
        "native:layer_norm", {x, y, scale, offset, mean, inverse}, [=, type = compiler.type()](Stream stream) {
            return kernels::layerNormForward(stream, type, x.data(), scale.as<const float>(), offset.as<const float>(),
                                             epsilon, y.data(), mean.as<float>(), inverse.as<float>(), rows, features);
        });
    return {};
}

Result<void> layerNormBackward(Compiler& compiler, const plan::Operation& op) {
    const auto x = compiler.value(op.inputs[0]), dy = compiler.value(op.outputGradient);
    const auto dx = compiler.value(op.inputGradients[0]);
    const auto scale = compiler.f32Weight(op.parameters[0]);
    const auto mean = compiler.value(op.saved[0]), inverse = compiler.value(op.saved[1]);
    const auto dScale = compiler.value(op.parameterGradients[0]), dOffset = compiler.value(op.parameterGradients[1]);
    const auto features = compiler.dims(op.outputGradient).back();
    const auto rows = compiler.elements(op.outputGradient) / features;
    const auto workspace = compiler.scratch(kernels::layerNormWorkspace(rows, features));
    compiler.kernel("native:layer_norm", {x, dy, dx, scale, mean, inverse, dScale, dOffset, workspace},
                    [=, type = compiler.type(), add = static_cast<bool>(op.accumulate[0]),
                     addParameters = op.accumulateParameters](Stream stream) {
                        const kernels::LayerNormGradients g{.x = x.data(),
                                                            .dy = dy.data(),
                                                            .dx = dx.data(),
                                                            .accumulate = add,
                                                            .accumulateParameters = addParameters,
                                                            .scale = scale.as<const float>(),
                                                            .savedMean = mean.as<const float>(),
                                                            .savedInverse = inverse.as<const float>(),
                                                            .dScale = dScale.as<float>(),
                                                            .dOffset = dOffset.as<float>()};
                        return kernels::layerNormBackward(stream, type, g, rows, features, workspace.data());
                    });
    return {};
}

}  // namespace

NormFollowing followingOf(const Compiler& compiler, const plan::Operation& norm, std::size_t ahead) {
    NormFollowing following{norm.output};
    if (const auto* add = addOf(compiler, norm.output, ahead)) {
        following.shortcut = add->inputs[add->inputs[0] == norm.output ? 1 : 0];
        following.result = add->output;
        following.operations = 1;
    }
    const auto* activation = compiler.onlyActivationOf(following.result, ahead + following.operations);
    if (activation == nullptr) return following;
    following.relu = std::get<model::Activation>(activation->layer).kind == model::ActivationKind::Relu;
    if (!following.relu) return following;
    following.result = activation->output;
    ++following.operations;
    return following;
}

Result<void> emitBatchNorm(Compiler& compiler, const plan::Operation& op) {
    return op.pass == plan::Pass::Forward ? batchNormForward(compiler, op)
                                          : emitBatchNormBackward(compiler, op, nullptr);
}

bool tryReluBatchNormBackward(Compiler& compiler, const plan::Operation& relu, Result<void>& result) {
    const auto* norm = compiler.next();
    const bool fits = norm != nullptr && norm->kind == plan::OperationKind::BatchNorm &&
                      norm->pass == plan::Pass::Backward && norm->outputGradient == relu.inputGradients[0] &&
                      !relu.accumulate[0] && compiler.isReadOnce(relu.inputGradients[0]) &&
                      std::get<model::Activation>(relu.layer).kind == model::ActivationKind::Relu;
    if (!fits) return false;
    compiler.takeNext();
    result = emitBatchNormBackward(compiler, *norm, &relu);
    return true;
}

Result<void> emitLayerNorm(Compiler& compiler, const plan::Operation& op) {
    return op.pass == plan::Pass::Forward ? layerNormForward(compiler, op) : layerNormBackward(compiler, op);
}

}  // namespace steelyard::compute::cuda
