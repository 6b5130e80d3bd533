// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/compute/cuda/simulated_recurrence.h"

#include <array>

#include "engine/compute/reference/product.h"
#include "engine/compute/reference/recurrent_cells.h"
#include "tests/engine/compute/cuda/simulated_call.h"

namespace steelyard::compute::cuda::test {
namespace {

using kernels::Cell;

constexpr std::int64_t kGap = 24;  // elements of the weight space between a layer's directions
constexpr std::int64_t kWorkspace = 512;

model::RecurrentCell modelCell(Cell cell) {
    if (cell == Cell::Lstm) return model::RecurrentCell::Lstm;
    return cell == Cell::Gru ? model::RecurrentCell::Gru : model::RecurrentCell::Rnn;
}

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

// Of one unit in one step: forward writes the reserved values of the cell, BackwardData the gradients of its gates.
struct Trace {
    reference::Kept kept;
    reference::Flow flow;
};

// In the order of RecurrenceSpaces, gates in this project's order.
struct Parameters {
    Values weight, recurrent, bias;
    Values secondBias;  // beside the recurrent part, after the others; for persistent kernels
};

class RecurrenceCall final : public Call {
public:
    RecurrenceCall(SimulatedRuntime& runtime, const Recurrence& recurrence, RecurrenceSpaces spaces,
                   std::shared_ptr<const Script> script)
        : Call(runtime, {{recurrence.persistent ? "recurrence:persistent" : "recurrence", kWorkspace}}),
          m_r(recurrence),
          m_spaces(std::move(spaces)),
          m_script(std::move(script)) {}

private:
    [[nodiscard]] std::int64_t gates() const { return kernels::gatesOf(m_r.cell); }
    [[nodiscard]] std::int64_t rowWidth() const { return gates() * m_r.units; }
    [[nodiscard]] std::int64_t inputCount() const { return m_r.batch * m_r.steps * m_r.features; }
    [[nodiscard]] std::int64_t stateCount() const { return m_r.directions * m_r.batch * m_r.units; }
    [[nodiscard]] std::int64_t outputCount() const { return m_r.steps * stateCount(); }
    [[nodiscard]] std::int64_t timeOf(std::int64_t direction, std::int64_t step) const {
        return direction == 0 ? step : m_r.steps - 1 - step;
    }
    [[nodiscard]] std::int64_t outputAt(std::int64_t d, std::int64_t b, std::int64_t step, std::int64_t u) const {
        return ((b * m_r.steps + timeOf(d, step)) * m_r.directions + d) * m_r.units + u;
    }
    [[nodiscard]] std::int64_t traceAt(std::int64_t d, std::int64_t b, std::int64_t step, std::int64_t u) const {
        return ((d * m_r.steps + step) * m_r.batch + b) * m_r.units + u;
    }

    double secondsOf(std::size_t) const override { return m_script->recurrenceSeconds * (m_r.persistent ? 0.5 : 1); }

    void check(const SimulatedRuntime& runtime, std::span<void* const> operands) const override {
        const auto bytes = bytesOf(m_r.type);
        const auto x = inputCount() * bytes, y = outputCount() * bytes, state = stateCount() * bytes;
        const auto lengths = m_r.batch * 4, weights = m_spaces.weights, reserve = m_spaces.reserve;
        std::vector<std::int64_t> sizes{x, weights, lengths, -state, -state, y, -state, -state, -reserve};
        if (m_r.pass == RecurrencePass::BackwardData)
            sizes = {y, y, -state, -state, -state, weights, lengths, reserve, x};
        if (m_r.pass == RecurrencePass::BackwardWeights) sizes = {x, -state, y, lengths, reserve, weights};
        for (std::size_t i = 0; i < sizes.size(); ++i)  // below zero: may be null
            if (operands[i] != nullptr || sizes[i] > 0)
                runtime.requireDevice(operands[i], std::abs(sizes[i]), "an operand of a recurrence");
    }

