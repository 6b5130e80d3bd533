// SPDX-License-Identifier: Apache-2.0
// Operations of imported networks, by the naive loops of engine/model/array.
#include <algorithm>
#include <cmath>

#include "engine/compute/reference/step_run.h"

namespace steelyard::compute::reference {

void runArray(StepRun& run, const Operation& op) {
    std::vector<std::vector<double>> values;
    std::vector<model::ArrayView> views;
    values.reserve(op.inputs.size());
    for (const auto id : op.inputs) {
        const auto floats = run.tensors.floats(id);
        const auto integers = run.tensors.integers(id);
        auto& list = values.emplace_back();
        if (TensorStore::isInteger(run.plan.tensor(id))) {
            list.assign(integers.begin(), integers.end());
        } else {
            list.assign(floats.begin(), floats.end());
        }
        views.push_back({run.dims(id), list.data()});
    }
    std::vector<double> result;
    // An index out of range is no error here; array_layer.h defines the result.
    (void)model::evaluateArray(std::get<model::ArrayLayer>(op.layer).operation, views, run.dims(op.output), result);
    if (!TensorStore::isInteger(run.plan.tensor(op.output))) {
        const auto y = run.output(op);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(result[i]);
        return;
    }
    const auto y = run.tensors.integers(op.output);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] =
            std::isnan(result[i]) ? 0 : static_cast<std::int32_t>(std::clamp(result[i], -2147483648.0, 2147483647.0));
}

}  // namespace steelyard::compute::reference
