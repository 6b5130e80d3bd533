// SPDX-License-Identifier: Apache-2.0
#include "engine/history/campaigns.h"

#include "engine/campaign/launch.h"
#include "engine/core/messages/campaign.h"

namespace steelyard::history {

Result<void> checkFolder(const HistoryStore& store, const std::string& folder) {
    ASSIGN(const auto campaigns, store.campaigns());
    for (const auto& campaign : campaigns)
        if (campaign.folder == folder)
            return fail(ErrorKind::InvalidArgument, folder, campaign::messages::folderInUse(campaign.id));
    return {};
}

Result<StoredResults> storeResults(HistoryStore& store, campaign::Campaign& campaign,
                                   const std::vector<campaign::ResultText>& texts, bool complete) {
    StoredResults stored;
    const auto gathered = campaign::gatherResults(campaign, texts);
    for (const auto& problem : gathered.problems)
        stored.problems.push_back({ErrorKind::CorruptData, {}, problem, {}, {}, {}});
    for (const auto& result : gathered.results) {
        auto& candidate = *campaign.find(result.candidate);
        const auto ids = store.collectRuns(campaign.id, candidate.id, result.runs);
        if (!ids && ids.error().kind != ErrorKind::CorruptData) return Failure(ids.error());
        if (!ids) {
            stored.problems.push_back(ids.error());
            continue;
        }
        campaign::applyResult(campaign, candidate, result);
        stored.newRuns += ids->size();
    }
    if (complete) campaign::failWithoutResult(campaign);
    TRY(store.putCampaign(campaign));
    return stored;
}

}  // namespace steelyard::history
