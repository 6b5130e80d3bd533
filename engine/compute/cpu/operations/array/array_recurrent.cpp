// SPDX-License-Identifier: Apache-2.0
// Recurrent layers with ONNX's layout, gates and states, and the default activations: the input part of all gates in
// one product, then step by step the recurrent part and the cell. Float32; gates i o f c and z r h, as in
// model/array/array_layer.h.
#include <algorithm>

#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/array/array.h"

namespace steelyard::compute::cpu {
namespace {

using model::MapKind;

void mapRow(MapKind kind, float* y, const float* a, const float* b, std::int64_t n) {
    kernels().array.map({.kind = kind, .y = y, .a = a, .b = b, .n = n});
}

struct GatedPass {
    model::RecurrentPass layer;
    std::int64_t steps = 0, batch = 0, features = 0, gates = 1, directions = 1;
    std::vector<Value> inputs;
    Value output, inputGates, stateGates;

    [[nodiscard]] std::int64_t units() const { return layer.units; }
    [[nodiscard]] std::int64_t width() const { return gates * layer.units; }
    [[nodiscard]] std::int64_t state() const { return batch * layer.units; }

    void run() const {
        if (directions > 1 && omp_get_max_threads() > 1) {
            parallelRanges(
                directions,
                [&](std::int64_t begin, std::int64_t end) {
                    for (auto d = begin; d < end; ++d) run(d);
                },
                1, 1);
        } else {
            for (std::int64_t d = 0; d < directions; ++d) run(d);
        }
    }

private:
    void run(std::int64_t direction) const {
        std::size_t next = 3;
        const auto* bias = layer.hasBias ? inputs[next++].as<float>() + direction * 2 * width() : nullptr;
        const auto* firstHidden = layer.hasHidden ? inputs[next++].as<float>() + direction * state() : nullptr;
        const auto* firstCell = layer.hasCell ? inputs[next++].as<float>() + direction * state() : nullptr;
        const bool lstm = layer.cell == model::PassCell::Lstm;
        auto* y = output.as<float>();
        auto* h = y + steps * directions * state() + direction * state();
        auto* c = lstm ? h + directions * state() : nullptr;
        auto* gatesOfX = inputGates.as<float>() + direction * steps * batch * width();
        auto* gatesOfH = stateGates.as<float>() + direction * batch * (width() + units());
        start(h, firstHidden);
        if (lstm) start(c, firstCell);
        blasProduct(BlasLibrary::OpenBlas, {steps * batch, width(), features, false, true}, 1, inputs[0].as<float>(),
                    inputs[1].as<float>() + direction * width() * features, 0, gatesOfX);
        if (bias != nullptr) addBias(gatesOfX, bias);
        const bool reverse = layer.direction == model::PassDirection::Reverse || direction == 1;
        const auto* recurrent = inputs[2].as<float>() + direction * width() * units();
        for (std::int64_t s = 0; s < steps; ++s) {
            const auto t = reverse ? steps - 1 - s : s;
            auto* g = gatesOfX + t * batch * width();
            if (lstm) {
                lstmStep(g, gatesOfH, recurrent, c, h);
            } else if (layer.cell == model::PassCell::Gru) {
                gruStep(g, gatesOfH, recurrent, bias, h);
            } else {
                multiply(h, recurrent, units(), gatesOfH);
                mapRow(MapKind::Add, gatesOfH, gatesOfH, g, state());
                mapRow(MapKind::Tanh, h, gatesOfH, nullptr, state());
            }
            std::copy(h, h + state(), y + (t * directions + direction) * state());
        }
    }

    void start(float* to, const float* given) const {
        if (given != nullptr) {
            std::copy(given, given + state(), to);
        } else {
            std::fill(to, to + state(), 0.0F);
        }
    }
    // Input and state bias; for a Gru with linear_before_reset the candidate's state bias is applied after the reset
    // gate.
    void addBias(float* gatesOfX, const float* bias) const {
        const bool inside = layer.cell == model::PassCell::Gru && layer.linearBeforeReset;
        const auto outside = inside ? 2 * units() : width();
        for (std::int64_t r = 0; r < steps * batch; ++r) {
            auto* g = gatesOfX + r * width();
            mapRow(MapKind::Add, g, g, bias, width());
            mapRow(MapKind::Add, g, g, bias + width(), outside);
        }
    }
    // result [batch, rows] = h R^T
    void multiply(const float* h, const float* recurrent, std::int64_t rows, float* result) const {
        blasProduct(BlasLibrary::OpenBlas, {batch, rows, units(), false, true}, 1, h, recurrent, 0, result);
    }

