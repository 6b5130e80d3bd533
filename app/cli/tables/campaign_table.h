// SPDX-License-Identifier: Apache-2.0
// A campaign as text for the terminal.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "engine/campaign/comparison.h"

namespace steelyard::cli {

// One line a candidate, predicted beside measured; the costs; what changed in the advice.
void printCampaignTable(std::ostream& out, const campaign::Campaign& campaign, const campaign::Comparison& comparison,
                        std::int64_t nowUnixMs);

}  // namespace steelyard::cli
