// SPDX-License-Identifier: Apache-2.0
// Maximum, average and global average pooling, forward and backward.
#include <optional>

#include "engine/compute/reference/step_run.h"

namespace steelyard::compute::reference {
namespace {

// The part of an output pixel's window inside the image.
struct Field {
    Index top = 0, bottom = 0, left = 0, right = 0;  // half-open
    Index kernelTop = 0, kernelLeft = 0;             // of the whole window, padding included

    [[nodiscard]] Index count() const { return std::max<Index>(0, bottom - top) * std::max<Index>(0, right - left); }
};

Field fieldOf(const model::Pool2d& layer, const model::Shape& in, Index oh, Index ow) {
    Field f;
    f.kernelTop = oh * layer.stride.height - layer.padding.top;
    f.kernelLeft = ow * layer.stride.width - layer.padding.left;
    f.top = std::max<Index>(0, f.kernelTop);
    f.left = std::max<Index>(0, f.kernelLeft);
    f.bottom = std::min(in[2], f.kernelTop + layer.kernel.height);
    f.right = std::min(in[3], f.kernelLeft + layer.kernel.width);
    return f;
}

// Calls visit(position of the plane in the input, position in the output, field) for every output element.
template <typename Visit>
void forEachField(const model::Pool2d& layer, const model::Shape& in, const model::Shape& out, const Visit& visit) {
    Index to = 0;
    for (Index plane = 0; plane < in[0] * in[1]; ++plane)
        for (Index oh = 0; oh < out[2]; ++oh)
            for (Index ow = 0; ow < out[3]; ++ow)
                visit(plane * in[2] * in[3], static_cast<std::size_t>(to++), fieldOf(layer, in, oh, ow));
}

// The first of equal maxima wins. Its position in the whole window, in row-major order, is saved.
void maxForward(StepRun& run, const Operation& op, const model::Pool2d& layer) {
    const auto x = run.input(op);
    const auto y = run.output(op);
    const auto indices = run.saved(op);
    const auto& in = run.dims(op.inputs[0]);
    forEachField(layer, in, run.dims(op.output), [&](Index plane, std::size_t to, const Field& f) {
        std::optional<float> best;
        Index position = 0;
        for (Index h = f.top; h < f.bottom; ++h)
            for (Index w = f.left; w < f.right; ++w) {
                const auto value = x[static_cast<std::size_t>(plane + h * in[3] + w)];
                if (best && !(value > *best)) continue;
                best = value;
                position = (h - f.kernelTop) * layer.kernel.width + w - f.kernelLeft;
            }
        y[to] = best.value_or(0.0F);
        if (!indices.empty()) indices[to] = static_cast<float>(position);
    });
}

void maxBackward(StepRun& run, const Operation& op, const model::Pool2d& layer) {
    const auto dx = run.inputGradient(op);
    const auto dy = run.outputGradient(op);
    const auto indices = run.saved(op);
    const auto& in = run.dims(op.inputGradients[0]);
    forEachField(layer, in, run.dims(op.outputGradient), [&](Index plane, std::size_t from, const Field& f) {
        if (f.count() == 0) return;
        const auto position = static_cast<Index>(indices[from]);
        const auto h = f.kernelTop + position / layer.kernel.width;
        const auto w = f.kernelLeft + position % layer.kernel.width;
        dx[static_cast<std::size_t>(plane + h * in[3] + w)] += dy[from];
    });
}

double divisor(const model::Pool2d& layer, const Field& f) {
    const auto count = layer.countPadding ? layer.kernel.height * layer.kernel.width : f.count();
    return static_cast<double>(std::max<Index>(1, count));
}

void averageForward(StepRun& run, const Operation& op, const model::Pool2d& layer) {
    const auto x = run.input(op);
    const auto y = run.output(op);
    const auto& in = run.dims(op.inputs[0]);
    forEachField(layer, in, run.dims(op.output), [&](Index plane, std::size_t to, const Field& f) {
        double sum = 0;
        for (Index h = f.top; h < f.bottom; ++h)
            for (Index w = f.left; w < f.right; ++w)
                sum += static_cast<double>(x[static_cast<std::size_t>(plane + h * in[3] + w)]);
        y[to] = static_cast<float>(sum / divisor(layer, f));
    });
}

void averageBackward(StepRun& run, const Operation& op, const model::Pool2d& layer) {
    const auto dx = run.inputGradient(op);
    const auto dy = run.outputGradient(op);
    const auto& in = run.dims(op.inputGradients[0]);
    forEachField(layer, in, run.dims(op.outputGradient), [&](Index plane, std::size_t from, const Field& f) {
        const auto share = static_cast<float>(static_cast<double>(dy[from]) / divisor(layer, f));
        for (Index h = f.top; h < f.bottom; ++h)
            for (Index w = f.left; w < f.right; ++w) dx[static_cast<std::size_t>(plane + h * in[3] + w)] += share;
    });
}

// [B, C, H, W] and [B, T, F] as [B, outer, middle, inner] with the mean over middle.
struct GlobalAxes {
    Index outer = 0, middle = 0, inner = 0;
};
GlobalAxes globalAxes(const model::Shape& in) {
    if (in.size() == 3) return {in[0], in[1], in[2]};
    return {in[0] * in[1], in[2] * in[3], 1};
}

}  // namespace

void runPool(StepRun& run, const Operation& op) {
    const auto& layer = std::get<model::Pool2d>(op.layer);
    const bool forward = op.pass == plan::Pass::Forward;
    if (layer.kind == model::PoolKind::Max) return forward ? maxForward(run, op, layer) : maxBackward(run, op, layer);
    return forward ? averageForward(run, op, layer) : averageBackward(run, op, layer);
}

void runGlobalPool(StepRun& run, const Operation& op) {
    const bool forward = op.pass == plan::Pass::Forward;
    const auto axes = globalAxes(run.dims(forward ? op.inputs[0] : op.inputGradients[0]));
    const auto at = [&](Index outer, Index middle, Index inner) {
        return static_cast<std::size_t>((outer * axes.middle + middle) * axes.inner + inner);
    };
    const auto count = static_cast<double>(axes.middle);
    if (forward) {
        const auto x = run.input(op);
        const auto y = run.output(op);
        for (Index o = 0; o < axes.outer; ++o)
            for (Index i = 0; i < axes.inner; ++i) {
                double sum = 0;
                for (Index m = 0; m < axes.middle; ++m) sum += static_cast<double>(x[at(o, m, i)]);
                y[static_cast<std::size_t>(o * axes.inner + i)] = static_cast<float>(sum / count);
            }
        return;
    }
    const auto dy = run.outputGradient(op);
    const auto dx = run.inputGradient(op);
    for (Index o = 0; o < axes.outer; ++o)
        for (Index m = 0; m < axes.middle; ++m)
            for (Index i = 0; i < axes.inner; ++i)
                dx[at(o, m, i)] +=
                    static_cast<float>(static_cast<double>(dy[static_cast<std::size_t>(o * axes.inner + i)]) / count);
}

}  // namespace steelyard::compute::reference
