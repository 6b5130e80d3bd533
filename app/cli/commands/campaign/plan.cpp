// SPDX-License-Identifier: Apache-2.0
// campaign plan: a shortlist of the recommended hardware, the time and cost of measuring it, and the predictions as of
// now.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <ostream>

#include "app/cli/commands/campaign/campaign_commands.h"
#include "app/cli/options/advice_inputs.h"
#include "app/cli/options/option_checks.h"
#include "engine/campaign/task_files/task_files.h"
#include "engine/core/text.h"
#include "engine/history/campaigns.h"
#include "engine/shortlist/shortlist.h"

namespace steelyard::cli {
namespace {

struct PlanArguments {
    AdviceArguments advice;
    campaign::Delivery delivery;
    std::string folder, name, candidates, hosts, engine, suite = "quick";
    std::optional<std::size_t> top;
    std::optional<double> measuringBudget;
    double capMinutes = 30;
    int retries = 1;
};

constexpr std::size_t kUsualTop = 3;
constexpr const char* kNoSuite = "none";

Result<shortlist::ShortlistRequest> shortlistRequest(const PlanArguments& arguments) {
    shortlist::ShortlistRequest request;
    request.ids = splitList(arguments.candidates);
    for (const auto& text : splitList(arguments.hosts)) {
        ASSIGN(auto host, shortlist::hostFromText(text));
        request.hosts.push_back(std::move(host));
    }
    const bool isNamed = !request.ids.empty() || !request.hosts.empty();
    request.top = arguments.top.value_or(isNamed ? 0 : kUsualTop);
    if (!arguments.engine.empty()) request.engine = campaign::engineFromString(arguments.engine);
    request.capSeconds = arguments.capMinutes * 60;
    if (arguments.suite != kNoSuite) request.suite = arguments.suite;
    request.budgetUsd = arguments.measuringBudget;
    return request;
}

Result<void> planCampaign(CommandContext& context, const PlanArguments& arguments, const CampaignOptions& options) {
    ASSIGN(const auto request, shortlistRequest(arguments));
    ASSIGN(const auto data, advisorData(context));
    auto wanted = arguments.advice;
    wanted.software = std::string(advisor::kThisEngine);  // which measures
    ASSIGN(auto asked, askedAdvice(context, wanted, data));
    ASSIGN(const auto profile, context.profile());
    const advisor::Electricity electricity{.usdPerKwh = arguments.advice.usdPerKwh, .watts = arguments.advice.watts};
    ASSIGN(const auto question,
           shortlist::campaignQuestion(std::move(asked.request), request.hosts, data, profile, electricity));
    ASSIGN(const auto store, campaignStore(context, options, true));
    ASSIGN(auto references, storedReferences(context, data, options.database));
    const auto predictor = advisor::makePredictor(data, std::move(references));
    ASSIGN(const auto advice, advisor::advise(question, data.catalog, predictor));
    ASSIGN(auto list, shortlist::shortlistOf(request, question, advice, data.catalog));
    auto& campaign = list.campaign;
    campaign.id = campaign::newCampaignId(context.clock);
    campaign.createdUnixMs = context.clock.unixMilliseconds();
    campaign.name = arguments.name;
    campaign.retries = arguments.retries;
    campaign.folder = std::filesystem::absolute(arguments.folder).lexically_normal().string();
    TRY(history::checkFolder(*store, campaign.folder));
    campaign.delivery = arguments.delivery;
    TRY(campaign::completeDelivery(campaign, context.executable, toolOptions(context)));
    auto tried = campaign;  // check that the task files can be written before the prediction is stored
    TRY(campaign::taskFiles(tried));
    TRY(store->putCampaign(campaign));
    for (const auto& reason : list.leftOut) fmt::print(context.err, "{}\n", visible(reason.text));
    printCampaign(context, campaign, options.json);
    return {};
}

}  // namespace

void addCampaignPlan(CLI::App& campaign, CommandContext& context, const SharedCampaignOptions& options) {
    auto* command = campaign.add_subcommand(
        "plan", "Choose which recommended candidates to measure and estimate time and cost; starts nothing");
    command->fallthrough();
    auto o = std::make_shared<PlanArguments>();
    addAdviceOptions(*command, o->advice);
    command->add_option("--folder", o->folder, "Folder for task files and results")->required();
    command->add_option("--name", o->name, "Name of the campaign");
    command
        ->add_option("--top", o->top, "Number of top-ranked candidates (default: 3, or 0 with --candidate or --host)")
        ->check(CLI::Range(0, 10));
    command->add_option("--candidate", o->candidates, "Candidate ids as printed by advise, comma separated")
        ->check(nonEmptyList);
    command
        ->add_option("--host", o->hosts,
                     "Your own hosts, comma separated: NAME (same processor as this computer), NAME=DEVICE or "
                     "NAME=DEVICE:COUNT, with devices from list hardware")
        ->check(nonEmptyList);
    command
        ->add_option(
            "--engine", o->engine,
            "Program that starts tasks on the hosts (default: parallel); offers are rented with skypilot, this "
            "computer needs none")
        ->check(CLI::IsMember({"skypilot", "slurm", "kubernetes", "mpijob", "mpirun", "parallel"}));
    command->add_option("--suite", o->suite, "Suite to measure after the job: none, quick, standard or full")
        ->check(CLI::IsMember({kNoSuite, "quick", "standard", "full"}))
        ->capture_default_str();
    command->add_option("--measuring-budget", o->measuringBudget, "Maximum cost of all measurements in US dollars")
        ->check(greaterThanZero);
    command->add_option("--cap-minutes", o->capMinutes, "Time limit per measurement in minutes")
        ->check(greaterThanZero)
        ->capture_default_str();
    command->add_option("--retries", o->retries, "Number of retries of a failed measurement")
        ->check(CLI::Range(0, 10))
        ->capture_default_str();
    addDeliveryOptions(*command, o->delivery);
    command->callback([&context, o, options] {
        if (const auto done = planCampaign(context, *o, *options); !done) context.report(done.error());
    });
}

}  // namespace steelyard::cli
