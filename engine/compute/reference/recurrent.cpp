// SPDX-License-Identifier: Apache-2.0
// Recurrent layers over whole sequences, forward and backward (through time); the cells are in recurrent_cells.h.
#include "engine/compute/reference/recurrent_cells.h"
#include "engine/compute/reference/step_run.h"

namespace steelyard::compute::reference {
namespace {

using model::RecurrentCell;

// Sizes and offsets. A trace is [B, T, directions, slots, units]: gates, extra, hidden (Rnn: hidden).
struct Layout {
    RecurrentCell cell = RecurrentCell::Lstm;
    Index batch = 0, steps = 0, features = 0, units = 0, gates = 0, slots = 0, directions = 1;
    bool sequence = false, carries = false;
    Index direction = 0;

    [[nodiscard]] Index width() const { return directions * units; }
    [[nodiscard]] Index gateWidth() const { return gates * units; }
    [[nodiscard]] Index timeOf(Index step) const { return direction == 0 ? step : steps - 1 - step; }
    [[nodiscard]] std::size_t traceAt(Index b, Index t, Index slot, Index u) const {
        return static_cast<std::size_t>((((b * steps + t) * directions + direction) * slots + slot) * units + u);
    }
    [[nodiscard]] std::size_t traceSize() const {
        return static_cast<std::size_t>(batch * steps * directions * slots * units);
    }
    [[nodiscard]] std::size_t stateAt(Index b, Index u) const {
        return static_cast<std::size_t>(b * width() + direction * units + u);
    }
    [[nodiscard]] Index hiddenSlot() const { return slots - 1; }
    [[nodiscard]] Index extraSlot() const { return slots - 2; }
    [[nodiscard]] bool hasCell() const { return cell == RecurrentCell::Lstm; }
    [[nodiscard]] std::size_t parameterAt(std::size_t i) const { return static_cast<std::size_t>(direction) * 3 + i; }
};

Layout layoutOf(const StepRun& run, const Operation& op) {
    const auto& layer = std::get<model::Recurrent>(op.layer);
    const auto& in = run.dims(op.inputs[0]);
    Layout l;
    l.cell = layer.cell;
    l.batch = in[0], l.steps = in[1], l.features = in[2];
    l.units = layer.units;
    l.gates = model::gateCount(layer.cell);
    l.slots = layer.cell == RecurrentCell::Rnn ? 1 : l.gates + 2;
    l.directions = layer.bidirectional ? 2 : 1;
    l.sequence = layer.returnSequence;
    l.carries = layer.carryState;
    return l;
}

Kept load(const Layout& l, std::span<const float> trace, std::size_t first) {
    const auto at = [&](Index slot) {
        return static_cast<double>(trace[first + static_cast<std::size_t>(slot * l.units)]);
    };
    Kept kept;
    kept.hidden = at(l.hiddenSlot());
    if (l.cell == RecurrentCell::Rnn) return kept;
    for (Index g = 0; g < l.gates; ++g) kept.gate[g] = at(g);
    kept.extra = at(l.extraSlot());
    return kept;
}

void store(const Layout& l, std::span<float> trace, std::size_t first, const Kept& kept) {
    const auto put = [&](Index slot, double value) {
        trace[first + static_cast<std::size_t>(slot * l.units)] = static_cast<float>(value);
    };
    put(l.hiddenSlot(), kept.hidden);
    if (l.cell == RecurrentCell::Rnn) return;
    for (Index g = 0; g < l.gates; ++g) put(g, kept.gate[g]);
    put(l.extraSlot(), kept.extra);
}

// initial: hidden [B, directions units], then the cell likewise.
Before stateBefore(const Layout& l, std::span<const float> trace, std::span<const float> initial, Index step, Index b,
                   Index u) {
    if (step > 0) {
        const auto t = l.timeOf(step - 1);
        return {static_cast<double>(trace[l.traceAt(b, t, l.hiddenSlot(), u)]),
                l.hasCell() ? static_cast<double>(trace[l.traceAt(b, t, l.extraSlot(), u)]) : 0};
    }
    if (initial.empty()) return {};
    const auto cells = static_cast<std::size_t>(l.batch * l.width());
    return {static_cast<double>(initial[l.stateAt(b, u)]),
            l.hasCell() ? static_cast<double>(initial[cells + l.stateAt(b, u)]) : 0};
}

// One direction of the forward pass.
class ForwardDirection {
public:
    ForwardDirection(StepRun& run, const Operation& op, const Layout& layout, std::span<float> trace,
                     std::span<const float> initial)
        : m_run(run), m_op(op), m_l(layout), m_trace(trace), m_initial(initial) {}

