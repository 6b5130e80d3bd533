// SPDX-License-Identifier: Apache-2.0
// Batch normalisation with oneDNN, optionally with fused ReLU, and layer normalisation with native kernels. In
// inference, batch normalisation directly after a convolution does not get here (convolution.cpp folds it).
#include <algorithm>
#include <string_view>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/channel_norm.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

using dnnl::batch_normalization_backward;
using dnnl::batch_normalization_forward;
using Flags = dnnl::normalization_flags;

struct BatchNormMemory {
    Desc layout;
    batch_normalization_forward::primitive_desc forward;
    bool native = false;  // channel_norm.h
};

// In the library's form: vectors are images of one pixel, channels-last.
Desc imageDesc(const Value& x) {
    const auto dims = dimsOf(x.desc);
    if (dims.size() == 4) return x.desc;
    return Desc({dims[0], dims[1], 1, 1}, kindOf(x.desc), Dims{dims[1], 1, dims[1], dims[1]});
}

Desc vectorDesc(std::int64_t channels) {
    return plainDesc(Dims{channels}, DataKind::f32);
}

batch_normalization_forward::primitive_desc describeForward(const Compiler& compiler, const plan::Operation& op,
                                                            const Desc& layout) {
    const auto epsilon = static_cast<float>(std::get<model::BatchNorm>(op.layer).epsilon);
    auto flags = Flags::use_scale | Flags::use_shift;
    if (compiler.fusion().activation) flags = flags | Flags::fuse_norm_relu;
    if (!compiler.training()) flags = flags | Flags::use_global_stats;
    const auto propagation =
        compiler.training() ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    return describeBatchNorm(compiler.engine(), compiler.attributes(), propagation, layout, epsilon, flags);
}

// If the library has only scalar code over the channels.
bool wantsOwnLoops(const Compiler& compiler, const Value& x,
                   const batch_normalization_forward::primitive_desc& description) {
    constexpr std::string_view kVectorCode = "jit";
    return compiler.training() && compiler.options().kernels == "auto" && hasChannelsTogether(x.desc) &&
           std::string_view(description.impl_info_str()).find(kVectorCode) == std::string_view::npos;
}

ChannelNorm channelNorm(Compiler& compiler, const plan::Operation& op, const Value& x, const Value& mean,
                        const Value& variance, bool relu) {
    const auto channels = vectorDesc(compiler.tensor(op.parameters[0]).elements());
    return {.x = x,
            .scale = compiler.weight(op.parameters[0], channels),
            .offset = compiler.weight(op.parameters[1], channels),
            .mean = mean,
            .variance = variance,
            .epsilon = static_cast<float>(std::get<model::BatchNorm>(op.layer).epsilon),
            .relu = relu};
}

// running = (1 - momentum) running + momentum batch
void emitRunningUpdate(Compiler& compiler, const plan::Operation& op, const Value& mean, const Value& variance) {
    const auto runningMean = compiler.value(op.parameters[2]);
    const auto runningVariance = compiler.value(op.parameters[3]);
    const auto momentum = static_cast<float>(std::get<model::BatchNorm>(op.layer).momentum);
    const auto channels = compiler.tensor(op.parameters[2]).elements();
    compiler.task("native:running_statistics", {mean, variance, runningMean, runningVariance}, [=](const StepState&) {
        for (std::int64_t c = 0; c < channels; ++c) {
            auto& m = runningMean.as<float>()[c];
            auto& v = runningVariance.as<float>()[c];
            m += momentum * (mean.as<float>()[c] - m);
            v += momentum * (variance.as<float>()[c] - v);
        }
    });
}

