// SPDX-License-Identifier: Apache-2.0
// Table rows selected by token ids; the gradient of a row is the sum over the tokens that selected it.
#include "engine/compute/reference/step_run.h"

namespace steelyard::compute::reference {

void runEmbedding(StepRun& run, const Operation& op) {
    const auto units = static_cast<std::size_t>(std::get<model::Embedding>(op.layer).units);
    const auto ids = run.tensors.integers(op.inputs[0]);
    if (op.pass == plan::Pass::Forward) {
        const auto table = run.parameter(op, 0);
        const auto y = run.output(op);
        for (std::size_t t = 0; t < ids.size(); ++t)
            for (std::size_t u = 0; u < units; ++u)
                y[t * units + u] = table[static_cast<std::size_t>(ids[t]) * units + u];
        return;
    }
    const auto dy = run.outputGradient(op);
    const auto gradient = run.parameterGradient(op, 0);
    for (std::size_t t = 0; t < ids.size(); ++t)
        for (std::size_t u = 0; u < units; ++u)
            gradient[static_cast<std::size_t>(ids[t]) * units + u] += dy[t * units + u];
}

}  // namespace steelyard::compute::reference
