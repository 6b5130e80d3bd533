// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/recurrent_gradient.h"

#include "engine/model/array/strides.h"

namespace steelyard::plan {

using model::MapKind;
using model::rowMajorStrides;

RecurrentGradient::RecurrentGradient(ArrayGradient& to, const Operation& forward, const model::RecurrentPass& layer,
                                     TensorId gradient, const std::vector<bool>& wanted)
    : m_to(to), m_forward(forward), m_layer(layer), m_gradient(gradient), m_wanted(wanted) {
    const auto& x = to.m_plan.tensor(forward.inputs[0]).dims;
    m_steps = x[0], m_batch = x[1], m_features = x[2];
    m_units = layer.units;
    m_gates = layer.cell == model::PassCell::Lstm ? 4 : layer.cell == model::PassCell::Gru ? 3 : 1;
    m_directions = layer.direction == model::PassDirection::Bidirectional ? 2 : 1;
    int next = 3;
    if (layer.hasBias) m_biasInput = next++;
    if (layer.hasHidden) m_hiddenInput = next++;
    if (layer.hasCell) m_cellInput = next++;
}

std::vector<TensorId> RecurrentGradient::contributions() {
    std::vector<TensorId> result(m_forward.inputs.size(), kNoTensor);
    std::vector<std::vector<TensorId>> parts(result.size());  // by direction
    for (std::int64_t index = 0; index < m_directions; ++index) {
        const auto d = direction(index);
        const auto flow = m_layer.cell == model::PassCell::Lstm  ? backLstm(d)
                          : m_layer.cell == model::PassCell::Gru ? backGru(d)
                                                                 : backRnn(d);
        if (isWanted(0)) {
            auto dx = shaped(product(flow.input, d.weight), {m_steps, m_batch, m_features});
            if (d.isReverse) {
                const auto row = m_batch * m_features;
                dx = view(dx, dims(dx), {-row, m_features, 1}, (m_steps - 1) * row);
            }
            result[0] = result[0] == kNoTensor ? dx : add(result[0], dx);
        }
        const auto put = [&](int input, TensorId value) {
            auto shape = dims(m_forward.inputs[static_cast<std::size_t>(input)]);
            shape[0] = 1;
            parts[static_cast<std::size_t>(input)].push_back(shaped(value, shape));
        };
        if (isWanted(1)) put(1, product(turned(flow.input), d.x));
        if (isWanted(2)) put(2, flow.recurrent);
        if (isWanted(m_biasInput)) put(m_biasInput, joined({columnSums(flow.input), columnSums(flow.state)}, 1));
        if (isWanted(m_hiddenInput)) put(m_hiddenInput, flow.hidden);
        if (isWanted(m_cellInput)) put(m_cellInput, flow.cell);
    }
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!parts[i].empty()) result[i] = joined(parts[i], 0);
    return result;
}

RecurrentGradient::Direction RecurrentGradient::direction(std::int64_t index) {
    Direction d;
    d.index = index;
    d.isReverse = m_layer.direction == model::PassDirection::Reverse || index == 1;
    d.weight = contiguous(m_forward.inputs[1], {width(), m_features}, index * width() * m_features);
    d.recurrent = contiguous(m_forward.inputs[2], {width(), m_units}, index * width() * m_units);
    d.x = m_forward.inputs[0];
    const auto row = m_batch * m_features;
    if (d.isReverse) d.x = view(d.x, dims(d.x), {-row, m_features, 1}, (m_steps - 1) * row);
    d.x = shaped(d.x, rows(m_features));
    d.after = statesOf(d, m_forward.output);
    d.before = delayed(initial(d, m_hiddenInput), d.after);
    d.fromInput = product(d.x, turned(d.weight));
    d.fromState = product(shaped(d.before, rows(m_units)), turned(d.recurrent));
    if (m_layer.hasBias) {
        d.fromInput = add(d.fromInput, bias(index, false));
        d.fromState = add(d.fromState, bias(index, true));
    }
    return d;
}

