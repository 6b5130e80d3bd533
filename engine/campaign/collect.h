// SPDX-License-Identifier: Apache-2.0
// The results of a campaign out of whatever its machines left behind: files, logs, both of one, files of others, and
// ones that are cut. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/campaign/task_result.h"
#include "engine/core/message.h"

namespace steelyard::campaign {

struct ResultText {
    std::string name;  // of the file
    std::string text;  // a result file when it begins with "{", else a log
};

struct Gathered {
    std::vector<TaskResult> results;  // of this campaign, each once, in the order of their ends
    std::vector<Message> problems;    // each names its file or run
};

// A result that is there several times (its file and its log) counts once. Reported and left out: a file that is cut or
// is none, a log with a cut result that is complete nowhere, a result of another campaign or of a candidate that this
// campaign does not have, and every result whose run comes with two contents or from two candidates.
[[nodiscard]] Gathered gatherResults(const Campaign& campaign, const std::vector<ResultText>& texts);

// Ids of the candidates that have brought nothing back and of which nothing says why.
[[nodiscard]] std::vector<std::string> withoutResult(const Campaign& campaign);

}  // namespace steelyard::campaign
