// SPDX-License-Identifier: Apache-2.0
// Device speeds for estimating how long a run takes.
#pragma once

#include <set>
#include <string>

#include "app/cli/command_context.h"
#include "engine/bench/suite/suite.h"

namespace steelyard::cli {

// Cores, free memory, and the speed of the devices in `probed`, measured for half a second each.
[[nodiscard]] bench::AssumedRates assumedRates(CommandContext& context, const hardware::HardwareProfile& profile,
                                               const std::set<std::string>& probed);

}  // namespace steelyard::cli