RecurrentGradient::Flow RecurrentGradient::backLstm(const Direction& d) {
    const auto gates = add(d.fromInput, d.fromState);
    const auto i = map(MapKind::Sigmoid, {gate(gates, 0)}), o = map(MapKind::Sigmoid, {gate(gates, 1)}),
               f = map(MapKind::Sigmoid, {gate(gates, 2)}), z = map(MapKind::Tanh, {gate(gates, 3)});
    const auto added = mul(i, z), first = initial(d, m_cellInput);
    std::vector<TensorId> cells;
    for (std::int64_t s = 0; s < m_steps; ++s)
        cells.push_back(add(mul(step(f, s), cells.empty() ? first : cells.back()), step(added, s)));
    const auto after = allSteps(cells), before = delayed(first, after);
    const auto t = map(MapKind::Tanh, {after});
    // Of the gates, before their activations, by that of the state (o) or of the cell.
    const auto ofO = mul(t, slope(o)), ofI = mul(z, slope(i)), ofF = mul(before, slope(f)),
               ofZ = mul(i, oneMinusSquare(z)), ofCell = mul(o, oneMinusSquare(t));
    const auto& all = m_forward.output;
    std::vector<TensorId> steps(static_cast<std::size_t>(m_steps));
    Flow flow;
    for (auto s = m_steps; s-- > 0;) {
        const auto dh = gradientOfState(d, s, flow.hidden);
        const auto last = s == m_steps - 1
                              ? contiguous(m_gradient, {m_batch, m_units},
                                           model::elementCount(dims(all)) - (m_directions - d.index) * state())
                              : flow.cell;
        const auto dc = add(mul(dh, step(ofCell, s)), last);
        const auto change =
            joined({mul(dc, step(ofI, s)), mul(dh, step(ofO, s)), mul(dc, step(ofF, s)), mul(dc, step(ofZ, s))}, 1);
        steps[static_cast<std::size_t>(s)] = change;
        if (s > 0 || isWanted(m_hiddenInput)) flow.hidden = product(change, d.recurrent);
        if (s > 0 || isWanted(m_cellInput)) flow.cell = mul(dc, step(f, s));
    }
    flow.input = flow.state = joined(steps, 0);
    if (isWanted(2)) flow.recurrent = gradientOfWeights(d, flow.state);
    return flow;
}

RecurrentGradient::Flow RecurrentGradient::backGru(const Direction& d) {
    const auto gates = add(d.fromInput, d.fromState);
    const auto z = map(MapKind::Sigmoid, {gate(gates, 0)}), r = map(MapKind::Sigmoid, {gate(gates, 1)});
    const bool linear = m_layer.linearBeforeReset;
    // The rows of R of the candidate and of the other gates.
    const auto ofCandidate = contiguous(d.recurrent, {m_units, m_units}, 2 * m_units * m_units),
               ofOthers = contiguous(d.recurrent, {2 * m_units, m_units}, 0);
    TensorId gated = kNoTensor, q = kNoTensor;
    if (linear) {
        q = gate(d.fromState, 2);
    } else {
        gated = shaped(mul(r, d.before), rows(m_units));
        q = product(gated, turned(ofCandidate));
        if (m_layer.hasBias) q = add(q, contiguous(bias(d.index, true), {m_units}, 2 * m_units));
        q = shaped(q, {m_steps, m_batch, m_units});
    }
    const auto n = map(MapKind::Tanh, {add(gate(d.fromInput, 2), linear ? mul(r, q) : q)});
    const auto ofZ = mul(map(MapKind::Sub, {d.before, n}), slope(z)), ofN = mul(oneMinus(z), oneMinusSquare(n)),
               ofR = mul(linear ? q : d.before, slope(r));
    std::vector<TensorId> input(static_cast<std::size_t>(m_steps)), state = input;
    Flow flow;
    for (auto s = m_steps; s-- > 0;) {
        const auto dh = gradientOfState(d, s, flow.hidden);
        const auto dz = mul(dh, step(ofZ, s)), dn = mul(dh, step(ofN, s)), kept = mul(dh, step(z, s));
        const bool goesOn = s > 0 || isWanted(m_hiddenInput);
        const auto at = static_cast<std::size_t>(s);
        if (linear) {
            const auto dr = mul(dn, step(ofR, s));
            input[at] = joined({dz, dr, dn}, 1);
            state[at] = joined({dz, dr, mul(dn, step(r, s))}, 1);
            if (goesOn) flow.hidden = add(kept, product(state[at], d.recurrent));
        } else {
            const auto dGated = product(dn, ofCandidate), dr = mul(dGated, step(ofR, s));
            input[at] = state[at] = joined({dz, dr, dn}, 1);
            if (goesOn)
                flow.hidden =
                    map(MapKind::Add, {kept, mul(dGated, step(r, s)), product(joined({dz, dr}, 1), ofOthers)});
        }
    }
    flow.input = joined(input, 0);
    flow.state = linear ? joined(state, 0) : flow.input;
    if (!isWanted(2)) return flow;
    if (linear) {
        flow.recurrent = gradientOfWeights(d, flow.state);
    } else {
        const auto columns = m_steps * m_batch;
        const auto change = turned(flow.state);
        flow.recurrent =
            joined({product(contiguous(change, {2 * m_units, columns}, 0), shaped(d.before, rows(m_units))),
                    product(contiguous(change, {m_units, columns}, 2 * m_units * columns), gated)},
                   0);
    }
    return flow;
}

