// SPDX-License-Identifier: Apache-2.0
// A campaign moved along: files written, candidates handed to their engines, engines asked, logs fetched. The commands
// of launch.h run here, one after another; blocks until they have ended. One thread.
#pragma once

#include <filesystem>
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

// How the program reaches the machines, completed: `program`, this one, where neither a program, a bundle nor an image
// is named, but not on rented machines, which do not have it; and the checksum of a bundle, by sha256sum.
[[nodiscard]] Result<void> completeDelivery(Campaign& campaign, const std::filesystem::path& program,
                                            const ToolOptions& tool);

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

// The texts of these files and of those in these folders; what cannot be read is a problem, and left out.
[[nodiscard]] std::vector<ResultText> readResults(const std::vector<std::filesystem::path>& from,
                                                  std::vector<Error>& problems);

// All that the machines of a campaign have left so far: polls, fetches logs, and reads the campaign's folder.
[[nodiscard]] std::vector<ResultText> fetchResults(Campaign& campaign, const DriveServices& services,
                                                   std::vector<Error>& problems);

}  // namespace steelyard::campaign
