// SPDX-License-Identifier: Apache-2.0
// The effect of a campaign's measurements on the advice: the candidates in their new order, and a description of the
// changes. Compared with the frozen forecasts only. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/core/message.h"

namespace steelyard::campaign {

struct ComparedCandidate {
    std::string id, title;
    std::optional<std::int64_t> placeBefore;  // rank among the campaign's candidates by forecast, from 1
    std::optional<std::int64_t> placeNow;     // rank by measurement, or by forecast where not measured
    bool measured = false;
    std::optional<double> stepRatio;  // measured over predicted; below 1 is faster
    std::optional<bool> insideBand;   // whether the measured step is in the predicted 80 % band
    Band hours, usd;                  // current estimate for the whole job

    friend bool operator==(const ComparedCandidate&, const ComparedCandidate&) = default;
};

struct Comparison {
    std::vector<ComparedCandidate> candidates;  // best first; unranked ones last
    std::vector<Message> changes;               // one sentence each, without a full stop

    friend bool operator==(const Comparison&, const Comparison&) = default;
};

// Empty for a sweep. The hours of a measured candidate are the predicted ones with the job's part scaled by the
// measured step; its cost scales with the hours (ignoring minimum billing). A candidate that cannot run the job, or
// that would now miss the question's deadline or budget, is unranked; a failed one keeps its forecast.
[[nodiscard]] Comparison compare(const Campaign& campaign);

}  // namespace steelyard::campaign
