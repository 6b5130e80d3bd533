// SPDX-License-Identifier: Apache-2.0
// Dense layers: y = x W^T + b over the last dimension, by what dense_layer.h chose.
#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/folding.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/operations/dense/dense_layer.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

using dnnl::inner_product_backward_data;
using dnnl::inner_product_backward_weights;
using dnnl::inner_product_forward;
using plan::Pass;

// A flattened image is read as it lies, and the weights are laid out to match; all else as rows of features.
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

DenseShape shapeOf(const Compiler& compiler, const plan::Operation& op) {
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

Desc packedWeights(const DenseShape& shape) {
    return PackedGemm{shape.product(Pass::Forward)}.packedDesc();
}

// The weights as this way reads them.
Value weightsOf(Compiler& compiler, const DenseMemory& memory, TensorId id) {
    if (memory.blocked) {
        if (compiler.training() && memory.shape.kind != DataKind::f32)
            compiler.placeMaster(id,
                                 DensePrimitives(compiler, memory.shape, true).backwardWeights().diff_weights_desc());
        return compiler.weight(id, memory.hint->weights_desc());
    }
    if (memory.packed) return compiler.weight(id, packedWeights(memory.shape));
    return compiler.weight(id, memory.shape.storedRows(memory.shape.kind))
        .viewed(memory.shape.weightRows(memory.shape.kind));
}

Result<void> emitForward(Compiler& compiler, const plan::Operation& op) {
    auto shape = shapeOf(compiler, op);
    const auto x = sourceOf(compiler, op, shape);
    const auto memory = chooseDense(compiler, shape, op);
    Value weights, bias;
    if (compiler.fusion().normalisation.empty()) {
        weights = weightsOf(compiler, memory, op.parameters[0]);
        if (shape.bias) bias = compiler.weight(op.parameters[1], shape.biasDesc());
    } else {
        auto dims = dimsOf(shape.source);
        dims[0] = shape.units;
        const auto layout = memory.blocked  ? memory.hint->weights_desc()
                            : memory.packed ? packedWeights(shape)
                                            : shape.storedRows(shape.kind);
        const auto folded = foldNormalisation(compiler, op, dims, layout);
        weights =
            memory.blocked || memory.packed ? folded.weights : folded.weights.viewed(shape.weightRows(shape.kind));
        bias = folded.bias;
    }
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output)).viewed(shape.target());
    const auto rows = x.viewed(shape.sourceRows());
    if (memory.forward == DenseWay::OpenBlas) {
        const auto product = shape.product(Pass::Forward);
        compiler.task("openblas:sgemm", {rows, weights, y}, [=](const StepState&) {
            blasProduct(BlasLibrary::OpenBlas, product, 1, rows.as<float>(), weights.as<float>(), 0, y.as<float>());
        });
        emitBiasAndActivation(compiler, y, shape.rows, shape.units, bias, shape.activation);
    } else if (memory.forward == DenseWay::PackedGemm) {
        emitPackedGemm(compiler, packedGemm(compiler, shape, Pass::Forward, memory.packed), rows, weights, bias, y);
    } else if (memory.forward == DenseWay::MatMul) {
        const auto desc = DensePrimitives(compiler, shape, false).matMul(Pass::Forward);
        Compiler::Arguments arguments{{DNNL_ARG_SRC, rows.viewed(desc.src_desc())},
                                      {DNNL_ARG_WEIGHTS, weights.viewed(desc.weights_desc())},
                                      {DNNL_ARG_DST, y}};
        if (bias) arguments.emplace_back(DNNL_ARG_BIAS, bias.viewed(plainDesc(Dims{1, shape.units}, DataKind::f32)));
        compiler.primitive(dnnl::matmul(desc), desc, std::move(arguments));
    } else {
        const auto& desc = *memory.hint;
        Compiler::Arguments arguments{
            {DNNL_ARG_SRC, memory.blocked ? x : rows}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, y}};
        if (bias) arguments.emplace_back(DNNL_ARG_BIAS, bias);
        compiler.primitive(inner_product_forward(desc), desc, std::move(arguments));
    }
    compiler.remember(op.node, memory);
    return {};
}

