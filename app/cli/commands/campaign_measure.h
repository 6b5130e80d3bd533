// SPDX-License-Identifier: Apache-2.0
// campaign measure: what a machine of a campaign does. Called by the task files.
#pragma once

#include "app/cli/command_context.h"

namespace CLI {
class App;
}

namespace steelyard::cli {

void addCampaignMeasure(CLI::App& campaign, CommandContext& context);

}  // namespace steelyard::cli