void emitBatchNormForward(Compiler& compiler, const plan::Operation& op) {
    auto x = compiler.value(op.inputs[0]);
    if (!channelLayout(x.desc)) x = compiler.plainValue(op.inputs[0]);
    const auto layout = imageDesc(x);
    const auto description = describeForward(compiler, op, layout);
    const auto channels = compiler.tensor(op.parameters[0]).elements();
    if (wantsOwnLoops(compiler, x, description)) {
        const auto y = compiler.define(op.output, x.desc);
        const auto mean = compiler.define(op.saved[0], vectorDesc(channels));
        const auto variance = compiler.define(op.saved[1], vectorDesc(channels));
        const bool relu = compiler.fusion().activation.has_value();
        emitChannelNorm(compiler, channelNorm(compiler, op, x, mean, variance, relu), y);
        emitRunningUpdate(compiler, op, mean, variance);
        compiler.remember(op.node, BatchNormMemory{layout, description, true});
        return;
    }
    const auto y = compiler.define(op.output, x.desc).viewed(layout);
    Compiler::Arguments arguments{{DNNL_ARG_SRC, x.viewed(layout)},
                                  {DNNL_ARG_SCALE, compiler.weight(op.parameters[0], vectorDesc(channels))},
                                  {DNNL_ARG_SHIFT, compiler.weight(op.parameters[1], vectorDesc(channels))},
                                  {DNNL_ARG_DST, y}};
    if (!compiler.training()) {
        arguments.emplace_back(DNNL_ARG_MEAN, compiler.value(op.parameters[2]));
        arguments.emplace_back(DNNL_ARG_VARIANCE, compiler.value(op.parameters[3]));
        compiler.primitive(batch_normalization_forward(description), description, std::move(arguments));
        return;
    }
    // In the Plan the second saved tensor is the inverse deviation; the library stores the variance.
    const auto mean = compiler.define(op.saved[0], vectorDesc(channels));
    const auto variance = compiler.define(op.saved[1], vectorDesc(channels));
    arguments.emplace_back(DNNL_ARG_MEAN, mean);
    arguments.emplace_back(DNNL_ARG_VARIANCE, variance);
    if (compiler.fusion().activation)
        arguments.emplace_back(DNNL_ARG_WORKSPACE, compiler.define(op.saved[2], description.workspace_desc()));
    compiler.primitive(batch_normalization_forward(description), description, std::move(arguments));
    emitRunningUpdate(compiler, op, mean, variance);
    compiler.remember(op.node, BatchNormMemory{layout, description, false});
}

void emitBatchNormBackward(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<BatchNormMemory>(op.node);
    const bool rectified = op.saved.size() > 2;
    auto x = compiler.value(op.inputs[0]);
    if (!channelLayout(x.desc)) x = compiler.plainValue(op.inputs[0]);
    const auto dy = compiler.valueAs(op.outputGradient, x.desc);
    const bool wanted = op.inputGradients[0] != kNoTensor;
    const auto target =
        wanted ? compiler.inputGradient(op, 0, x.desc) : GradientTarget{kNoTensor, compiler.scratch(x.desc)};
    const auto channels = vectorDesc(compiler.tensor(op.parameterGradients[0]).elements());
    const auto scale = compiler.parameterGradient(op, 0, channels);
    const auto offset = compiler.parameterGradient(op, 1, channels);
    const auto finish = [&] {
        compiler.finishGradient(target);
        compiler.finishGradient(scale);
        compiler.finishGradient(offset);
    };
    if (memory.native) {
        const auto norm =
            channelNorm(compiler, op, x, compiler.value(op.saved[0]), compiler.value(op.saved[1]), rectified);
        emitChannelNormGradient(compiler, norm, dy, target.value, scale.value, offset.value);
        return finish();
    }
    auto flags = Flags::use_scale | Flags::use_shift;
    if (rectified) flags = flags | Flags::fuse_norm_relu;
    const auto epsilon = static_cast<float>(std::get<model::BatchNorm>(op.layer).epsilon);
    const auto description = describeBatchNormBackward(compiler.engine(), compiler.attributes(), memory.forward,
                                                       memory.layout, epsilon, flags);
    Compiler::Arguments arguments{{DNNL_ARG_SRC, x.viewed(memory.layout)},
                                  {DNNL_ARG_MEAN, compiler.value(op.saved[0])},
                                  {DNNL_ARG_VARIANCE, compiler.value(op.saved[1])},
                                  {DNNL_ARG_DIFF_DST, dy.viewed(memory.layout)},
                                  {DNNL_ARG_SCALE, compiler.weight(op.parameters[0], channels)},
                                  {DNNL_ARG_DIFF_SRC, target.value.viewed(memory.layout)},
                                  {DNNL_ARG_DIFF_SCALE, scale.value},
                                  {DNNL_ARG_DIFF_SHIFT, offset.value}};
    if (kBatchNormBackwardTakesShift)
        arguments.emplace_back(DNNL_ARG_SHIFT, compiler.weight(op.parameters[1], channels));
    if (rectified) arguments.emplace_back(DNNL_ARG_WORKSPACE, compiler.value(op.saved[2]));
    compiler.primitive(batch_normalization_backward(description), description, std::move(arguments));
    finish();
}

