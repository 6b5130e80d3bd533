// SPDX-License-Identifier: Apache-2.0
// Recurrent layers as matrix products: the input part of all steps at once, the recurrent part step by step with
// weights packed once, the gates in native kernels; backpropagation through time likewise. Internally steps come first:
// [step, B, ..], in the order of the direction. Formulas and sources: compute/reference/recurrent.cpp.
#include "engine/compute/cpu/operations/recurrent/recurrent.h"

#include <algorithm>
#include <cstring>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/operations/recurrent/recurrent_panels.h"

namespace steelyard::compute::cpu {
namespace {

// With few samples, one product over all steps reads the input weights only once.
constexpr std::int64_t kJointBatch = 16;

RecurrentShape shapeOf(const Compiler& compiler, const plan::Operation& op, TensorId input) {
    const auto& layer = std::get<model::Recurrent>(op.layer);
    const auto& dims = compiler.tensor(input).dims;
    RecurrentShape shape;
    shape.cell = layer.cell == model::RecurrentCell::Lstm  ? GateKind::Lstm
                 : layer.cell == model::RecurrentCell::Gru ? GateKind::Gru
                                                           : GateKind::Rnn;
    shape.batch = dims[0];
    shape.steps = dims[1];
    shape.features = dims[2];
    shape.units = layer.units;
    shape.gates = model::gateCount(layer.cell);
    shape.directions = layer.bidirectional ? 2 : 1;
    shape.sequence = layer.returnSequence;
    shape.carries = layer.carryState;
    shape.kind = dataKind(compiler.tensor(input).type);
    shape.concatenated = shape.cell != GateKind::Gru && shape.batch >= kJointBatch;
    shape.keepsGates = compiler.training();
    return shape;
}

// bf16States: products read the states of all steps, in bf16.
Direction directionOf(Compiler& compiler, const RecurrentShape& shape, std::int64_t index, const Value& saved,
                      bool bf16States) {
    Direction d;
    d.shape = shape;
    d.index = index;
    const auto base = index * shape.savedElements() * kFloat;
    const auto gateBytes = shape.gateElements() * kFloat;
    d.gates = saved.viewed(d.floats(shape.gateElements()), base);
    if (shape.extraElements() > 0) d.extra = saved.viewed(d.floats(shape.extraElements()), base + gateBytes);
    d.hidden = saved.viewed(d.floats(shape.stateElements()), base + gateBytes + shape.extraElements() * kFloat);
    if (d.isBf16() && bf16States) d.bf16Hidden = compiler.scratch(plainDesc(Dims{shape.stateElements()}, shape.kind));
    return d;
}

// [B, T, F] -> [step, B, F].
Value emitStepsFirst(Compiler& compiler, const Direction& d, const Value& x) {
    const auto& s = d.shape;
    if (s.batch == 1 && d.index == 0) return x;
    const auto size = static_cast<std::int64_t>(dnnl::memory::data_type_size(kindOf(x.desc)));
    const auto y = compiler.scratch(plainDesc(Dims{s.rows(), s.features}, kindOf(x.desc)));
    compiler.task("native:steps_first", {x, y}, [=](const StepState&) {
        const auto bytes = s.features * size;
        parallelRows(s.steps, s.batch * s.features, [&](std::int64_t begin, std::int64_t end) {
            for (auto step = begin; step < end; ++step)
                for (std::int64_t b = 0; b < s.batch; ++b)
                    std::memcpy(y.as<std::byte>() + (step * s.batch + b) * bytes,
                                x.as<std::byte>() + (b * s.steps + d.timeOf(step)) * bytes,
                                static_cast<std::size_t>(bytes));
        });
    });
    return y;
}

// The initial state: the final state of the previous step, or zero.
void emitInitialState(Compiler& compiler, const plan::Operation& op, const Direction& d) {
    const auto& s = d.shape;
    const auto hiddenState = s.carries ? compiler.value(op.states[0]) : Value();
    const auto cellState = s.carries && s.cell == GateKind::Lstm ? compiler.value(op.states[1]) : Value();
    const auto load = [s, direction = d.index](const Value& from, const Value& to) {
        if (!to) return;
        for (std::int64_t b = 0; b < s.batch; ++b) {
            auto* target = to.as<float>() + b * s.units;
            if (from) {
                std::memcpy(target, from.as<float>() + b * s.width() + direction * s.units,
                            static_cast<std::size_t>(s.units * kFloat));
            } else {
                std::fill(target, target + s.units, 0.0F);
            }
        }
    };
    compiler.task(
        "native:initial_state", {hiddenState, cellState, d.hidden, d.extra, d.bf16Hidden}, [=](const StepState&) {
            load(hiddenState, d.hidden);
            load(cellState, d.extra);
            if (d.bf16Hidden)
                kernels().rowsBf16.fromF32(d.bf16Hidden.as<BFloat16>(), d.hidden.as<float>(), s.batch * s.units);
        });
}

// The product of one step with the recurrent weights: of states, or if transposed of gate gradients.
dnnl::matmul::primitive_desc describeStep(const Compiler& compiler, const RecurrentShape& s, bool transposed,
                                          bool accumulate) {
    const auto depth = transposed ? s.gateWidth() : s.units, columns = transposed ? s.units : s.gateWidth();
    auto attributes = compiler.attributes();
    if (accumulate) {
        dnnl::post_ops after;
        after.append_sum(1.0F);
        attributes.set_post_ops(after);
    }
    return describe<dnnl::matmul>(compiler.engine(), attributes, plainDesc(Dims{s.batch, depth}, s.kind),
                                  anyDesc(Dims{depth, columns}, s.kind),
                                  plainDesc(Dims{s.batch, columns}, DataKind::f32));
}

// The parameter is stored as [gate width, units].
PackedProduct packedProduct(Compiler& compiler, const RecurrentShape& s, TensorId parameter, bool transposed,
                            const dnnl::matmul::primitive_desc& desc) {
    const auto gateWidth = s.gateWidth();
    PackedProduct product;
    product.desc = desc;
    const auto stored = compiler.weight(parameter, plainDesc(Dims{gateWidth, s.units}, s.kind));
    const auto source = transposed ? stored : stored.viewed(Desc({s.units, gateWidth}, s.kind, Dims{1, s.units}));
    if (source.desc == product.desc.weights_desc()) {
        product.weights = source;
    } else if (compiler.training()) {
        product.weights = compiler.converted(source, product.desc.weights_desc());
    } else {
        compiler.beginPreparation();
        product.weights = compiler.prepared(product.desc.weights_desc());
        compiler.convert(source, product.weights);
        compiler.endPreparation();
    }
    return product;
}

void emitGates(Compiler& compiler, const Direction& d, std::int64_t step, const Value& recurrent, const Value& bias) {
    const auto& s = d.shape;
    const auto gates = gateStep(d, step, recurrent, bias);
    const auto bf16 = d.bf16Hidden ? d.operandAt(step + 1) : Value();
    compiler.task("native:gates",
                  {gates.gates, recurrent, bias, gates.before, gates.after, gates.cellBefore, gates.extra, bf16},
                  [=](const StepState&) {
                      parallelRows(s.batch, s.gateWidth() * 4, [&](std::int64_t begin, std::int64_t end) {
                          const auto rows = gates.rows(begin, end);
                          kernels().sequence.recurrentForward(rows);
                          if (bf16)
                              kernels().rowsBf16.fromF32(bf16.as<BFloat16>() + begin * s.units, rows.hidden,
                                                         rows.samples * s.units);
                      });
                  });
}

// Writes the states of all steps, or the last, to the output; and the state carried over.
void emitOutput(Compiler& compiler, const plan::Operation& op, const Direction& d, const Value& y) {
    const auto& s = d.shape;
    const auto hiddenState = s.carries ? compiler.value(op.states[0]) : Value();
    const auto cellState = s.carries && s.cell == GateKind::Lstm ? compiler.value(op.states[1]) : Value();
    withElementType(y.desc, [&]<class T>(T) {
        compiler.task("native:recurrent_output", {d.hidden, d.extra, y, hiddenState, cellState}, [=](const StepState&) {
            const auto place = d.index * s.units;
            const auto firstStep = s.sequence ? 0 : s.steps - 1;
            parallelRows(s.steps - firstStep, s.batch * s.units, [&](std::int64_t begin, std::int64_t end) {
                for (auto step = firstStep + begin; step < firstStep + end; ++step)
                    for (std::int64_t b = 0; b < s.batch; ++b) {
                        const auto row = s.sequence ? b * s.steps + d.timeOf(step) : b;
                        kernels().rows<T>().fromF32(y.as<T>() + row * s.width() + place,
                                                    d.hidden.as<float>() + ((step + 1) * s.batch + b) * s.units,
                                                    s.units);
                    }
            });
            for (std::int64_t b = 0; s.carries && b < s.batch; ++b) {
                const auto from = (s.steps * s.batch + b) * s.units, to = b * s.width() + place;
                const auto bytes = static_cast<std::size_t>(s.units * kFloat);
                std::memcpy(hiddenState.as<float>() + to, d.hidden.as<float>() + from, bytes);
                if (cellState) std::memcpy(cellState.as<float>() + to, d.extra.as<float>() + from, bytes);
            }
        });
    });
}

Desc parameterDesc(std::int64_t rows, std::int64_t columns, DataKind kind) {
    return plainDesc(Dims{rows, columns}, kind);
}

void emitForwardDirection(Compiler& compiler, const plan::Operation& op, const Direction& d, const Value& x,
                          const Value& y) {
    const auto& s = d.shape;
    const auto parameter = [&](std::int64_t i) { return op.parameters[static_cast<std::size_t>(3 * d.index + i)]; };
    if (s.concatenated) {
        emitInitialState(compiler, op, d);
        const auto steps = chooseSteps(
            compiler, s, false, {.emit = [&](Compiler& c, const Operands&) { emitBatchParallel(c, op, d, x); }},
            {.emit = [&](Compiler& c, const Operands&) { emitConcatenatedSteps(c, op, d, x); }});
        steps.emit(compiler, {});
        return emitOutput(compiler, op, d, y);
    }
    const auto input = emitStepsFirst(compiler, d, x);
    const auto weights = compiler.weight(parameter(0), parameterDesc(s.gateWidth(), s.features, s.kind));
    const auto bias = compiler.weight(parameter(2), plainDesc(Dims{s.gateWidth()}, DataKind::f32));
    emitInitialState(compiler, op, d);
    emitProduct(compiler, {s.rows(), s.gateWidth(), s.features, false, true, s.kind, DataKind::f32}, input, weights,
                d.gates);
    const bool gru = s.cell == GateKind::Gru;
    const auto recurrent = gru ? compiler.scratch(parameterDesc(s.batch, s.gateWidth(), DataKind::f32)) : Value();
    const auto desc = describeStep(compiler, s, false, !gru);
    Implementation stepByStep;
    stepByStep.trial = stepByStepTrial(compiler, s, desc, false, kFusedTrialSteps);
    stepByStep.emit = [&](Compiler& c, const Operands&) {
        const auto product = packedProduct(c, s, parameter(1), false, desc);
        for (std::int64_t step = 0; step < s.steps; ++step) {
            emitPackedProduct(c, product, d.operandAt(step), gru ? recurrent : d.gatesAt(step));
            emitGates(c, d, step, recurrent, bias);
        }
    };
    chooseFusedSteps(compiler, op, d, bias, recurrent, std::move(stepByStep)).emit(compiler, {});
    emitOutput(compiler, op, d, y);
}

void emitGateGradients(Compiler& compiler, const Direction& d, std::int64_t step, const BackwardValues& v) {
    const auto& s = d.shape;
    const auto gradient = gateGradientStep(d, step, v);
    compiler.task("native:gate_gradients", gradient.uses(), [=](const StepState&) {
        parallelRows(s.batch, s.gateWidth() * 4,
                     [&](std::int64_t begin, std::int64_t end) { gradient.run(begin, end); });
    });
}

void emitZeroState(Compiler& compiler, const Value& state, std::int64_t elements) {
    if (!state) return;
    compiler.task("native:zero", {state},
                  [=](const StepState&) { std::fill(state.as<float>(), state.as<float>() + elements, 0.0F); });
}

// [step, B, F] back to [B, T, F]; the second direction adds.
void emitBatchFirst(Compiler& compiler, const Direction& d, const Value& from, const Value& to) {
    const auto& s = d.shape;
    withElementType(to.desc, [&]<class T>(T) {
        compiler.task("native:batch_first", {from, to}, [=](const StepState&) {
            parallelRows(s.batch, s.steps * s.features, [&](std::int64_t begin, std::int64_t end) {
                for (auto b = begin; b < end; ++b)
                    for (std::int64_t step = 0; step < s.steps; ++step) {
                        const auto* source = from.as<T>() + (step * s.batch + b) * s.features;
                        auto* target = to.as<T>() + (b * s.steps + d.timeOf(step)) * s.features;
                        if (d.index == 0) {
                            std::memcpy(target, source, static_cast<std::size_t>(s.features) * sizeof(T));
                        } else {
                            kernels().pointwise<T>().add(target, target, source, s.features);
                        }
                    }
            });
        });
    });
}

void emitParameterGradients(Compiler& compiler, const plan::Operation& op, const Direction& d, const BackwardValues& v,
                            const Value& input) {
    const auto& s = d.shape;
    const auto gradientAt = [&](std::size_t i) { return static_cast<std::size_t>(3 * d.index) + i; };
    const auto dInput = v.bf16Input ? v.bf16Input : d.gates;
    const auto dRecurrent = v.bf16Recurrent ? v.bf16Recurrent : v.dRecurrent ? v.dRecurrent : dInput;
    const auto weights =
        compiler.parameterGradient(op, gradientAt(0), parameterDesc(s.gateWidth(), s.features, DataKind::f32));
    emitProduct(compiler, {s.gateWidth(), s.features, s.rows(), true, false, s.kind, DataKind::f32}, dInput, input,
                weights.value);
    compiler.finishGradient(weights);
    const auto recurrent =
        compiler.parameterGradient(op, gradientAt(1), parameterDesc(s.gateWidth(), s.units, DataKind::f32));
    emitProduct(compiler, {s.gateWidth(), s.units, s.rows(), true, false, s.kind, DataKind::f32}, dRecurrent,
                d.operandAt(0), recurrent.value);
    compiler.finishGradient(recurrent);
    const auto bias = compiler.parameterGradient(op, gradientAt(2), plainDesc(Dims{s.gateWidth()}, DataKind::f32));
    emitColumnSums(compiler, d.gates, s.rows(), s.gateWidth(), bias.value);
    compiler.finishGradient(bias);
}

// Gate gradients, from the last step to the first.
void emitStepsBack(Compiler& compiler, const plan::Operation& op, const Direction& d, const BackwardValues& v) {
    const auto& s = d.shape;
    const auto product = packedProduct(compiler, s, op.parameters[static_cast<std::size_t>(3 * d.index + 1)], true,
                                       describeStep(compiler, s, true, true));
    const auto flow = v.bf16Recurrent ? v.bf16Recurrent
                      : v.dRecurrent  ? v.dRecurrent
                      : v.bf16Input   ? v.bf16Input
                                      : d.gates;
    const std::int64_t size = d.isBf16() ? 2 : kFloat;
    for (std::int64_t step = s.steps; step-- > 0;) {
        emitGateGradients(compiler, d, step, v);
        if (step > 0)
            emitPackedProduct(compiler, product, Direction::at(flow, step, s.batch * s.gateWidth(), size), v.dHidden);
    }
}

void emitBackwardDirection(Compiler& compiler, const plan::Operation& op, const Direction& d, BackwardValues v,
                           const Value& dx) {
    const auto& s = d.shape;
    const auto parameter = [&](std::int64_t i) { return op.parameters[static_cast<std::size_t>(3 * d.index + i)]; };
    const bool gru = s.cell == GateKind::Gru;
    const auto gateRows = [&](DataKind kind) { return parameterDesc(s.rows(), s.gateWidth(), kind); };
    const auto stateDesc = parameterDesc(s.batch, s.units, DataKind::f32);
    v.dHidden = compiler.scratch(stateDesc);
    if (s.cell == GateKind::Lstm) v.dCell = compiler.scratch(stateDesc);
    if (gru) v.dRecurrent = compiler.scratch(gateRows(DataKind::f32));
    if (d.isBf16()) v.bf16Input = compiler.scratch(gateRows(s.kind));
    if (d.isBf16() && gru) v.bf16Recurrent = compiler.scratch(gateRows(s.kind));
    if (d.bf16Hidden) {
        compiler.task("native:to_bf16", {d.hidden, d.bf16Hidden}, [=](const StepState&) {
            kernels().rowsBf16.fromF32(d.bf16Hidden.as<BFloat16>(), d.hidden.as<float>(), s.stateElements());
        });
    }
    emitZeroState(compiler, v.dHidden, s.batch * s.units);
    emitZeroState(compiler, v.dCell, s.batch * s.units);
    const auto steps = chooseSteps(
        compiler, s, true, {.emit = [&](Compiler& c, const Operands&) { emitBatchParallelBackward(c, op, d, v); }},
        {.emit = [&](Compiler& c, const Operands&) { emitStepsBack(c, op, d, v); }});
    steps.emit(compiler, {});
    const auto input = emitStepsFirst(compiler, d, compiler.plainValue(op.inputs[0]));
    emitParameterGradients(compiler, op, d, v, input);
    if (!dx) return;
    const auto weights = compiler.weight(parameter(0), parameterDesc(s.gateWidth(), s.features, s.kind));
    const auto stepsFirst = compiler.scratch(parameterDesc(s.rows(), s.features, s.kind));
    emitProduct(compiler, {s.rows(), s.features, s.gateWidth(), false, false, s.kind, s.kind},
                v.bf16Input ? v.bf16Input : d.gates, weights, stepsFirst);
    emitBatchFirst(compiler, d, stepsFirst, dx);
}

void emitRecurrentForward(Compiler& compiler, const plan::Operation& op) {
    const auto shape = shapeOf(compiler, op, op.inputs[0]);
    const auto x = compiler.plainValue(op.inputs[0]);
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
    const auto savedDesc = plainDesc(Dims{shape.directions * shape.savedElements()}, DataKind::f32);
    const auto saved = op.saved.empty() ? compiler.scratch(savedDesc) : compiler.define(op.saved[0], savedDesc);
    for (std::int64_t index = 0; index < shape.directions; ++index)
        emitForwardDirection(compiler, op, directionOf(compiler, shape, index, saved, !shape.concatenated), x, y);
}

void emitRecurrentBackward(Compiler& compiler, const plan::Operation& op) {
    const auto shape = shapeOf(compiler, op, op.inputs[0]);
    BackwardValues v;
    v.dy = compiler.plainValue(op.outputGradient);
    const bool wanted = op.inputGradients[0] != kNoTensor;
    const auto target =
        wanted ? compiler.inputGradient(op, 0, compiler.plainDescOf(op.inputGradients[0])) : GradientTarget();
    for (std::int64_t index = 0; index < shape.directions; ++index)
        emitBackwardDirection(compiler, op, directionOf(compiler, shape, index, compiler.value(op.saved[0]), true), v,
                              target.value);
    if (wanted) compiler.finishGradient(target);
}

}  // namespace

void emitPackedProduct(Compiler& compiler, const PackedProduct& product, const Value& a, const Value& c) {
    compiler.primitive(dnnl::matmul(product.desc), product.desc,
                       {{DNNL_ARG_SRC, a.viewed(product.desc.src_desc())},
                        {DNNL_ARG_WEIGHTS, product.weights},
                        {DNNL_ARG_DST, c.viewed(product.desc.dst_desc())}});
}

Result<void> emitRecurrent(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        emitRecurrentForward(compiler, op);
    } else {
        emitRecurrentBackward(compiler, op);
    }
    return {};
}

}  // namespace steelyard::compute::cpu
