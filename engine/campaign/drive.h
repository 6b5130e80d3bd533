// SPDX-License-Identifier: Apache-2.0
// Advances a campaign: writes files, submits candidates to their engines, polls the engines, fetches logs. Runs the
// commands of launch.h sequentially; blocks until they have ended. Not thread-safe.
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
    std::function<void(const EngineCommand&)> onCommand;  // before each command; may be empty
    std::function<Result<void>(const Campaign&)> keep;    // stores an updated state, immediately after each launch
};

// Completes the delivery of the program: `program` becomes this program if neither a program, a bundle nor an image is
// given, except on rented machines, which do not have it; and computes the checksum of a bundle with sha256sum.
[[nodiscard]] Result<void> completeDelivery(Campaign& campaign, const std::filesystem::path& program,
                                            const ToolOptions& tool);

// Writes taskFiles() to the campaign's folder and creates the folders of results and logs.
[[nodiscard]] Result<void> writeTaskFiles(Campaign& campaign);

// Runs all or some of launchCommands(). A candidate rejected by its engine is failed, with the engine's message, and
// the others continue. Returns the problems; stops if a state could not be stored, since a launched job that is not
// recorded would be lost.
[[nodiscard]] std::vector<Error> launch(Campaign& campaign, const std::vector<EngineCommand>& commands,
                                        const DriveServices& services);

// Polls each engine that has running candidates. If an engine does not answer, its candidates are unchanged.
[[nodiscard]] std::vector<Error> poll(Campaign& campaign, const DriveServices& services);

// The logs from logCommands(), named after their jobs; also stored in the campaign's log folder.
[[nodiscard]] std::vector<ResultText> fetchLogs(const Campaign& campaign, const DriveServices& services,
                                                std::vector<Error>& problems);

// The contents of these files and of the files in these folders; unreadable ones are reported as problems and skipped.
[[nodiscard]] std::vector<ResultText> readResults(const std::vector<std::filesystem::path>& from,
                                                  std::vector<Error>& problems);

// Everything that the campaign's machines have left so far: polls, fetches logs and reads the campaign's folder.
[[nodiscard]] std::vector<ResultText> fetchResults(Campaign& campaign, const DriveServices& services,
                                                   std::vector<Error>& problems);

}  // namespace steelyard::campaign