    void go() {
        inputPart();
        m_before.resize(static_cast<std::size_t>(m_l.batch * m_l.units));
        m_recurrent.resize(static_cast<std::size_t>(m_l.batch * m_l.gateWidth()));
        for (Index step = 0; step < m_l.steps; ++step) oneStep(step);
        finish();
    }

private:
    // W x + b for all steps: [B, T, gates units].
    void inputPart() {
        const auto bias = m_run.parameter(m_op, m_l.parameterAt(2));
        m_input.resize(static_cast<std::size_t>(m_l.batch * m_l.steps * m_l.gateWidth()));
        for (std::size_t i = 0; i < m_input.size(); ++i) m_input[i] = bias[i % bias.size()];
        m_run.addProduct({.rows = m_l.batch * m_l.steps,
                          .columns = m_l.gateWidth(),
                          .depth = m_l.features,
                          .a = m_run.input(m_op).data(),
                          .aRow = m_l.features,
                          .aColumn = 1,
                          .b = m_run.parameter(m_op, m_l.parameterAt(0)).data(),
                          .bRow = 1,
                          .bColumn = m_l.features,
                          .c = m_input.data(),
                          .cRow = m_l.gateWidth()});
    }

    void oneStep(Index step) {
        for (Index b = 0; b < m_l.batch; ++b)
            for (Index u = 0; u < m_l.units; ++u)
                m_before[static_cast<std::size_t>(b * m_l.units + u)] =
                    static_cast<float>(stateBefore(m_l, m_trace, m_initial, step, b, u).hidden);
        std::fill(m_recurrent.begin(), m_recurrent.end(), 0.0F);
        m_run.addProduct({.rows = m_l.batch,
                          .columns = m_l.gateWidth(),
                          .depth = m_l.units,
                          .a = m_before.data(),
                          .aRow = m_l.units,
                          .aColumn = 1,
                          .b = m_run.parameter(m_op, m_l.parameterAt(1)).data(),
                          .bRow = 1,
                          .bColumn = m_l.units,
                          .c = m_recurrent.data(),
                          .cRow = m_l.gateWidth()});
        const auto t = m_l.timeOf(step);
        for (Index b = 0; b < m_l.batch; ++b)
            for (Index u = 0; u < m_l.units; ++u) {
                double in[4] = {}, rec[4] = {};
                for (Index g = 0; g < m_l.gates; ++g) {
                    const Index column = g * m_l.units + u;
                    in[g] = static_cast<double>(
                        m_input[static_cast<std::size_t>((b * m_l.steps + t) * m_l.gateWidth() + column)]);
                    rec[g] = static_cast<double>(m_recurrent[static_cast<std::size_t>(b * m_l.gateWidth() + column)]);
                }
                const auto before = stateBefore(m_l, m_trace, m_initial, step, b, u);
                store(m_l, m_trace, m_l.traceAt(b, t, 0, u), forwardUnit(m_l.cell, in, rec, before));
            }
    }

