// SPDX-License-Identifier: Apache-2.0
// campaign measure: runs one task of a campaign on its machine. Called by the task files.
#include "app/cli/commands/campaign/campaign_commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

#include "app/cli/options/option_checks.h"
#include "engine/bench/run/child_process.h"
#include "engine/bench/run/suite_runner.h"
#include "engine/bench/suite/suite.h"
#include "engine/campaign/node_rank.h"
#include "engine/campaign/sweep.h"
#include "engine/campaign/task_result.h"
#include "engine/core/file_io.h"
#include "engine/core/messages/campaign.h"
#include "engine/core/text.h"
#include "engine/core/version.h"
#include "engine/hardware/profile/profile_json.h"
#include "engine/history/history_store.h"

namespace steelyard::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t kMostCasesBytes = std::int64_t{256} << 20;

struct MeasureArguments {
    std::string campaign, candidate;  // for a sweep, those in its cases.json
    std::string cases, results;
    std::int64_t index = 0;
    int nodes = 1, gpus = 0;
    std::string workload, mode = "train", precision = "fp32", suite, device;
    std::int64_t batch = 0;
};

struct MeasureTask {
    std::string campaign, candidate;
    bench::RunSpec order;
};

// The campaign's job comes first, so that it is measured even if time runs out; then the suite.
Result<MeasureTask> questionsTask(CommandContext& context, const MeasureArguments& arguments) {
    ASSIGN(const auto profile, context.profile());
    std::vector<std::string> devices;
    for (const auto& device : context.backends().devices())
        if (device.id != "reference") devices.push_back(device.id);
    const auto machine = bench::suiteMachine(profile, devices);
    bench::RunRequest request;
    if (!arguments.device.empty()) request.devices = {arguments.device};
    auto wholeSuite = request;
    wholeSuite.suite = arguments.suite;
    request.workloads = {arguments.workload};
    request.modes = {*plan::modeFromString(arguments.mode)};
    request.precisions = {*plan::precisionFromString(arguments.precision)};
    if (arguments.batch > 0) request.batches = {arguments.batch};
    if (arguments.gpus > 1) {
        request.gpus = {arguments.gpus};
        request.scalings = {bench::ScalingKind::Strong};
    }
    ASSIGN(const auto job, bench::makeSuite(request, machine));
    MeasureTask task{arguments.campaign, arguments.candidate, {job.cases, {}, {}}};
    task.order.protocol.timeCap = job.timeCap;
    if (arguments.suite.empty()) return task;
    ASSIGN(const auto suite, bench::makeSuite(wholeSuite, machine));
    std::set<std::string> known;
    for (const auto& spec : job.cases) known.insert(bench::caseHash(spec));
    for (const auto& spec : suite.cases)
        if (known.insert(bench::caseHash(spec)).second) task.order.cases.push_back(spec);
    return task;
}

Result<MeasureTask> taskOf(CommandContext& context, const MeasureArguments& arguments) {
    if (arguments.cases.empty()) return questionsTask(context, arguments);
    ASSIGN(const auto document, readFile(arguments.cases, kMostCasesBytes));
    ASSIGN(auto chunk, campaign::sweepChunk(document, arguments.index));
    return MeasureTask{std::move(chunk.campaign), std::move(chunk.candidate), std::move(chunk.order)};
}

