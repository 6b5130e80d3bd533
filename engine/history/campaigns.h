// SPDX-License-Identifier: Apache-2.0
// What the steps of a campaign keep in the history: which folders are taken, and the results that machines brought
// back. For the command line and the window. Blocks; on the thread of the store.
#pragma once

#include <string>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/campaign/collect.h"
#include "engine/core/error.h"
#include "engine/history/history_store.h"

namespace steelyard::history {

// InvalidArgument where a stored campaign has its files in this folder: results would mix.
[[nodiscard]] Result<void> checkFolder(const HistoryStore& store, const std::string& folder);

struct StoredResults {
    std::size_t newRuns = 0;
    std::vector<Error> problems;  // files that are no results, runs that changed after they were stored
};
// Stores the results of this campaign among the texts and brings its candidates up to date; twice adds nothing. Where
// `texts` are all that its machines left (`complete`), candidates that have ended without a result have failed.
[[nodiscard]] Result<StoredResults> storeResults(HistoryStore& store, campaign::Campaign& campaign,
                                                 const std::vector<campaign::ResultText>& texts, bool complete);

}  // namespace steelyard::history
