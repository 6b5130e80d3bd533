// SPDX-License-Identifier: Apache-2.0
// Convolutions with the network library, which supports symmetric padding only; for asymmetric padding the image is
// padded in scratch memory first, and its gradient is cropped.
#include "engine/compute/cuda/compile/emitters.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

struct Shape {
    Convolution call;  // in the library's terms
    bool padded = false;
    kernels::ImageLayout image, paddedImage;
    std::int64_t top = 0, left = 0;
};

// Whether symmetric padding with `before` gives the same output; the trailing padding is then never read.
bool fitsEqually(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t before, std::int64_t out) {
    return in + 2 * before >= kernel && (in + 2 * before - kernel) / stride + 1 == out;
}

Shape shapeOf(const Compiler& compiler, const plan::Operation& op, ConvolutionPass pass) {
    const auto& forward = compiler.forwardOf(op);
    const auto& layer = std::get<model::Conv2d>(op.layer);
    const auto& in = compiler.dims(forward.inputs[0]);
    const auto& out = compiler.dims(forward.output);
    Shape s;
    auto& c = s.call;
    c.pass = pass;
    c.batch = in[0], c.channels = in[1], c.height = in[2], c.width = in[3];
    c.filters = out[1], c.outputHeight = out[2], c.outputWidth = out[3];
    c.kernelHeight = layer.kernel.height, c.kernelWidth = layer.kernel.width;
    c.strideHeight = layer.stride.height, c.strideWidth = layer.stride.width;
    c.groups = layer.groups;
    c.channelsLast = compiler.channelsLast();
    c.type = compiler.type();
    c.tf32 = compiler.tf32();
    s.image = compiler.imageLayout(in);
    const auto& pad = layer.padding;
    if (fitsEqually(in[2], layer.kernel.height, layer.stride.height, pad.top, out[2]) &&
        fitsEqually(in[3], layer.kernel.width, layer.stride.width, pad.left, out[3])) {
        c.paddingHeight = pad.top;
        c.paddingWidth = pad.left;
        return s;
    }
    s.padded = true;
    s.top = pad.top;
    s.left = pad.left;
    s.paddedImage = s.image;
    s.paddedImage.height = c.height = in[2] + pad.top + pad.bottom;
    s.paddedImage.width = c.width = in[3] + pad.left + pad.right;
    return s;
}

Value paddedInput(Compiler& compiler, const Shape& s, TensorId input) {
    const auto x = compiler.value(input);
    if (!s.padded) return x;
    const auto padded = compiler.scratch(s.paddedImage.elements() * compiler.typeBytes());
    compiler.kernel("native:pad", {x, padded}, [=, type = compiler.type()](Stream stream) {
        return kernels::padImage(stream, type, s.image, s.paddedImage, s.top, s.left, x.data(), padded.data());
    });
    return padded;
}

// The forward pass with its epilogue: by the library in one call if supported and faster, otherwise by native kernels.
class Forward {
public:
    Forward(Compiler& compiler, const plan::Operation& op)
        : m_compiler(compiler), m_op(op), m_s(shapeOf(compiler, op, ConvolutionPass::Forward)) {}

    Result<void> emit() {
        if (m_op.parameters.size() > 1) return emitBiased();
        if (const auto* norm = foldableNorm()) return emitNormalised(*norm);
        return call(m_s.call, m_op.output, {});
    }

private:
    Result<void> emitBiased() {
        auto fused = m_s.call;
        fused.bias = true;
        const auto* activation = m_compiler.onlyActivationOf(m_op.output);
        fused.relu =
            activation != nullptr && std::get<model::Activation>(activation->layer).kind == model::ActivationKind::Relu;
        if (activation != nullptr && !fused.relu) return biasApart();  // which also applies that activation
        const auto result = fused.relu ? activation->output : m_op.output;
        const auto inOne = [&]() -> Result<void> {
            if (fused.relu) m_compiler.takeNext();
            return call(fused, result, {m_compiler.weight(m_op.parameters[1])});
        };
        return m_compiler.fastest("with bias: " + keyOf(fused),
                                  {{"apart", [&] { return biasApart(); }}, {"in one", inOne}});
    }

    Result<void> biasApart() {
        auto result = m_op.output;
        auto kind = kernels::Activation::None;
        if (const auto* activation = m_compiler.onlyActivationOf(m_op.output)) {
            const auto next = kernels::activationOf(std::get<model::Activation>(activation->layer).kind);
            // The derivative of the others needs values that would not be stored.
            if (!kernels::slopeNeedsInput(next) || !m_compiler.training()) {
                kind = next;
                result = activation->output;
                m_compiler.takeNext();
            }
        }
        if (auto ok = call(m_s.call, result, {}); !ok) return ok;
        const auto y = m_compiler.value(result), offsets = m_compiler.f32Weight(m_op.parameters[1]);
        const auto axes = m_compiler.channelAxes(m_compiler.dims(result));
        m_compiler.kernel("native:bias", {y, offsets}, [=, type = m_compiler.type()](Stream stream) {
            return kernels::biasActivationForward(stream, type, kind, axes, y.data(), offsets.as<const float>(),
                                                  nullptr, y.data());
        });
        return {};
    }

    // In inference, a batch normalisation that is the only reader of the result is a scale and an offset per filter.
    [[nodiscard]] const plan::Operation* foldableNorm() const {
        const auto* norm = m_compiler.next();
        const bool fits = !m_compiler.training() && norm != nullptr && norm->kind == plan::OperationKind::BatchNorm &&
                          norm->inputs[0] == m_op.output && m_compiler.isReadOnce(m_op.output);
        return fits ? norm : nullptr;
    }

