// SPDX-License-Identifier: Apache-2.0
// Recurrent layers with ONNX's layout, gates and states, and the default activations: the input part of all gates in
// one product, then step by step the recurrent part and the cell. If the recurrent weights fit into the cache of a
// core, each thread computes all steps of some samples, without synchronization. The products of a step are too small
// for a library, which packs the weights in every step and synchronizes its threads. Float32; gates i o f c and z r h,
// as in model/array/array_layer.h.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/gemm/gemm_packing.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/array/array.h"
#include "engine/compute/cpu/tuning/implementation.h"

namespace steelyard::compute::cpu {
namespace {

using model::MapKind;

constexpr std::int64_t kWeightColumns = 64;  // contiguous columns of packed weights
constexpr std::int64_t kDividedRows = 64;    // steps times batch from which dividing the batch pays with a library
constexpr std::int64_t kFewSamples = 4;      // up to which a product is one row of the result at a time
constexpr std::int64_t kSerialProducts = 1 << 18;  // multiplications that one thread does sooner
constexpr std::int64_t kCachedWeights = 1 << 18;   // floats

void mapRow(MapKind kind, float* y, const float* a, const float* b, std::int64_t n) {
    kernels().array.map({.kind = kind, .y = y, .a = a, .b = b, .n = n});
}

// Recurrent weights: as in the operand, in panels for the gemm kernels, or transposed.
enum class Weights { AsStored, Panels, Transposed };

struct GatedPass {
    model::RecurrentPass layer;
    std::int64_t steps = 0, batch = 0, features = 0, gates = 1, directions = 1;
    std::vector<Value> inputs;
    Weights weights = Weights::AsStored;
    BlasLibrary inputLibrary = BlasLibrary::OpenBlas;
    bool isPrepared = false;                       // `packed` is filled before the first step
    Value output, inputGates, stateGates, packed;  // packed: recurrent weights

    [[nodiscard]] std::int64_t units() const { return layer.units; }
    [[nodiscard]] std::int64_t width() const { return gates * layer.units; }
    [[nodiscard]] std::int64_t state() const { return batch * layer.units; }
    // The input part of the gates, of one direction.
    [[nodiscard]] Product inputProduct() const { return {steps * batch, width(), features, false, true}; }
    [[nodiscard]] bool dividesBatch() const {
        return width() * units() <= kCachedWeights && (weights != Weights::AsStored || steps * batch >= kDividedRows);
    }
    [[nodiscard]] Weights wantedWeights() const {
        const bool isAligned =
            layer.cell != model::PassCell::Gru || layer.linearBeforeReset || 2 * units() % kWeightColumns == 0;
        if (kernels().f32Gemm.multiply != nullptr && isAligned) return Weights::Panels;
        return batch <= kFewSamples ? Weights::Transposed : Weights::AsStored;
    }

    void pack() const {
        for (std::int64_t d = 0; d < directions; ++d) {
            if (weights == Weights::Transposed) {
                const auto* from = recurrent(d);
                auto* to = packed.as<float>() + d * width() * units();
                for (std::int64_t row = 0; row < width(); ++row)
                    for (std::int64_t u = 0; u < units(); ++u) to[u * width() + row] = from[row * units() + u];
            } else {
                for (std::int64_t column = 0; column < width(); column += kWeightColumns)
                    packColumns(panelOf(d, column), recurrent(d) + column * units(),
                                std::min(kWeightColumns, width() - column), units(), units());
            }
        }
    }

    void run() const {
        if (weights != Weights::AsStored && !isPrepared) pack();
        if (!dividesBatch()) {
            // Each direction on a thread, or the products on all threads.
            const bool parallelDirections = weights != Weights::Panels || directions >= omp_get_max_threads();
            parallelRanges(
                directions,
                [&](std::int64_t begin, std::int64_t end) {
                    for (auto d = begin; d < end; ++d) {
                        prepare(d);
                        computeSteps({d, batch, !parallelDirections}, 0);
                    }
                },
                parallelDirections ? 1 : directions, 1);
            return;
        }
        for (std::int64_t d = 0; d < directions; ++d) prepare(d);
        const auto rows = directions * batch;
        const bool isSerial = rows * steps * width() * units() < kSerialProducts;
        parallelRanges(
            rows,
            [&](std::int64_t begin, std::int64_t end) {
                for (auto row = begin; row < end;) {
                    const auto first = row % batch, last = std::min(batch, first + end - row);
                    computeSteps({row / batch, last - first, false}, first);
                    row += last - first;
                }
            },
            isSerial ? rows : 1, 1);
    }

private:
    [[nodiscard]] const float* bias(std::int64_t direction) const {
        return layer.hasBias ? inputs[3].as<float>() + direction * 2 * width() : nullptr;
    }
    [[nodiscard]] float* gatesOfX(std::int64_t direction) const {
        return inputGates.as<float>() + direction * steps * batch * width();
    }
    [[nodiscard]] const float* recurrent(std::int64_t direction) const {
        return inputs[2].as<float>() + direction * width() * units();
    }
    [[nodiscard]] float* hidden(std::int64_t direction) const {
        return output.as<float>() + steps * directions * state() + direction * state();
    }
    [[nodiscard]] float* cells(std::int64_t direction) const { return hidden(direction) + directions * state(); }

