// SPDX-License-Identifier: Apache-2.0
// Private to this folder: campaigns and candidates as rows. Throws like rows.h; writers require a transaction.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/core/error.h"

namespace SQLite {
class Database;
}

namespace steelyard::history {

// The row id of a campaign by its id, an id prefix, or "latest".
[[nodiscard]] Result<std::int64_t> findCampaign(SQLite::Database& database, std::string_view idOrPrefix);
// InvalidArgument if it would change a stored forecast or the question answered by the forecasts.
[[nodiscard]] Result<void> upsertCampaign(SQLite::Database& database, const campaign::Campaign& campaign);
[[nodiscard]] Result<campaign::Campaign> loadCampaign(SQLite::Database& database, std::int64_t key);
[[nodiscard]] Result<std::vector<campaign::Campaign>> listCampaigns(SQLite::Database& database);
// NotFound if the campaign has no such candidate.
[[nodiscard]] Result<void> linkRun(SQLite::Database& database, std::int64_t campaignKey, std::string_view candidate,
                                   std::string_view runId);

}  // namespace steelyard::history
