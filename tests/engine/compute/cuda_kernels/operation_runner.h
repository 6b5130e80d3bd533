// SPDX-License-Identifier: Apache-2.0
// Runs single operations of a plan with the host kernels, on the values read by a step of the reference backend, so
// that the outputs of both can be compared.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/compute/reference/reference_backend.h"
#include "engine/model/graph.h"

namespace steelyard::compute::cuda::kernels {

using Values = std::vector<float>;

// One step of a network on the reference backend: every tensor before and after it.
struct ReferenceStep {
    plan::Plan plan;
    std::map<plan::TensorId, Values> before, after;
    std::uint64_t seed = 1;
    StepContext context;

    [[nodiscard]] static ReferenceStep of(const model::Graph& graph, std::int64_t batch, plan::Mode mode,
                                          const model::Optimizer& optimizer, std::uint64_t seed);
};

struct RunOptions {
    ElementType type = ElementType::F32;
    bool channelsLast = false;
};

// Outputs of the operation, by tensor, in the plan's element order; empty for operations of a library (products,
// convolutions). Inputs are rounded to the type first. Throws if a kernel refuses.
[[nodiscard]] std::map<plan::TensorId, Values> runOperation(const ReferenceStep& step, const plan::Operation& op,
                                                            const RunOptions& options);

}  // namespace steelyard::compute::cuda::kernels
