// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/operations/convolution/convolution_forward.h"

#include <string_view>
#include <utility>

#include "engine/compute/cpu/compile/folding.h"

namespace steelyard::compute::cpu {
namespace {

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

}  // namespace

ForwardConvolution forwardConvolution(Compiler& compiler, const plan::Operation& op) {
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

Operands forwardWeights(Compiler& compiler, const plan::Operation& op, const ForwardConvolution& forward,
                        const Desc& layout) {
    const auto& shape = forward.maker.shape;
    Operands operands;
    if (forward.normalisation == Normalisation::Folded) {
        const auto normalised = foldNormalisation(compiler, op, shape.weights, layout);
        operands.b = normalised.weights;
        operands.bias = normalised.bias;
    } else {
        operands.b = compiler.weight(op.parameters[0], layout);
        if (!shape.bias.empty()) operands.bias = compiler.weight(op.parameters[1], biasDesc(shape));
    }
    if (forward.normalisation == Normalisation::After) {
        const auto factors = normalisationFactors(compiler, op);
        const auto perChannel = plainDesc(Dims{1, shape.target[1], 1, 1}, DataKind::f32);
        operands.scale = factors.scale.viewed(perChannel);
        operands.offset = factors.offset.viewed(perChannel);
    }
    return operands;
}

}  // namespace steelyard::compute::cpu
