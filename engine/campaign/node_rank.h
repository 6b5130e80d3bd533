// SPDX-License-Identifier: Apache-2.0
// Which of several machines of a candidate this one is, as whoever started the process says. Pure functions.
#pragma once

#include <functional>

#include "engine/core/error.h"

namespace steelyard::campaign {

// The value of a variable of the environment, or null.
using Environment = std::function<const char*(const char*)>;

// From 0, by Open MPI, PMIx, Slurm, SkyPilot or Kubernetes; 0 where one machine was asked for. InvalidArgument when
// several were asked for and this process stands alone: a group of one would be taken for all of them.
[[nodiscard]] Result<int> nodeRank(int nodes, const Environment& environment);

}  // namespace steelyard::campaign