void emitLayerNormForward(Compiler& compiler, const plan::Operation& op) {
    const auto x = compiler.plainValue(op.inputs[0]);
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
    const auto features = compiler.tensor(op.output).dims.back();
    const auto rows = compiler.tensor(op.output).elements() / features;
    const auto epsilon = static_cast<float>(std::get<model::LayerNorm>(op.layer).epsilon);
    const auto scale = compiler.weight(op.parameters[0], vectorDesc(features));
    const auto offset = compiler.weight(op.parameters[1], vectorDesc(features));
    Value mean, inverse;
    if (!op.saved.empty()) {
        mean = compiler.define(op.saved[0], vectorDesc(rows));
        inverse = compiler.define(op.saved[1], vectorDesc(rows));
    }
    withElementType(x.desc, [&]<class T>(T) {
        compiler.task("native:layer_norm", {x, y, scale, offset, mean, inverse}, [=](const StepState&) {
            parallelRows(rows, features, [&](std::int64_t begin, std::int64_t end) {
                NormRows<T> part;
                part.y = y.as<T>() + begin * features;
                part.x = x.as<T>() + begin * features;
                part.scale = scale.as<float>();
                part.offset = offset.as<float>();
                part.mean = mean ? mean.as<float>() + begin : nullptr;
                part.inverse = inverse ? inverse.as<float>() + begin : nullptr;
                part.epsilon = epsilon;
                part.rows = end - begin;
                part.features = features;
                kernels().rows<T>().layerNorm(part);
            });
        });
    });
}

struct LayerNormGradient {
    Value x, dy, dx, scale, mean, inverse, dScale, dOffset;
    Value sums;  // [threads, 2, features]
    std::int64_t rows = 0, features = 0;
    int threads = 1;
};

// Each thread sums its rows separately; the threads' sums are added in order.
template <class T>
void runLayerNormGradient(const LayerNormGradient& g) {
    const auto width = 2 * g.features;
    auto* sums = g.sums.as<float>();
    std::fill(sums, sums + g.threads * width, 0.0F);
    parallelRows(g.rows, g.features, [&](std::int64_t begin, std::int64_t end) {
        auto* partial = sums + omp_get_thread_num() * width;
        NormGradientRows<T> part;
        part.dx = g.dx.as<T>() + begin * g.features;
        part.dy = g.dy.as<T>() + begin * g.features;
        part.x = g.x.as<T>() + begin * g.features;
        part.scale = g.scale.as<float>();
        part.mean = g.mean.as<float>() + begin;
        part.inverse = g.inverse.as<float>() + begin;
        part.scaleSums = partial;
        part.offsetSums = partial + g.features;
        part.rows = end - begin;
        part.features = g.features;
        kernels().rows<T>().layerNormGradient(part);
    });
    for (std::int64_t f = 0; f < g.features; ++f) {
        float scale = 0, offset = 0;
        for (int t = 0; t < g.threads; ++t) {
            scale += sums[t * width + f];
            offset += sums[t * width + g.features + f];
        }
        g.dScale.as<float>()[f] = scale;
        g.dOffset.as<float>()[f] = offset;
    }
}

void emitLayerNormBackward(Compiler& compiler, const plan::Operation& op) {
    LayerNormGradient g;
    g.features = compiler.tensor(op.outputGradient).dims.back();
    g.rows = compiler.tensor(op.outputGradient).elements() / g.features;
    g.threads = compiler.options().threads;
    g.x = compiler.plainValue(op.inputs[0]);
    g.dy = compiler.plainValue(op.outputGradient);
    g.scale = compiler.weight(op.parameters[0], vectorDesc(g.features));
    g.mean = compiler.value(op.saved[0]);
    g.inverse = compiler.value(op.saved[1]);
    const bool wanted = op.inputGradients[0] != kNoTensor;
    const auto target = wanted ? compiler.inputGradient(op, 0, compiler.plainDescOf(op.outputGradient))
                               : GradientTarget{kNoTensor, compiler.scratch(compiler.plainDescOf(op.outputGradient))};
    const auto scale = compiler.parameterGradient(op, 0, vectorDesc(g.features));
    const auto offset = compiler.parameterGradient(op, 1, vectorDesc(g.features));
    g.dx = target.value;
    g.dScale = scale.value;
    g.dOffset = offset.value;
    g.sums = compiler.scratch(g.threads * 2 * g.features * static_cast<std::int64_t>(sizeof(float)));
    withElementType(g.x.desc, [&]<class T>(T) {
        compiler.task("native:layer_norm_gradient",
                      {g.x, g.dy, g.dx, g.scale, g.mean, g.inverse, g.dScale, g.dOffset, g.sums},
                      [g](const StepState&) { runLayerNormGradient<T>(g); });
    });
    compiler.finishGradient(target);
    compiler.finishGradient(scale);
    compiler.finishGradient(offset);
}

}  // namespace

Result<void> emitBatchNorm(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        emitBatchNormForward(compiler, op);
    } else {
        emitBatchNormBackward(compiler, op);
    }
    return {};
}

Result<void> emitLayerNorm(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        emitLayerNormForward(compiler, op);
    } else {
        emitLayerNormBackward(compiler, op);
    }
    return {};
}

}  // namespace steelyard::compute::cpu
