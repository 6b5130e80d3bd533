// SPDX-License-Identifier: Apache-2.0
// The cases that tell what several GPUs gain: strong scaling (the batch of all together stays), weak scaling (the batch
// of each stays) and an experiment on each at the same time, which is the alternative. One GPU is the base of all
// three. The same for the processors of several nodes, whose group is the device "cpu+cpu".
#pragma once

#include "engine/bench/suite/suite.h"

namespace steelyard::bench {

// The numbers of GPUs that are to share a case, ascending: those requested, or 1, 2, 4 ... and all that are available.
// Unsupported when there are too few.
[[nodiscard]] Result<std::vector<int>> gpuCounts(std::vector<int> requested, int available);

// Of one workload in one mode and precision; a batch that a number of GPUs cannot share evenly is left out with a note.
[[nodiscard]] std::vector<Case> casesOverGpus(const Case& base, const std::vector<int>& counts,
                                              const std::vector<ScalingKind>& scalings, std::vector<Message>& notes);
// The same over nodes; those do no experiments side by side.
[[nodiscard]] std::vector<Case> casesOverNodes(const Case& base, const std::vector<int>& counts,
                                               const std::vector<ScalingKind>& scalings, std::vector<Message>& notes);

}  // namespace steelyard::bench
