// SPDX-License-Identifier: Apache-2.0
// campaign sweep: many cases as an array job of Slurm, Kubernetes or GNU parallel; --resume writes the files of the
// missing cases.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <ostream>
#include <set>

#include "app/cli/commands/campaign/campaign_commands.h"
#include "app/cli/options/device_rates.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/options/run_arguments.h"
#include "engine/bench/suite/suite.h"
#include "engine/campaign/sweep.h"
#include "engine/campaign/task_files/task_files.h"
#include "engine/core/messages/campaign.h"
#include "engine/history/campaigns.h"

namespace steelyard::cli {
namespace {

namespace fs = std::filesystem;

struct SweepArguments {
    std::string folder, name, engine = "slurm", host, resume;
    campaign::Delivery delivery;
    campaign::SweepProtocol protocol;
    double capMinutes = 30, chunkSeconds = campaign::kLeastChunkSeconds;
    int retries = 2;
    RunArguments run;
};

using CaseSeconds = std::function<double(const bench::Case&)>;

// Estimated duration of the cases: the measured speed of this computer's devices, scaled by the ratio of actual to
// estimated time of the chunks measured so far.
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

Result<campaign::Campaign> plannedSweep(CommandContext& context, const SweepArguments& arguments) {
    ASSIGN(const auto request, requestOf(arguments.run, context));
    ASSIGN(const auto suite, bench::makeSuite(request, {}));
    campaign::Campaign campaign{.id = campaign::newCampaignId(context.clock),
                                .name = arguments.name,
                                .createdUnixMs = context.clock.unixMilliseconds()};
    campaign.protocol = arguments.protocol;
    campaign.retries = arguments.retries;
    campaign.folder = fs::absolute(arguments.folder).lexically_normal().string();
    campaign.delivery = arguments.delivery;
    TRY(campaign::completeDelivery(campaign, context.executable, toolOptions(context)));
    ASSIGN(const auto seconds, sweepEstimate(context, suite.cases, campaign));
    const auto chunks = campaign::chunksOf(suite.cases, seconds, campaign::kMaxArraySize, arguments.chunkSeconds);
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

// Files of what is missing: failed cases, failed chunks and chunks that were never launched.
Result<void> resumeSweep(CommandContext& context, const SweepArguments& arguments, const CampaignOptions& options) {
    ASSIGN(const auto store, campaignStore(context, options, false));
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
        TRY(campaign::writeTaskFiles(campaign));
        const auto first = std::ranges::find_if(campaign.candidates, campaign::canLaunch);
        fmt::print(context.err, "{} cases are missing; run campaign launch {}, or submit {}\n", missing, campaign.id,
                   first->taskFile);
    } else {
        fmt::print(context.err, "nothing is missing\n");
    }
    TRY(store->putCampaign(campaign));
    printCampaign(context, campaign, options.json);
    return {};
}

Result<void> sweep(CommandContext& context, const SweepArguments& arguments, const CampaignOptions& options) {
    if (!arguments.resume.empty()) return resumeSweep(context, arguments, options);
    if (arguments.folder.empty())
        return fail(ErrorKind::InvalidArgument, "--folder", campaign::messages::needsFolder());
    ASSIGN(auto campaign, plannedSweep(context, arguments));
    ASSIGN(const auto store, campaignStore(context, options, true));
    TRY(history::checkFolder(*store, campaign.folder));
    TRY(campaign::writeTaskFiles(campaign));
    TRY(store->putCampaign(campaign));
    printCampaign(context, campaign, options.json);
    return {};
}

}  // namespace

void addCampaignSweep(CLI::App& campaign, CommandContext& context, const SharedCampaignOptions& options) {
    auto* command = campaign.add_subcommand(
        "sweep",
        "Write the task files of a sweep of cases; start it with launch, or by hand with sbatch, kubectl or sh");
    command->fallthrough();
    auto o = std::make_shared<SweepArguments>();
    for (const auto* name : {"--suite", "--workload", "--mode", "--device", "--batch", "--threads", "--precision"})
        command->add_option(name, o->run.texts[name], "Same as for run")->check(nonEmptyList);
    auto* folder =
        command->add_option("--folder", o->folder, "Folder for the files, on a file system that the machines share");
    command
        ->add_option(
            "--resume", o->resume,
            "Write the files of the missing cases of the sweep with this id; run collect first, and only when none "
            "of its tasks is running")
        ->expected(0, 1)
        ->default_str("latest")
        ->excludes(folder);
    command->add_option("--name", o->name, "Name of the campaign");
    command->add_option("--engine", o->engine, "Program that runs the tasks")
        ->check(CLI::IsMember({"slurm", "kubernetes", "parallel"}))
        ->capture_default_str();
    command->add_option("--host", o->host, "Hosts for GNU parallel, comma separated");
    addDeliveryOptions(*command, o->delivery);
    command->add_option("--time-cap", o->protocol.timeCapSeconds, "Maximum sampling time per case in seconds")
        ->check(greaterThanZero)
        ->capture_default_str();
    command->add_option("--visits", o->protocol.visits, "Number of measurements of each case")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    command
        ->add_option("--chunk-seconds", o->chunkSeconds,
                     "Minimum estimated duration of a task in seconds; each task is started separately")
        ->check(greaterThanZero)
        ->capture_default_str();
    command->add_option("--cap-minutes", o->capMinutes, "Time limit per task in minutes")
        ->check(greaterThanZero)
        ->capture_default_str();
    command->add_option("--retries", o->retries, "Number of retries of a failed task")
        ->check(CLI::Range(0, 10))
        ->capture_default_str();
    command->callback([&context, o, options] {
        if (const auto done = sweep(context, *o, *options); !done) context.report(done.error());
    });
}

}  // namespace steelyard::cli