    void lstmStep(float* gatesOfX, float* gatesOfH, const float* recurrent, float* cells, float* hidden) const {
        const auto n = units();
        multiply(hidden, recurrent, width(), gatesOfH);
        mapRow(MapKind::Add, gatesOfX, gatesOfX, gatesOfH, batch * width());
        for (std::int64_t b = 0; b < batch; ++b) {
            auto* g = gatesOfX + b * width();
            auto *i = g, *o = g + n, *f = g + 2 * n, *z = g + 3 * n, *c = cells + b * n, *h = hidden + b * n;
            mapRow(MapKind::Sigmoid, g, g, nullptr, 3 * n);
            mapRow(MapKind::Tanh, z, z, nullptr, n);
            mapRow(MapKind::Mul, c, c, f, n);
            mapRow(MapKind::Mul, i, i, z, n);
            mapRow(MapKind::Add, c, c, i, n);
            mapRow(MapKind::Tanh, h, c, nullptr, n);
            mapRow(MapKind::Mul, h, h, o, n);
        }
    }

    void gruStep(float* gatesOfX, float* gatesOfH, const float* recurrent, const float* bias, float* hidden) const {
        const auto n = units();
        const bool linear = layer.linearBeforeReset;
        const auto product = linear ? width() : 2 * n;
        auto* gated = gatesOfH + batch * width();  // r h
        multiply(hidden, recurrent, product, gatesOfH);
        for (std::int64_t b = 0; b < batch; ++b) {
            auto *g = gatesOfX + b * width(), *r = gatesOfH + b * product;
            mapRow(MapKind::Add, g, g, r, 2 * n);
            mapRow(MapKind::Sigmoid, g, g, nullptr, 2 * n);
            if (linear) {
                if (bias != nullptr) mapRow(MapKind::Add, r + 2 * n, r + 2 * n, bias + width() + 2 * n, n);
                mapRow(MapKind::Mul, r + 2 * n, r + 2 * n, g + n, n);
                mapRow(MapKind::Add, g + 2 * n, g + 2 * n, r + 2 * n, n);
            } else {
                mapRow(MapKind::Mul, gated + b * n, g + n, hidden + b * n, n);
            }
        }
        if (!linear) multiply(gated, recurrent + 2 * n * n, n, gatesOfH);
        for (std::int64_t b = 0; b < batch; ++b) {
            auto *g = gatesOfX + b * width(), *h = hidden + b * n;
            auto* candidate = g + 2 * n;
            if (!linear) mapRow(MapKind::Add, candidate, candidate, gatesOfH + b * n, n);
            mapRow(MapKind::Tanh, candidate, candidate, nullptr, n);
            // (1 - z) n + z h = n + z (h - n)
            mapRow(MapKind::Sub, h, h, candidate, n);
            mapRow(MapKind::Mul, h, h, g, n);
            mapRow(MapKind::Add, h, h, candidate, n);
        }
    }
};

}  // namespace

bool emitRecurrentPass(Compiler& compiler, const ArrayOperands& all, const model::RecurrentPass& layer) {
    if (!all.allFloat() || layer.hasLengths || layer.hasPeepholes || !layer.activations.empty() || layer.clip != 0 ||
        layer.inputForget)
        return false;
    GatedPass pass;
    pass.layer = layer;
    pass.steps = all.shapes[0][0];
    pass.batch = all.shapes[0][1];
    pass.features = all.shapes[0][2];
    pass.gates = layer.cell == model::PassCell::Lstm ? 4 : layer.cell == model::PassCell::Gru ? 3 : 1;
    pass.directions = layer.direction == model::PassDirection::Bidirectional ? 2 : 1;
    pass.inputs = floatOperands(compiler, *all.op);
    const auto target = floatResult(compiler, all.op->output);
    pass.output = target.value;
    const auto floats = [&](std::int64_t count) {
        return compiler.scratch(count * static_cast<std::int64_t>(sizeof(float)));
    };
    pass.inputGates = floats(pass.directions * pass.steps * pass.batch * pass.width());
    pass.stateGates = floats(pass.directions * pass.batch * (pass.width() + pass.units()));
    const char* name = layer.cell == model::PassCell::Lstm  ? "lstm_pass"
                       : layer.cell == model::PassCell::Gru ? "gru_pass"
                                                            : "rnn_pass";
    arrayTask(compiler, name, pass.inputs, {pass.output, pass.inputGates, pass.stateGates},
              [pass](const StepState&) { pass.run(); });
    finishFloat(compiler, target);
    return true;
}

}  // namespace steelyard::compute::cpu
