// SPDX-License-Identifier: Apache-2.0
// Campaigns as JSON text, by resources/schemas/campaign.schema.json. Unknown fields are accepted, absent ones keep
// their defaults, and a wrong type is CorruptData with the path of the member as subject. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/campaign/campaign.h"
#include "engine/campaign/comparison.h"
#include "engine/core/error.h"

namespace steelyard::campaign {

[[nodiscard]] std::string toJson(const Campaign& campaign, int indent = -1);
// With the member "comparison".
[[nodiscard]] std::string toJson(const Campaign& campaign, const Comparison& comparison, int indent = -1);
[[nodiscard]] Result<Campaign> campaignFromJson(std::string_view text);

}  // namespace steelyard::campaign
