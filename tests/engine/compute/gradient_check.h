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
    double relative = 0;  // largest over the parameters, norm-relative
    std::string parameter;
    double gradientNorm = 0;  // of all parameters: a gradient of nothing would agree with anything
};

struct GradientCheckOptions {
    std::int64_t batch = 3;
    std::uint64_t seed = 1;
    double step = 1e-2;        // of the differences
    double spread = 0.4;       // weights are normal with this deviation around their initial value
    std::int64_t probes = 40;  // elements tried of each parameter
};

[[nodiscard]] GradientError checkGradients(const model::Graph& graph, const GradientCheckOptions& options);

// Throws with the error's sentence: for what a test takes for granted.
void require(const Result<void>& result);

// Writes a step's weights (around their initial values), inputs, labels and carried states.
void writeRandomStep(Executable& executable, std::uint64_t seed, double spread);
[[nodiscard]] std::vector<float> readTensor(Executable& executable, plan::TensorId tensor);

}  // namespace steelyard::compute
