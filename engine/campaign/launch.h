// SPDX-License-Identifier: Apache-2.0
// The commands that hand candidates to their engine, ask how far they are, and fetch their logs; and what the answers
// mean. Nothing is started here (tool.h does), so every command can be shown first. Pure functions, but for the clock
// and the processes of this computer where a comment says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/campaign/campaign.h"
#include "engine/campaign/tool.h"
#include "engine/core/error.h"

namespace steelyard::campaign {

// The program that this engine needs on PATH: "sky", "sbatch", "kubectl", "mpirun", "parallel", "sh".
[[nodiscard]] std::string_view launcherOf(Engine engine);

struct EngineCommand {
    Engine engine = Engine::Local;
    std::vector<std::string> words;
    std::vector<std::string> candidates;  // ids of those that it is about
};
// As one would type it.
[[nodiscard]] std::string shown(const EngineCommand& command);

// Of the candidates that can be launched, whose files have been written (taskFiles()). Those of an array, and those of
// GNU parallel, go together. Jobs on this computer outlive the program that starts them.
[[nodiscard]] std::vector<EngineCommand> launchCommands(const Campaign& campaign);

// The engine has taken the candidates: ids, times, attempts. CorruptData when its answer names no job. Looks at the
// process of a job on this computer.
[[nodiscard]] Result<void> markLaunched(Campaign& campaign, const EngineCommand& command, const ToolOutput& output,
                                        std::int64_t nowUnixMs);
// It has not: they can be launched again.
void markRefused(Campaign& campaign, const EngineCommand& command, const Message& why);

// It was launched and is not known to have ended.
[[nodiscard]] bool isUnderWay(const Candidate& candidate);

// Of the candidates that were launched and have not ended. Jobs on this computer need none (pollLocal()).
[[nodiscard]] std::vector<EngineCommand> pollCommands(const Campaign& campaign);
// How far they are. A candidate whose job has ended, or is not known any more, gets its time of end and, unless it
// ended well, the engine's reason; it is collected or failed only by its result (collect.h). A spot machine that was
// taken away becomes another candidate. CorruptData when the answer is not understood: nothing is changed.
[[nodiscard]] Result<void> markPolled(Campaign& campaign, const EngineCommand& command, const ToolOutput& output,
                                      std::int64_t nowUnixMs);
// Jobs on this computer, by their processes and their logs in the campaign's folder.
void pollLocal(Campaign& campaign, std::int64_t nowUnixMs);

// Print the logs of candidates that have ended on machines that do not share a folder with this computer; their results
// are in them.
[[nodiscard]] std::vector<EngineCommand> logCommands(const Campaign& campaign);

// Those that have ended and brought back nothing have failed, with the engine's reason where it gave one.
void failWithoutResult(Campaign& campaign);

}  // namespace steelyard::campaign