    void finish() {
        const auto y = m_run.output(m_op);
        const auto last = m_l.timeOf(m_l.steps - 1);
        for (Index b = 0; b < m_l.batch; ++b)
            for (Index u = 0; u < m_l.units; ++u) {
                for (Index t = 0; m_l.sequence && t < m_l.steps; ++t)
                    y[static_cast<std::size_t>((b * m_l.steps + t) * m_l.width() + m_l.direction * m_l.units + u)] =
                        m_trace[m_l.traceAt(b, t, m_l.hiddenSlot(), u)];
                const auto hidden = m_trace[m_l.traceAt(b, last, m_l.hiddenSlot(), u)];
                if (!m_l.sequence) y[m_l.stateAt(b, u)] = hidden;
                if (!m_l.carries) continue;
                m_run.tensors.floats(m_op.states[0])[m_l.stateAt(b, u)] = hidden;
                if (m_l.hasCell())
                    m_run.tensors.floats(m_op.states[1])[m_l.stateAt(b, u)] =
                        m_trace[m_l.traceAt(b, last, m_l.extraSlot(), u)];
            }
    }

    StepRun& m_run;
    const Operation& m_op;
    Layout m_l;
    std::span<float> m_trace;
    std::span<const float> m_initial;
    std::vector<float> m_input, m_before, m_recurrent;
};

// One direction of the backward pass.
class BackwardDirection {
public:
    BackwardDirection(StepRun& run, const Operation& op, const Layout& layout, std::span<const float> initial)
        : m_run(run), m_op(op), m_l(layout), m_trace(run.saved(op)), m_initial(initial) {}

    void go(std::span<float> dx) {
        const auto rows = static_cast<std::size_t>(m_l.batch * m_l.steps);
        m_inputFlow.assign(rows * static_cast<std::size_t>(m_l.gateWidth()), 0.0F);
        m_recurrentFlow = m_inputFlow;
        m_before.resize(rows * static_cast<std::size_t>(m_l.units));
        m_dHidden.assign(static_cast<std::size_t>(m_l.batch * m_l.units), 0.0F);
        m_dCell = m_dHidden;
        for (Index step = m_l.steps; step-- > 0;) oneStep(step);
        parameterGradients();
        if (dx.empty()) return;
        m_run.addProduct({.rows = m_l.batch * m_l.steps,
                          .columns = m_l.features,
                          .depth = m_l.gateWidth(),
                          .a = m_inputFlow.data(),
                          .aRow = m_l.gateWidth(),
                          .aColumn = 1,
                          .b = m_run.parameter(m_op, m_l.parameterAt(0)).data(),
                          .bRow = m_l.features,
                          .bColumn = 1,
                          .c = dx.data(),
                          .cRow = m_l.features});
    }

private:
    [[nodiscard]] double outputGradient(Index step, Index b, Index u) const {
        const auto dy = m_run.outputGradient(m_op);
        if (!m_l.sequence) return step == m_l.steps - 1 ? static_cast<double>(dy[m_l.stateAt(b, u)]) : 0;
        const auto row = b * m_l.steps + m_l.timeOf(step);
        return static_cast<double>(dy[static_cast<std::size_t>(row * m_l.width() + m_l.direction * m_l.units + u)]);
    }

    void oneStep(Index step) {
        const auto t = m_l.timeOf(step);
        for (Index b = 0; b < m_l.batch; ++b)
            for (Index u = 0; u < m_l.units; ++u) {
                const auto at = static_cast<std::size_t>(b * m_l.units + u);
                const auto before = stateBefore(m_l, m_trace, m_initial, step, b, u);
                const auto kept = load(m_l, m_trace, m_l.traceAt(b, t, 0, u));
                const auto dHidden = static_cast<double>(m_dHidden[at]) + outputGradient(step, b, u);
                const auto flow = backwardUnit(m_l.cell, kept, before, dHidden, static_cast<double>(m_dCell[at]));
                for (Index g = 0; g < m_l.gates; ++g) {
                    const auto to = static_cast<std::size_t>((b * m_l.steps + t) * m_l.gateWidth() + g * m_l.units + u);
                    m_inputFlow[to] = static_cast<float>(flow.in[g]);
                    m_recurrentFlow[to] = static_cast<float>(flow.rec[g]);
                }
                m_before[static_cast<std::size_t>((b * m_l.steps + t) * m_l.units + u)] =
                    static_cast<float>(before.hidden);
                m_dHidden[at] = static_cast<float>(flow.hidden);
                m_dCell[at] = static_cast<float>(flow.cell);
            }
        m_run.addProduct({.rows = m_l.batch,
                          .columns = m_l.units,
                          .depth = m_l.gateWidth(),
                          .a = m_recurrentFlow.data() + t * m_l.gateWidth(),
                          .aRow = m_l.steps * m_l.gateWidth(),
                          .aColumn = 1,
                          .b = m_run.parameter(m_op, m_l.parameterAt(1)).data(),
                          .bRow = m_l.units,
                          .bColumn = 1,
                          .c = m_dHidden.data(),
                          .cRow = m_l.units});
    }

