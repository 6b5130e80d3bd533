// SPDX-License-Identifier: Apache-2.0
// Recurrent layers with the network library (recurrent_library.h) or native kernels, whichever is faster over both
// passes. Native: one product for the input part of all steps, then per step the recurrent product and one kernel. The
// trace is the Plan's reserve: [B, T, directions, slots, units].
#include <fmt/format.h>

#include "engine/compute/cuda/operations/recurrent_library.h"
#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

using kernels::Cell;

// Sizes and offsets. Pitches and offsets are in elements.
struct Layout {
    Cell cell = Cell::Lstm;
    std::int64_t batch = 0, steps = 0, features = 0, units = 0, directions = 1;
    bool sequence = false, carries = false;
    std::int64_t direction = 0;

    [[nodiscard]] std::int64_t width() const { return directions * units; }
    [[nodiscard]] std::int64_t gateWidth() const { return kernels::gatesOf(cell) * units; }
    [[nodiscard]] std::int64_t timeOf(std::int64_t step) const { return direction == 0 ? step : steps - 1 - step; }
    [[nodiscard]] std::int64_t traceWidth() const { return kernels::slotsOf(cell) * units; }
    [[nodiscard]] std::int64_t tracePitch() const { return steps * directions * traceWidth(); }
    [[nodiscard]] std::int64_t traceAt(std::int64_t step) const {
        return (timeOf(step) * directions + direction) * traceWidth();
    }
    [[nodiscard]] std::int64_t hiddenAt(std::int64_t step) const { return traceAt(step) + traceWidth() - units; }
    // Of a step in the layer's output.
    [[nodiscard]] std::int64_t outputPitch() const { return sequence ? steps * width() : width(); }
    [[nodiscard]] std::int64_t outputAt(std::int64_t step) const {
        return (sequence ? timeOf(step) * width() : 0) + direction * units;
    }
    [[nodiscard]] bool writesOutput(std::int64_t step) const { return sequence || step == steps - 1; }
    [[nodiscard]] bool hasCell() const { return cell == Cell::Lstm; }
    // The recurrent product may be accumulated directly into the input part.
    [[nodiscard]] bool addsInPlace() const { return cell != Cell::Gru; }
    [[nodiscard]] std::size_t parameterAt(std::size_t i) const { return static_cast<std::size_t>(direction) * 3 + i; }
};

Layout layoutOf(const Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Recurrent>(op.layer);
    const auto& in = compiler.dims(op.inputs[0]);
    Layout l;
    l.cell = cellOf(layer.cell);
    l.batch = in[0], l.steps = in[1], l.features = in[2];
    l.units = layer.units;
    l.directions = layer.bidirectional ? 2 : 1;
    l.sequence = layer.returnSequence;
    l.carries = layer.carryState;
    return l;
}

// The initial state of a step, for its backward pass: the forward pass overwrites it.
struct Initial {
    Value hidden, cell;  // Float32, [B, directions units]
};

MatrixProduct product(const Compiler& compiler, std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    MatrixProduct p;
    p.rows = rows, p.columns = columns, p.depth = depth;
    p.aStride = depth, p.bStride = columns, p.cStride = columns;
    p.operandType = p.resultType = compiler.type();
    p.tf32 = compiler.tf32();
    return p;
}

class Forward {
public:
    Forward(Compiler& compiler, const plan::Operation& op, const Layout& layout, const Initial& initial)
        : m_compiler(compiler), m_op(op), m_l(layout), m_initial(initial) {}

    Result<void> emit() {
        m_input = m_compiler.scratch(m_l.batch * m_l.steps * m_l.gateWidth() * m_compiler.typeBytes());
        auto p = product(m_compiler, m_l.batch * m_l.steps, m_l.gateWidth(), m_l.features);
        p.transposeB = true;
        p.bStride = m_l.features;
        if (auto ok = m_compiler.call(p, {m_compiler.value(m_op.inputs[0]), weight(0), m_input}); !ok) return ok;
        prepareState();
        for (std::int64_t step = 0; step < m_l.steps; ++step)
            if (auto ok = oneStep(step); !ok) return ok;
        return {};
    }

private:
    [[nodiscard]] Value weight(std::size_t i) { return m_compiler.weight(m_op.parameters[m_l.parameterAt(i)]); }
    [[nodiscard]] Value typed(Value value, std::int64_t elements) const {
        return value.at(elements * m_compiler.typeBytes());
    }
    [[nodiscard]] bool fromZero() const { return !m_l.carries; }