Result<void> emitBackwardData(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<DenseMemory>(op.node);
    const auto& shape = memory.shape;
    const auto dy = compiler.plainValue(op.outputGradient).viewed(shape.target());
    const auto weights = weightsOf(compiler, memory, op.parameters[0]);
    const auto target =
        compiler.inputGradient(op, 0, shape.isImage() ? shape.source : compiler.plainDescOf(op.inputGradients[0]));
    const auto dx = target.value.viewed(shape.sourceRows());
    if (memory.data == DenseWay::OpenBlas) {
        const auto product = shape.product(Pass::BackwardData);
        compiler.task("openblas:sgemm", {dy, weights, dx}, [=](const StepState&) {
            blasProduct(BlasLibrary::OpenBlas, product, 1, dy.as<float>(), weights.as<float>(), 0, dx.as<float>());
        });
    } else if (memory.data == DenseWay::PackedGemm) {
        emitPackedGemm(compiler, packedGemm(compiler, shape, Pass::BackwardData, false), dy, weights, {}, dx);
    } else if (memory.data == DenseWay::MatMul) {
        const auto desc = DensePrimitives(compiler, shape, false).matMul(Pass::BackwardData);
        compiler.primitive(
            dnnl::matmul(desc), desc,
            {{DNNL_ARG_SRC, dy}, {DNNL_ARG_WEIGHTS, weights.viewed(desc.weights_desc())}, {DNNL_ARG_DST, dx}});
    } else {
        const auto desc = DensePrimitives(compiler, shape, memory.blocked).backwardData();
        const auto stored = memory.blocked ? compiler.weight(op.parameters[0], desc.weights_desc()) : weights;
        compiler.primitive(inner_product_backward_data(desc), desc,
                           {{DNNL_ARG_DIFF_DST, dy},
                            {DNNL_ARG_WEIGHTS, stored},
                            {DNNL_ARG_DIFF_SRC, target.value.viewed(desc.diff_src_desc())}});
    }
    compiler.finishGradient(target);
    return {};
}

Result<void> emitBackwardWeights(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<DenseMemory>(op.node);
    const auto& shape = memory.shape;
    const auto source = compiler.valueAs(op.inputs[0], shape.source);
    const auto rows = source.viewed(shape.sourceRows());
    const auto dy = compiler.plainValue(op.outputGradient).viewed(shape.target());
    GradientTarget bias;
    if (shape.bias) bias = compiler.parameterGradient(op, 1, shape.biasDesc());
    GradientTarget weights;
    if (memory.weights == DenseWay::InnerProduct || memory.weights == DenseWay::InnerProductOfRows) {
        const auto desc = DensePrimitives(compiler, shape, memory.blocked).backwardWeights();
        weights = compiler.parameterGradient(
            op, 0, memory.blocked ? desc.diff_weights_desc() : shape.storedRows(DataKind::f32));
        Compiler::Arguments arguments{{DNNL_ARG_SRC, memory.blocked ? source : rows},
                                      {DNNL_ARG_DIFF_DST, dy},
                                      {DNNL_ARG_DIFF_WEIGHTS, weights.value.viewed(desc.diff_weights_desc())}};
        if (shape.bias) arguments.emplace_back(DNNL_ARG_DIFF_BIAS, bias.value);
        compiler.primitive(inner_product_backward_weights(desc), desc, std::move(arguments));
    } else {
        weights = compiler.parameterGradient(op, 0, shape.storedRows(DataKind::f32));
        const auto dw = weights.value;
        const auto product = shape.product(Pass::BackwardWeights);
        if (memory.weights == DenseWay::OpenBlas) {
            compiler.task("openblas:sgemm", {dy, rows, dw}, [=](const StepState&) {
                blasProduct(BlasLibrary::OpenBlas, product, 1, dy.as<float>(), rows.as<float>(), 0, dw.as<float>());
            });
        } else if (memory.weights == DenseWay::PackedGemm) {
            emitPackedGemm(compiler, packedGemm(compiler, shape, Pass::BackwardWeights, false), dy, rows, {}, dw);
        } else {
            const auto desc = DensePrimitives(compiler, shape, false).matMul(Pass::BackwardWeights);
            compiler.primitive(dnnl::matmul(desc), desc,
                               {{DNNL_ARG_SRC, dy.viewed(desc.src_desc())},
                                {DNNL_ARG_WEIGHTS, rows.viewed(desc.weights_desc())},
                                {DNNL_ARG_DST, dw.viewed(desc.dst_desc())}});
        }
        if (shape.bias) emitColumnSums(compiler, dy, shape.rows, shape.units, bias.value);
    }
    compiler.finishGradient(weights);
    compiler.finishGradient(bias);
    return {};
}

}  // namespace

Result<void> emitMatMul(Compiler& compiler, const plan::Operation& op) {
    switch (op.pass) {
        case Pass::BackwardData:
            return emitBackwardData(compiler, op);
        case Pass::BackwardWeights:
            return emitBackwardWeights(compiler, op);
        default:
            return emitForward(compiler, op);
    }
}

}  // namespace steelyard::compute::cpu
