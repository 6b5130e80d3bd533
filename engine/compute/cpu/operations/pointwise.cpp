// SPDX-License-Identifier: Apache-2.0
// Activations, dropout, addition, and reshapes: element-wise operations in any layout.
#include "engine/compute/cpu/operations/pointwise.h"

#include <cmath>
#include <optional>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/core/random.h"

namespace steelyard::compute::cpu {
namespace {

std::optional<OutputGradient> outputGradientKind(ActivationKind kind) {
    switch (kind) {
        case ActivationKind::Relu:
            return OutputGradient::Relu;
        case ActivationKind::Relu6:
            return OutputGradient::Relu6;
        case ActivationKind::Sigmoid:
            return OutputGradient::Sigmoid;
        case ActivationKind::Tanh:
            return OutputGradient::Tanh;
        case ActivationKind::Gelu:
        case ActivationKind::GeluTanh:
        case ActivationKind::Swish:
            return std::nullopt;
    }
    return std::nullopt;
}

void emitActivationForward(Compiler& compiler, const plan::Operation& op, const EltwiseKind& kind) {
    const auto x = compiler.value(op.inputs[0]);
    const auto propagation =
        compiler.training() ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    const auto description = describeEltwise(compiler.engine(), compiler.attributes(), propagation, kind.algorithm,
                                             x.desc, kind.alpha, kind.beta);
    const auto y = compiler.define(op.output, x.desc);
    compiler.primitive(dnnl::eltwise_forward(description), description, {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}});
}

void emitGradientFromOutput(Compiler& compiler, const plan::Operation& op, OutputGradient kind) {
    const auto y = compiler.value(op.output);
    const auto dy = compiler.valueAs(op.outputGradient, y.desc);
    const auto target = compiler.inputGradient(op, 0, y.desc);
    const auto dx = target.value;
    const auto count = paddedElements(y.desc);
    withElementType(y.desc, [&]<class T>(T) {
        compiler.task("native:activation_gradient", {y, dy, dx}, [=](const StepState&) {
            parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
                kernels().pointwise<T>().outputGradient(kind, dx.as<T>() + begin, dy.as<T>() + begin, y.as<T>() + begin,
                                                        end - begin);
            });
        });
    });
    compiler.finishGradient(target);
}

void emitGradientFromInput(Compiler& compiler, const plan::Operation& op, const EltwiseKind& kind) {
    const auto x = compiler.value(op.inputs[0]);
    const auto dy = compiler.valueAs(op.outputGradient, x.desc);
    const auto hint = describeEltwise(compiler.engine(), compiler.attributes(), dnnl::prop_kind::forward_training,
                                      kind.algorithm, x.desc, kind.alpha, kind.beta);
    const auto description = describeEltwiseBackward(compiler.engine(), compiler.attributes(), hint, kind.algorithm,
                                                     x.desc, kind.alpha, kind.beta);
    const auto target = compiler.inputGradient(op, 0, x.desc);
    compiler.primitive(dnnl::eltwise_backward(description), description,
                       {{DNNL_ARG_SRC, x}, {DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_DIFF_SRC, target.value}});
    compiler.finishGradient(target);
}

struct DropoutShape {
    ChannelLayout layout;
    float scale = 1;
    std::uint32_t threshold = 0;
    std::uint64_t stream = 0;
    std::uint32_t first = 0;  // index of the first element: of a rank's samples in the global batch
};