    void prepareState() {
        const auto one = m_l.batch * m_l.units * m_compiler.typeBytes();
        if (m_op.saved.empty())
            for (auto& hidden : m_hidden) hidden = m_compiler.scratch(one);
        m_cell = m_l.carries ? m_compiler.valueOf(m_op.states, 1).at(m_l.direction * m_l.units * 4)
                             : m_compiler.scratch(m_l.batch * m_l.units * 4);
        if (!m_l.carries) return;
        const auto count = m_l.batch * m_l.width();
        m_first = m_initial.hidden;
        if (!m_compiler.is16Bit()) return;
        const auto f32 = m_initial.hidden, half = m_compiler.scratch(count * m_compiler.typeBytes());
        m_compiler.kernel("native:convert", {f32, half}, [=, type = m_compiler.type()](Stream stream) {
            return kernels::convert(stream, ElementType::F32, f32.data(), type, half.data(), count);
        });
        m_first = half;
    }

    // h before the step, and the distance between samples.
    [[nodiscard]] std::pair<Value, std::int64_t> hiddenBefore(std::int64_t step) {
        if (step == 0) {
            if (fromZero()) return {Value{}, 0};
            return {typed(m_first, m_l.direction * m_l.units), m_l.width()};
        }
        if (m_op.saved.empty()) return {m_hidden[(step - 1) % 2], m_l.units};
        return {typed(m_compiler.value(m_op.saved[0]), m_l.hiddenAt(step - 1)), m_l.tracePitch()};
    }

    Result<void> oneStep(std::int64_t step) {
        const auto [before, beforePitch] = hiddenBefore(step);
        const auto input = typed(m_input, m_l.timeOf(step) * m_l.gateWidth());
        Value recurrent;
        if (before) {
            auto p = product(m_compiler, m_l.batch, m_l.gateWidth(), m_l.units);
            p.transposeB = true;
            p.aStride = beforePitch;
            p.bStride = m_l.units;
            p.accumulate = m_l.addsInPlace();
            p.cStride = m_l.addsInPlace() ? m_l.steps * m_l.gateWidth() : m_l.gateWidth();
            if (!m_l.addsInPlace())
                recurrent = m_compiler.scratch(m_l.batch * m_l.gateWidth() * m_compiler.typeBytes());
            if (auto ok = m_compiler.call(p, {before, weight(1), recurrent ? recurrent : input}); !ok) return ok;
        }
        addCell(step, input, recurrent, before, beforePitch);
        return {};
    }

    void addCell(std::int64_t step, Value input, Value recurrent, Value before, std::int64_t beforePitch) {
        const bool saves = !m_op.saved.empty(), last = step == m_l.steps - 1;
        const auto trace = saves ? typed(m_compiler.value(m_op.saved[0]), m_l.traceAt(step)) : Value{};
        const auto hidden = saves ? Value{} : m_hidden[step % 2];
        const auto output = m_l.writesOutput(step) ? typed(m_compiler.value(m_op.output), m_l.outputAt(step)) : Value{};
        const auto carried =
            m_l.carries && last ? m_compiler.value(m_op.states[0]).at(m_l.direction * m_l.units * 4) : Value{};
        const auto bias = m_compiler.f32Weight(m_op.parameters[m_l.parameterAt(2)]);
        const auto cell = m_l.hasCell() ? m_cell : Value{};
        m_compiler.kernel("native:recurrent", {input, recurrent, before, trace, hidden, output, carried, bias, cell},
                          [=, l = m_l, type = m_compiler.type(), zero = step == 0 && fromZero()](Stream stream) {
                              kernels::RecurrentForward f;
                              f.cell = l.cell, f.batch = l.batch, f.units = l.units;
                              f.input = input.data(), f.inputPitch = l.steps * l.gateWidth();
                              f.bias = bias.as<const float>();
                              f.recurrent = recurrent.data();
                              f.hiddenBefore = before.data(), f.hiddenBeforePitch = beforePitch;
                              f.cellState = cell.as<float>(), f.cellPitch = l.carries ? l.width() : l.units;
                              f.firstFromZero = zero;
                              f.trace = trace.data(), f.tracePitch = l.tracePitch();
                              f.hidden = hidden.data(), f.hiddenPitch = l.units;
                              f.output = output.data(), f.outputPitch = l.outputPitch();
                              f.carried = carried.as<float>(), f.carriedPitch = l.width();
                              return kernels::recurrentForward(stream, type, f);
                          });
    }

    Compiler& m_compiler;
    const plan::Operation& m_op;
    Layout m_l;
    const Initial& m_initial;
    Value m_input, m_cell, m_first;
    Value m_hidden[2];
};

class Backward {
public:
    Backward(Compiler& compiler, const plan::Operation& op, const Layout& layout, const Initial& initial)
        : m_compiler(compiler), m_op(op), m_l(layout), m_initial(initial) {}

