// SPDX-License-Identifier: Apache-2.0
// Compares the gradients of the reference backend with central differences of its loss.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/compute/backend.h"
#include "engine/model/graph.h"

namespace steelyard::compute {

struct GradientError {
    double relative = 0;  // maximum over the parameters, relative to the norm
    std::string parameter;
    double gradientNorm = 0;  // of all parameters, to detect a vanishing gradient, which would agree with anything
};

struct GradientCheckOptions {
    std::int64_t batch = 3;
    std::uint64_t seed = 1;
    double step = 1e-2;        // of the finite differences
    double spread = 0.4;       // standard deviation of the weights around their initial values
    std::int64_t probes = 40;  // elements probed per parameter
};

[[nodiscard]] GradientError checkGradients(const model::Graph& graph, const GradientCheckOptions& options);

// Throws with the error's message: for preconditions of a test.
void require(const Result<void>& result);

// Writes a step's weights (close to their initial values), inputs, labels and carried states.
void writeRandomStep(Executable& executable, std::uint64_t seed, double spread);
[[nodiscard]] std::vector<float> readTensor(Executable& executable, plan::TensorId tensor);

}  // namespace steelyard::compute
