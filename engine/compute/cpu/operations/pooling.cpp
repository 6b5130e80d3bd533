// SPDX-License-Identifier: Apache-2.0
// Maximum and average pooling, in the layout of the input: with oneDNN, or in inference, where the positions of maxima
// are not kept, on native kernels.
#include <algorithm>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"

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

bool isByte(DataKind kind) {
    return kind == DataKind::s8 || kind == DataKind::u8;
}
bool isFloat(DataKind kind) {
    return kind == DataKind::f32 || kind == DataKind::bf16;
}

// Averages of fewer channels are faster with the library, which adds those of several pixels at a time.
constexpr std::int64_t kAveragedTogether = 48;

// Channels of a block lie together, and in both layouts alike; row-major images are the library's, averages of bytes
// too.
bool isNative(const PoolMemory& memory, const Desc& target) {
    const auto kind = kindOf(target);
    const bool isMaximum = memory.algorithm == dnnl::algorithm::pooling_max;
    if (!isFloat(kind) && !(isMaximum && isByte(kind))) return false;
    const auto from = channelLayout(memory.source), to = channelLayout(target);
    const auto least = isMaximum ? 2 : kAveragedTogether;
    return from && to && from->block == to->block && from->blocks == to->blocks && from->block >= least;
}

// pool: a PooledRow<T> to its pixels.
template <class T, class Pool>
void emitRows(Compiler& compiler, const char* name, const Window& window, std::int64_t divisor, const Value& x,
              const Value& y, Pool pool) {
    const auto source = dimsOf(x.desc), target = dimsOf(y.desc);
    const auto layout = *channelLayout(x.desc);
    compiler.task(name, {x, y}, [=](const StepState&) {
        const auto lines = layout.batch * layout.blocks * target[2];
        const auto work = target[3] * layout.block * window.kernel[0] * window.kernel[1];
        parallelRows(lines, work, [&](std::int64_t begin, std::int64_t end) {
            const auto line = target[3] * layout.block, sourceLine = source[3] * layout.block;
            for (auto i = begin; i < end; ++i) {
                const auto top = i % target[2] * window.stride[0] - window.begin[0];
                const auto first = std::max<std::int64_t>(top, 0);
                pool(PooledRow<T>{.y = y.as<T>() + i * line,
                                  .x = x.as<T>() + (i / target[2] * source[2] + first) * sourceLine,
                                  .rows = std::min(top + window.kernel[0], source[2]) - first,
                                  .width = source[3],
                                  .channels = layout.block,
                                  .pixels = target[3],
                                  .kernel = window.kernel[1],
                                  .stride = window.stride[1],
                                  .left = window.begin[1],
                                  .divisor = divisor});
            }
        });
    });
}

void emitNative(Compiler& compiler, const PoolMemory& memory, const Value& x, const Value& y) {
    const auto& window = memory.window;
    const auto maximum = [&]<class T>(T) {
        emitRows<T>(compiler, "native:maximum", window, 0, x, y,
                    [](const PooledRow<T>& row) { kernels().pooling.maximum(row); });
    };
    const auto kind = kindOf(x.desc);
    if (kind == DataKind::s8) return maximum(std::int8_t{});
    if (kind == DataKind::u8) return maximum(std::uint8_t{});
    withElementType(kind, [&]<class T>(T value) {
        if (memory.algorithm == dnnl::algorithm::pooling_max) return maximum(value);
        const bool countsPadding = memory.algorithm == dnnl::algorithm::pooling_avg_include_padding;
        emitRows<T>(compiler, "native:average", window, countsPadding ? window.kernel[0] * window.kernel[1] : 0, x, y,
                    [](const PooledRow<T>& row) { kernels().pooling.average(row); });
    });
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
    const auto y = compiler.define(op.output, memory.forward.dst_desc());
    if (!compiler.training() && isNative(memory, y.desc)) {
        emitNative(compiler, memory, x, y);
        return;
    }
    Compiler::Arguments arguments{{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, y}};
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
