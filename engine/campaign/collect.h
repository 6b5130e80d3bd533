// SPDX-License-Identifier: Apache-2.0
// Extracts the results of a campaign from whatever its machines left behind: result files, logs, both, foreign files
// and truncated ones. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/campaign/task_result.h"
#include "engine/core/message.h"

namespace steelyard::campaign {

struct ResultText {
    std::string name;  // file name
    std::string text;  // a result file when it begins with "{", else a log
};

struct Gathered {
    std::vector<TaskResult> results;  // results of this campaign without duplicates, in order of end time
    std::vector<Message> problems;    // each names its file or run
};

// A result present several times (in its file and its log) counts once. Reported and skipped: truncated or invalid
// files, results incomplete in every log, results of another campaign or an unknown candidate, and all results of a run
// that has differing contents or comes from two candidates.
[[nodiscard]] Gathered gatherResults(const Campaign& campaign, const std::vector<ResultText>& texts);

// Ids of candidates without a result and without a reason for it.
[[nodiscard]] std::vector<std::string> withoutResult(const Campaign& campaign);

}  // namespace steelyard::campaign
