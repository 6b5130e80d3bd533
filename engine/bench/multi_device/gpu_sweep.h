// SPDX-License-Identifier: Apache-2.0
// Cases that measure multi-GPU scaling: strong scaling (constant global batch), weak scaling (constant batch per GPU)
// and independent jobs, one per GPU, as the alternative. One GPU is the baseline. The same for the processors of
// several nodes, whose group is the device "cpu+cpu".
#pragma once

#include "engine/bench/suite/suite.h"

namespace steelyard::bench {

// GPU counts to measure, ascending: those requested, or 1, 2, 4, ... and all available. Unsupported if there are too
// few.
[[nodiscard]] Result<std::vector<int>> gpuCounts(std::vector<int> requested, int available);

// For one workload in one mode and precision; counts that do not divide the batch are skipped with a note.
[[nodiscard]] std::vector<Case> casesOverGpus(const Case& base, const std::vector<int>& counts,
                                              const std::vector<ScalingKind>& scalings, std::vector<Message>& notes);
// The same over nodes, without independent jobs.
[[nodiscard]] std::vector<Case> casesOverNodes(const Case& base, const std::vector<int>& counts,
                                               const std::vector<ScalingKind>& scalings, std::vector<Message>& notes);

}  // namespace steelyard::bench
