// SPDX-License-Identifier: Apache-2.0
// Convolutions with oneDNN, including grouped and depthwise ones. The library chooses layouts; weights keep the layout
// of the forward pass, which is also requested for their gradient.
#include <string_view>
#include <utility>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/folding.h"
#include "engine/compute/cpu/operations/convolution/convolution_candidates.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cpu {
namespace {

// Data that forward leaves for backward.
struct ConvolutionMemory {
    ConvolutionShape shape;
    bool mayUseWinograd = false;
    Images images;
};

Dims toDims(const model::Shape& shape) {
    return Dims(shape.begin(), shape.end());
}

ConvolutionShape convolutionShapeOf(const Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Conv2d>(op.layer);
    ConvolutionShape shape;
    shape.source = toDims(compiler.tensor(op.inputs[0]).dims);
    shape.target = toDims(compiler.tensor(op.output).dims);
    shape.weights = toDims(compiler.tensor(op.parameters[0]).dims);
    if (layer.groups > 1) {
        shape.weights[0] /= layer.groups;
        shape.weights.insert(shape.weights.begin(), layer.groups);
    }
    if (layer.bias) shape.bias = {layer.filters};
    const auto& padding = layer.padding;
    shape.window = {{layer.kernel.height, layer.kernel.width},
                    {layer.stride.height, layer.stride.width},
                    {padding.top, padding.left},
                    {padding.bottom, padding.right}};
    shape.kind = dataKind(compiler.tensor(op.output).type);
    return shape;
}

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

void emitGemmOfWeights(Compiler& compiler, const PackedGemm& gemm, const Operands& o) {
    emitPackedGemm(compiler, gemm, o.a, o.b, {}, o.c);
    if (o.bias) emitColumnSums(compiler, o.a, gemm.product.k, gemm.product.m, o.bias);
}

Failure onlyReference(const plan::Operation& op) {
    return fail(ErrorKind::Unsupported, op.name, messages::referenceConvolution());
}

enum class Normalisation { None, Folded, After };

dnnl::primitive_attr forwardAttributes(const Compiler& compiler, Normalisation normalisation, std::int64_t channels) {
    auto attributes = compiler.attributes();
    dnnl::post_ops after;
    if (normalisation == Normalisation::After) {
        const auto factors = plainDesc(Dims{1, channels, 1, 1}, DataKind::f32);
        after.append_binary(dnnl::algorithm::binary_mul, factors);
        after.append_binary(dnnl::algorithm::binary_add, factors);
    }
    if (compiler.fusion().addsInput) after.append_sum(1.0F);
    if (compiler.fusion().activation) {
        const auto kind = eltwiseKind(*compiler.fusion().activation);
        appendActivation(after, kind.algorithm, kind.alpha, kind.beta);
    }
    attributes.set_post_ops(after);
    return attributes;
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

auto makeForward(const ConvolutionMaker& maker) {
    return maker.forward();
}

// Normalising after the sum costs one to three per cent, and saves a second copy of the weights; folding costs nothing
// per step. Only if the library uses the same code for both.
bool normalisesAfter(const ConvolutionMaker& folding, const ConvolutionMaker& after) {
    constexpr std::int64_t kLongSum = 512;
    const auto& shape = folding.shape;
    const bool fits = shape.kind == DataKind::f32 && shape.weights.size() == 4 && shape.window.kernel == Dims{1, 1} &&
                      shape.weights[1] >= kLongSum;
    if (!fits) return false;
    try {
        const auto one = describeDirect(folding, makeForward);
        const auto other = describeDirect(after, makeForward);
        return one && other && std::string_view(one->impl_info_str()) == other->impl_info_str() &&
               one->weights_desc() == other->weights_desc();
    } catch (const dnnl::error&) {
        return false;
    }
}

// The primitive to create, and how its normalisation is applied.
std::pair<ConvolutionMaker, Normalisation> forwardMaker(Compiler& compiler, const plan::Operation& op) {
    const auto make = [&](Normalisation normalisation) {
        auto shape = convolutionShapeOf(compiler, op);
        const auto channels = shape.target[1];
        if (normalisation == Normalisation::Folded) shape.bias = {channels};
        if (normalisation == Normalisation::After) shape.bias.clear();
        return ConvolutionMaker{compiler, shape, kDirect, Tag::any,
                                forwardAttributes(compiler, normalisation, channels)};
    };
    if (compiler.fusion().normalisation.empty()) return {make(Normalisation::None), Normalisation::None};
    const auto folding = make(Normalisation::Folded), after = make(Normalisation::After);
    if (normalisesAfter(folding, after)) return {after, Normalisation::After};
    return {folding, Normalisation::Folded};
}

std::optional<ConvolutionChoice> chooseForward(const ConvolutionMaker& maker, bool mayUseWinograd) {
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
    return chooser.choice();
}

Result<void> emitConvolutionForward(Compiler& compiler, const plan::Operation& op) {
    const auto [maker, normalisation] = forwardMaker(compiler, op);
    const auto& shape = maker.shape;
    const bool mayUseWinograd = fitsWinograd(compiler, shape);
    const auto choice = chooseForward(maker, mayUseWinograd);
    if (!choice) return onlyReference(op);
    const auto& [images, implementation] = *choice;
    Operands operands;
    operands.a = compiler.valueAs(op.inputs[0], images.first);
    if (compiler.training() && shape.kind != DataKind::f32) placeMaster(compiler, op, shape);
    if (normalisation == Normalisation::Folded) {
        const auto normalised = foldNormalisation(compiler, op, shape.weights, implementation.weights);
        operands.b = normalised.weights;
        operands.bias = normalised.bias;
    } else {
        operands.b = compiler.weight(op.parameters[0], implementation.weights);
        if (!shape.bias.empty()) operands.bias = compiler.weight(op.parameters[1], biasDesc(shape));
    }
    if (normalisation == Normalisation::After) {
        const auto factors = normalisationFactors(compiler, op);
        const auto argument = [](int place) { return DNNL_ARG_ATTR_MULTIPLE_POST_OP(place) | DNNL_ARG_SRC_1; };
        const auto perChannel = plainDesc(Dims{1, shape.target[1], 1, 1}, DataKind::f32);
        operands.extra = {{argument(0), factors.scale.viewed(perChannel)},
                          {argument(1), factors.offset.viewed(perChannel)}};
    }
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
