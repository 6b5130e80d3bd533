// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/drive.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "engine/campaign/task_files/task_files.h"
#include "engine/core/file_io.h"

namespace steelyard::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostResultBytes = std::int64_t{256} << 20;

Result<ToolOutput> runCommand(const EngineCommand& command, const DriveServices& services) {
    if (services.onCommand) services.onCommand(command);
    ASSIGN(auto output, runTool(command.words, services.tool));
    if (output.code != 0) return Failure(toolError(command.words, output));
    return output;
}

}  // namespace

Result<void> completeDelivery(Campaign& campaign, const fs::path& program, const ToolOptions& tool) {
    auto& delivery = campaign.delivery;
    const bool anyRented =
        std::ranges::any_of(campaign.candidates, [](const auto& candidate) { return !candidate.placements.empty(); });
    if (!anyRented && delivery.program.empty() && delivery.bundle.empty() && delivery.image.empty())
        delivery.program = program.string();
    if (delivery.bundle.empty()) return {};
    delivery.bundle = fs::absolute(delivery.bundle).lexically_normal().string();
    const std::vector<std::string> words{"sha256sum", "--", delivery.bundle};
    ASSIGN(const auto output, runTool(words, tool));
    if (output.code != 0) return Failure(toolError(words, output));
    delivery.bundleSha256 = output.out.substr(0, output.out.find(' '));
    return {};
}

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

std::vector<ResultText> readResults(const std::vector<fs::path>& from, std::vector<Error>& problems) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& name : from) {
        if (!fs::is_directory(name, error)) files.push_back(name);
        for (fs::recursive_directory_iterator at(name, error), end; !error && at != end; at.increment(error))
            if (at->is_regular_file(error)) files.push_back(at->path());
    }
    std::ranges::sort(files);
    std::vector<ResultText> texts;
    for (const auto& file : files) {
        if (auto text = readFile(file, kMostResultBytes)) {
            texts.push_back({file.string(), std::move(*text)});
        } else {
            problems.push_back(std::move(text.error()));
        }
    }
    return texts;
}

std::vector<ResultText> fetchResults(Campaign& campaign, const DriveServices& services, std::vector<Error>& problems) {
    problems = poll(campaign, services);
    auto texts = fetchLogs(campaign, services, problems);
    const fs::path folder = campaign.folder;
    std::ranges::move(readResults({folder / kResultsFolder, folder / kLogsFolder}, problems),
                      std::back_inserter(texts));
    return texts;
}

}  // namespace steelyard::campaign
