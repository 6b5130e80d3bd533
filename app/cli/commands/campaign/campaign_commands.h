// SPDX-License-Identifier: Apache-2.0
// Shared by the commands of `campaign`, which have a file each.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/command_context.h"
#include "engine/campaign/campaign.h"
#include "engine/campaign/drive.h"
#include "engine/history/history_store.h"

namespace CLI {
class App;
}

namespace steelyard::cli {

// Options of `campaign` that apply to all its commands.
struct CampaignOptions {
    std::optional<std::string> database;
    bool json = false;
};
using SharedCampaignOptions = std::shared_ptr<CampaignOptions>;

void addCampaignPlan(CLI::App& campaign, CommandContext& context, const SharedCampaignOptions& options);
void addCampaignSweep(CLI::App& campaign, CommandContext& context, const SharedCampaignOptions& options);
void addCampaignMeasure(CLI::App& campaign, CommandContext& context);
// write, launch, status
void addCampaignLaunch(CLI::App& campaign, CommandContext& context, const SharedCampaignOptions& options);
// collect, show
void addCampaignCollect(CLI::App& campaign, CommandContext& context, const SharedCampaignOptions& options);

// Adds a command on one stored campaign; its id is in `id` when `run` is called. Errors of `run` are reported.
CLI::App* addCampaignCommand(CLI::App& campaign, const char* name, const char* help, CommandContext& context,
                             std::string& id, std::function<Result<void>()> run);

[[nodiscard]] Result<std::unique_ptr<history::HistoryStore>> campaignStore(CommandContext& context,
                                                                           const CampaignOptions& options, bool create);
// Options for access to the machines and for the workload managers.
void addDeliveryOptions(CLI::App& command, campaign::Delivery& delivery);

// External programs are searched in PATH and terminated when this one is interrupted.
[[nodiscard]] campaign::ToolOptions toolOptions(CommandContext& context);
// Prints each command on err before it runs, and stores state changes.
[[nodiscard]] campaign::DriveServices driveServices(CommandContext& context, history::HistoryStore& store);

// As JSON, or as a table that also shows how the measurements changed the ranking.
void printCampaign(CommandContext& context, const campaign::Campaign& campaign, bool json);

}  // namespace steelyard::cli
