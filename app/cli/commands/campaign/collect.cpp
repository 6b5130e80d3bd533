// SPDX-License-Identifier: Apache-2.0
// campaign collect, campaign show: stores results in the history and compares them with the prediction.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "app/cli/commands/campaign/campaign_commands.h"
#include "engine/campaign/collect.h"
#include "engine/history/campaigns.h"

namespace steelyard::cli {
namespace {

struct CollectArguments {
    std::string id = "latest";
    std::vector<std::string> from;
};

// Results that the workload managers report, unless the user names files.
std::vector<campaign::ResultText> textsOf(CommandContext& context, const CollectArguments& arguments,
                                          history::HistoryStore& store, campaign::Campaign& campaign) {
    std::vector<Error> problems;
    auto texts = arguments.from.empty()
                     ? campaign::fetchResults(campaign, driveServices(context, store), problems)
                     : campaign::readResults({arguments.from.begin(), arguments.from.end()}, problems);
    for (const auto& problem : problems) context.report(problem, kSomeCaseFailed);
    return texts;
}

Result<void> collect(CommandContext& context, const CollectArguments& arguments, const CampaignOptions& options) {
    ASSIGN(const auto store, campaignStore(context, options, false));
    ASSIGN(auto campaign, store->campaign(arguments.id));
    const auto texts = textsOf(context, arguments, *store, campaign);
    ASSIGN(const auto stored, history::storeResults(*store, campaign, texts, arguments.from.empty()));
    for (const auto& problem : stored.problems) context.report(problem, kSomeCaseFailed);
    fmt::print(context.err, "collected {} new runs\n", stored.newRuns);
    ASSIGN(const auto now, store->campaign(campaign.id));
    if (const auto missing = campaign::withoutResult(now); !missing.empty())
        fmt::print(context.err, "no result yet for {}\n", fmt::join(missing, ", "));
    printCampaign(context, now, options.json);
    return {};
}

Result<void> showCampaign(CommandContext& context, const std::string& id, const CampaignOptions& options) {
    ASSIGN(const auto store, campaignStore(context, options, false));
    ASSIGN(const auto campaign, store->campaign(id));
    printCampaign(context, campaign, options.json);
    return {};
}

}  // namespace

void addCampaignCollect(CLI::App& campaign, CommandContext& context, const SharedCampaignOptions& options) {
    auto o = std::make_shared<CollectArguments>();
    const auto add = [&](const char* name, const char* help, auto run) {
        return addCampaignCommand(campaign, name, help, context, o->id,
                                  [&context, o, options, run] { return run(context, *o, *options); });
    };
    add("collect", "Store the results of a campaign and compare them with the prediction; safe to repeat", collect)
        ->add_option("--from", o->from, "Folders, result files or logs to read (default: those of the campaign)");
    add("show", "Show a campaign with predicted and measured times",
        [](CommandContext& shown, const CollectArguments& arguments, const CampaignOptions& shared) {
            return showCampaign(shown, arguments.id, shared);
        });
}

}  // namespace steelyard::cli
