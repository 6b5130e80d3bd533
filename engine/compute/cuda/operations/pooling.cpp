// SPDX-License-Identifier: Apache-2.0
// Maximum, average and global average pooling.
#include "engine/compute/cuda/compile/emitters.h"
#include "engine/compute/cuda/operations/eight_bit.h"

namespace steelyard::compute::cuda {
namespace {

kernels::PoolWindow windowOf(const Compiler& compiler, const plan::Operation& op, const model::Pool2d& layer) {
    const auto& forward = compiler.forwardOf(op);
    kernels::PoolWindow w;
    w.in = compiler.imageLayout(compiler.dims(forward.inputs[0]));
    w.out = compiler.imageLayout(compiler.dims(forward.output));
    w.kernelHeight = layer.kernel.height, w.kernelWidth = layer.kernel.width;
    w.strideHeight = layer.stride.height, w.strideWidth = layer.stride.width;
    w.paddingTop = layer.padding.top, w.paddingLeft = layer.padding.left;
    w.countPadding = layer.countPadding;
    return w;
}

}  // namespace

Result<void> emitPool(Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Pool2d>(op.layer);
    const auto w = windowOf(compiler, op, layer);
    const bool largest = layer.kind == model::PoolKind::Max;
    const auto indices = compiler.valueOf(op.saved, 0);
    const auto type = compiler.type();
    if (op.pass == plan::Pass::Forward) {
        const auto x = compiler.value(op.inputs[0]), y = compiler.value(op.output);
        compiler.kernel("native:pool", {x, y, indices}, [=, stored = storedAs(compiler, op.output)](Stream stream) {
            if (stored != kernels::StoredAs::Float)
                return kernels::poolBytes(stream, stored, largest, w, x.data(), y.data());
            if (!largest) return kernels::averagePoolForward(stream, type, w, x.data(), y.data());
            return kernels::maxPoolForward(stream, type, w, x.data(), y.data(), indices.as<std::uint8_t>());
        });
        return {};
    }
    const auto dy = compiler.value(op.outputGradient), dx = compiler.value(op.inputGradients[0]);
    const bool add = op.accumulate[0];
    compiler.kernel("native:pool", {dy, dx, indices}, [=](Stream stream) {
        if (!largest) return kernels::averagePoolBackward(stream, type, w, dy.data(), dx.data(), add);
        return kernels::maxPoolBackward(stream, type, w, dy.data(), indices.as<const std::uint8_t>(), dx.data(), add);
    });
    return {};
}

Result<void> emitGlobalPool(Compiler& compiler, const plan::Operation& op) {
    const auto& in = compiler.dims(compiler.forwardOf(op).inputs[0]);
    kernels::MeanAxes axes{in[0], in[1], in.back()};  // sequences
    if (in.size() == 4)
        axes = compiler.channelsLast() ? kernels::MeanAxes{in[0], in[2] * in[3], in[1]}
                                       : kernels::MeanAxes{in[0] * in[1], in[2] * in[3], 1};
    const auto type = compiler.type();
    if (op.pass == plan::Pass::Forward) {
        const auto x = compiler.value(op.inputs[0]), y = compiler.value(op.output);
        const auto stored = storedAs(compiler, op.inputs[0]);
        const float factor = factorOf(compiler, op.inputs[0]) / static_cast<float>(axes.middle);
        compiler.kernel("native:mean", {x, y}, [=](Stream stream) {
            if (stored == kernels::StoredAs::Float) return kernels::meanForward(stream, type, axes, x.data(), y.data());
            return kernels::sumOfPixels(stream, stored, x.data(), y.as<float>(), axes.outer, axes.middle, axes.inner,
                                        factor);
        });
        return {};
    }
    const auto dy = compiler.value(op.outputGradient), dx = compiler.value(op.inputGradients[0]);
    compiler.kernel("native:mean", {dy, dx}, [=, add = static_cast<bool>(op.accumulate[0])](Stream stream) {
        return kernels::meanBackward(stream, type, axes, dy.data(), dx.data(), add);
    });
    return {};
}

}  // namespace steelyard::compute::cuda
