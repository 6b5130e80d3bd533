// SPDX-License-Identifier: Apache-2.0
// Maximum and average pooling, in the layout of the input.
#include <algorithm>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"

namespace steelyard::compute::cpu {
namespace {

struct PoolMemory {
    dnnl::algorithm algorithm = dnnl::algorithm::undef;
    Desc source;
    Window window;
    dnnl::pooling_forward::primitive_desc forward;
};

// Rounding up adds padding at the end, where the last window exceeds the image.
Window windowOf(const model::Pool2d& layer, const Dims& source, const Dims& target) {
    const auto end = [](std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride,
                        std::int64_t begin) {
        return std::max<std::int64_t>(0, (out - 1) * stride + kernel - in - begin);
    };
    return {{layer.kernel.height, layer.kernel.width},
            {layer.stride.height, layer.stride.width},
            {layer.padding.top, layer.padding.left},
            {end(source[2], target[2], layer.kernel.height, layer.stride.height, layer.padding.top),
             end(source[3], target[3], layer.kernel.width, layer.stride.width, layer.padding.left)}};
}

dnnl::algorithm algorithmOf(const model::Pool2d& layer) {
    if (layer.kind == model::PoolKind::Max) return dnnl::algorithm::pooling_max;
    return layer.countPadding ? dnnl::algorithm::pooling_avg_include_padding
                              : dnnl::algorithm::pooling_avg_exclude_padding;
}

void emitPoolingForward(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Pool2d>(op.layer);
    const auto x = compiler.value(op.inputs[0]);
    const auto& targetShape = compiler.tensor(op.output).dims;
    const Dims target(targetShape.begin(), targetShape.end());
    PoolMemory memory{algorithmOf(layer), x.desc, windowOf(layer, dimsOf(x.desc), target), {}};
    const auto propagation =
        compiler.training() ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    memory.forward = describePool(compiler.engine(), compiler.attributes(), propagation, memory.algorithm, x.desc,
                                  anyDesc(target, kindOf(x.desc)), memory.window);
    Compiler::Arguments arguments{{DNNL_ARG_SRC, x},
                                  {DNNL_ARG_DST, compiler.define(op.output, memory.forward.dst_desc())}};
    if (!op.saved.empty())
        arguments.emplace_back(DNNL_ARG_WORKSPACE, compiler.define(op.saved[0], memory.forward.workspace_desc()));
    compiler.primitive(dnnl::pooling_forward(memory.forward), memory.forward, std::move(arguments));
    if (compiler.training()) compiler.remember(op.node, memory);
}

void emitPoolingBackward(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<PoolMemory>(op.node);
    const auto target = memory.forward.dst_desc();
    const auto description = describePoolBackward(compiler.engine(), compiler.attributes(), memory.forward,
                                                  memory.algorithm, memory.source, target, memory.window);
    const auto dy = compiler.valueAs(op.outputGradient, target);
    const auto gradient = compiler.inputGradient(op, 0, memory.source);
    Compiler::Arguments arguments{{DNNL_ARG_DIFF_DST, dy}, {DNNL_ARG_DIFF_SRC, gradient.value}};
    if (!op.saved.empty()) arguments.emplace_back(DNNL_ARG_WORKSPACE, compiler.value(op.saved[0]));
    compiler.primitive(dnnl::pooling_backward(description), description, std::move(arguments));
    compiler.finishGradient(gradient);
}

}  // namespace

Result<void> emitPool(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        emitPoolingForward(compiler, op);
    } else {
        emitPoolingBackward(compiler, op);
    }
    return {};
}

}  // namespace steelyard::compute::cpu