RecurrentGradient::Flow RecurrentGradient::backRnn(const Direction& d) {
    const auto slopes = oneMinusSquare(d.after);
    std::vector<TensorId> steps(static_cast<std::size_t>(m_steps));
    Flow flow;
    for (auto s = m_steps; s-- > 0;) {
        const auto change = mul(gradientOfState(d, s, flow.hidden), step(slopes, s));
        steps[static_cast<std::size_t>(s)] = change;
        if (s > 0 || isWanted(m_hiddenInput)) flow.hidden = product(change, d.recurrent);
    }
    flow.input = flow.state = joined(steps, 0);
    if (isWanted(2)) flow.recurrent = gradientOfWeights(d, flow.state);
    return flow;
}

TensorId RecurrentGradient::gradientOfState(const Direction& d, std::int64_t index, TensorId next) {
    const auto t = d.isReverse ? m_steps - 1 - index : index;
    const auto own = contiguous(m_gradient, {m_batch, m_units}, (t * m_directions + d.index) * state());
    if (index < m_steps - 1) return add(own, next);
    return add(own, contiguous(m_gradient, {m_batch, m_units}, (m_steps * m_directions + d.index) * state()));
}

TensorId RecurrentGradient::gradientOfWeights(const Direction& d, TensorId flow) {
    return product(turned(flow), shaped(d.before, rows(m_units)));
}

TensorId RecurrentGradient::statesOf(const Direction& d, TensorId result) {
    const auto row = m_directions * state();
    return view(result, {m_steps, m_batch, m_units}, {d.isReverse ? -row : row, m_units, 1},
                d.index * state() + (d.isReverse ? (m_steps - 1) * row : 0));
}

TensorId RecurrentGradient::view(TensorId from, const Shape& shape, const Shape& strides, std::int64_t offset) {
    return emit(model::Rearrange{shape, strides, offset, shape}, {from});
}

TensorId RecurrentGradient::contiguous(TensorId from, const Shape& shape, std::int64_t offset) {
    if (model::elementCount(shape) == model::elementCount(dims(from))) return shaped(from, shape);
    return view(from, shape, rowMajorStrides(shape), offset);
}

TensorId RecurrentGradient::initial(const Direction& d, int input) {
    if (input >= 0)
        return contiguous(m_forward.inputs[static_cast<std::size_t>(input)], {m_batch, m_units}, d.index * state());
    return emit(model::Map{MapKind::Scale, 0, 0}, {step(d.after, 0)});
}

TensorId RecurrentGradient::bias(std::int64_t direction, bool ofState) {
    return contiguous(m_forward.inputs[static_cast<std::size_t>(m_biasInput)], {width()},
                      (2 * direction + (ofState ? 1 : 0)) * width());
}

TensorId RecurrentGradient::gate(TensorId all, std::int64_t index) {
    return view(all, {m_steps, m_batch, m_units}, {m_batch * width(), width(), 1}, index * m_units);
}

TensorId RecurrentGradient::step(TensorId all, std::int64_t index) {
    return contiguous(all, {m_batch, m_units}, index * state());
}

TensorId RecurrentGradient::allSteps(const std::vector<TensorId>& steps) {
    return shaped(joined(steps, 0), {m_steps, m_batch, m_units});
}

TensorId RecurrentGradient::delayed(TensorId first, TensorId all) {
    std::vector<TensorId> parts{first};
    if (m_steps > 1) parts.push_back(contiguous(all, {(m_steps - 1) * m_batch, m_units}, 0));
    return allSteps(parts);
}

TensorId RecurrentGradient::joined(const std::vector<TensorId>& parts, std::int64_t axis) {
    return parts.size() == 1 ? parts[0] : emit(model::JoinArrays{axis}, parts);
}

TensorId RecurrentGradient::turned(TensorId matrix) {
    const auto shape = dims(matrix);
    return view(matrix, {shape[1], shape[0]}, {1, shape[1]}, 0);
}

TensorId RecurrentGradient::columnSums(TensorId a) {
    return emit(model::Reduce{model::ReduceKind::Sum, {0}, true}, {a});
}

TensorId RecurrentGradient::shaped(TensorId a, const Shape& shape) {
    return m_to.reshaped(a, shape);
}

TensorId RecurrentGradient::emit(const model::ArrayOperation& operation, std::vector<TensorId> inputs) {
    return m_to.emit(operation, std::move(inputs));
}

model::Shape RecurrentGradient::dims(TensorId id) const {
    return m_to.m_plan.tensor(id).dims;
}

}  // namespace steelyard::plan
