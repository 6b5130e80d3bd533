// SPDX-License-Identifier: Apache-2.0
// Batch-parallel recurrent layers: samples are independent, so each thread computes all steps of some samples with the
// native gemm kernels. The product of a step and its gates stay in the cache of one core, and steps need no
// synchronization.
#include <fmt/format.h>

#include <algorithm>

#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/operations/recurrent/recurrent_panels.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kTrialSteps = 16;      // enough for a meaningful trial
constexpr double kBatchParallelFavour = 1.2;  // prefers batch-parallel, which needs less memory

// [x | h] with [W | R].
StepProduct forwardProduct(const RecurrentShape& s) {
    return {s.kind, inWords(s.kind, s.features) + inWords(s.kind, s.units), s.gateWidth(), false};
}
// Gate gradients times R.
StepProduct backwardProduct(const RecurrentShape& s) {
    return {s.kind, s.gateWidth(), s.units, true};
}

template <class Function>
void parallelSamples(const RecurrentShape& s, Function&& function) {
    parallelRows(s.batch, kSerialElements, function);
}

TrialMaker batchParallelTrial(const Compiler& compiler, const RecurrentShape& s, const StepProduct& product,
                              std::int64_t steps) {
    return [s, product, steps, engine = compiler.engine()]() -> Trial {
        const auto memory = [&](std::int64_t bytes) {
            return trialMemory(plainDesc(Dims{bytes}, DataKind::u8), engine);
        };
        return [=, gates = TrialGates(s, product.accumulate, engine),
                a = memory(s.batch * product.bytes() / product.columns), b = memory(product.bytes()),
                c = memory(s.batch * product.columns * kFloat)] {
            parallelSamples(s, [&](std::int64_t begin, std::int64_t end) {
                withElementType(s.kind, [&]<class T>(T) {
                    for (std::int64_t step = 0; step < steps; ++step) {
                        product.run(static_cast<const T*>(a.get_data_handle()) + begin * product.depth,
                                    static_cast<const ProductWord<T>*>(b.get_data_handle()),
                                    static_cast<float*>(c.get_data_handle()) + begin * product.columns, end - begin);
                        gates.run(begin, end);
                    }
                });
            });
        };
    };
}

template <class T>
struct ForwardSteps {
    Direction d;
    StepProduct product;
    Value x, panels, operand;  // operand: [x | h] of one step
    std::vector<GateStep> steps;

    [[nodiscard]] T* row(std::int64_t b) const { return operand.as<T>() + b * product.depth; }
    [[nodiscard]] T* stateOf(std::int64_t b) const { return row(b) + inWords(d.shape.kind, d.shape.features); }

    void load(std::int64_t begin, std::int64_t end) const {
        const auto& s = d.shape;
        for (auto b = begin; b < end; ++b) {
            std::fill(row(b), row(b) + product.depth, T{});
            kernels().rows<T>().fromF32(stateOf(b), d.hidden.as<float>() + b * s.units, s.units);
        }
    }
    void run(std::int64_t begin, std::int64_t end) const {
        const auto& s = d.shape;
        load(begin, end);
        for (std::int64_t step = 0; step < s.steps; ++step) {
            for (auto b = begin; b < end; ++b)
                std::copy_n(x.as<T>() + (b * s.steps + d.timeOf(step)) * s.features, s.features, row(b));
            const auto rows = steps[static_cast<std::size_t>(step)].rows(begin, end);
            product.run(row(begin), panels.as<ProductWord<T>>(), rows.gates, rows.samples);
            kernels().sequence.recurrentForward(rows);
            for (auto b = begin; b < end; ++b)
                kernels().rows<T>().fromF32(stateOf(b), rows.hidden + (b - begin) * s.units, s.units);
        }
    }
};

