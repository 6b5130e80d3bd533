// SPDX-License-Identifier: Apache-2.0
// What the commands of `campaign` share, one file for each part of it.
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

// Options of `campaign` itself, for all its commands.
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

// A command about one stored campaign, whose id `run` finds in `id`. What fails is reported.
CLI::App* addCampaignCommand(CLI::App& campaign, const char* name, const char* help, CommandContext& context,
                             std::string& id, std::function<Result<void>()> run);

[[nodiscard]] Result<std::unique_ptr<history::HistoryStore>> campaignStore(CommandContext& context,
                                                                           const CampaignOptions& options, bool create);
// How the program reaches the machines, and what the engines need to know.
void addDeliveryOptions(CLI::App& command, campaign::Delivery& delivery);

// Programs of PATH, ended when this one is interrupted.
[[nodiscard]] campaign::ToolOptions toolOptions(CommandContext& context);
// Shows each command on err as it runs, and keeps states in the store.
[[nodiscard]] campaign::DriveServices driveServices(CommandContext& context, history::HistoryStore& store);

// As JSON, or as a table with what the measurements changed.
void printCampaign(CommandContext& context, const campaign::Campaign& campaign, bool json);

}  // namespace steelyard::cli
