// SPDX-License-Identifier: Apache-2.0
// Commands that submit candidates to their engine, query their state and fetch their logs, and the parsing of the
// answers. Nothing is started here (see tool.h), so every command can be shown first. Pure functions, except for access
// to the clock and local processes where stated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/campaign/tool.h"
#include "engine/core/error.h"

namespace steelyard::campaign {

// The engine's program, required on PATH: "sky", "sbatch", "kubectl", "mpirun", "parallel", "sh".
[[nodiscard]] std::string_view launcherOf(Engine engine);

struct EngineCommand {
    Engine engine = Engine::Local;
    std::vector<std::string> words;
    std::vector<std::string> candidates;  // ids of the candidates concerned
};
// As a shell command line.
[[nodiscard]] std::string shown(const EngineCommand& command);

// For the launchable candidates, whose files must have been written (taskFiles()). Candidates of an array, or of GNU
// parallel, share one command. Local jobs outlive the program that starts them.
[[nodiscard]] std::vector<EngineCommand> launchCommands(const Campaign& campaign);

// Records an accepted launch: ids, times, attempts. CorruptData if the answer names no job. Inspects the process of a
// local job.
[[nodiscard]] Result<void> markLaunched(Campaign& campaign, const EngineCommand& command, const ToolOutput& output,
                                        std::int64_t nowUnixMs);
// Records a rejected launch: the candidates can be launched again.
void markRefused(Campaign& campaign, const EngineCommand& command, const Message& why);

// It was launched and is not known to have ended.
[[nodiscard]] bool isUnderWay(const Candidate& candidate);

// For candidates that were launched and have not ended. Local jobs need none (pollLocal()).
[[nodiscard]] std::vector<EngineCommand> pollCommands(const Campaign& campaign);
// Updates the states. A candidate whose job has ended or is unknown gets its end time and, unless it succeeded, the
// engine's reason; only its result makes it collected or failed (collect.h). A preempted spot machine becomes a new
// candidate. CorruptData if the answer cannot be parsed: nothing is changed.
[[nodiscard]] Result<void> markPolled(Campaign& campaign, const EngineCommand& command, const ToolOutput& output,
                                      std::int64_t nowUnixMs);
// Polls local jobs by their processes and their logs in the campaign's folder.
void pollLocal(Campaign& campaign, std::int64_t nowUnixMs);

// Commands that print the logs of ended candidates on machines that share no folder with this computer; the logs
// contain their results.
[[nodiscard]] std::vector<EngineCommand> logCommands(const Campaign& campaign);

// Marks ended candidates without a result as failed, with the engine's reason if any.
void failWithoutResult(Campaign& campaign);

}  // namespace steelyard::campaign