    // States before the first step, the input part of the gates.
    void prepare(std::int64_t direction) const {
        std::size_t next = layer.hasBias ? 4 : 3;
        const auto* firstHidden = layer.hasHidden ? inputs[next++].as<float>() + direction * state() : nullptr;
        const auto* firstCell = layer.hasCell ? inputs[next++].as<float>() + direction * state() : nullptr;
        start(hidden(direction), firstHidden);
        if (layer.cell == model::PassCell::Lstm) start(cells(direction), firstCell);
        blasProduct(inputLibrary, inputProduct(), 1, inputs[0].as<float>(),
                    inputs[1].as<float>() + direction * width() * features, 0, gatesOfX(direction));
        if (layer.hasBias) addBias(gatesOfX(direction), bias(direction));
    }
    [[nodiscard]] float* panelOf(std::int64_t direction, std::int64_t column) const {
        return packed.as<float>() + (direction * width() + column) * units();
    }

    struct Samples {
        std::int64_t direction = 0, count = 0;
        bool parallelProducts = false;
    };

    // Of the samples from `begin`.
    void computeSteps(const Samples& all, std::int64_t begin) const {
        const auto direction = all.direction;
        const bool reverse = layer.direction == model::PassDirection::Reverse || direction == 1;
        auto *y = output.as<float>(), *h = hidden(direction) + begin * units();
        auto* c = layer.cell == model::PassCell::Lstm ? cells(direction) + begin * units() : nullptr;
        auto* gatesOfH = stateGates.as<float>() + direction * batch * (width() + units()) + begin * width();
        auto* gated =
            stateGates.as<float>() + direction * batch * (width() + units()) + batch * width() + begin * units();
        for (std::int64_t s = 0; s < steps; ++s) {
            const auto t = reverse ? steps - 1 - s : s;
            auto* g = gatesOfX(direction) + (t * batch + begin) * width();
            if (layer.cell == model::PassCell::Lstm) {
                lstmStep(all, g, c, h);
            } else if (layer.cell == model::PassCell::Gru) {
                gruStep(all, g, gatesOfH, gated, h);
            } else {
                multiply(all, h, 0, width(), true, g);
                mapRow(MapKind::Tanh, h, g, nullptr, all.count * units());
            }
            std::copy(h, h + all.count * units(), y + (t * directions + direction) * state() + begin * units());
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
    // result [samples, columns] (+)= h R^T, for `columns` rows of R from `first`, a multiple of kWeightColumns with
    // panels.
    void multiply(const Samples& samples, const float* h, std::int64_t first, std::int64_t columns, bool accumulate,
                  float* result) const {
        switch (weights) {
            case Weights::AsStored:
                blasProduct(BlasLibrary::OpenBlas, {samples.count, columns, units(), false, true}, 1, h,
                            recurrent(samples.direction) + first * units(), accumulate ? 1 : 0, result);
                return;
            case Weights::Transposed: {
                if (!accumulate) std::fill(result, result + samples.count * columns, 0.0F);
                const auto* rows = packed.as<float>() + samples.direction * width() * units() + first;
                for (std::int64_t b = 0; b < samples.count; ++b)
                    for (std::int64_t u = 0; u < units(); ++u)
                        kernels().array.addScaled(result + b * columns, rows + u * width(), h[b * units() + u],
                                                  columns);
                return;
            }
            case Weights::Panels:
                parallelRanges(
                    blocks(columns, kWeightColumns),
                    [&](std::int64_t begin, std::int64_t end) {
                        for (auto panel = begin; panel < end; ++panel)
                            multiplyPanel(samples, h, first, columns, panel * kWeightColumns, accumulate, result);
                    },
                    samples.parallelProducts ? 1 : columns, 1);
        }
    }
    void multiplyPanel(const Samples& samples, const float* h, std::int64_t first, std::int64_t columns,
                       std::int64_t column, bool accumulate, float* result) const {
        F32Gemm product;
        product.m = samples.count;
        product.k = product.rowStride = units();
        product.leadingC = columns;
        product.accumulate = accumulate;
        product.a = h;
        product.n = product.leadingB = std::min(kWeightColumns, columns - column);
        product.b = panelOf(samples.direction, first + column);
        product.c = result + column;
        kernels().f32Gemm.multiply(product);
    }

    void lstmStep(const Samples& samples, float* gatesOfX, float* cells, float* hidden) const {
        const auto n = units();
        multiply(samples, hidden, 0, width(), true, gatesOfX);
        for (std::int64_t b = 0; b < samples.count; ++b) {
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

    // gated: r h
    void gruStep(const Samples& samples, float* gatesOfX, float* gatesOfH, float* gated, float* hidden) const {
        const auto n = units();
        const bool linear = layer.linearBeforeReset;
        const auto product = linear ? width() : 2 * n;
        const auto* b0 = bias(samples.direction);
        multiply(samples, hidden, 0, product, false, gatesOfH);
        for (std::int64_t b = 0; b < samples.count; ++b) {
            auto *g = gatesOfX + b * width(), *r = gatesOfH + b * product;
            mapRow(MapKind::Add, g, g, r, 2 * n);
            mapRow(MapKind::Sigmoid, g, g, nullptr, 2 * n);
            if (linear) {
                if (b0 != nullptr) mapRow(MapKind::Add, r + 2 * n, r + 2 * n, b0 + width() + 2 * n, n);
                mapRow(MapKind::Mul, r + 2 * n, r + 2 * n, g + n, n);
                mapRow(MapKind::Add, g + 2 * n, g + 2 * n, r + 2 * n, n);
            } else {
                mapRow(MapKind::Mul, gated + b * n, g + n, hidden + b * n, n);
            }
        }
        if (!linear) multiply(samples, gated, 2 * n, n, false, gatesOfH);
        for (std::int64_t b = 0; b < samples.count; ++b) {
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

// The faster library for a product that packs nothing beforehand.
BlasLibrary fasterLibrary(Compiler& compiler, const Product& product) {
    const auto& kernels = compiler.options().kernels;
    if (kernels == "openblas") return BlasLibrary::OpenBlas;
    if (kernels == "onednn") return BlasLibrary::OneDnn;
    std::vector<Implementation> candidates;
    for (const auto library : {BlasLibrary::OpenBlas, BlasLibrary::OneDnn})
        candidates.push_back({.id = library == BlasLibrary::OpenBlas ? '2' : '1',
                              .trial = blasTrial(compiler.engine(), library, product)});
    const auto key = fmt::format("sgemm {} {} {}", product.text(), compiler.options().threads, idsOf(candidates));
    const auto chosen = fastest(compiler.tuner(), key, std::move(candidates)).implementation;
    return chosen.id == '2' ? BlasLibrary::OpenBlas : BlasLibrary::OneDnn;
}

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
    pass.inputLibrary = fasterLibrary(compiler, pass.inputProduct());
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
    std::vector<Value> written{pass.output, pass.inputGates, pass.stateGates};
    pass.weights = pass.wantedWeights();
    if (pass.weights != Weights::AsStored) {
        const auto& source = compiler.tensor(all.op->inputs[2]);
        const auto count = pass.directions * pass.width() * pass.units();
        pass.isPrepared =
            !compiler.training() && (source.role == plan::TensorRole::Weight || source.role == plan::TensorRole::State);
        if (pass.isPrepared) {
            compiler.beginPreparation();
            pass.packed = compiler.prepared(plainDesc(Dims{count}, DataKind::f32));
            arrayTask(compiler, "pack_weights", {pass.inputs[2]}, {pass.packed},
                      [pass](const StepState&) { pass.pack(); });
            compiler.endPreparation();
        } else {
            pass.packed = floats(count);
        }
        written.push_back(pass.packed);
    }
    arrayTask(compiler, name, pass.inputs, written, [pass](const StepState&) { pass.run(); });
    finishFloat(compiler, target);
    return true;
}

}  // namespace steelyard::compute::cpu