// Stores the cases as an interrupted run, which `run --resume` completes: in order, each stored once measured.
Result<bench::RunRecord> measuredRun(CommandContext& context, const bench::RunSpec& order, const fs::path& database) {
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
    TRY(store->beginRun(run, bench::toJson(order)));
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

// Errors that every retry would hit: more GPUs than the machine has, a workload that cannot be trained.
bool isLasting(const Error& error) {
    return error.kind == ErrorKind::Unsupported;
}

void measureCandidate(CommandContext& context, const MeasureArguments& arguments) {
    campaign::TaskResult result{.campaign = arguments.campaign, .candidate = arguments.candidate};
    result.nodes = arguments.nodes;
    result.programVersion = std::string(programVersion());
    result.startedUnixMs = context.clock.unixMilliseconds();
    const auto rank = campaign::nodeRank(arguments.nodes, context.environment);
    if (!rank) return context.report(rank.error(), campaign::kTryAgain);
    result.rank = *rank;
    if (const auto profile = context.profile()) result.host = profile->environment.hostname.valueOr(std::string());
    const auto task = taskOf(context, arguments);
    // Without a chunk the result could not be attributed to a task.
    if (!task && !arguments.cases.empty()) return context.report(task.error(), campaign::kTryAgain);
    const auto measure = [&]() -> Result<bench::RunRecord> {
        if (!task) return Failure(task.error());
        result.campaign = task->campaign;
        result.candidate = task->candidate;
        const auto scratch = fs::temp_directory_path() / ("steelyard-" + bench::newRunId(context.clock));
        auto run = createPrivateFolders(scratch).and_then(
            [&] { return measuredRun(context, task->order, scratch / "history.sqlite"); });
        std::error_code ignored;
        fs::remove_all(scratch, ignored);
        return run;
    };
    if (auto run = measure()) {
        result.runs.push_back(std::move(*run));
        const auto judged = campaign::judge(result.runs);
        result.exitCode = judged.exitCode;
        result.reason = judged.reason;
    } else {
        result.exitCode = isLasting(run.error()) ? campaign::kCannotFit : campaign::kTryAgain;
        result.reason = messageOf(run.error());
    }
    if (!result.reason.empty()) context.err << visibleLines(result.reason.text + "\n");
    result.endedUnixMs = context.clock.unixMilliseconds();
    context.out << campaign::logLines(result) << std::flush;
    context.exitCode = result.exitCode;
    if (arguments.results.empty()) return;
    const auto file = fs::path(arguments.results) / campaign::resultFileName(result);
    if (const auto ok = writeFileAtomically(file, campaign::toJson(result)); !ok)
        context.report(ok.error(), campaign::kTryAgain);
}

}  // namespace

void addCampaignMeasure(CLI::App& campaign, CommandContext& context) {
    auto* command = campaign.add_subcommand("measure", "Run one task on its machine (called by the task files)");
    auto o = std::make_shared<MeasureArguments>();
    command->add_option("--campaign", o->campaign, "Id of the campaign")->required();
    command->add_option("--candidate", o->candidate, "Id of the candidate")->required();
    auto* cases = command->add_option("--cases", o->cases, "The sweep's cases.json");
    command->add_option("--index", o->index, "Index of the task in that file, from 0")->needs(cases);
    auto* workload = command->add_option("--workload", o->workload, "Workload of the campaign")->excludes(cases);
    command->add_option("--mode", o->mode)->check(CLI::IsMember({"train", "infer"}))->needs(workload);
    command->add_option("--batch", o->batch)->check(batchSize)->needs(workload);
    command->add_option("--precision", o->precision)
        ->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16"}))
        ->needs(workload);
    command->add_option("--suite", o->suite, "Suite to measure after the job")->needs(workload);
    command->add_option("--device", o->device, "Device to measure (default: all)")->needs(workload);
    command->add_option("--gpus", o->gpus, "Number of GPUs that share the job")
        ->check(CLI::Range(0, 64))
        ->needs(workload);
    command->add_option("--nodes", o->nodes, "Number of such machines, each measured alone")
        ->check(CLI::Range(1, 10'000));
    command->add_option("--results", o->results, "Folder to write the result to");
    command->footer(
        "Exit codes: 0 measured; 2 the job cannot run on this machine, or the task file is from another version;\n"
        "others: a retry may succeed.");
    command->callback([&context, o, cases, workload] {
        if (cases->count() + workload->count() == 0) throw CLI::RequiredError("--cases or --workload");
        measureCandidate(context, *o);
    });
}

}  // namespace steelyard::cli
