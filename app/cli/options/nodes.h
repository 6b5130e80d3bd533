// SPDX-License-Identifier: Apache-2.0
// Commands that run as one process per node, started by mpirun or srun.
#pragma once

#include <memory>

#include "app/cli/command_context.h"
#include "engine/compute/parallel/host_ranks.h"

namespace steelyard::cli {

// Joins the group. Errors: InvalidArgument, saying what to do, if this process is alone or the group does not have the
// requested size (results of a single process would pass for those of the group); BackendUnavailable without MPI.
[[nodiscard]] Result<std::shared_ptr<compute::HostCommunicator>> joinNodes(CommandContext& context, int nodes);

// Exits with context.exitCode without waiting for collective calls that may never return.
[[noreturn]] void leaveLostGroup(CommandContext& context);

}  // namespace steelyard::cli