    void parameterGradients() {
        const Index rows = m_l.batch * m_l.steps;
        m_run.addProduct({.rows = m_l.gateWidth(),
                          .columns = m_l.features,
                          .depth = rows,
                          .a = m_inputFlow.data(),
                          .aRow = 1,
                          .aColumn = m_l.gateWidth(),
                          .b = m_run.input(m_op).data(),
                          .bRow = m_l.features,
                          .bColumn = 1,
                          .c = m_run.parameterGradient(m_op, m_l.parameterAt(0)).data(),
                          .cRow = m_l.features});
        m_run.addProduct({.rows = m_l.gateWidth(),
                          .columns = m_l.units,
                          .depth = rows,
                          .a = m_recurrentFlow.data(),
                          .aRow = 1,
                          .aColumn = m_l.gateWidth(),
                          .b = m_before.data(),
                          .bRow = m_l.units,
                          .bColumn = 1,
                          .c = m_run.parameterGradient(m_op, m_l.parameterAt(1)).data(),
                          .cRow = m_l.units});
        const auto bias = m_run.parameterGradient(m_op, m_l.parameterAt(2));
        for (std::size_t i = 0; i < bias.size(); ++i) {
            auto sum = static_cast<double>(bias[i]);
            for (auto row = i; row < m_inputFlow.size(); row += bias.size())
                sum += static_cast<double>(m_inputFlow[row]);
            bias[i] = static_cast<float>(sum);
        }
    }

    StepRun& m_run;
    const Operation& m_op;
    Layout m_l;
    std::span<const float> m_trace;
    std::span<const float> m_initial;
    std::vector<float> m_inputFlow, m_recurrentFlow;  // [B, T, gates units]
    std::vector<float> m_before;                      // [B, T, units]
    std::vector<float> m_dHidden, m_dCell;            // [B, units]
};

// A copy of the recurrent states: the forward pass overwrites them, the backward pass needs the old ones.
std::span<const float> keepInitialState(StepRun& run, const Operation& op) {
    auto& initial = run.scratch.initialStates[op.node];
    initial.clear();
    for (auto id : op.states) {
        const auto state = run.tensors.floats(id);
        initial.insert(initial.end(), state.begin(), state.end());
    }
    return initial;
}

}  // namespace

void runRecurrent(StepRun& run, const Operation& op) {
    auto layout = layoutOf(run, op);
    const bool forward = op.pass == plan::Pass::Forward;
    if (!forward) {
        const auto dx = run.inputGradient(op);
        for (layout.direction = 0; layout.direction < layout.directions; ++layout.direction)
            BackwardDirection(run, op, layout, run.scratch.initialStates[op.node]).go(dx);
        return;
    }
    const auto initial = keepInitialState(run, op);
    auto trace = run.saved(op);
    if (trace.empty()) {
        run.scratch.unfolded.resize(std::max(run.scratch.unfolded.size(), layout.traceSize()));
        trace = run.scratch.unfolded;
    }
    for (layout.direction = 0; layout.direction < layout.directions; ++layout.direction)
        ForwardDirection(run, op, layout, trace, initial).go();
}

}  // namespace steelyard::compute::reference
