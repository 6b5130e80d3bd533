// SPDX-License-Identifier: Apache-2.0
// Accuracy loss of int8: compares the outputs of the step to be timed with one in fp32 on the same backend, which for a
// quantised file computes what its operators define. A final
// softmax or sigmoid is removed first, and softmax logits are compared up to a constant per sample. If initial weights
// give logits so large that softmax would saturate, the last layer is scaled down in both.
#pragma once

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/core/clock.h"
#include "engine/core/units.h"
#include "engine/model/graph.h"

namespace steelyard::bench {

inline constexpr std::int64_t kCostSamples = 256;

struct PrecisionCostOptions {
    compute::CompileOptions compile;
    std::uint64_t seed = 1;  // of weights and samples
    Seconds time =
        Seconds(20.0);  // maximum time of the fp32 steps after the first; int8 uses the same number of samples
};

// Overwrites weights and inputs of `executable`, the compiled int8 step. Temporarily needs the memory of an fp32 step.
// Errors: those of compiling and running it.
[[nodiscard]] Result<PrecisionCost> precisionCost(compute::Backend& backend, compute::Executable& executable,
                                                  const model::Graph& graph, const PrecisionCostOptions& options,
                                                  const Clock& clock);

}  // namespace steelyard::bench
