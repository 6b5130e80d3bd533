// SPDX-License-Identifier: Apache-2.0
// campaign: measures recommended candidates on the machines themselves, and sweeps of many cases, with workload
// managers
// that the user has: plan, write, launch, status, collect, compare with the prediction.
#include <CLI/CLI.hpp>
#include <ostream>

#include "app/cli/commands/campaign/campaign_commands.h"
#include "app/cli/commands/commands.h"
#include "app/cli/tables/campaign_table.h"
#include "engine/campaign/campaign_json.h"

namespace steelyard::cli {

CLI::App* addCampaignCommand(CLI::App& campaign, const char* name, const char* help, CommandContext& context,
                             std::string& id, std::function<Result<void>()> run) {
    auto* command = campaign.add_subcommand(name, help);
    command->fallthrough();
    command->add_option("id", id, "Campaign id, a unique prefix of it, or latest")->capture_default_str();
    command->callback([&context, run = std::move(run)] {
        if (const auto done = run(); !done) context.report(done.error());
    });
    return command;
}

Result<std::unique_ptr<history::HistoryStore>> campaignStore(CommandContext& context, const CampaignOptions& options,
                                                             bool create) {
    return history::HistoryStore::open(context.historyFile(options.database), {.create = create});
}

void addDeliveryOptions(CLI::App& command, campaign::Delivery& delivery) {
    const auto add = [&](const char* name, std::string& text, const char* help) {
        command.add_option(name, text, help);
    };
    add("--program", delivery.program, "Path of steelyard-cli on the machines (default: the path of this executable)");
    add("--bundle", delivery.bundle, "Archive made by ./dev package to copy to the machines instead");
    add("--image", delivery.image, "Kubernetes: container image that contains steelyard-cli");
    add("--results", delivery.results,
        "Folder, bucket or volume claim for the results (default: the folder of the task files, or the logs)");
    add("--partition", delivery.partition, "Slurm partition");
    add("--account", delivery.account, "Slurm account");
    add("--queue", delivery.queue, "Kueue queue");
    add("--namespace", delivery.nameSpace, "Kubernetes namespace");
    add("--network", delivery.network, "Network for mpirun, such as 10.99.0.0/24");
}

campaign::ToolOptions toolOptions(CommandContext& context) {
    const char* path = context.environment("PATH");
    return {.path = path != nullptr ? path : "/usr/bin:/bin",
            .cancelled = [&context] { return context.interrupted.load() != 0; }};
}

campaign::DriveServices driveServices(CommandContext& context, history::HistoryStore& store) {
    return {.tool = toolOptions(context),
            .clock = context.clock,
            .onCommand =
                [&context](const campaign::EngineCommand& command) {
                    context.err << "+ " << campaign::shown(command) << std::endl;
                },
            .keep = [&store](const campaign::Campaign& campaign) { return store.putCampaign(campaign); }};
}

void printCampaign(CommandContext& context, const campaign::Campaign& campaign, bool json) {
    const auto comparison = campaign::compare(campaign);
    if (!json) return printCampaignTable(context.out, campaign, comparison, context.clock.unixMilliseconds());
    context.out << (campaign.question ? campaign::toJson(campaign, comparison, 2) : campaign::toJson(campaign, 2))
                << "\n";
}

void addCampaign(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand(
        "campaign",
        "Measure recommended hardware, or a sweep of cases, on other machines and compare with the prediction");
    command->require_subcommand(1);
    command->fallthrough();
    const auto options = std::make_shared<CampaignOptions>();
    command->add_option("--db", options->database, "History file (default: in $XDG_DATA_HOME/steelyard)");
    command->add_flag("--json", options->json, "Print one JSON document");
    addCampaignPlan(*command, context, options);
    addCampaignSweep(*command, context, options);
    addCampaignLaunch(*command, context, options);
    addCampaignCollect(*command, context, options);
    addCampaignMeasure(*command, context);
}

}  // namespace steelyard::cli
