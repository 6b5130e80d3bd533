// SPDX-License-Identifier: Apache-2.0
// Convolutions with oneDNN, including grouped and depthwise ones. The library chooses layouts; weights keep the layout
// of the forward pass, which is also requested for their gradient.
#include <utility>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/operations/convolution/convolution_candidates.h"
#include "engine/compute/cpu/operations/convolution/convolution_chain.h"
#include "engine/compute/cpu/operations/convolution/convolution_forward.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {
namespace {

// Data that forward leaves for backward.
struct ConvolutionMemory {
    ConvolutionShape shape;
    bool mayUseWinograd = false;
    Images images;
};

// Depthwise convolutions do little work per element, so converting layouts would not pay off; and oneDNN 3.7, free to
// choose, uses code for the gradient of strided bfloat16 ones that is thirty times slower.
bool isGrouped(const ConvolutionShape& shape) {
    return shape.weights.size() == 5;
}

// The library's Winograd: only float32, since its larger tiles lose too much precision in bfloat16
// (winograd_convolution.h has smaller ones). Not if memory is short, since it needs a copy of the data.
bool fitsWinograd(const Compiler& compiler, const ConvolutionShape& shape) {
    return compiler.mayUseMoreMemory() && shape.kind == DataKind::f32 && hasWinogradWeights(shape);
}

void emitWinograd(Compiler& compiler, const WinogradConvolution& winograd, const Operands& o) {
    const auto scratch = compiler.scratch(winograd.scratchBytes());
    compiler.task("native:winograd", {o.a, o.b, o.bias, o.c, scratch},
                  [winograd, x = o.a, weights = o.b, y = o.c, bias = o.bias, scratch](const StepState&) {
                      winograd.run(x.as<void>(), weights.as<void>(), bias ? bias.as<float>() : nullptr, y.as<void>(),
                                   scratch.as<void>());
                  });
}

void emitWinogradWeights(Compiler& compiler, const WinogradWeights& winograd, const Operands& o) {
    const auto scratch = compiler.scratch(winograd.scratchBytes());
    compiler.task("native:winograd", {o.b, o.a, o.c, o.bias, scratch},
                  [winograd, x = o.b, dy = o.a, weights = o.c, bias = o.bias, scratch](const StepState&) {
                      winograd.run(x.as<void>(), dy.as<void>(), weights.as<float>(), bias ? bias.as<float>() : nullptr,
                                   scratch.as<void>());
                  });
}

void emitGemm(Compiler& compiler, const PackedGemm& gemm, const Operands& o) {
    emitPackedGemm(compiler, gemm, o.a, o.b, o.bias, o.c);
}

void emitWindows(Compiler& compiler, const WindowGemm& gemm, const Operands& o) {
    const auto scratch = compiler.scratch(gemm.scratchBytes());
    const auto factors = o.scale, bias = factors ? o.offset : o.bias;
    compiler.task("native:window_gemm", {o.a, o.b, factors, bias, o.c, scratch},
                  [gemm, x = o.a, weights = o.b, factors, bias, y = o.c, scratch](const StepState&) {
                      gemm.run(x.as<void>(), weights.as<void>(), factors ? factors.as<float>() : nullptr,
                               bias ? bias.as<float>() : nullptr, y.as<void>(), scratch.as<void>());
                  });
}

void emitDepthwise(Compiler& compiler, const DepthwiseConvolution& convolution, const Operands& o) {
    compiler.task("native:depthwise", {o.a, o.b, o.bias, o.c},
                  [convolution, x = o.a, weights = o.b, bias = o.bias, y = o.c](const StepState&) {
                      convolution.run(x.as<float>(), weights.as<float>(), bias ? bias.as<float>() : nullptr,
                                      y.as<float>());
                  });
}

void emitGemmOfWeights(Compiler& compiler, const PackedGemm& gemm, const Operands& o) {
    emitPackedGemm(compiler, gemm, o.a, o.b, {}, o.c);
    if (o.bias) emitColumnSums(compiler, o.a, gemm.product.k, gemm.product.m, o.bias);
}

Failure onlyReference(const plan::Operation& op) {
    return fail(ErrorKind::Unsupported, op.name, messages::referenceConvolution());
}

auto makeBackwardWeights(const ConvolutionMaker& maker) {
    return maker.backwardWeights();
}

std::optional<ConvolutionChoice> chooseBackwardWeights(Compiler& compiler, const ConvolutionMemory& memory,
                                                       bool mayUseNativeWinograd) {
    const ConvolutionMaker maker{compiler, memory.shape, kDirect, Tag::any, compiler.attributes()};
    ConvolutionChooser<convolution_backward_weights, decltype(&makeBackwardWeights)> chooser(
        maker, "weights", memory.mayUseWinograd, false, makeBackwardWeights);
    if (mayUseNativeWinograd)
        chooser.tryWinograd([](const WinogradShape& shape) { return WinogradWeights{shape}; }, emitWinogradWeights);
    chooser.tryGemm(weightsProduct, DataKind::f32, emitGemmOfWeights);
    return chooser.choice();
}

void placeMaster(Compiler& compiler, const plan::Operation& op, const ConvolutionShape& shape) {
    if (const auto choice = chooseBackwardWeights(compiler, {shape, false, {}}, false))
        compiler.placeMaster(op.parameters[0], choice->implementation.weights);
}

std::optional<ConvolutionChoice> chooseForward(const ForwardConvolution& forward, bool mayUseWinograd) {
    const auto& maker = forward.maker;
    ConvolutionChooser<convolution_forward, decltype(&makeForward)> chooser(maker, "forward", mayUseWinograd, true,
                                                                            makeForward);
    const auto& fusion = maker.compiler.fusion();
    if (!fusion.activation || *fusion.activation == model::ActivationKind::Relu)
        chooser.tryWinograd(
            [&](const WinogradShape& shape) {
                return WinogradConvolution::forward(shape, fusion.addsInput, fusion.activation.has_value());
            },
            emitWinograd);
    // Addition of the shortcut of a residual block; library version 2.6 is less than half as fast as 3.7 here.
    if (fusion.addsInput)
        chooser.tryGemm(forwardProduct, maker.shape.kind, emitGemm, {.adds = true, .activation = fusion.activation});
    chooser.tryWindows(emitWindows, {.adds = fusion.addsInput,
                                     .scales = forward.normalisation == Normalisation::After,
                                     .activation = fusion.activation});
    chooser.tryDepthwise(emitDepthwise, fusion.activation);
    return chooser.choice();
}

Result<void> emitConvolutionForward(Compiler& compiler, const plan::Operation& op) {
    if (emitConvolutionChain(compiler)) return {};
    const auto forward = forwardConvolution(compiler, op);
    const auto& shape = forward.maker.shape;
    const bool mayUseWinograd = fitsWinograd(compiler, shape);
    const auto choice = chooseForward(forward, mayUseWinograd);
    if (!choice) return onlyReference(op);
    const auto& [images, implementation] = *choice;
    const auto source = compiler.valueAs(op.inputs[0], images.first);
    if (compiler.training() && shape.kind != DataKind::f32) placeMaster(compiler, op, shape);
    auto operands = forwardWeights(compiler, op, forward, implementation.weights);
    operands.a = source;
    operands.c = compiler.fusion().addsInput ? compiler.defineOver(op.output, op.inputs[1], images.second)
                                             : compiler.define(op.output, images.second);
    compiler.remember(op.node, ConvolutionMemory{shape, mayUseWinograd, images});
    implementation.emit(compiler, operands);
    return {};
}

auto makeBackwardData(const ConvolutionMaker& maker) {
    return maker.backwardData();
}

Result<void> emitConvolutionBackwardData(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<ConvolutionMemory>(op.node);
    ConvolutionMaker maker{compiler, memory.shape, kDirect, Tag::any, compiler.attributes()};
    if (isGrouped(memory.shape)) maker.images = memory.images;
    ConvolutionChooser<convolution_backward_data, decltype(&makeBackwardData)> chooser(
        maker, "data", memory.mayUseWinograd, true, makeBackwardData);
    chooser.tryWinograd(WinogradConvolution::backwardData, emitWinograd);
    chooser.tryGemm(dataProduct, maker.shape.kind, emitGemm);
    const auto choice = chooser.choice();
    if (!choice) return onlyReference(op);
    const auto dy = compiler.valueAs(op.outputGradient, choice->images.second);
    const auto weights = compiler.weight(op.parameters[0], choice->implementation.weights);
    const auto dx = compiler.inputGradient(op, 0, choice->images.first);
    choice->implementation.emit(compiler, {.a = dy, .b = weights, .c = dx.value});
    compiler.finishGradient(dx);
    return {};
}

Result<void> emitConvolutionBackwardWeights(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<ConvolutionMemory>(op.node);
    const auto choice = chooseBackwardWeights(compiler, memory, true);
    if (!choice) return onlyReference(op);
    const auto x = compiler.valueAs(op.inputs[0], choice->images.first);
    const auto dy = compiler.valueAs(op.outputGradient, choice->images.second);
    const auto weights = compiler.parameterGradient(op, 0, choice->implementation.weights);
    GradientTarget bias;
    if (!memory.shape.bias.empty()) bias = compiler.parameterGradient(op, 1, biasDesc(memory.shape));
    choice->implementation.emit(compiler, {.a = dy, .b = x, .c = weights.value, .bias = bias.value});
    compiler.finishGradient(weights);
    compiler.finishGradient(bias);
    return {};
}

}  // namespace

Result<void> emitConvolution(Compiler& compiler, const plan::Operation& op) {
    switch (op.pass) {
        case plan::Pass::BackwardData:
            return emitConvolutionBackwardData(compiler, op);
        case plan::Pass::BackwardWeights:
            return emitConvolutionBackwardWeights(compiler, op);
        case plan::Pass::Forward:
        case plan::Pass::Backward:
        case plan::Pass::Update:
            break;
    }
    return emitConvolutionForward(compiler, op);
}

}  // namespace steelyard::compute::cpu
