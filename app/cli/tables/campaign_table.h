// SPDX-License-Identifier: Apache-2.0
// A campaign as text for the terminal.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "engine/campaign/comparison.h"

namespace steelyard::cli {

// One line per candidate with predicted and measured time; the costs; changes in the recommendation.
void printCampaignTable(std::ostream& out, const campaign::Campaign& campaign, const campaign::Comparison& comparison,
                        std::int64_t nowUnixMs);

}  // namespace steelyard::cli
