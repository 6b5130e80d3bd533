// SPDX-License-Identifier: Apache-2.0
// Layers that only move values: flatten, concatenate, image to tokens, class token, step selection, padded shortcut.
#include "engine/compute/cuda/compile/emitters.h"
#include "engine/plan/quantisation.h"

namespace steelyard::compute::cuda {
namespace {

// Rows of `length` elements with distances `fromPitch` and `toPitch`.
struct Rows {
    std::int64_t rows = 0, length = 0, fromPitch = 0, toPitch = 0;
};

void moveRows(Compiler& compiler, Value from, Value to, const Rows& r, bool accumulate, bool bytes = false) {
    if (bytes) {
        compiler.kernel("native:copy_rows", {from, to}, [=](Stream stream) {
            return kernels::copyRowsOfBytes(stream, from.data(), r.fromPitch, to.data(), r.toPitch, r.rows, r.length);
        });
        return;
    }
    compiler.kernel("native:copy_rows", {from, to}, [=, type = compiler.type()](Stream stream) {
        return kernels::copyRows(stream, type, from.data(), r.fromPitch, to.data(), r.toPitch, r.rows, r.length,
                                 accumulate);
    });
}

void transpose(Compiler& compiler, Value from, Value to, const Rows& matrix, bool accumulate, bool bytes = false) {
    if (bytes) {
        compiler.kernel("native:transpose", {from, to}, [=](Stream stream) {
            return kernels::transposeBytes(stream, from.data(), to.data(), matrix.fromPitch, matrix.rows,
                                           matrix.length);
        });
        return;
    }
    compiler.kernel("native:transpose", {from, to}, [=, type = compiler.type()](Stream stream) {
        return kernels::transpose(stream, type, from.data(), to.data(), matrix.fromPitch, matrix.rows, matrix.length,
                                  accumulate);
    });
}

// The same elements in the same order: an alias, a copy, or an accumulation.
void passOn(Compiler& compiler, Value from, Value to, std::int64_t elements, bool accumulate, bool bytes = false) {
    if (from.buffer == to.buffer) return;
    if (!accumulate) return compiler.copy(to, from, elements * (bytes ? 1 : compiler.typeBytes()));
    compiler.kernel("native:accumulate", {from, to}, [=, type = compiler.type()](Stream stream) {
        return kernels::accumulate(stream, type, from.data(), to.data(), elements);
    });
}

const model::Shape& inputDims(const Compiler& compiler, const plan::Operation& op) {
    return compiler.dims(compiler.forwardOf(op).inputs[0]);
}

// [batch, rows, columns], as for transpose().
Rows matrices(std::int64_t batch, std::int64_t rows, std::int64_t columns) {
    return {rows, columns, batch, 0};
}

}  // namespace

// Flattening is defined for channels first; a channels-last image must be transposed and cannot share memory.
Result<void> emitFlatten(Compiler& compiler, const plan::Operation& op) {
    const auto& in = inputDims(compiler, op);
    const bool turns = in.size() == 4 && compiler.channelsLast() && in[1] > 1 && in[2] * in[3] > 1;
    const bool isForward = op.pass == plan::Pass::Forward;
    const auto target = isForward ? op.output : op.inputGradients[0];
    const bool add = !isForward && op.accumulate[0];
    const bool bytes = plan::isEightBit(compiler.tensor(target));
    const auto from = compiler.value(isForward ? op.inputs[0] : op.outputGradient);
    if (!turns) {
        passOn(compiler, from, compiler.value(target), compiler.elements(target), add, bytes);
        return {};
    }
    if (!add && compiler.value(target).buffer == from.buffer) compiler.placeAlone(target);
    const auto pixels = in[2] * in[3];
    transpose(compiler, from, compiler.value(target),
              isForward ? matrices(in[0], pixels, in[1]) : matrices(in[0], in[1], pixels), add, bytes);
    return {};
}

Result<void> emitConcat(Compiler& compiler, const plan::Operation& op) {
    const auto& forward = compiler.forwardOf(op);
    const auto& whole = compiler.dims(forward.output);
    const bool last = whole.size() == 4 && compiler.channelsLast();
    const auto rows = last ? whole[0] * whole[2] * whole[3] : whole[0];
    const auto pitch = compiler.elements(forward.output) / rows;
    const bool isForward = op.pass == plan::Pass::Forward;
    const bool bytes = plan::isEightBit(compiler.tensor(forward.output));
    std::int64_t first = 0;
    for (std::size_t k = 0; k < forward.inputs.size(); ++k) {
        const auto length = compiler.elements(forward.inputs[k]) / rows;
        const auto offset = first * (bytes ? 1 : compiler.typeBytes());
        first += length;
        if (isForward)
            moveRows(compiler, compiler.value(op.inputs[k]), compiler.value(op.output).at(offset),
                     {rows, length, length, pitch}, false, bytes);
        else if (op.inputGradients[k] != kNoTensor)
            moveRows(compiler, compiler.value(op.outputGradient).at(offset), compiler.value(op.inputGradients[k]),
                     {rows, length, pitch, length}, op.accumulate[k]);
    }
    return {};
}

// [B, C, H, W] -> [B, H W, C]
Result<void> emitToTokens(Compiler& compiler, const plan::Operation& op) {
    const auto& in = inputDims(compiler, op);
    const bool isForward = op.pass == plan::Pass::Forward;
    const auto from = compiler.value(isForward ? op.inputs[0] : op.outputGradient);
    const auto to = compiler.value(isForward ? op.output : op.inputGradients[0]);
    const bool add = !isForward && op.accumulate[0];
    const auto pixels = in[2] * in[3];
    if (compiler.channelsLast())
        passOn(compiler, from, to, model::elementCount(in), add);
    else
        transpose(compiler, from, to, isForward ? matrices(in[0], in[1], pixels) : matrices(in[0], pixels, in[1]), add);
    return {};
}

// [B, T, F] -> [B, F]
Result<void> emitSelectStep(Compiler& compiler, const plan::Operation& op) {
    const auto& in = inputDims(compiler, op);
    const auto chosen = std::get<model::SelectStep>(op.layer).step;
    const auto offset = (chosen < 0 ? chosen + in[1] : chosen) * in[2] * compiler.typeBytes();
    if (op.pass == plan::Pass::Forward) {
        moveRows(compiler, compiler.value(op.inputs[0]).at(offset), compiler.value(op.output),
                 {in[0], in[2], in[1] * in[2], in[2]}, false);
        return {};
    }
    const auto dx = compiler.value(op.inputGradients[0]);
    if (!op.accumulate[0]) compiler.clear(dx, model::elementCount(in) * compiler.typeBytes());
    moveRows(compiler, compiler.value(op.outputGradient), dx.at(offset), {in[0], in[2], in[2], in[1] * in[2]},
             op.accumulate[0]);
    return {};
}

// [B, T, F] -> [B, T + 1, F], the learned token first.
Result<void> emitClassToken(Compiler& compiler, const plan::Operation& op) {
    const auto& in = inputDims(compiler, op);
    const auto batch = in[0], features = in[2], sample = in[1] * in[2], pitch = sample + features;
    const auto type = compiler.type();
    const auto offset = features * compiler.typeBytes();
    if (op.pass == plan::Pass::Forward) {
        const auto token = compiler.f32Weight(op.parameters[0]), y = compiler.value(op.output);
        compiler.kernel("native:write_row", {token, y}, [=](Stream stream) {
            return kernels::writeRow(stream, type, token.as<const float>(), y.data(), pitch, batch, features);
        });
        moveRows(compiler, compiler.value(op.inputs[0]), y.at(offset), {batch, sample, sample, pitch}, false);
        return {};
    }
    const auto dy = compiler.value(op.outputGradient), gradient = compiler.value(op.parameterGradients[0]);
    const auto workspace = compiler.scratch(kernels::sumChannelsWorkspace({batch, features, 1}));
    compiler.kernel("native:sum_rows", {dy, gradient, workspace}, [=, add = op.accumulateParameters](Stream stream) {
        return kernels::sumRows(stream, type, dy.data(), batch, features, pitch, gradient.as<float>(), add,
                                workspace.data());
    });
    if (op.inputGradients[0] != kNoTensor)
        moveRows(compiler, dy.at(offset), compiler.value(op.inputGradients[0]), {batch, sample, pitch, sample},
                 op.accumulate[0]);
    return {};
}

Result<void> emitShortcutPad(Compiler& compiler, const plan::Operation& op) {
    const auto& forward = compiler.forwardOf(op);
    const auto in = compiler.imageLayout(compiler.dims(forward.inputs[0]));
    const auto out = compiler.imageLayout(compiler.dims(forward.output));
    const auto stride = std::get<model::ShortcutPad>(op.layer).stride;
    const auto type = compiler.type();
    if (op.pass == plan::Pass::Forward) {
        const auto x = compiler.value(op.inputs[0]), y = compiler.value(op.output);
        compiler.kernel("native:shortcut_pad", {x, y}, [=](Stream stream) {
            return kernels::shortcutPadForward(stream, type, in, out, stride, x.data(), y.data());
        });
        return {};
    }
    const auto dy = compiler.value(op.outputGradient), dx = compiler.value(op.inputGradients[0]);
    compiler.kernel("native:shortcut_pad", {dy, dx}, [=, add = static_cast<bool>(op.accumulate[0])](Stream stream) {
        return kernels::shortcutPadBackward(stream, type, in, out, stride, dy.data(), dx.data(), add);
    });
    return {};
}

}  // namespace steelyard::compute::cuda
