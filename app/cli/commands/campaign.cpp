// SPDX-License-Identifier: Apache-2.0
// campaign: a sweep of many cases as an array job of Slurm, Kubernetes or GNU parallel: its files, its tasks, its
// results.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/options/run_arguments.h"
#include "engine/bench/run/child_process.h"
#include "engine/bench/run/suite_runner.h"
#include "engine/bench/suite/suite.h"
#include "engine/campaign/campaign_json.h"
#include "engine/campaign/sweep.h"
#include "engine/campaign/task_files.h"
#include "engine/campaign/task_result.h"
#include "engine/core/file_io.h"
#include "engine/core/text.h"
#include "engine/core/version.h"
#include "engine/hardware/profile/profile_json.h"
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
    std::string cases, results;
    std::int64_t index = 0;
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
    bench::Protocol protocol;
    protocol.visits = arguments.protocol.visits;
    protocol.timeCap = Seconds(arguments.protocol.timeCapSeconds);
    const auto chunks = campaign::chunksOf(
        suite.cases, [&](const bench::Case& spec) { return bench::estimateSeconds(spec, protocol); },
        campaign::kMaxArraySize);
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

void sweep(CommandContext& context, const CampaignArguments& arguments) {
    auto campaign = planned(context, arguments);
    if (!campaign) return context.report(campaign.error());
    if (const auto written = writeFiles(*campaign); !written) return context.report(written.error());
    const auto store = openStore(context, arguments, true);
    if (!store) return context.report(store.error());
    if (const auto kept = (*store)->putCampaign(*campaign); !kept) return context.report(kept.error());
    print(context, *campaign, arguments.json);
}

// The cases as an interrupted run, which `run --resume` completes: in order, each stored as soon as it is measured.
Result<bench::RunRecord> measured(CommandContext& context, const campaign::SweepChunk& chunk,
                                  const fs::path& database) {
    ASSIGN(const auto profile, context.profile());
    bench::RunRecord run;
    run.id = bench::newRunId(context.clock);
    run.suite = "custom";
    run.suiteVersion = bench::kSuiteVersion;
    run.programVersion = std::string(programVersion());
    run.gitRevision = std::string(gitRevision());
    run.startedUnixMs = context.clock.unixMilliseconds();
    run.computer = profile.environment.hostname.valueOr("this computer");
    run.profileJson = hardware::toJson(profile);
    ASSIGN(const auto store, history::HistoryStore::open(database));
    TRY(store->beginRun(run, bench::toJson(chunk.order)));
    ASSIGN(auto child, bench::ChildProcess::start({.arguments = {context.executable.string(), "run", "--resume", run.id,
                                                                 "--db", database.string(), "--events", "jsonl"}}));
    bool asked = false;
    while (!child.atEnd()) {
        (void)child.readLine(std::chrono::milliseconds(200));
        if (context.interrupted.load() != 0 && !asked) child.terminate();
        asked = context.interrupted.load() != 0;
    }
    context.err << visibleLines(child.wait().standardErrorTail);
    return store->run(run.id);
}

void measure(CommandContext& context, const CampaignArguments& arguments) {
    const auto document = readFile(arguments.cases, kMostResultBytes);
    if (!document) return context.report(document.error());
    const auto chunk = campaign::sweepChunk(*document, arguments.index);
    if (!chunk) return context.report(chunk.error());
    campaign::TaskResult result{.campaign = chunk->campaign, .candidate = chunk->candidate};
    result.programVersion = std::string(programVersion());
    result.startedUnixMs = context.clock.unixMilliseconds();
    const auto scratch = fs::temp_directory_path() / ("steelyard-" + bench::newRunId(context.clock));
    auto run =
        createPrivateFolders(scratch).and_then([&] { return measured(context, *chunk, scratch / "history.sqlite"); });
    std::error_code ignored;
    fs::remove_all(scratch, ignored);
    if (run) {
        result.host = run->computer;
        result.runs.push_back(std::move(*run));
        const auto judged = campaign::judge(result.runs);
        result.exitCode = judged.exitCode;
        result.reason = judged.reason;
    } else {
        result.reason = messageOf(run.error());
    }
    result.endedUnixMs = context.clock.unixMilliseconds();
    context.out << campaign::logLines(result) << std::flush;
    context.exitCode = result.exitCode;
    if (arguments.results.empty()) return;
    const auto file = fs::path(arguments.results) / campaign::resultFileName(result);
    if (const auto ok = writeFileAtomically(file, campaign::toJson(result)); !ok)
        context.report(ok.error(), campaign::kTryAgain);
}

std::vector<campaign::TaskResult> resultsFrom(CommandContext& context, const fs::path& file) {
    const auto text = readFile(file, kMostResultBytes);
    if (!text) {
        context.report(text.error(), kSomeCaseFailed);
        return {};
    }
    if (auto result = campaign::taskResultFromJson(*text)) return {std::move(*result)};
    return campaign::resultsInLog(*text);
}

void collect(CommandContext& context, const CampaignArguments& arguments) {
    const auto store = openStore(context, arguments, false);
    if (!store) return context.report(store.error());
    auto campaign = (*store)->campaign(arguments.id);
    if (!campaign) return context.report(campaign.error());
    std::vector<fs::path> files;
    auto from = arguments.from;
    if (from.empty())
        for (const auto name : {campaign::kResultsFolder, campaign::kLogsFolder})
            from.push_back((fs::path(campaign->folder) / name).string());
    std::error_code error;
    for (const auto& name : from) {
        if (!fs::is_directory(name, error)) files.emplace_back(name);
        for (fs::recursive_directory_iterator at(name, error), end; !error && at != end; at.increment(error))
            if (at->is_regular_file(error)) files.push_back(at->path());
    }
    std::size_t added = 0;
    for (const auto& file : files) {
        for (const auto& result : resultsFrom(context, file)) {
            auto* candidate = campaign->find(result.candidate);
            if (result.campaign != campaign->id || candidate == nullptr) continue;
            campaign::applyResult(*campaign, *candidate, result);
            const auto ids = (*store)->collectRuns(campaign->id, candidate->id, result.runs);
            if (!ids) return context.report(ids.error());
            added += ids->size();
        }
    }
    if (const auto kept = (*store)->putCampaign(*campaign); !kept) return context.report(kept.error());
    fmt::print(context.err, "collected {} runs\n", added);
    if (const auto now = (*store)->campaign(campaign->id)) print(context, *now, arguments.json);
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
    plan->add_option("--folder", o->folder, "Folder of the files, on a disk that the machines share")->required();
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
    auto* task = add("measure", "Measure a task on its machine (called by the files)", measure);
    task->add_option("--cases", o->cases, "cases.json of the sweep")->required();
    task->add_option("--index", o->index, "Place of the task in it, from 0")->required();
    task->add_option("--results", o->results, "Folder for the result");
    task->add_option("--campaign", o->id, "Id of the campaign, for the process list");
    task->add_option("--candidate", o->name, "Id of the candidate, for the process list");
    task->footer("Exit codes: 0 measured, 2 cannot fit this machine, else another attempt may help.");
    auto* collected = add("collect", "Store the results of a campaign; twice adds nothing", collect);
    collected->add_option("id", o->id, "Campaign id, a prefix of one, or latest");
    collected->add_option("--from", o->from, "Folders, result files or logs (default: those of the campaign)");
    add("show", "Show a campaign", show)->add_option("id", o->id, "Campaign id, a prefix of one, or latest");
}

}  // namespace steelyard::cli
