// SPDX-License-Identifier: Apache-2.0
// The index of this machine among the machines of a candidate, from the launcher's environment. Pure functions.
#pragma once

#include <functional>

#include "engine/core/error.h"

namespace steelyard::campaign {

// The value of an environment variable, or null.
using Environment = std::function<const char*(const char*)>;

// From 0, as set by Open MPI, PMIx, Slurm, SkyPilot or Kubernetes; 0 for a single machine. InvalidArgument if several
// were requested but no launcher set an index: one machine would be taken for all.
[[nodiscard]] Result<int> nodeRank(int nodes, const Environment& environment);

}  // namespace steelyard::campaign
