// SPDX-License-Identifier: Apache-2.0
// campaign: a sweep of many cases as an array job of Slurm, Kubernetes or GNU parallel: its files, its tasks, its
// results.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <ostream>
#include <set>

#include "app/cli/command_context.h"
#include "app/cli/commands/campaign_measure.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options/device_rates.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/options/run_arguments.h"
#include "engine/bench/suite/suite.h"
#include "engine/campaign/campaign_json.h"
#include "engine/campaign/collect.h"
#include "engine/campaign/sweep.h"
#include "engine/campaign/task_files.h"
#include "engine/campaign/task_result.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/campaign.h"
#include "engine/core/text.h"
#include "engine/history/history_store.h"

namespace steelyard::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t kMostResultBytes = std::int64_t{256} << 20;

struct CampaignArguments {
    std::optional<std::string> database;
    bool json = false;
    std::string id = "latest", folder, name, engine = "slurm", host;
    campaign::Delivery delivery;
    campaign::SweepProtocol protocol;
    double capMinutes = 30;
    int retries = 2;
    RunArguments run;
    std::string resume;
    std::vector<std::string> from;
};

Result<std::unique_ptr<history::HistoryStore>> openStore(CommandContext& context, const CampaignArguments& arguments,
                                                         bool create) {
    return history::HistoryStore::open(context.historyFile(arguments.database), {.create = create});
}

void print(CommandContext& context, const campaign::Campaign& campaign, bool json) {
    if (json) {
        context.out << campaign::toJson(campaign, 2) << "\n";
        return;
    }
    fmt::print(context.out, "{}  {}  {}  {}\n", campaign.id, campaign::toString(campaign::stateOf(campaign)),
               visible(campaign.name), visible(campaign.folder));
    for (const auto& candidate : campaign.candidates)
        fmt::print(context.out, "  {:<4} {:<10} {:>4} cases  {}  {}\n", candidate.id,
                   campaign::toString(candidate.state), candidate.cases.size(), visible(candidate.title),
                   visible(candidate.reason.text));
}

using CaseSeconds = std::function<double(const bench::Case&)>;

// How long cases of the sweep take: by the measured speed of this computer's devices, times how much longer the chunks
// that were measured took.
Result<CaseSeconds> sweepEstimate(CommandContext& context, const std::vector<bench::Case>& cases,
                                  const campaign::Campaign& sweep) {
    bench::Protocol protocol;
    protocol.visits = sweep.protocol->visits;
    protocol.timeCap = Seconds(sweep.protocol->timeCapSeconds);
    ASSIGN(const auto profile, context.profile());
    std::set<std::string> devices;
    for (const auto& spec : cases) devices.insert(spec.device);
    const auto rates = assumedRates(context, profile, devices);
    const CaseSeconds here = [=](const bench::Case& spec) { return bench::estimateSeconds(spec, protocol, rates); };
    const double pace = campaign::measuredPace(sweep, here);
    return [=](const bench::Case& spec) { return pace * here(spec); };
}

Result<campaign::Campaign> planned(CommandContext& context, const CampaignArguments& arguments) {
    ASSIGN(const auto request, requestOf(arguments.run, context));
    ASSIGN(const auto suite, bench::makeSuite(request, {}));
    campaign::Campaign campaign{.id = campaign::newCampaignId(context.clock),
                                .name = arguments.name,
                                .createdUnixMs = context.clock.unixMilliseconds()};
    campaign.protocol = arguments.protocol;
    campaign.retries = arguments.retries;
    campaign.folder = fs::absolute(arguments.folder).lexically_normal().string();
    campaign.delivery = arguments.delivery;
    if (campaign.delivery.program.empty()) campaign.delivery.program = context.executable.string();
    ASSIGN(const auto seconds, sweepEstimate(context, suite.cases, campaign));
    const auto chunks = campaign::chunksOf(suite.cases, seconds, campaign::kMaxArraySize);
    for (const auto& cases : chunks) {
        campaign::Candidate chunk;
        chunk.id = fmt::format("{:02}", campaign.candidates.size() + 1);
        chunk.title = fmt::format("chunk {} of {}", campaign.candidates.size() + 1, chunks.size());
        chunk.engine = *campaign::engineFromString(arguments.engine);
        chunk.host = arguments.host;
        chunk.cases = cases;
        chunk.capSeconds = arguments.capMinutes * 60;
        campaign.candidates.push_back(std::move(chunk));
    }
    return campaign;
}

