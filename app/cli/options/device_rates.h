// SPDX-License-Identifier: Apache-2.0
// What estimates of durations assume of this computer.
#pragma once

#include <set>
#include <string>

#include "app/cli/command_context.h"
#include "engine/bench/suite/suite.h"

namespace steelyard::cli {

// Cores, free memory, and after a short look (half a second each) how fast the devices named are.
[[nodiscard]] bench::AssumedRates assumedRates(CommandContext& context, const hardware::HardwareProfile& profile,
                                               const std::set<std::string>& probed);

}  // namespace steelyard::cli
