// SPDX-License-Identifier: Apache-2.0
// After the backward passes: clipping by the global gradient norm (R. Pascanu, T. Mikolov, Y. Bengio, On the difficulty
// of training recurrent neural networks, 2013) and the optimizer's update.
#include <cmath>
#include <vector>

#include "engine/compute/reference/step_run.h"
#include "engine/compute/update_rule.h"

namespace steelyard::compute::reference {
namespace {

// Rows of an embedding table whose update is sparse: those in the batch. Empty: every row is updated. A tied layer
// gives every row a gradient, so only an embedding that is not tied is sparse.
std::vector<bool> rowsInBatch(StepRun& run, TensorId weight) {
    std::vector<bool> rows;
    for (const auto& op : run.plan.operations) {
        if (op.pass != plan::Pass::Forward || op.parameters.empty() || op.parameters[0] != weight) continue;
        const auto* embedding = std::get_if<model::Embedding>(&op.layer);
        if (embedding == nullptr || !embedding->sparseUpdate) return {};
        rows.resize(static_cast<std::size_t>(embedding->vocabulary));
        for (auto id : run.tensors.integers(op.inputs[0])) rows[static_cast<std::size_t>(id)] = true;
    }
    return rows;
}

}  // namespace

void runClipGradients(StepRun& run, const Operation& op) {
    double squares = 0;
    for (auto id : op.parameterGradients)
        for (auto value : run.tensors.floats(id)) squares += static_cast<double>(value) * static_cast<double>(value);
    const double norm = std::sqrt(squares);
    const double limit = *run.plan.options.optimizer.clipNorm;
    if (norm <= limit) return;
    for (auto id : op.parameterGradients)
        for (auto& value : run.tensors.floats(id))
            value = static_cast<float>(static_cast<double>(value) * limit / norm);
}

void runUpdate(StepRun& run, const Operation& op) {
    const auto& optimizer = run.plan.options.optimizer;
    const double rate = learningRate(optimizer, run.context);
    const auto state = [&](std::size_t i) {
        return i < op.states.size() ? run.tensors.floats(op.states[i]) : std::span<float>{};
    };
    const ParameterUpdate whole{run.tensors.floats(op.parameters[0]), run.tensors.floats(op.parameterGradients[0]),
                                state(0), state(1)};
    const auto rows = rowsInBatch(run, op.parameters[0]);
    if (rows.empty()) return applyUpdate(optimizer, rate, run.context.index, whole);
    const auto units = whole.weight.size() / rows.size();
    const auto part = [&](auto span, std::size_t row) {
        return span.empty() ? span : span.subspan(row * units, units);
    };
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows[row]) continue;
        applyUpdate(
            optimizer, rate, run.context.index,
            {part(whole.weight, row), part(whole.gradient, row), part(whole.state1, row), part(whole.state2, row)});
    }
}

}  // namespace steelyard::compute::reference