    void work(const std::vector<void*>& o) const override {
        if (m_r.batch * m_r.steps * rowWidth() * m_r.features > m_script->mostProducts) return;
        for (std::int64_t d = 0; d < m_r.directions; ++d) {
            if (m_r.pass == RecurrencePass::Forward && hasLengths(o[2])) forward(o, d);
            if (m_r.pass == RecurrencePass::BackwardData && hasLengths(o[6])) backwardData(o, d);
            if (m_r.pass == RecurrencePass::BackwardWeights && hasLengths(o[3])) backwardWeights(o, d);
        }
    }
    [[nodiscard]] bool hasLengths(const void* lengths) const {
        const auto* first = static_cast<const std::int32_t*>(lengths);
        const bool full = std::all_of(first, first + m_r.batch, [&](auto length) { return length == m_r.steps; });
        if (!full) breakDown("the lengths on the device are not those of the description");
        return full;
    }

    [[nodiscard]] Values loaded(const void* data, std::int64_t first, std::int64_t count) const {
        Values values(at(count));
        for (std::int64_t i = 0; i < count && data != nullptr; ++i) values[at(i)] = loadOne(m_r.type, data, first + i);
        return values;
    }
    // As read by tensor cores.
    [[nodiscard]] Values seen(Values values) const {
        if (m_r.tf32)
            for (auto& value : values) value = tensorFloat(value);
        return values;
    }
    [[nodiscard]] std::int64_t blockAt(std::int64_t d, std::int64_t part, std::int64_t gate) const {
        return m_spaces.offsets.at(RecurrenceSpaces::blockOf(m_r.cell, d, part, gate)) / bytesOf(m_r.type);
    }
    [[nodiscard]] Parameters parameters(const void* weights, std::int64_t d) const {
        Parameters p;
        const std::array<std::pair<Values*, std::int64_t>, 3> parts{
            {{&p.weight, m_r.units * m_r.features}, {&p.recurrent, m_r.units * m_r.units}, {&p.bias, m_r.units}}};
        for (std::int64_t part = 0; part < 3; ++part)
            for (std::int64_t gate = 0; gate < gates(); ++gate) {
                const auto values = loaded(weights, blockAt(d, part, gate), parts[at(part)].second);
                parts[at(part)].first->insert(parts[at(part)].first->end(), values.begin(), values.end());
            }
        if (m_r.persistent) p.secondBias = loaded(weights, blockAt(d, 2, gates() - 1) + m_r.units, rowWidth());
        return p;
    }
    // a [rows, depth] times b; b is [columns, depth] if transposed, else [depth, columns].
    [[nodiscard]] Values product(const Values& a, const Values& b, std::int64_t rows, std::int64_t columns,
                                 std::int64_t depth, bool turned) const {
        const auto left = seen(a), right = seen(b);
        Values c(at(rows * columns));
        reference::addProduct({.rows = rows,
                               .columns = columns,
                               .depth = depth,
                               .a = left.data(),
                               .aRow = depth,
                               .aColumn = 1,
                               .b = right.data(),
                               .bRow = turned ? 1 : columns,
                               .bColumn = turned ? depth : 1,
                               .c = c.data(),
                               .cRow = columns},
                              1);
        return c;
    }