Result<void> writeFiles(campaign::Campaign& campaign) {
    ASSIGN(const auto files, campaign::taskFiles(campaign));
    const fs::path folder = campaign.folder;
    std::error_code error;
    for (const auto name : {campaign::kResultsFolder, campaign::kLogsFolder}) {
        fs::create_directories(folder / name, error);
        if (error) return Failure(errorFromErrno(error.value(), (folder / name).string()));
    }
    for (const auto& file : files) {
        TRY(writeFileAtomically(folder / file.name, file.content));
        if (file.executable) fs::permissions(folder / file.name, fs::perms::owner_exec, fs::perm_options::add, error);
    }
    return {};
}

Result<std::vector<bench::CaseRecord>> recordsOf(const history::HistoryStore& store,
                                                 const campaign::Campaign& campaign) {
    std::vector<bench::CaseRecord> records;
    for (const auto& candidate : campaign.candidates) {
        for (const auto& id : candidate.runIds) {
            ASSIGN(const auto run, store.run(id, history::Detail::Summaries));
            records.insert(records.end(), run.records.begin(), run.records.end());
        }
    }
    return records;
}

// The files of what is missing: cases that failed, chunks that failed, and chunks that were never launched.
Result<void> resumeSweep(CommandContext& context, const CampaignArguments& arguments) {
    ASSIGN(const auto store, openStore(context, arguments, false));
    ASSIGN(auto campaign, store->campaign(arguments.resume));
    if (!campaign.isSweep()) return fail(ErrorKind::InvalidArgument, campaign.id, campaign::messages::notASweep());
    std::vector<std::string> underWay;
    std::vector<bench::Case> cases;
    for (const auto& chunk : campaign.candidates) {
        if (!chunk.hasEnded() && chunk.state != campaign::CandidateState::Planned) underWay.push_back(chunk.id);
        cases.insert(cases.end(), chunk.cases.begin(), chunk.cases.end());
    }
    if (!underWay.empty())
        return fail(ErrorKind::InvalidArgument, campaign.id,
                    campaign::messages::underWay(fmt::format("{}", fmt::join(underWay, ", "))));
    ASSIGN(const auto records, recordsOf(*store, campaign));
    ASSIGN(const auto seconds, sweepEstimate(context, cases, campaign));
    const auto missing = campaign::replanMissing(campaign, records, seconds);
    if (std::ranges::any_of(campaign.candidates, campaign::canLaunch)) {
        TRY(writeFiles(campaign));
        const auto first = std::ranges::find_if(campaign.candidates, campaign::canLaunch);
        fmt::print(context.err, "{} cases are missing; submit {}\n", missing, first->taskFile);
    } else {
        fmt::print(context.err, "nothing is missing\n");
    }
    TRY(store->putCampaign(campaign));
    print(context, campaign, arguments.json);
    return {};
}

void sweep(CommandContext& context, const CampaignArguments& arguments) {
    if (arguments.resume.empty() && arguments.folder.empty())
        return context.report({ErrorKind::InvalidArgument, "--folder", campaign::messages::needsFolder(), {}, {}, {}});
    if (!arguments.resume.empty()) {
        if (const auto done = resumeSweep(context, arguments); !done) context.report(done.error());
        return;
    }
    auto campaign = planned(context, arguments);
    if (!campaign) return context.report(campaign.error());
    if (const auto written = writeFiles(*campaign); !written) return context.report(written.error());
    const auto store = openStore(context, arguments, true);
    if (!store) return context.report(store.error());
    if (const auto kept = (*store)->putCampaign(*campaign); !kept) return context.report(kept.error());
    print(context, *campaign, arguments.json);
}

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

