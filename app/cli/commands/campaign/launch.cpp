// SPDX-License-Identifier: Apache-2.0
// campaign write, launch, status: writes task files, starts them with the workload managers' own commands (each one is
// printed) and polls their state.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <istream>
#include <ostream>
#include <set>
#include <thread>

#include "app/cli/commands/campaign/campaign_commands.h"
#include "app/cli/options/option_checks.h"
#include "engine/campaign/task_files/task_files.h"
#include "engine/core/messages/campaign.h"
#include "engine/core/text.h"

namespace steelyard::cli {
namespace {

struct LaunchArguments {
    std::string id = "latest", folder, candidates;
    bool yes = false, wait = false;
    double everySeconds = 10;
};

Result<void> writeCampaign(CommandContext& context, const LaunchArguments& arguments, const CampaignOptions& options) {
    ASSIGN(const auto store, campaignStore(context, options, false));
    ASSIGN(auto campaign, store->campaign(arguments.id));
    if (!arguments.folder.empty())
        campaign.folder = std::filesystem::absolute(arguments.folder).lexically_normal().string();
    TRY(campaign::writeTaskFiles(campaign));
    TRY(store->putCampaign(campaign));
    if (options.json) {
        printCampaign(context, campaign, true);
        return {};
    }
    for (const auto& command : campaign::launchCommands(campaign))
        fmt::print(context.out, "{}\n", visible(campaign::shown(command)));
    return {};
}

// The commands for the given candidates; an array job is always launched as a whole.
std::vector<campaign::EngineCommand> wantedCommands(const campaign::Campaign& campaign, const std::string& candidates) {
    auto commands = campaign::launchCommands(campaign);
    const auto names = splitList(candidates);
    const std::set<std::string> wanted(names.begin(), names.end());
    std::erase_if(commands, [&](const campaign::EngineCommand& command) {
        return !wanted.empty() &&
               std::ranges::none_of(command.candidates, [&](const auto& id) { return wanted.contains(id); });
    });
    return commands;
}

// Maximum cost of these commands; absent if a billed price is unknown.
std::optional<double> worstOf(const campaign::Campaign& campaign,
                              const std::vector<campaign::EngineCommand>& commands) {
    double sum = 0;
    for (const auto& command : commands) {
        for (const auto& id : command.candidates) {
            const auto* candidate = campaign.find(id);
            const auto worst = campaign::worstUsd(campaign, *candidate);
            if (!worst && !candidate->placements.empty()) return std::nullopt;
            sum += worst.value_or(0);
        }
    }
    return sum;
}

// Jobs on this computer are free; everything else needs confirmation, since clusters may charge too.
bool isFree(const std::vector<campaign::EngineCommand>& commands) {
    return std::ranges::all_of(commands, [](const auto& c) { return c.engine == campaign::Engine::Local; });
}

bool isConfirmed(CommandContext& context, const campaign::Campaign& campaign,
                 const std::vector<campaign::EngineCommand>& commands) {
    for (const auto& command : commands) fmt::print(context.err, "  {}\n", visible(campaign::shown(command)));
    const auto worst = worstOf(campaign, commands);
    fmt::print(context.err, "These commands start measurements that cost at most {}. Run them? [y/N] ",
               worst ? fmt::format("${:.2f}", *worst) : std::string("an unknown amount"));
    context.err.flush();
    std::string answer;
    std::getline(context.in, answer);
    return answer == "y" || answer == "yes";
}

Result<void> launchCampaign(CommandContext& context, const LaunchArguments& arguments, const CampaignOptions& options) {
    ASSIGN(const auto store, campaignStore(context, options, false));
    ASSIGN(auto campaign, store->campaign(arguments.id));
    TRY(campaign::writeTaskFiles(campaign));
    TRY(store->putCampaign(campaign));
    const auto commands = wantedCommands(campaign, arguments.candidates);
    if (commands.empty()) return fail(ErrorKind::NotFound, {}, campaign::messages::nothingToLaunch());
    if (!arguments.yes && !isFree(commands) && !isConfirmed(context, campaign, commands)) {
        context.report({ErrorKind::Cancelled, {}, campaign::messages::notLaunched(), {}, {}, {}}, kCancelled);
        return {};
    }
    for (const auto& problem : campaign::launch(campaign, commands, driveServices(context, *store)))
        context.report(problem, kSomeCaseFailed);
    printCampaign(context, campaign, options.json);
    return {};
}

Result<void> campaignStatus(CommandContext& context, const LaunchArguments& arguments, const CampaignOptions& options) {
    ASSIGN(const auto store, campaignStore(context, options, false));
    ASSIGN(auto campaign, store->campaign(arguments.id));
    auto services = driveServices(context, *store);
    while (true) {
        const auto problems = campaign::poll(campaign, services);
        for (const auto& problem : problems) context.report(problem, kSomeCaseFailed);
        const bool isOver = std::ranges::none_of(campaign.candidates, campaign::isUnderWay);
        if (!arguments.wait || isOver || !problems.empty() || context.interrupted.load() != 0) break;
        services.onCommand = {};  // printed already
        const auto next = std::chrono::steady_clock::now() + std::chrono::duration<double>(arguments.everySeconds);
        while (std::chrono::steady_clock::now() < next && context.interrupted.load() == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    if (context.interrupted.load() != 0) context.exitCode = kCancelled;
    printCampaign(context, campaign, options.json);
    return {};
}

}  // namespace

void addCampaignLaunch(CLI::App& campaign, CommandContext& context, const SharedCampaignOptions& options) {
    auto o = std::make_shared<LaunchArguments>();
    const auto add = [&](const char* name, const char* help, auto run) {
        return addCampaignCommand(campaign, name, help, context, o->id,
                                  [&context, o, options, run] { return run(context, *o, *options); });
    };
    add("write", "Write the task files of a campaign and print the commands that start them", writeCampaign)
        ->add_option("--folder", o->folder, "Folder for the files (default: the one given to plan)");
    auto* launched = add("launch",
                         "Start planned or failed candidates with sbatch, sky, kubectl, parallel or on this computer; "
                         "asks for confirmation",
                         launchCampaign);
    launched->add_option("--candidate", o->candidates, "Launch only these candidates (ids, comma separated)")
        ->check(nonEmptyList);
    launched->add_flag("--yes", o->yes, "Do not ask for confirmation");
    auto* status = add("status", "Query the state of the candidates", campaignStatus);
    status->add_flag("--wait", o->wait, "Poll until all candidates have finished");
    status->add_option("--every", o->everySeconds, "Polling interval in seconds")
        ->check(greaterThanZero)
        ->capture_default_str();
}

}  // namespace steelyard::cli