    Result<void> emit(bool accumulateInput) {
        const auto rows = m_l.batch * m_l.steps;
        m_dInput = m_compiler.scratch(rows * m_l.gateWidth() * m_compiler.typeBytes());
        m_dRecurrent =
            m_l.addsInPlace() ? m_dInput : m_compiler.scratch(rows * m_l.gateWidth() * m_compiler.typeBytes());
        m_before = m_compiler.scratch(rows * m_l.units * m_compiler.typeBytes());
        m_dHidden = m_compiler.scratch(m_l.batch * m_l.units * 4);
        m_dCell = m_compiler.scratch(m_l.batch * m_l.units * 4);
        m_compiler.clear(m_dHidden, m_l.batch * m_l.units * 4);
        m_compiler.clear(m_dCell, m_l.batch * m_l.units * 4);
        for (auto step = m_l.steps; step-- > 0;)
            if (auto ok = oneStep(step); !ok) return ok;
        if (auto ok = parameterGradients(); !ok) return ok;
        if (m_op.inputGradients[0] == kNoTensor) return {};
        auto p = product(m_compiler, rows, m_l.features, m_l.gateWidth());
        p.accumulate = accumulateInput;
        return m_compiler.call(p, {m_dInput, m_compiler.weight(m_op.parameters[m_l.parameterAt(0)]),
                                   m_compiler.value(m_op.inputGradients[0])});
    }

private:
    [[nodiscard]] Value typed(Value value, std::int64_t elements) const {
        return value.at(elements * m_compiler.typeBytes());
    }

    Result<void> oneStep(std::int64_t step) {
        addCell(step);
        if (step == 0) return {};  // the gradient of the initial state is not needed
        auto p = product(m_compiler, m_l.batch, m_l.units, m_l.gateWidth());
        p.aStride = m_l.steps * m_l.gateWidth();
        p.resultType = ElementType::F32;
        p.accumulate = true;
        return m_compiler.call(p, {typed(m_dRecurrent, m_l.timeOf(step) * m_l.gateWidth()),
                                   m_compiler.weight(m_op.parameters[m_l.parameterAt(1)]), m_dHidden});
    }

    void addCell(std::int64_t step) {
        const auto trace = typed(m_compiler.value(m_op.saved[0]), m_l.traceAt(step));
        const auto traceBefore = step > 0 ? typed(m_compiler.value(m_op.saved[0]), m_l.traceAt(step - 1)) : Value{};
        const auto dOutput =
            m_l.writesOutput(step) ? typed(m_compiler.value(m_op.outputGradient), m_l.outputAt(step)) : Value{};
        const auto state = m_l.direction * m_l.units * 4;
        const auto hidden = step == 0 && m_initial.hidden ? m_initial.hidden.at(state) : Value{};
        const auto cell = step == 0 && m_initial.cell ? m_initial.cell.at(state) : Value{};
        const auto t = m_l.timeOf(step);
        const auto dInput = typed(m_dInput, t * m_l.gateWidth()), before = typed(m_before, t * m_l.units);
        const auto dRecurrent = m_l.addsInPlace() ? Value{} : typed(m_dRecurrent, t * m_l.gateWidth());
        m_compiler.kernel("native:recurrent",
                          {trace, traceBefore, dOutput, hidden, cell, dInput, before, dRecurrent, m_dHidden, m_dCell},
                          [=, l = m_l, type = m_compiler.type(), dHidden = m_dHidden, dCell = m_dCell](Stream stream) {
                              kernels::RecurrentBackward b;
                              b.cell = l.cell, b.batch = l.batch, b.units = l.units;
                              b.trace = trace.data(), b.traceBefore = traceBefore.data(), b.tracePitch = l.tracePitch();
                              b.initialHidden = hidden.as<const float>(), b.initialCell = cell.as<const float>();
                              b.initialPitch = l.width();
                              b.dOutput = dOutput.data(), b.dOutputPitch = l.outputPitch();
                              b.dHidden = dHidden.as<float>(), b.dCell = dCell.as<float>();
                              b.dInput = dInput.data(), b.dInputPitch = l.steps * l.gateWidth();
                              b.dRecurrent = dRecurrent.data(), b.dRecurrentPitch = l.steps * l.gateWidth();
                              b.hiddenBefore = before.data(), b.hiddenBeforePitch = l.steps * l.units;
                              return kernels::recurrentBackward(stream, type, b);
                          });
    }

    // With respect to the input weights (0) or the recurrent ones (1).
    Result<void> weightGradient(std::size_t which, Value flow, Value x, std::int64_t columns) {
        auto p = product(m_compiler, m_l.gateWidth(), columns, m_l.batch * m_l.steps);
        p.transposeA = true;
        p.aStride = m_l.gateWidth();
        p.resultType = ElementType::F32;
        p.accumulate = m_op.accumulateParameters;
        return m_compiler.call(p, {flow, x, m_compiler.value(m_op.parameterGradients[m_l.parameterAt(which)])});
    }

