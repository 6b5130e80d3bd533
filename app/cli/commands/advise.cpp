// SPDX-License-Identifier: Apache-2.0
// advise: what to rent for a job: every offer predicted, priced and ranked, with the reasons and what would change the
// choice.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "app/cli/commands/advice_inputs.h"
#include "app/cli/commands/advice_table.h"
#include "app/cli/commands/advisor_inputs.h"
#include "app/cli/commands/commands.h"
#include "engine/advisor/advice_json.h"

namespace steelyard::cli {
namespace {

struct AdviseArguments {
    AdviceArguments advice;
    std::optional<std::string> database;
    std::size_t top = 15;
    bool all = false, json = false;
};

void advise(CommandContext& context, const AdviseArguments& arguments) {
    const auto data = advisorData(context);
    if (!data) return context.report(data.error());
    const auto job = jobOf(arguments.advice.job);
    if (!job) return context.report(job.error());
    const auto request = adviceRequest(context, arguments.advice, *job, *data);
    if (!request) return context.report(request.error());
    const auto runs = storedRuns(context, arguments.database);
    if (!runs) return context.report(runs.error());
    const auto advice = advisor::advise(*request, data->catalog, advisor::makePredictor(*data, *runs));
    if (!advice) return context.report(advice.error());
    if (arguments.json) {
        context.out << advisor::adviceJson(*request, *advice) << "\n";
    } else {
        printAdvice(context.out, *request, *advice, arguments.all ? advice->candidates.size() : arguments.top);
    }
}

}  // namespace

void addAdvise(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("advise", "What to rent for a job: cheapest, fastest, balanced, and why");
    auto arguments = std::make_shared<AdviseArguments>();
    addAdviceOptions(*command, arguments->advice);
    auto* top = command->add_option("--top", arguments->top, "Lines of the table")
                    ->check(greaterThanZero)
                    ->capture_default_str();
    command->add_flag("--all", arguments->all, "Every offer, those that cannot be taken with the reason")
        ->excludes(top);
    command->add_option("--db", arguments->database, "History whose measurements calibrate the prediction");
    command->add_flag("--json", arguments->json, "One JSON document");
    command->callback([&context, arguments] { advise(context, *arguments); });
}

}  // namespace steelyard::cli
