// SPDX-License-Identifier: Apache-2.0
// A campaign moved along: files written, candidates handed to their engines, engines asked, logs fetched. The commands
// of launch.h run here, one after another; blocks until they have ended. One thread.
#pragma once

#include <functional>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/campaign/collect.h"
#include "engine/campaign/launch.h"
#include "engine/campaign/tool.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"

namespace steelyard::campaign {

struct DriveServices {
    ToolOptions tool;
    const Clock& clock;
    std::function<void(const EngineCommand&)> onCommand;  // before it runs; may be empty
    std::function<Result<void>(const Campaign&)> keep;    // stores a later state, at once after each launch
};

// taskFiles() into the campaign's folder, with the folders of results and logs.
[[nodiscard]] Result<void> writeTaskFiles(Campaign& campaign);

// Runs launchCommands() or some of them. A candidate whose engine refuses it has failed, with the engine's own words,
// and the others go on. Returns what went wrong; stops when a state could not be kept, since a launched job that is not
// remembered would be lost.
[[nodiscard]] std::vector<Error> launch(Campaign& campaign, const std::vector<EngineCommand>& commands,
                                        const DriveServices& services);

// Asks each engine that has candidates under way. An engine that does not answer leaves its candidates as they are.
[[nodiscard]] std::vector<Error> poll(Campaign& campaign, const DriveServices& services);

// The logs of logCommands(), named after their jobs; also kept in the campaign's folder of logs.
[[nodiscard]] std::vector<ResultText> fetchLogs(const Campaign& campaign, const DriveServices& services,
                                                std::vector<Error>& problems);

}  // namespace steelyard::campaign
