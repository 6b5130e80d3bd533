// SPDX-License-Identifier: Apache-2.0
// Trials of recurrent layers that compute step by step with products of a library.
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/operations/recurrent/recurrent_panels.h"

namespace steelyard::compute::cpu {

bool StepProduct::runsHere() const {
    return withElementType(kind, [&]<class T>(T) {
        return kernels().products<T>().multiply != nullptr && depth % kElementsOfAWord<T> == 0;
    });
}

TrialGates::TrialGates(const RecurrentShape& shape, bool back, const dnnl::engine& engine) : s(shape), backward(back) {
    const auto floats = [&](std::int64_t count) { return trialMemory(plainDesc(Dims{count}, DataKind::f32), engine); };
    gates = floats(s.batch * s.gateWidth());
    bias = floats(s.gateWidth());
    if (s.cell == GateKind::Gru) recurrent = floats(s.batch * s.gateWidth());
    for (auto* states : {&before, &after, &dHidden}) *states = floats(2 * s.batch * s.units);
}

void TrialGates::run(std::int64_t begin, std::int64_t end) const {
    auto* ofGru = recurrent ? static_cast<float*>(recurrent.get_data_handle()) + begin * s.gateWidth() : nullptr;
    if (backward) {
        RecurrentGradientRows rows;
        fill(rows, begin, end);
        rows.dInput = gatesOf(begin);
        rows.dRecurrent = ofGru;
        rows.dHidden = stateOf(dHidden, begin, false);
        rows.dCell = stateOf(dHidden, begin, true);
        kernels().sequence.recurrentBackward(rows);
    } else {
        RecurrentRows rows;
        fill(rows, begin, end);
        rows.recurrent = ofGru;
        rows.stride = s.units;
        rows.bias = static_cast<const float*>(bias.get_data_handle());
        kernels().sequence.recurrentForward(rows);
    }
}

template <class Rows>
void TrialGates::fill(Rows& rows, std::int64_t begin, std::int64_t end) const {
    rows.kind = s.cell;
    rows.gates = gatesOf(begin);
    rows.hiddenBefore = stateOf(before, begin, false);
    rows.cellBefore = stateOf(before, begin, true);
    rows.hidden = stateOf(after, begin, false);
    rows.cell = rows.kept = stateOf(after, begin, true);
    rows.samples = end - begin;
    rows.units = s.units;
}

TrialMaker stepByStepTrial(const Compiler& compiler, const RecurrentShape& s,
                           const dnnl::matmul::primitive_desc& product, bool backward, std::int64_t steps) {
    return [s, product, backward, steps, engine = compiler.engine()]() -> Trial {
        return [s, steps, gates = TrialGates(s, backward, engine),
                one = primitiveTrial(dnnl::matmul(product), engine,
                                     {{DNNL_ARG_SRC, product.src_desc()},
                                      {DNNL_ARG_WEIGHTS, product.weights_desc()},
                                      {DNNL_ARG_DST, product.dst_desc()}},
                                     product.scratchpad_desc())] {
            for (std::int64_t step = 0; step < steps; ++step) {
                one();
                parallelRows(s.batch, s.gateWidth() * 4,
                             [&](std::int64_t begin, std::int64_t end) { gates.run(begin, end); });
            }
        };
    };
}

}  // namespace steelyard::compute::cpu