void collect(CommandContext& context, const CampaignArguments& arguments) {
    const auto store = openStore(context, arguments, false);
    if (!store) return context.report(store.error());
    auto campaign = (*store)->campaign(arguments.id);
    if (!campaign) return context.report(campaign.error());
    auto from = arguments.from;
    if (from.empty())
        for (const auto name : {campaign::kResultsFolder, campaign::kLogsFolder})
            from.push_back((fs::path(campaign->folder) / name).string());
    const auto gathered = campaign::gatherResults(*campaign, textsIn(context, from));
    for (const auto& problem : gathered.problems) context.report(problem, kSomeCaseFailed);
    std::size_t added = 0;
    for (const auto& result : gathered.results) {
        auto& candidate = *campaign->find(result.candidate);
        const auto ids = (*store)->collectRuns(campaign->id, candidate.id, result.runs);
        if (!ids && ids.error().kind != ErrorKind::CorruptData) return context.report(ids.error());
        if (!ids) {
            context.report(ids.error(), kSomeCaseFailed);
            continue;
        }
        campaign::applyResult(*campaign, candidate, result);
        added += ids->size();
    }
    if (const auto kept = (*store)->putCampaign(*campaign); !kept) return context.report(kept.error());
    fmt::print(context.err, "collected {} new runs\n", added);
    const auto now = (*store)->campaign(campaign->id);
    if (!now) return context.report(now.error());
    if (const auto missing = campaign::withoutResult(*now); !missing.empty())
        fmt::print(context.err, "no result yet of {}\n", fmt::join(missing, ", "));
    print(context, *now, arguments.json);
}

void show(CommandContext& context, const CampaignArguments& arguments) {
    const auto store = openStore(context, arguments, false);
    if (!store) return context.report(store.error());
    const auto campaign = (*store)->campaign(arguments.id);
    if (!campaign) return context.report(campaign.error());
    print(context, *campaign, arguments.json);
}

}  // namespace

void addCampaign(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("campaign", "Measure a sweep of cases as an array job on other machines");
    command->require_subcommand(1);
    command->fallthrough();
    auto o = std::make_shared<CampaignArguments>();
    command->add_option("--db", o->database, "History file (default: in $XDG_DATA_HOME/steelyard)");
    command->add_flag("--json", o->json, "Print one JSON document");
    const auto add = [&](const char* name, const char* help, auto action) {
        auto* sub = command->add_subcommand(name, help);
        sub->fallthrough();
        sub->callback([&context, o, action] { action(context, *o); });
        return sub;
    };
    auto* plan = add("sweep", "Write the files of a sweep; submit them with sbatch, kubectl or sh", sweep);
    for (const auto* name : {"--suite", "--workload", "--mode", "--device", "--batch", "--threads", "--precision"})
        plan->add_option(name, o->run.texts[name], "As for run")->check(someList);
    auto* folder = plan->add_option("--folder", o->folder, "Folder of the files, on a disk that the machines share");
    plan->add_option(
            "--resume", o->resume,
            "Write the files of what an earlier sweep lacks, named by its id, after collect and when none of its "
            "tasks is under way")
        ->expected(0, 1)
        ->default_str("latest")
        ->excludes(folder);
    plan->add_option("--name", o->name, "Name of the campaign");
    plan->add_option("--engine", o->engine, "Program that runs the tasks")
        ->check(CLI::IsMember({"slurm", "kubernetes", "parallel"}))
        ->capture_default_str();
    plan->add_option("--host", o->host, "Hosts of GNU parallel, comma separated");
    plan->add_option("--program", o->delivery.program, "steelyard-cli on the machines (default: this one)");
    plan->add_option("--image", o->delivery.image, "Container image of Kubernetes that has steelyard-cli");
    plan->add_option("--partition", o->delivery.partition, "Partition of Slurm");
    plan->add_option("--queue", o->delivery.queue, "Queue of Kueue");
    plan->add_option("--time-cap", o->protocol.timeCapSeconds, "Maximum sampling time per case in seconds")
        ->check(greaterThanZero)
        ->capture_default_str();
    plan->add_option("--visits", o->protocol.visits, "Measurements of each case")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    plan->add_option("--cap-minutes", o->capMinutes, "Maximum time of a task")
        ->check(greaterThanZero)
        ->capture_default_str();
    plan->add_option("--retries", o->retries, "Further attempts of a failed task")
        ->check(CLI::Range(0, 10))
        ->capture_default_str();
    addCampaignMeasure(*command, context);
    auto* collected = add("collect", "Store the results of a campaign; twice adds nothing", collect);
    collected->add_option("id", o->id, "Campaign id, a prefix of one, or latest");
    collected->add_option("--from", o->from, "Folders, result files or logs (default: those of the campaign)");
    add("show", "Show a campaign", show)->add_option("id", o->id, "Campaign id, a prefix of one, or latest");
}

}  // namespace steelyard::cli