template <class T>
void runDropout(const DropoutShape& shape, std::uint64_t seed, T* y, const T* x) {
    const auto& kernel = kernels().pointwise<T>();
    const auto& layout = shape.layout;
    DropoutRun whole;
    whole.key = RandomStream(seed, shape.stream).key;
    whole.threshold = shape.threshold;
    whole.scale = shape.scale;
    if (layout.block == 1) {  // row-major: the position is the index
        parallelRanges(layout.size(), [&](std::int64_t begin, std::int64_t end) {
            auto run = whole;
            run.start = shape.first + static_cast<std::uint32_t>(begin);
            run.columns = static_cast<std::uint32_t>(end - begin);
            kernel.dropout(y + begin, x + begin, run);
        });
        return;
    }
    const auto blockSize = layout.pixels * layout.block;
    parallelRows(layout.batch * layout.blocks, blockSize, [&](std::int64_t begin, std::int64_t end) {
        for (auto unit = begin; unit < end; ++unit) {
            const auto sample = unit / layout.blocks, block = unit % layout.blocks;
            auto run = whole;
            run.start = shape.first +
                        static_cast<std::uint32_t>((sample * layout.channels + block * layout.block) * layout.pixels);
            run.rows = static_cast<std::uint32_t>(layout.pixels);
            run.rowStride = 1;
            run.columns = static_cast<std::uint32_t>(layout.block);
            run.columnStride = static_cast<std::uint32_t>(layout.pixels);
            kernel.dropout(y + unit * blockSize, x + unit * blockSize, run);
        }
    });
}

void emitMask(Compiler& compiler, const plan::Operation& op, const Value& x, const Value& y) {
    const double rate = std::get<model::Dropout>(op.layer).rate;
    DropoutShape shape;
    shape.layout = *channelLayout(x.desc);
    shape.scale = static_cast<float>(1.0 / (1.0 - rate));
    shape.threshold = static_cast<std::uint32_t>(std::ceil(rate * 0x1p24));  // kept: bits / 2^24 >= rate
    shape.stream = static_cast<std::uint64_t>(op.node);
    if (const auto& ranks = compiler.options().ranks)
        shape.first = static_cast<std::uint32_t>(ranks->rank * compiler.tensor(op.output).elements());
    withElementType(x.desc, [&]<class T>(T) {
        compiler.task("native:dropout", {x, y},
                      [=](const StepState& state) { runDropout(shape, state.dropoutSeed, y.as<T>(), x.as<T>()); });
    });
}

void emitReluMask(Compiler& compiler, const plan::Operation& op) {
    const auto y = compiler.value(op.output);
    const auto dy = compiler.valueAs(op.outputGradient, y.desc);
    const auto target = compiler.inputGradient(op, 0, y.desc);
    const auto dx = target.value;
    const auto scale = static_cast<float>(1.0 / (1.0 - std::get<model::Dropout>(op.layer).rate));
    const auto count = paddedElements(y.desc);
    withElementType(y.desc, [&]<class T>(T) {
        compiler.task("native:masked_gradient", {y, dy, dx}, [=](const StepState&) {
            parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
                kernels().pointwise<T>().maskedGradient(dx.as<T>() + begin, dy.as<T>() + begin, y.as<T>() + begin,
                                                        scale, end - begin);
            });
        });
    });
    compiler.finishGradient(target);
}

}  // namespace

std::optional<Limits> limitsOf(const std::optional<ActivationKind>& kind) {
    if (!kind) return Limits{};
    if (*kind == ActivationKind::Relu) return Limits{.low = 0};
    if (*kind == ActivationKind::Relu6) return Limits{0, 6};
    return std::nullopt;
}

EltwiseKind eltwiseKind(ActivationKind kind) {
    switch (kind) {
        case ActivationKind::Relu:
            return {dnnl::algorithm::eltwise_relu, 0, 0};
        case ActivationKind::Relu6:
            return {dnnl::algorithm::eltwise_clip, 0, 6};
        case ActivationKind::Sigmoid:
            return {dnnl::algorithm::eltwise_logistic, 0, 0};
        case ActivationKind::Tanh:
            return {dnnl::algorithm::eltwise_tanh, 0, 0};
        case ActivationKind::Gelu:
            return {dnnl::algorithm::eltwise_gelu_erf, 0, 0};
        case ActivationKind::GeluTanh:
            return {dnnl::algorithm::eltwise_gelu_tanh, 0, 0};
        case ActivationKind::Swish:
            return {dnnl::algorithm::eltwise_swish, 1, 0};
    }
    return {};
}

