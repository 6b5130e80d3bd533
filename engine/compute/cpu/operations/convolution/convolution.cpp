// SPDX-License-Identifier: Apache-2.0
// Convolutions, grouped and depthwise ones included, on oneDNN. Layouts are the library's choice; weights stay in the
// forward pass's layout, and their gradient is asked for in the same one.
#include <string_view>
#include <utility>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/folding.h"
#include "engine/compute/cpu/operations/convolution/convolution_choice.h"

namespace steelyard::compute::cpu {
namespace {

// What forward leaves for backward.
struct ConvolutionMemory {
    ConvolutionShape shape;
    bool mayUseWinograd = false;
    Images images;
};

Dims toDims(const model::Shape& shape) {
    return Dims(shape.begin(), shape.end());
}

ConvolutionShape shapeOf(const Compiler& compiler, const plan::Operation& op) {
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

// A depthwise convolution does little with its data, so that these should stay where they are; and where oneDNN 3.7 may
// choose their layout, it takes code for the gradient of strided ones in bfloat16 that is thirty times as slow.
bool isGrouped(const ConvolutionShape& shape) {
    return shape.weights.size() == 5;
}

// The library's: only float32, its larger tiles lose too much of a bfloat16 (winograd_convolution.h has smaller ones).
// Not when memory is short: they need a copy of the data.
bool fitsWinograd(const Compiler& compiler, const ConvolutionShape& shape) {
    return compiler.mayUseMoreMemory() && shape.kind == DataKind::f32 && hasWinogradWeights(shape);
}

void emitOwn(Compiler& compiler, const WinogradConvolution& own, const Value& x, const Value& weights,
             const Value& bias, const Value& y) {
    const auto scratch = compiler.scratch(own.scratchBytes());
    compiler.task("own:winograd", {x, weights, bias, y, scratch}, [=](const StepState&) {
        own.run(x.as<void>(), weights.as<void>(), bias ? bias.as<float>() : nullptr, y.as<void>(), scratch.as<void>());
    });
}

void emitOwn(Compiler& compiler, const WinogradWeights& own, const Value& x, const Value& dy, const Value& weights,
             const Value& bias) {
    const auto scratch = compiler.scratch(own.scratchBytes());
    compiler.task("own:winograd", {x, dy, weights, bias, scratch}, [=](const StepState&) {
        own.run(x.as<void>(), dy.as<void>(), weights.as<float>(), bias ? bias.as<float>() : nullptr,
                scratch.as<void>());
    });
}

template <class Primitive, class PrimitiveDesc>
void emitParts(Compiler& compiler, const Chosen<PrimitiveDesc>& chosen, const Compiler::Arguments& arguments) {
    const Primitive primitive(chosen.part);
    const auto layouts = argumentsOf(chosen.part);
    for (std::int64_t p = 0; p < chosen.parts; ++p) {
        auto own = arguments;
        for (auto& [argument, value] : own)
            for (const auto& [name, layout] : layouts)
                if (name == argument && isPerSample(name)) value = value.viewed(layout, p * bytesOf(layout));
        compiler.primitive(primitive, chosen.part, std::move(own));
    }
}

Failure onlyReference(const plan::Operation& op) {
    return fail(ErrorKind::Unsupported, op.name, "oneDNN has only its reference implementation for this convolution");
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

auto describeBackwardWeights(Compiler& compiler, const ConvolutionMemory& memory) {
    const ConvolutionMaker maker{compiler, memory.shape, kDirect, Tag::any, compiler.attributes()};
    return describeFastest<convolution_backward_weights>(maker, memory.mayUseWinograd, "weights", false,
                                                         makeBackwardWeights);
}

std::optional<PackedGemm> productOfWeights(Compiler& compiler, const ConvolutionShape& shape,
                                           const convolution_backward_weights::primitive_desc& direct) {
    return describeProduct<convolution_backward_weights>({compiler, shape, kDirect, Tag::any, compiler.attributes()},
                                                         direct, "weights", makeBackwardWeights, weightsProduct);
}

void placeMaster(Compiler& compiler, const plan::Operation& op, const ConvolutionShape& shape) {
    const auto desc = describeBackwardWeights(compiler, {shape, false, {}});
    if (!desc) return;
    const bool isProduct = productOfWeights(compiler, shape, desc->whole).has_value();
    compiler.placeMaster(op.parameters[0],
                         isProduct ? pointwiseWeights(shape, DataKind::f32) : desc->whole.diff_weights_desc());
}

auto makeForward(const ConvolutionMaker& maker) {
    return maker.forward();
}

// Normalising behind a long sum costs one to three per cent, and saves a second copy of the weights; folding costs
// nothing in the step. Only where the library has the same code for both.
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

// What there is to make, and where its normalisation goes.
std::pair<ConvolutionMaker, Normalisation> forwardMaker(Compiler& compiler, const plan::Operation& op) {
    const auto make = [&](Normalisation normalisation) {
        auto shape = shapeOf(compiler, op);
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

std::optional<WinogradConvolution> describeOwnForward(const ConvolutionMaker& maker,
                                                      const Chosen<convolution_forward::primitive_desc>& chosen) {
    const auto& fusion = maker.compiler.fusion();
    if (fusion.activation && *fusion.activation != model::ActivationKind::Relu) return std::nullopt;
    return describeOwn<convolution_forward>(maker, chosen, "forward", makeForward, [&](const WinogradShape& shape) {
        return WinogradConvolution::forward(shape, fusion.addsInput, fusion.activation.has_value());
    });
}

// Onto the shortcut of a residual block, where the library (2.6) is less than half as fast as 3.7.
std::optional<PackedGemm> describeForwardProduct(const ConvolutionMaker& maker,
                                                 const convolution_forward::primitive_desc& direct) {
    const auto& fusion = maker.compiler.fusion();
    if (!fusion.addsInput) return std::nullopt;
    PackedGemm like{.adds = true};
    if (fusion.activation) like.activation = activationOf(*fusion.activation);
    return describeProduct<convolution_forward>(maker, direct, "forward", makeForward, forwardProduct, like);
}

Result<void> emitForward(Compiler& compiler, const plan::Operation& op) {
    const auto [maker, normalisation] = forwardMaker(compiler, op);
    const auto& shape = maker.shape;
    const bool mayUseWinograd = fitsWinograd(compiler, shape);
    const auto chosen = describeFastest<convolution_forward>(maker, mayUseWinograd, "forward", true, makeForward);
    if (!chosen) return onlyReference(op);
    const auto* desc = &chosen->whole;
    const auto own = describeOwnForward(maker, *chosen);
    const auto product = describeForwardProduct(maker, *desc);
    const auto weightsDesc = own       ? own->weightsDesc()
                             : product ? pointwiseWeights(shape, shape.kind)
                                       : desc->weights_desc();
    const auto x = compiler.valueAs(op.inputs[0], desc->src_desc());
    if (compiler.training() && shape.kind != DataKind::f32) placeMaster(compiler, op, shape);
    Value weights, bias;
    NormalisationFactors factors;
    if (normalisation == Normalisation::Folded) {
        const auto normalised = foldNormalisation(compiler, op, shape.weights, weightsDesc);
        weights = normalised.weights;
        bias = normalised.bias;
    } else {
        weights = compiler.weight(op.parameters[0], weightsDesc);
        if (!shape.bias.empty()) bias = compiler.weight(op.parameters[1], biasDesc(shape));
        if (normalisation == Normalisation::After) factors = normalisationFactors(compiler, op);
    }
    const auto y = compiler.fusion().addsInput ? compiler.defineOver(op.output, op.inputs[1], desc->dst_desc())
                                               : compiler.define(op.output, desc->dst_desc());
    compiler.remember(op.node, ConvolutionMemory{shape, mayUseWinograd, imagesOf(*desc)});
    if (own) {
        emitOwn(compiler, *own, x, weights, bias, y);
        return {};
    }
    if (product) {
        emitPackedGemm(compiler, *product, x, weights, bias, y);
        return {};
    }
    Compiler::Arguments arguments{{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, y}};
    if (bias) arguments.emplace_back(DNNL_ARG_BIAS, bias);
    if (normalisation == Normalisation::After) {
        const auto argument = [](int place) { return DNNL_ARG_ATTR_MULTIPLE_POST_OP(place) | DNNL_ARG_SRC_1; };
        const auto perChannel = plainDesc(Dims{1, shape.target[1], 1, 1}, DataKind::f32);
        arguments.emplace_back(argument(0), factors.scale.viewed(perChannel));
        arguments.emplace_back(argument(1), factors.offset.viewed(perChannel));
    }
    emitParts<convolution_forward>(compiler, *chosen, arguments);
    return {};
}

Result<void> emitBackwardData(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<ConvolutionMemory>(op.node);
    ConvolutionMaker maker{compiler, memory.shape, kDirect, Tag::any, compiler.attributes()};
    if (isGrouped(memory.shape)) maker.images = memory.images;
    const auto make = [](const ConvolutionMaker& m) { return m.backwardData(); };
    const auto chosen = describeFastest<convolution_backward_data>(maker, memory.mayUseWinograd, "data", true, make);
    if (!chosen) return onlyReference(op);
    const auto* desc = &chosen->whole;
    const auto own =
        describeOwn<convolution_backward_data>(maker, *chosen, "data", make, WinogradConvolution::backwardData);
    const auto product = describeProduct<convolution_backward_data>(maker, *desc, "data", make, dataProduct);
    const auto dy = compiler.valueAs(op.outputGradient, desc->diff_dst_desc());
    const auto weights = compiler.weight(op.parameters[0], own       ? own->weightsDesc()
                                                           : product ? pointwiseWeights(maker.shape, maker.shape.kind)
                                                                     : desc->weights_desc());
    const auto target = compiler.inputGradient(op, 0, desc->diff_src_desc());
    if (product) {
        emitPackedGemm(compiler, *product, dy, weights, {}, target.value);
    } else if (own) {
        emitOwn(compiler, *own, dy, weights, {}, target.value);
    } else {
        emitParts<convolution_backward_data>(
            compiler, *chosen,
            {{DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DIFF_SRC, target.value}});
    }
    compiler.finishGradient(target);
    return {};
}

Result<void> emitBackwardWeights(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<ConvolutionMemory>(op.node);
    const auto chosen = describeBackwardWeights(compiler, memory);
    if (!chosen) return onlyReference(op);
    const auto* desc = &chosen->whole;
    const auto x = compiler.valueAs(op.inputs[0], desc->src_desc());
    const auto dy = compiler.valueAs(op.outputGradient, desc->diff_dst_desc());
    const auto own = describeOwn<convolution_backward_weights>(
        {compiler, memory.shape, kDirect, Tag::any, compiler.attributes()}, *chosen, "weights", makeBackwardWeights,
        [](const WinogradShape& shape) { return WinogradWeights{shape}; });
    const auto product = productOfWeights(compiler, memory.shape, *desc);
    const auto weights = compiler.parameterGradient(op, 0,
                                                    own       ? own->gradientDesc()
                                                    : product ? pointwiseWeights(memory.shape, DataKind::f32)
                                                              : desc->diff_weights_desc());
    GradientTarget bias;
    if (!memory.shape.bias.empty()) bias = compiler.parameterGradient(op, 1, biasDesc(memory.shape));
    if (product) {
        emitPackedGemm(compiler, *product, dy, x, {}, weights.value);
        if (bias.value) emitColumnSums(compiler, dy, product->product.k, product->product.m, bias.value);
    } else if (own) {
        emitOwn(compiler, *own, x, dy, weights.value, bias.value);
    } else {
        Compiler::Arguments arguments{
            {DNNL_ARG_SRC, x}, {DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_DIFF_WEIGHTS, weights.value}};
        if (bias.value) arguments.emplace_back(DNNL_ARG_DIFF_BIAS, bias.value);
        compiler.primitive(convolution_backward_weights(*desc), *desc, std::move(arguments));
    }
    compiler.finishGradient(weights);
    compiler.finishGradient(bias);
    return {};
}

}  // namespace

Result<void> emitConvolution(Compiler& compiler, const plan::Operation& op) {
    switch (op.pass) {
        case plan::Pass::BackwardData:
            return emitBackwardData(compiler, op);
        case plan::Pass::BackwardWeights:
            return emitBackwardWeights(compiler, op);
        default:
            return emitForward(compiler, op);
    }
}

}  // namespace steelyard::compute::cpu
