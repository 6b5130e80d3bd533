// SPDX-License-Identifier: Apache-2.0
// campaign collect, campaign show: results into the history, and what they change.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <ostream>

#include "app/cli/commands/campaign_parts.h"
#include "engine/campaign/collect.h"
#include "engine/campaign/task_files.h"
#include "engine/core/file_io.h"

namespace steelyard::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t kMostResultBytes = std::int64_t{256} << 20;

struct CollectArguments {
    std::string id = "latest";
    std::vector<std::string> from;
};

// The texts of these files and of those in these folders; what cannot be read is reported.
std::vector<campaign::ResultText> textsIn(CommandContext& context, const std::vector<std::string>& from) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& name : from) {
        if (!fs::is_directory(name, error)) files.emplace_back(name);
        for (fs::recursive_directory_iterator at(name, error), end; !error && at != end; at.increment(error))
            if (at->is_regular_file(error)) files.push_back(at->path());
    }
    std::ranges::sort(files);
    std::vector<campaign::ResultText> texts;
    for (const auto& file : files) {
        if (auto text = readFile(file, kMostResultBytes)) {
            texts.push_back({file.string(), std::move(*text)});
        } else {
            context.report(text.error(), kSomeCaseFailed);
        }
    }
    return texts;
}

// What the engines know and have, unless the user names where the results are.
std::vector<campaign::ResultText> textsOf(CommandContext& context, const CollectArguments& arguments,
                                          history::HistoryStore& store, campaign::Campaign& campaign) {
    if (!arguments.from.empty()) return textsIn(context, arguments.from);
    const auto services = driveServices(context, store);
    auto problems = campaign::poll(campaign, services);
    auto logs = campaign::fetchLogs(campaign, services, problems);
    for (const auto& problem : problems) context.report(problem, kSomeCaseFailed);
    const fs::path folder = campaign.folder;
    auto texts =
        textsIn(context, {(folder / campaign::kResultsFolder).string(), (folder / campaign::kLogsFolder).string()});
    std::ranges::move(logs, std::back_inserter(texts));
    return texts;
}

Result<void> collect(CommandContext& context, const CollectArguments& arguments, const CampaignOptions& options) {
    ASSIGN(const auto store, campaignStore(context, options, false));
    ASSIGN(auto campaign, store->campaign(arguments.id));
    const auto gathered = campaign::gatherResults(campaign, textsOf(context, arguments, *store, campaign));
    for (const auto& problem : gathered.problems)
        context.report({ErrorKind::CorruptData, {}, problem, {}, {}, {}}, kSomeCaseFailed);
    std::size_t added = 0;
    for (const auto& result : gathered.results) {
        auto& candidate = *campaign.find(result.candidate);
        const auto ids = store->collectRuns(campaign.id, candidate.id, result.runs);
        if (!ids && ids.error().kind != ErrorKind::CorruptData) return Failure(ids.error());
        if (!ids) {
            context.report(ids.error(), kSomeCaseFailed);
            continue;
        }
        campaign::applyResult(campaign, candidate, result);
        added += ids->size();
    }
    if (arguments.from.empty()) campaign::failWithoutResult(campaign);
    TRY(store->putCampaign(campaign));
    fmt::print(context.err, "collected {} new runs\n", added);
    ASSIGN(const auto now, store->campaign(campaign.id));
    if (const auto missing = campaign::withoutResult(now); !missing.empty())
        fmt::print(context.err, "no result yet of {}\n", fmt::join(missing, ", "));
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
    add("collect", "Store the results of a campaign and compare; twice adds nothing", collect)
        ->add_option("--from", o->from, "Folders, result files or logs (default: those of the campaign)");
    add("show", "Show a campaign, what was predicted beside what was measured",
        [](CommandContext& world, const CollectArguments& arguments, const CampaignOptions& shared) {
            return showCampaign(world, arguments.id, shared);
        });
}

}  // namespace steelyard::cli
