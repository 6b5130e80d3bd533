// SPDX-License-Identifier: Apache-2.0
// Commands that are one process of several, which mpirun or srun started on as many nodes.
#pragma once

#include <memory>

#include "app/cli/command_context.h"
#include "engine/compute/parallel/host_ranks.h"

namespace steelyard::cli {

// Joins the others. InvalidArgument, naming what to do, where this process stands alone or the group has another size
// than was asked for: a group of one would be taken for all of them. BackendUnavailable without MPI.
[[nodiscard]] Result<std::shared_ptr<compute::HostCommunicator>> joinNodes(CommandContext& context, int nodes);

// Ends the process with context.exitCode, without waiting for a call that may never return.
[[noreturn]] void leaveLostGroup(CommandContext& context);

}  // namespace steelyard::cli