    Result<void> parameterGradients() {
        if (auto ok = weightGradient(0, m_dInput, m_compiler.value(m_op.inputs[0]), m_l.features); !ok) return ok;
        if (auto ok = weightGradient(1, m_dRecurrent, m_before, m_l.units); !ok) return ok;
        const kernels::ChannelAxes axes{m_l.batch * m_l.steps, m_l.gateWidth(), 1};
        const auto sums = m_compiler.value(m_op.parameterGradients[m_l.parameterAt(2)]);
        const auto workspace = m_compiler.scratch(kernels::sumChannelsWorkspace(axes));
        m_compiler.kernel(
            "native:sum_channels", {m_dInput, sums, workspace},
            [=, type = m_compiler.type(), flow = m_dInput, add = m_op.accumulateParameters](Stream stream) {
                return kernels::sumChannels(stream, type, flow.data(), axes, sums.as<float>(), add, workspace.data());
            });
        return {};
    }

    Compiler& m_compiler;
    const plan::Operation& m_op;
    Layout m_l;
    const Initial& m_initial;
    Value m_dInput, m_dRecurrent, m_before, m_dHidden, m_dCell;
};

Initial keepInitial(Compiler& compiler, const plan::Operation& op, const Layout& layout) {
    Initial initial;
    if (!layout.carries) return initial;
    const auto bytes = layout.batch * layout.width() * 4;
    const auto keep = [&](TensorId state) {
        const auto copy = compiler.scratch(bytes);
        compiler.copy(copy, compiler.value(state), bytes);
        return copy;
    };
    initial.hidden = keep(op.states[0]);
    if (layout.hasCell()) initial.cell = keep(op.states[1]);
    return initial;
}

Result<void> ownForward(Compiler& compiler, const plan::Operation& op) {
    auto layout = layoutOf(compiler, op);
    const auto initial = keepInitial(compiler, op, layout);
    compiler.remember(op.node, initial);
    for (layout.direction = 0; layout.direction < layout.directions; ++layout.direction)
        if (auto ok = Forward(compiler, op, layout, initial).emit(); !ok) return ok;
    return {};
}

Result<void> backward(Compiler& compiler, const plan::Operation& op) {
    if (Result<void> result; tryLibraryBackward(compiler, op, result)) return result;
    auto layout = layoutOf(compiler, op);
    const auto& initial = *compiler.recall<Initial>(op.node);
    for (layout.direction = 0; layout.direction < layout.directions; ++layout.direction)
        if (auto ok = Backward(compiler, op, layout, initial).emit(op.accumulate[0] || layout.direction > 0); !ok)
            return ok;
    return {};
}

TuningKey keyOf(const Compiler& compiler, const plan::Operation& op) {
    const auto l = layoutOf(compiler, op);
    return fmt::format("recurrent {} {} x {} x {} units {} x {} sequence {} carries {} trains {} type {} tf32 {} by {}",
                       static_cast<int>(l.cell), l.batch, l.steps, l.features, l.directions, l.units, l.sequence,
                       l.carries, compiler.training(), static_cast<int>(compiler.type()), compiler.tf32(),
                       compiler.kernels());
}

}  // namespace

// The backward pass uses the implementation of the forward pass.
Result<void> emitRecurrent(Compiler& compiler, const plan::Operation& op) {
    if (op.pass != plan::Pass::Forward) return backward(compiler, op);
    std::function<Result<void>()> consequence;
    if (const auto* later = compiler.backwardOf(op))
        consequence = [&compiler, later] { return backward(compiler, *later); };
    const auto& wanted = compiler.kernels();
    const bool asks = wanted == "auto" || wanted == "cudnn";
    const auto library = askLibrary(compiler, op, false), persistent = askLibrary(compiler, op, true);
    if (asks && !library) compiler.remark(messages::ownRecurrence(library.error().detail));
    std::vector<Compiler::Implementation> candidates;
    if (wanted != "cudnn" || !library)
        candidates.push_back({"own", [&] { return ownForward(compiler, op); }, consequence});
    if (asks && library)
        candidates.push_back({"cudnn", [&] { return emitLibraryForward(compiler, op, *library); }, consequence});
    if (asks && library && persistent)
        candidates.push_back(
            {"cudnn persistent", [&] { return emitLibraryForward(compiler, op, *persistent); }, consequence});
    return compiler.fastest(keyOf(compiler, op), candidates);
}

}  // namespace steelyard::compute::cuda