    Result<void> emitNormalised(const plan::Operation& norm) {
        const auto following = followingOf(m_compiler, norm, 1);
        auto fused = m_s.call;
        fused.bias = true;
        fused.shortcut = following.shortcut != kNoTensor;
        fused.relu = following.relu;
        const auto apart = [&]() -> Result<void> {
            if (auto ok = call(m_s.call, m_op.output, {}); !ok) return ok;
            m_compiler.takeNext();
            return emitBatchNorm(m_compiler, norm);
        };
        // The sum may be stored over the operand that the convolution reads.
        if (fused.shortcut && m_compiler.isSame(following.result, m_op.inputs[0])) return apart();
        const auto inOne = [&]() -> Result<void> {
            for (std::size_t i = 0; i <= following.operations; ++i) m_compiler.takeNext();
            const auto [weights, bias] = fold(norm);
            std::vector<Value> more{bias};
            if (fused.shortcut) more.push_back(m_compiler.value(following.shortcut));
            return call(fused, following.result, more, weights);
        };
        return m_compiler.fastest("normalised: " + keyOf(fused), {{"apart", apart}, {"in one", inOne}});
    }

    // Weights and bias with the normalisation folded in.
    std::pair<Value, Value> fold(const plan::Operation& norm) {
        const auto count = m_compiler.elements(m_op.parameters[0]), filters = m_s.call.filters;
        const auto weights = m_compiler.weight(m_op.parameters[0]);
        const auto scale = m_compiler.f32Weight(norm.parameters[0]), offset = m_compiler.f32Weight(norm.parameters[1]);
        const auto mean = m_compiler.value(norm.parameters[2]), variance = m_compiler.value(norm.parameters[3]);
        const auto folded = m_compiler.persistent(count * m_compiler.typeBytes(), MemoryKind::Weights);
        const auto bias = m_compiler.persistent(filters * m_compiler.typeBytes(), MemoryKind::Weights);
        const auto epsilon = static_cast<float>(std::get<model::BatchNorm>(norm.layer).epsilon);
        m_compiler.beginPreparation();
        m_compiler.kernel("native:fold_batch_norm", {weights, scale, offset, mean, variance, folded, bias},
                          [=, type = m_compiler.type()](Stream stream) {
                              return kernels::foldBatchNorm(
                                  stream, type, weights.data(), filters, count / filters,
                                  {scale.as<const float>(), offset.as<const float>(), epsilon}, mean.as<const float>(),
                                  variance.as<const float>(), folded.data(), bias.data());
                          });
        m_compiler.endPreparation();
        return {folded, bias};
    }

    // more: bias and shortcut of the call; weights: the layer's by default.
    Result<void> call(const Convolution& c, TensorId result, const std::vector<Value>& more, Value weights = {}) {
        const auto x = paddedInput(m_compiler, m_s, m_op.inputs[0]);
        std::vector<Value> operands{x, weights ? weights : m_compiler.weight(m_op.parameters[0]),
                                    m_compiler.value(result)};
        operands.insert(operands.end(), more.begin(), more.end());
        return m_compiler.call(c, std::move(operands));
    }

    Compiler& m_compiler;
    const plan::Operation& m_op;
    Shape m_s;
};

Result<void> backwardData(Compiler& compiler, const plan::Operation& op) {
    auto s = shapeOf(compiler, op, ConvolutionPass::BackwardData);
    const auto dy = compiler.value(op.outputGradient), dx = compiler.value(op.inputGradients[0]);
    const auto weight = compiler.weight(op.parameters[0]);
    if (!s.padded) {
        s.call.accumulate = op.accumulate[0];
        return compiler.call(s.call, {dy, weight, dx});
    }
    const auto padded = compiler.scratch(s.paddedImage.elements() * compiler.typeBytes());
    if (auto ok = compiler.call(s.call, {dy, weight, padded}); !ok) return ok;
    compiler.kernel("native:crop", {padded, dx},
                    [=, type = compiler.type(), add = static_cast<bool>(op.accumulate[0])](Stream stream) {
                        return kernels::cropImage(stream, type, s.paddedImage, s.image, s.top, s.left, padded.data(),
                                                  dx.data(), add);
                    });
    return {};
}

Result<void> backwardWeights(Compiler& compiler, const plan::Operation& op) {
    auto s = shapeOf(compiler, op, ConvolutionPass::BackwardWeights);
    const auto x = paddedInput(compiler, s, op.inputs[0]);
    const auto dy = compiler.value(op.outputGradient), dw = compiler.value(op.parameterGradients[0]);
    const auto count = compiler.elements(op.parameterGradients[0]);
    if (!compiler.is16Bit()) {
        s.call.accumulate = op.accumulateParameters;
        if (auto ok = compiler.call(s.call, {x, dy, dw}); !ok) return ok;
    } else {
        // The library writes the gradient in the type of its operands.
        if (op.accumulateParameters) return fail(ErrorKind::Unsupported, op.name, messages::sharedReducedWeights());
        const auto half = compiler.scratch(count * compiler.typeBytes());
        if (auto ok = compiler.call(s.call, {x, dy, half}); !ok) return ok;
        compiler.kernel("native:convert", {half, dw}, [=, type = compiler.type()](Stream stream) {
            return kernels::convert(stream, type, half.data(), ElementType::F32, dw.data(), count);
        });
    }
    if (op.parameterGradients.size() < 2) return {};
    const auto axes = compiler.channelAxes(compiler.dims(op.outputGradient));
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

Result<void> emitConvolution(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) return Forward(compiler, op).emit();
    return op.pass == plan::Pass::BackwardData ? backwardData(compiler, op) : backwardWeights(compiler, op);
}

}  // namespace steelyard::compute::cuda
