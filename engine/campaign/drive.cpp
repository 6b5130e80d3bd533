// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/drive.h"

#include <filesystem>

#include "engine/campaign/task_files.h"
#include "engine/core/file_io.h"

namespace steelyard::campaign {
namespace {

namespace fs = std::filesystem;

Result<ToolOutput> runCommand(const EngineCommand& command, const DriveServices& services) {
    if (services.onCommand) services.onCommand(command);
    ASSIGN(auto output, runTool(command.words, services.tool));
    if (output.code != 0) return Failure(toolError(command.words, output));
    return output;
}

}  // namespace

Result<void> writeTaskFiles(Campaign& campaign) {
    ASSIGN(const auto files, taskFiles(campaign));
    const fs::path folder = campaign.folder;
    std::error_code error;
    for (const auto name : {kResultsFolder, kLogsFolder}) {
        fs::create_directories(folder / name, error);
        if (error) return Failure(errorFromErrno(error.value(), (folder / name).string()));
    }
    for (const auto& file : files) {
        TRY(writeFileAtomically(folder / file.name, file.content));
        if (file.executable) fs::permissions(folder / file.name, fs::perms::owner_exec, fs::perm_options::add, error);
    }
    return {};
}

std::vector<Error> launch(Campaign& campaign, const std::vector<EngineCommand>& commands,
                          const DriveServices& services) {
    std::vector<Error> problems;
    for (const auto& command : commands) {
        const auto done = runCommand(command, services).and_then([&](const ToolOutput& output) {
            return markLaunched(campaign, command, output, services.clock.unixMilliseconds());
        });
        if (!done) {
            markRefused(campaign, command, messageOf(done.error()));
            problems.push_back(done.error());
        }
        if (auto kept = services.keep(campaign); !kept) {
            problems.push_back(std::move(kept.error()));
            return problems;
        }
    }
    return problems;
}

std::vector<Error> poll(Campaign& campaign, const DriveServices& services) {
    std::vector<Error> problems;
    pollLocal(campaign, services.clock.unixMilliseconds());
    for (const auto& command : pollCommands(campaign)) {
        const auto done = runCommand(command, services).and_then([&](const ToolOutput& output) {
            return markPolled(campaign, command, output, services.clock.unixMilliseconds());
        });
        if (!done) problems.push_back(done.error());
    }
    if (auto kept = services.keep(campaign); !kept) problems.push_back(std::move(kept.error()));
    return problems;
}

std::vector<ResultText> fetchLogs(const Campaign& campaign, const DriveServices& services,
                                  std::vector<Error>& problems) {
    std::vector<ResultText> logs;
    for (const auto& command : logCommands(campaign)) {
        auto output = runCommand(command, services);
        if (!output) {
            problems.push_back(std::move(output.error()));
            continue;
        }
        const auto name = campaign.find(command.candidates.front())->externalId + ".log";
        const auto file = fs::path(campaign.folder) / kLogsFolder / name;
        if (auto kept = writeFileAtomically(file, output->out); !kept) problems.push_back(std::move(kept.error()));
        logs.push_back({file.string(), std::move(output->out)});
    }
    return logs;
}

}  // namespace steelyard::campaign
