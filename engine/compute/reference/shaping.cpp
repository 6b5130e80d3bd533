// SPDX-License-Identifier: Apache-2.0
// Layers that only move values: flatten, concatenate, image to tokens, class token, step selection, padded shortcut.
// Each is a list of moves from an input position to an output position; the forward pass copies, the backward pass adds
// in the opposite direction.
#include "engine/compute/reference/step_run.h"

namespace steelyard::compute::reference {
namespace {

// The forward operation of the same layer, which also lists inputs whose gradient is not needed.
const Operation& forwardOf(const StepRun& run, const Operation& op) {
    if (op.pass == plan::Pass::Forward) return op;
    const auto& all = run.plan.operations;
    return *std::find_if(all.begin(), all.end(), [&](const Operation& other) {
        return other.node == op.node && other.pass == plan::Pass::Forward;
    });
}

// moves(visit) calls visit(input, position in it, position in the output) for every moved value.
template <typename Moves>
void runMoves(StepRun& run, const Operation& op, const Moves& moves) {
    if (op.pass == plan::Pass::Forward) {
        const auto y = run.output(op);
        std::fill(y.begin(), y.end(), 0.0F);
        moves([&](std::size_t k, Index from, Index to) {
            y[static_cast<std::size_t>(to)] = run.input(op, k)[static_cast<std::size_t>(from)];
        });
        return;
    }
    const auto dy = run.outputGradient(op);
    std::vector<std::span<float>> dx;
    for (std::size_t k = 0; k < op.inputGradients.size(); ++k) dx.push_back(run.inputGradient(op, k));
    moves([&](std::size_t k, Index from, Index to) {
        if (!dx[k].empty()) dx[k][static_cast<std::size_t>(from)] += dy[static_cast<std::size_t>(to)];
    });
}

}  // namespace

void runFlatten(StepRun& run, const Operation& op) {
    const auto count = run.plan.tensor(forwardOf(run, op).output).elements();
    runMoves(run, op, [&](const auto& visit) {
        for (Index i = 0; i < count; ++i) visit(0, i, i);
    });
}

void runConcat(StepRun& run, const Operation& op) {
    const auto& forward = forwardOf(run, op);
    const auto batch = run.plan.options.batch;
    const auto whole = run.plan.tensor(forward.output).elements() / batch;
    runMoves(run, op, [&](const auto& visit) {
        Index offset = 0;
        for (std::size_t k = 0; k < forward.inputs.size(); ++k) {
            const auto part = run.plan.tensor(forward.inputs[k]).elements() / batch;
            for (Index b = 0; b < batch; ++b)
                for (Index i = 0; i < part; ++i) visit(k, b * part + i, b * whole + offset + i);
            offset += part;
        }
    });
}

// [B, C, H, W] -> [B, H W, C]
void runToTokens(StepRun& run, const Operation& op) {
    const auto& dims = run.dims(forwardOf(run, op).inputs[0]);
    const Index channels = dims[1], pixels = dims[2] * dims[3];
    runMoves(run, op, [&](const auto& visit) {
        for (Index b = 0; b < dims[0]; ++b)
            for (Index c = 0; c < channels; ++c)
                for (Index p = 0; p < pixels; ++p)
                    visit(0, (b * channels + c) * pixels + p, (b * pixels + p) * channels + c);
    });
}

// [B, T, F] -> [B, F]
void runSelectStep(StepRun& run, const Operation& op) {
    const auto& dims = run.dims(forwardOf(run, op).inputs[0]);
    const Index chosen = std::get<model::SelectStep>(op.layer).step;
    const Index step = chosen < 0 ? chosen + dims[1] : chosen;
    runMoves(run, op, [&](const auto& visit) {
        for (Index b = 0; b < dims[0]; ++b)
            for (Index f = 0; f < dims[2]; ++f) visit(0, (b * dims[1] + step) * dims[2] + f, b * dims[2] + f);
    });
}

// Every stride-th pixel; half of the new channels before, half after.
void runShortcutPad(StepRun& run, const Operation& op) {
    const auto& forward = forwardOf(run, op);
    const auto& in = run.dims(forward.inputs[0]);
    const auto& out = run.dims(forward.output);
    const Index stride = std::get<model::ShortcutPad>(op.layer).stride;
    const Index before = (out[1] - in[1]) / 2;
    runMoves(run, op, [&](const auto& visit) {
        for (Index b = 0; b < in[0]; ++b)
            for (Index c = 0; c < in[1]; ++c)
                for (Index h = 0; h < out[2]; ++h)
                    for (Index w = 0; w < out[3]; ++w)
                        visit(0, ((b * in[1] + c) * in[2] + h * stride) * in[3] + w * stride,
                              ((b * out[1] + before + c) * out[2] + h) * out[3] + w);
    });
}

// [B, T, F] -> [B, T + 1, F], the learned token first.
void runClassToken(StepRun& run, const Operation& op) {
    const auto& in = run.dims(forwardOf(run, op).inputs[0]);
    const auto features = static_cast<std::size_t>(in[2]);
    const auto sample = static_cast<std::size_t>((in[1] + 1) * in[2]);
    runMoves(run, op, [&](const auto& visit) {
        for (Index b = 0; b < in[0]; ++b)
            for (Index i = 0; i < in[1] * in[2]; ++i)
                visit(0, b * in[1] * in[2] + i, b * (in[1] + 1) * in[2] + in[2] + i);
    });
    if (op.pass == plan::Pass::Forward) {
        const auto token = run.parameter(op, 0);
        const auto y = run.output(op);
        for (std::size_t first = 0; first < y.size(); first += sample)
            std::copy(token.begin(), token.end(), y.begin() + static_cast<std::ptrdiff_t>(first));
        return;
    }
    const auto dy = run.outputGradient(op);
    const auto gradient = run.parameterGradient(op, 0);
    for (std::size_t f = 0; f < features; ++f) {
        auto sum = static_cast<double>(gradient[f]);
        for (std::size_t i = f; i < dy.size(); i += sample) sum += static_cast<double>(dy[i]);
        gradient[f] = static_cast<float>(sum);
    }
}

}  // namespace steelyard::compute::reference
