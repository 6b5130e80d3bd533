// SPDX-License-Identifier: Apache-2.0
// Campaign steps that use the history: checking for folders in use, and storing results from machines. For the command
// line and the window. Blocks; on the thread of the store.
#pragma once

#include <string>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/campaign/collect.h"
#include "engine/core/error.h"
#include "engine/history/history_store.h"

namespace steelyard::history {

// InvalidArgument if a stored campaign uses this folder: results would be mixed up.
[[nodiscard]] Result<void> checkFolder(const HistoryStore& store, const std::string& folder);

struct StoredResults {
    std::size_t newRuns = 0;
    std::vector<Error> problems;  // invalid result files, runs that changed after they were stored
};
// Stores the results of this campaign found in the texts and updates its candidates; idempotent. If `texts` are
// everything that its machines left (`complete`), candidates that ended without a result are marked as failed.
[[nodiscard]] Result<StoredResults> storeResults(HistoryStore& store, campaign::Campaign& campaign,
                                                 const std::vector<campaign::ResultText>& texts, bool complete);

}  // namespace steelyard::history