    void forward(const std::vector<void*>& o, std::int64_t d) const {
        const auto& r = m_r;
        const auto p = parameters(o[1], d);
        const auto input =
            product(loaded(o[0], 0, inputCount()), p.weight, r.batch * r.steps, rowWidth(), r.features, true);
        const auto one = r.batch * r.units;
        auto hidden = loaded(o[3], d * one, one), cell = loaded(o[4], d * one, one);
        for (std::int64_t step = 0; step < r.steps; ++step) {
            const auto rec = product(hidden, p.recurrent, r.batch, rowWidth(), r.units, true);
            for (std::int64_t i = 0; i < one; ++i) {
                const auto b = i / r.units, u = i % r.units;
                double in[4] = {}, back[4] = {};
                for (std::int64_t g = 0; g < gates(); ++g) {
                    const auto column = g * r.units + u;
                    in[g] = static_cast<double>(input[at((b * r.steps + timeOf(d, step)) * rowWidth() + column)]) +
                            static_cast<double>(p.bias[at(column)]);
                    back[g] = static_cast<double>(rec[at(b * rowWidth() + column)]);
                    if (r.persistent) back[g] += static_cast<double>(p.secondBias[at(column)]);
                }
                const auto kept =
                    reference::forwardUnit(modelCell(r.cell), in, back,
                                           {static_cast<double>(hidden[at(i)]), static_cast<double>(cell[at(i)])});
                if (o[8] != nullptr) static_cast<Trace*>(o[8])[traceAt(d, b, step, u)].kept = kept;
                const auto y = outputAt(d, b, step, u);
                storeOne(r.type, o[5], y, static_cast<float>(kept.hidden));
                hidden[at(i)] = loadOne(r.type, o[5], y);
                cell[at(i)] = static_cast<float>(kept.extra);
            }
        }
        store(o[6], d, hidden);
        if (r.cell == Cell::Lstm) store(o[7], d, cell);
    }
    void store(void* states, std::int64_t d, const Values& values) const {
        if (states == nullptr) return;
        const auto count = static_cast<std::int64_t>(values.size());
        for (std::int64_t i = 0; i < count; ++i) storeOne(m_r.type, states, d * count + i, values[at(i)]);
    }

    // h before a step.
    [[nodiscard]] float hiddenBefore(const void* y, const void* first, std::int64_t d, std::int64_t b,
                                     std::int64_t step, std::int64_t u) const {
        if (step > 0) return loadOne(m_r.type, y, outputAt(d, b, step - 1, u));
        return first == nullptr ? 0.0F : loadOne(m_r.type, first, (d * m_r.batch + b) * m_r.units + u);
    }

    void backwardData(const std::vector<void*>& o, std::int64_t d) const {
        const auto& r = m_r;
        const auto p = parameters(o[5], d);
        const auto one = r.batch * r.units;
        auto* trace = static_cast<Trace*>(o[7]);
        auto dHidden = loaded(o[2], d * one, one);
        const auto firstCell = loaded(o[4], d * one, one);
        std::vector<double> dCell(at(one));
        Values flows(at(r.batch * r.steps * rowWidth()));
        for (auto step = r.steps; step-- > 0;) {
            Values toBefore(at(r.batch * rowWidth())), direct(at(one));
            for (std::int64_t i = 0; i < one; ++i) {
                const auto b = i / r.units, u = i % r.units;
                auto& t = trace[traceAt(d, b, step, u)];
                const reference::Before before{
                    static_cast<double>(hiddenBefore(o[0], o[3], d, b, step, u)),
                    step > 0 ? trace[traceAt(d, b, step - 1, u)].kept.extra : static_cast<double>(firstCell[at(i)])};
                const float dy = loadOne(r.type, o[1], outputAt(d, b, step, u));
                t.flow = reference::backwardUnit(modelCell(r.cell), t.kept, before,
                                                 static_cast<double>(dHidden[at(i)] + dy), dCell[at(i)]);
                dCell[at(i)] = t.flow.cell;
                direct[at(i)] = static_cast<float>(t.flow.hidden);
                for (std::int64_t g = 0; g < gates(); ++g) {
                    const auto column = g * r.units + u;
                    toBefore[at(b * rowWidth() + column)] = static_cast<float>(t.flow.rec[g]);
                    flows[at((b * r.steps + timeOf(d, step)) * rowWidth() + column)] = static_cast<float>(t.flow.in[g]);
                }
            }
            dHidden = product(toBefore, p.recurrent, r.batch, r.units, rowWidth(), false);
            for (std::int64_t i = 0; i < one; ++i) dHidden[at(i)] += direct[at(i)];
        }
        const auto dx = product(flows, p.weight, r.batch * r.steps, r.features, rowWidth(), false);
        for (std::int64_t i = 0; i < inputCount(); ++i)
            storeOne(r.type, o[8], i, dx[at(i)] + (d > 0 ? loadOne(r.type, o[8], i) : 0.0F));
    }