template <class T>
void emitForwardAs(Compiler& compiler, const plan::Operation& op, const Direction& d, const Value& x) {
    const auto& s = d.shape;
    const auto parameter = [&](std::int64_t i) { return op.parameters[static_cast<std::size_t>(3 * d.index + i)]; };
    const Value input = compiler.weight(parameter(0), plainDesc(Dims{s.gateWidth(), s.features}, s.kind));
    const Value recurrent = compiler.weight(parameter(1), plainDesc(Dims{s.gateWidth(), s.units}, s.kind));
    const Value bias = compiler.weight(parameter(2), plainDesc(Dims{s.gateWidth()}, DataKind::f32));
    ForwardSteps<T> forward{d, forwardProduct(s), x, {}, {}, {}};
    forward.panels =
        emitPanels<T>(compiler, forward.product, {input, recurrent},
                      [=](ProductWord<T>* words, std::int64_t column, std::int64_t width) {
                          packColumns(words, input.as<T>() + column * s.features, width, s.features, s.features);
                          packColumns(words + inWords(s.kind, s.features) / kElementsOfAWord<T> * width,
                                      recurrent.as<T>() + column * s.units, width, s.units, s.units);
                      });
    forward.operand = compiler.scratch(plainDesc(Dims{s.batch, forward.product.depth}, s.kind));
    for (std::int64_t step = 0; step < s.steps; ++step) forward.steps.push_back(gateStep(d, step, {}, bias));
    compiler.task("native:recurrent", {x, forward.panels, forward.operand, bias, d.gates, d.hidden, d.extra},
                  [=](const StepState&) {
                      parallelSamples(forward.d.shape,
                                      [&](std::int64_t begin, std::int64_t end) { forward.run(begin, end); });
                  });
}

template <class T>
void emitBackwardAs(Compiler& compiler, const plan::Operation& op, const Direction& d, const BackwardValues& v) {
    const auto& s = d.shape;
    const auto product = backwardProduct(s);
    const Value recurrent = compiler.weight(op.parameters[static_cast<std::size_t>(3 * d.index + 1)],
                                            plainDesc(Dims{s.gateWidth(), s.units}, s.kind));
    const Value panels = emitPanels<T>(compiler, product, {recurrent},
                                       [=](ProductWord<T>* words, std::int64_t column, std::int64_t width) {
                                           packRows(words, recurrent.as<T>() + column, s.gateWidth(), width, s.units);
                                       });
    std::vector<GateGradientStep> steps;
    for (std::int64_t step = 0; step < s.steps; ++step) steps.push_back(gateGradientStep(d, step, v));
    compiler.task(
        "native:recurrent_gradients",
        {panels, d.gates, d.hidden, d.extra, v.dy, v.dHidden, v.dCell, v.dRecurrent, v.bf16Input, v.bf16Recurrent},
        [=, samples = d.shape](const StepState&) {
            parallelSamples(samples, [&](std::int64_t begin, std::int64_t end) {
                for (auto step = samples.steps; step-- > 0;) {
                    const auto& gradient = steps[static_cast<std::size_t>(step)];
                    gradient.run(begin, end);
                    const auto* flow = gradient.flow().as<T>() + begin * samples.gateWidth();
                    if (step > 0)
                        product.run(flow, panels.as<ProductWord<T>>(), v.dHidden.as<float>() + begin * samples.units,
                                    end - begin);
                }
            });
        });
}

}  // namespace

Implementation chooseSteps(const Compiler& compiler, const RecurrentShape& s, bool backward,
                           Implementation batchParallel, Implementation stepByStep) {
    const auto product = backward ? backwardProduct(s) : forwardProduct(s);
    if (!(s.concatenated || backward) || !product.runsHere() || compiler.options().kernels != "auto") return stepByStep;
    const auto steps = std::min(s.steps, kTrialSteps);
    const auto key = fmt::format("recurrent {} {} gates {} {}x{}x{}x{} {}", backward ? "backward" : "forward",
                                 s.kind == DataKind::f32 ? "f32" : "bf16", s.gates, steps, s.batch, product.columns,
                                 product.depth, compiler.options().threads);
    batchParallel.trial = batchParallelTrial(compiler, s, product, steps);
    const auto library = describe<dnnl::matmul>(compiler.engine(), compiler.attributes(),
                                                plainDesc(Dims{s.batch, product.depth}, s.kind),
                                                anyDesc(Dims{product.depth, product.columns}, s.kind),
                                                plainDesc(Dims{s.batch, product.columns}, DataKind::f32));
    stepByStep.trial = stepByStepTrial(compiler, s, library, backward, steps);
    return fastest(compiler.tuner(), key, {std::move(batchParallel), std::move(stepByStep)},
                   s.concatenated ? kBatchParallelFavour : 1)
        .implementation;
}

void emitBatchParallel(Compiler& compiler, const plan::Operation& op, const Direction& d, const Value& x) {
    withElementType(d.shape.kind, [&]<class T>(T) { emitForwardAs<T>(compiler, op, d, x); });
}

void emitBatchParallelBackward(Compiler& compiler, const plan::Operation& op, const Direction& d,
                               const BackwardValues& v) {
    withElementType(d.shape.kind, [&]<class T>(T) { emitBackwardAs<T>(compiler, op, d, v); });
}

}  // namespace steelyard::compute::cpu
