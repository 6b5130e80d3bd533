// SPDX-License-Identifier: Apache-2.0
// Private to this folder: campaigns and candidates as rows. Throws like rows.h; writers expect a transaction.
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

// The internal key, by id, the beginning of one, or "latest".
[[nodiscard]] Result<std::int64_t> findCampaign(SQLite::Database& database, std::string_view idOrPrefix);
// InvalidArgument when it would change a stored forecast or the question that the forecasts answer.
[[nodiscard]] Result<void> upsertCampaign(SQLite::Database& database, const campaign::Campaign& campaign);
[[nodiscard]] Result<campaign::Campaign> loadCampaign(SQLite::Database& database, std::int64_t key);
[[nodiscard]] Result<std::vector<campaign::Campaign>> listCampaigns(SQLite::Database& database);
// NotFound when the campaign has no such candidate.
[[nodiscard]] Result<void> linkRun(SQLite::Database& database, std::int64_t campaignKey, std::string_view candidate,
                                   std::string_view runId);

}  // namespace steelyard::history