    void backwardWeights(const std::vector<void*>& o, std::int64_t d) const {
        const auto& r = m_r;
        const auto x = loaded(o[0], 0, inputCount());
        const auto* trace = static_cast<const Trace*>(o[4]);
        std::vector<double> weight(at(rowWidth() * r.features)), recurrent(at(rowWidth() * r.units)),
            bias(at(rowWidth()));
        for (std::int64_t b = 0; b < r.batch; ++b)
            for (std::int64_t step = 0; step < r.steps; ++step) {
                const auto row = (b * r.steps + timeOf(d, step)) * r.features;
                for (std::int64_t column = 0; column < rowWidth(); ++column) {
                    const auto& flow = trace[traceAt(d, b, step, column % r.units)].flow;
                    const double in = flow.in[column / r.units], rec = flow.rec[column / r.units];
                    bias[at(column)] += in;
                    for (std::int64_t f = 0; f < r.features; ++f)
                        weight[at(column * r.features + f)] += in * static_cast<double>(x[at(row + f)]);
                    for (std::int64_t u = 0; u < r.units; ++u)
                        recurrent[at(column * r.units + u)] +=
                            rec * static_cast<double>(hiddenBefore(o[2], o[1], d, b, step, u));
                }
            }
        const std::array<const std::vector<double>*, 3> parts{&weight, &recurrent, &bias};
        for (std::int64_t part = 0; part < 3; ++part) addTo(o[5], d, part, *parts[at(part)]);
    }
    void addTo(void* gradients, std::int64_t d, std::int64_t part, const std::vector<double>& sums) const {
        const auto count = static_cast<std::int64_t>(sums.size()) / gates();
        for (std::int64_t gate = 0; gate < gates(); ++gate)
            for (std::int64_t i = 0; i < count; ++i) {
                const auto to = blockAt(d, part, gate) + i;
                storeOne(m_r.type, gradients, to,
                         loadOne(m_r.type, gradients, to) + static_cast<float>(sums[at(gate * count + i)]));
            }
    }

    Recurrence m_r;
    RecurrenceSpaces m_spaces;
    std::shared_ptr<const Script> m_script;
};

}  // namespace

Result<RecurrenceSpaces> simulatedSpacesOf(const Recurrence& r, const Script& script) {
    if (!script.whyNoRecurrence.empty())
        return fail(ErrorKind::Unsupported, "simulated library", Message(script.whyNoRecurrence));
    if (r.persistent && !script.persistentRecurrence)
        return fail(ErrorKind::Unsupported, "simulated library", Message("no persistent kernel"));
    RecurrenceSpaces spaces;
    const auto gates = kernels::gatesOf(r.cell), bytes = bytesOf(r.type);
    spaces.offsets.resize(at(r.directions * 3 * gates));
    std::int64_t end = 0;  // in elements
    for (std::int64_t d = 0; d < r.directions; ++d) {
        for (std::int64_t part = 0; part < 3; ++part)
            for (std::int64_t place = 0; place < gates; ++place) {
                const auto gate = r.cell == Cell::Gru && place < 2 ? 1 - place : place;
                spaces.offsets[RecurrenceSpaces::blockOf(r.cell, d, part, gate)] = end * bytes;
                end += r.units * (part == 0 ? r.features : part == 1 ? r.units : 1);
            }
        end += (r.persistent ? gates * r.units : 0) + kGap;
    }
    spaces.weights = end * bytes;
    spaces.workspace = kWorkspace;
    spaces.restIsZero = r.persistent;
    if (r.training)
        spaces.reserve = r.directions * r.steps * r.batch * r.units * static_cast<std::int64_t>(sizeof(Trace));
    return spaces;
}

Result<std::unique_ptr<LibraryCall>> makeSimulatedRecurrence(SimulatedRuntime& runtime, const Recurrence& recurrence,
                                                             std::shared_ptr<const Script> script) {
    auto spaces = simulatedSpacesOf(recurrence, *script);
    if (!spaces) return Failure(spaces.error());
    return std::make_unique<RecurrenceCall>(runtime, recurrence, std::move(*spaces), std::move(script));
}

}  // namespace steelyard::compute::cuda::test
