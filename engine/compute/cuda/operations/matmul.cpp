// SPDX-License-Identifier: Apache-2.0
// Dense layers, y = x W^T + b, and the product of two inputs.
#include <algorithm>

#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {
namespace {

// x is [rows, features], y [rows, units], W [units, features].
struct Sizes {
    std::int64_t rows = 0, units = 0, features = 0;
};

Sizes sizesOf(const Compiler& compiler, TensorId weight, TensorId result) {
    const auto& w = compiler.dims(weight);
    return {compiler.elements(result) / w[0], w[0], w[1]};
}

MatrixProduct productOf(const Compiler& compiler, std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    MatrixProduct p;
    p.rows = rows;
    p.columns = columns;
    p.depth = depth;
    p.aStride = depth;
    p.bStride = columns;
    p.cStride = columns;
    p.operandType = compiler.type();
    p.resultType = compiler.type();
    p.tf32 = compiler.tf32();
    return p;
}

// Epilogues supported by the library.
std::optional<MatrixProduct::Epilogue> epilogueOf(model::ActivationKind kind, bool training) {
    if (kind == model::ActivationKind::Relu) return MatrixProduct::Epilogue::BiasRelu;
    // Its derivative needs values that the epilogue does not store.
    if (kind == model::ActivationKind::GeluTanh && !training) return MatrixProduct::Epilogue::BiasGeluTanh;
    return std::nullopt;
}

Result<void> forward(Compiler& compiler, const plan::Operation& op) {
    const auto s = sizesOf(compiler, op.parameters[0], op.output);
    auto p = productOf(compiler, s.rows, s.units, s.features);
    p.transposeB = true;
    p.bStride = s.features;
    auto result = op.output;
    const bool bias = op.parameters.size() > 1;
    if (bias) {
        p.epilogue = MatrixProduct::Epilogue::Bias;
        if (const auto* activation = compiler.onlyActivationOf(op.output)) {
            const auto kind = std::get<model::Activation>(activation->layer).kind;
            if (const auto epilogue = epilogueOf(kind, compiler.training())) {
                p.epilogue = *epilogue;
                result = activation->output;
                compiler.takeNext();
            }
        }
    }
    std::vector<Value> operands{compiler.value(op.inputs[0]), compiler.weight(op.parameters[0]),
                                compiler.value(result)};
    if (bias) operands.push_back(compiler.weight(op.parameters[1]));
    return compiler.call(p, std::move(operands));
}

Result<void> backwardData(Compiler& compiler, const plan::Operation& op) {
    const auto s = sizesOf(compiler, op.parameters[0], op.outputGradient);
    auto p = productOf(compiler, s.rows, s.features, s.units);
    p.accumulate = op.accumulate[0];
    return compiler.call(p, {compiler.value(op.outputGradient), compiler.weight(op.parameters[0]),
                             compiler.value(op.inputGradients[0])});
}

Result<void> backwardWeights(Compiler& compiler, const plan::Operation& op) {
    const auto s = sizesOf(compiler, op.parameterGradients[0], op.outputGradient);
    const auto dy = compiler.value(op.outputGradient);
    auto p = productOf(compiler, s.units, s.features, s.rows);
    p.transposeA = true;
    p.aStride = s.units;
    p.resultType = ElementType::F32;
    p.accumulate = op.accumulateParameters;
    if (auto ok = compiler.call(p, {dy, compiler.value(op.inputs[0]), compiler.value(op.parameterGradients[0])}); !ok)
        return ok;
    if (op.parameterGradients.size() < 2) return {};
    const kernels::ChannelAxes axes{s.rows, s.units, 1};
    const auto sums = compiler.value(op.parameterGradients[1]);
    const auto workspace = compiler.scratch(kernels::sumChannelsWorkspace(axes));
    compiler.kernel("native:sum_channels", {dy, sums, workspace},
                    [=, type = compiler.type(), add = op.accumulateParameters](Stream stream) {
                        return kernels::sumChannels(stream, type, dy.data(), axes, sums.as<float>(), add,
                                                    workspace.data());
                    });
    return {};
}

}  // namespace

Result<void> emitMatMul(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) return forward(compiler, op);
    return op.pass == plan::Pass::BackwardData ? backwardData(compiler, op) : backwardWeights(compiler, op);
}

Result<void> emitProduct(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Product>(op.layer);
    const auto& a = compiler.dims(op.inputs[0]);
    const auto& b = compiler.dims(op.inputs[1]);
    const auto& c = compiler.dims(op.output);
    auto p = productOf(compiler, c[1], c[2], a[layer.transposeA ? 1 : 2]);
    p.transposeA = layer.transposeA;
    p.transposeB = layer.transposeB;
    p.aStride = a[2];
    p.bStride = b[2];
    p.batch = c[0];
    p.aBatchStride = a[1] * a[2];
    p.bBatchStride = b[1] * b[2];
    p.cBatchStride = c[1] * c[2];
    return compiler.call(p, {compiler.value(op.inputs[0]), compiler.value(op.inputs[1]), compiler.value(op.output)});
}

}  // namespace steelyard::compute::cuda
