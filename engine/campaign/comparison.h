// SPDX-License-Identifier: Apache-2.0
// What the measurements of a campaign change in the advice: the candidates in their new order, and in words what is
// different. Compared with the frozen forecasts only. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/core/message.h"

namespace steelyard::campaign {

struct ComparedCandidate {
    std::string id, title;
    std::optional<std::int64_t> placeBefore;  // among the candidates of the campaign, from 1, by their forecasts
    std::optional<std::int64_t> placeNow;     // by what was measured, and by the forecast of what was not
    bool measured = false;
    std::optional<double> stepRatio;  // measured over predicted; below 1 is faster
    std::optional<bool> insideBand;   // whether the measured step is in the predicted 80 % band
    Band hours, usd;                  // of the whole job, as they are believed now

    friend bool operator==(const ComparedCandidate&, const ComparedCandidate&) = default;
};

struct Comparison {
    std::vector<ComparedCandidate> candidates;  // best first; those without a place last
    std::vector<Message> changes;               // one sentence each, without a full stop

    friend bool operator==(const Comparison&, const Comparison&) = default;
};

// Empty for a sweep. The hours of a measured candidate are the predicted ones with the job's part scaled by the
// measured step; its cost goes with the hours (minimum billing times aside). A candidate that cannot run the job, or
// would now miss the deadline or the budget of the question, has no place; one that has failed keeps its forecast.
[[nodiscard]] Comparison compare(const Campaign& campaign);

}  // namespace steelyard::campaign
