// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/nodes.h"

#include <cstdlib>
#include <ostream>

#include "engine/campaign/node_rank.h"
#include "engine/core/messages/app.h"

namespace steelyard::cli {

Result<std::shared_ptr<compute::HostCommunicator>> joinNodes(CommandContext& context, int nodes) {
    TRY(campaign::nodeRank(nodes, context.environment));
    compute::HostTimeouts timeouts;
    timeouts.cancelled = [&context] { return context.interrupted.load() != 0; };
    const auto folders = context.moduleFolders();
    ASSIGN(auto ranks, compute::HostCommunicator::start([&] { return compute::joinMpi(folders); }, timeouts));
    if (ranks->size() != nodes)
        return fail(ErrorKind::InvalidArgument, "--nodes", app::messages::nodesInGroup(nodes, ranks->size()));
    return ranks;
}

void leaveLostGroup(CommandContext& context) {
    context.out.flush();
    context.err.flush();
    std::_Exit(context.exitCode);
}

}  // namespace steelyard::cli
