// SPDX-License-Identifier: Apache-2.0
// Gates of one step of a recurrent layer: operands of the kernel.
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/operations/recurrent/recurrent.h"

namespace steelyard::compute::cpu {

RecurrentRows GateStep::rows(std::int64_t begin, std::int64_t end) const {
    const auto state = begin * shape.units, gate = begin * shape.gateWidth();
    RecurrentRows rows;
    rows.kind = shape.cell;
    rows.gates = gates.as<float>() + gate;
    if (recurrent) rows.recurrent = recurrent.as<float>() + gate;
    rows.bias = bias.as<float>();
    rows.hiddenBefore = before.as<float>() + state;
    rows.hidden = after.as<float>() + state;
    if (cellBefore) rows.cellBefore = cellBefore.as<float>() + state;
    if (shape.cell == GateKind::Lstm) rows.cell = extra.as<float>() + state;
    if (shape.cell == GateKind::Gru) rows.kept = extra.as<float>() + state;
    rows.samples = end - begin;
    rows.units = rows.stride = shape.units;
    return rows;
}

GateStep gateStep(const Direction& d, std::int64_t step, const Value& recurrent, const Value& bias) {
    GateStep gates{d.shape, d.gatesAt(step), recurrent, bias, d.hiddenAt(step), d.hiddenAt(step + 1), {}, {}};
    if (d.shape.cell == GateKind::Lstm) gates.cellBefore = d.extraAt(step);
    if (d.shape.cell != GateKind::Rnn) gates.extra = d.extraAt(step + 1);
    return gates;
}

GateGradientStep gateGradientStep(const Direction& d, std::int64_t step, const BackwardValues& v) {
    GateGradientStep gradient{d, step, v, d.gatesAt(step), d.hiddenAt(step), d.hiddenAt(step + 1), {}, {}};
    const auto row = d.shape.batch * d.shape.gateWidth();
    if (v.dRecurrent) gradient.v.dRecurrent = Direction::at(v.dRecurrent, step, row, kFloat);
    if (v.bf16Input) gradient.v.bf16Input = Direction::at(v.bf16Input, step, row, 2);
    if (v.bf16Recurrent) gradient.v.bf16Recurrent = Direction::at(v.bf16Recurrent, step, row, 2);
    if (d.shape.cell == GateKind::Lstm) gradient.extraBefore = d.extraAt(step);
    if (d.shape.cell != GateKind::Rnn) gradient.extraAfter = d.extraAt(step + 1);
    return gradient;
}

std::vector<Value> GateGradientStep::uses() const {
    return {gates,     before,  after,        extraBefore, extraAfter,     v.dy,
            v.dHidden, v.dCell, v.dRecurrent, v.bf16Input, v.bf16Recurrent};
}

void GateGradientStep::run(std::int64_t begin, std::int64_t end) const {
    const auto& s = d.shape;
    const bool reached = s.sequence || step == s.steps - 1;
    withElementType(v.dy.desc, [&]<class T>(T) {
        for (auto b = begin; reached && b < end; ++b) {
            const auto from = s.sequence ? b * s.steps + d.timeOf(step) : b;
            kernels().rows<T>().addTo(v.dHidden.as<float>() + b * s.units,
                                      v.dy.as<T>() + from * s.width() + d.index * s.units, s.units);
        }
    });
    const auto state = begin * s.units, gate = begin * s.gateWidth();
    RecurrentGradientRows rows;
    rows.kind = s.cell;
    rows.gates = rows.dInput = gates.as<float>() + gate;
    if (v.dRecurrent) rows.dRecurrent = v.dRecurrent.as<float>() + gate;
    rows.hiddenBefore = before.as<float>() + state;
    rows.hidden = after.as<float>() + state;
    if (s.cell == GateKind::Lstm) {
        rows.cellBefore = extraBefore.as<float>() + state;
        rows.cell = extraAfter.as<float>() + state;
        rows.dCell = v.dCell.as<float>() + state;
    }
    if (s.cell == GateKind::Gru) rows.kept = extraAfter.as<float>() + state;
    rows.dHidden = v.dHidden.as<float>() + state;
    rows.samples = end - begin;
    rows.units = s.units;
    kernels().sequence.recurrentBackward(rows);
    const auto count = rows.samples * s.gateWidth();
    if (v.bf16Input) kernels().rowsBf16.fromF32(v.bf16Input.as<BFloat16>() + gate, rows.dInput, count);
    if (v.bf16Recurrent) kernels().rowsBf16.fromF32(v.bf16Recurrent.as<BFloat16>() + gate, rows.dRecurrent, count);
}

}  // namespace steelyard::compute::cpu