Result<void> emitActivation(Compiler& compiler, const plan::Operation& op) {
    const auto activation = std::get<model::Activation>(op.layer).kind;
    if (op.pass == plan::Pass::Forward) {
        emitActivationForward(compiler, op, eltwiseKind(activation));
    } else if (const auto kind = outputGradientKind(activation)) {
        emitGradientFromOutput(compiler, op, *kind);
    } else {
        emitGradientFromInput(compiler, op, eltwiseKind(activation));
    }
    return {};
}

Result<void> emitDropout(Compiler& compiler, const plan::Operation& op) {
    if (compiler.fusion().reluMask) {
        emitReluMask(compiler, op);
        return {};
    }
    const bool forward = op.pass == plan::Pass::Forward;
    const auto source = forward ? op.inputs[0] : op.outputGradient;
    auto x = compiler.value(source);
    if (!channelLayout(x.desc)) x = compiler.plainValue(source);
    if (forward) {
        emitMask(compiler, op, x, compiler.define(op.output, x.desc));
        return {};
    }
    const auto target = compiler.inputGradient(op, 0, x.desc);
    emitMask(compiler, op, x, target.value);
    compiler.finishGradient(target);
    return {};
}

void emitSum(Compiler& compiler, const Value& target, const Value& a, const Value& b, bool rectify) {
    const auto count = paddedElements(target.desc);
    withElementType(target.desc, [&]<class T>(T) {
        compiler.task("native:add", {target, a, b}, [=](const StepState&) {
            const auto& kernel = kernels().pointwise<T>();
            parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
                (rectify ? kernel.addRelu : kernel.add)(target.as<T>() + begin, a.as<T>() + begin, b.as<T>() + begin,
                                                        end - begin);
            });
        });
    });
}

namespace {

void emitSumOf(Compiler& compiler, const Value& target, const std::vector<Value>& terms) {
    if (terms.size() == 2)
        return emitSum(compiler, target, terms[0], terms[1], compiler.fusion().activation.has_value());
    const auto count = paddedElements(target.desc);
    auto uses = terms;
    uses.push_back(target);
    withElementType(target.desc, [&]<class T>(T) {
        auto task = [target, terms, count, addresses = std::vector<const T*>(terms.size())](const StepState&) mutable {
            for (std::size_t i = 0; i < terms.size(); ++i) addresses[i] = terms[i].as<T>();
            parallelRanges(count, [&](std::int64_t begin, std::int64_t end) {
                kernels().pointwise<T>().addMany(target.as<T>(), addresses.data(),
                                                 static_cast<std::int64_t>(addresses.size()), begin, end - begin);
            });
        };
        compiler.addTask(std::make_unique<FunctionTask<decltype(task)>>(std::move(task)), "native:add",
                         std::span<const Value>(uses));
    });
}

}  // namespace

Result<void> emitAdd(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        const auto first = compiler.value(op.inputs[0]);
        std::vector<Value> terms;
        for (auto id : op.inputs) terms.push_back(compiler.valueAs(id, first.desc));
        emitSumOf(compiler, compiler.define(op.output, first.desc), terms);
        return {};
    }
    for (std::size_t i = 0; i < op.inputGradients.size(); ++i) {
        if (op.inputGradients[i] == kNoTensor) continue;
        if (op.accumulate[i]) {
            compiler.finishGradient({op.inputGradients[i], compiler.value(op.outputGradient), true});
        } else {
            compiler.same(op.inputGradients[i], op.outputGradient);
        }
    }
    return {};
}

Result<void> emitFlatten(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        // Dense layers read a flattened image in place; other shapes come from imported networks.
        if (compiler.tensor(op.output).dims.size() > 2) {
            compiler.reshaped(op.output, op.inputs[0]);
        } else {
            compiler.same(op.output, op.inputs[0]);
        }
    } else if (op.inputGradients[0] != kNoTensor && op.accumulate[0]) {
        compiler.finishGradient({op.inputGradients[0], compiler.value(op.outputGradient), true});
    } else if (op.inputGradients[0] != kNoTensor) {
        compiler.same(op.inputGradients[0], op.outputGradient);
    }
    return {};
}

}  // namespace steelyard::compute::cpu
