// SPDX-License-Identifier: Apache-2.0
// What int8 changes in a network's outputs: the step that will be timed against one in fp32, both by the same backend.
// Outputs of heads with a softmax or a sigmoid are compared before it, those of a softmax apart from a constant for
// each sample. Where new weights make logits so large that nothing is left of the smaller ones, the last layer is
// scaled down in both.
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
    std::uint64_t seed = 1;        // of the weights; samples follow from it
    Seconds time = Seconds(20.0);  // of the fp32 steps, at most, but for the first; int8 takes as many samples
};

// Leaves `executable`, which is the compiled int8 step, with other weights and inputs than before. Needs the memory of
// a step in fp32 for a while. Errors are those of compiling and running it.
[[nodiscard]] Result<PrecisionCost> precisionCost(compute::Backend& backend, compute::Executable& executable,
                                                  const model::Graph& graph, const PrecisionCostOptions& options,
                                                  const Clock& clock);

}  // namespace steelyard::bench
