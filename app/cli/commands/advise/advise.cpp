// SPDX-License-Identifier: Apache-2.0
// advise: what to rent for a job: every offer predicted, priced and ranked, with reasons and a sensitivity analysis.
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <ostream>

#include "app/cli/commands/advise/serving.h"
#include "app/cli/commands/advise/tuning.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options/advice_inputs.h"
#include "app/cli/options/advisor_inputs.h"
#include "app/cli/tables/advice_table.h"
#include "engine/advisor/cost/purchase.h"
#include "engine/advisor/rank/advice_json.h"
#include "engine/advisor/rank/headline.h"
#include "engine/core/messages/app.h"

namespace steelyard::cli {
namespace {

struct AdviseArguments {
    AdviceArguments advice;
    std::optional<std::string> database;
    std::size_t top = 15;
    bool all = false, json = false;
    std::optional<std::string> buy;  // "usual", or a card
    std::optional<double> utilization;
    advisor::PurchaseRequest purchase;
    ServingArguments serving;
    TuningAdviceArguments tuning;
};

constexpr const char* kUsualCard = "usual";

// Options not given come from the preset, then from the defaults.
advisor::PurchaseRequest purchaseRequest(const AdviseArguments& arguments) {
    auto request = arguments.purchase;
    if (*arguments.buy != kUsualCard) request.card = *arguments.buy;
    if (arguments.advice.preset) request.utilization = advisor::findPreset(*arguments.advice.preset)->utilization;
    if (arguments.utilization) request.utilization = *arguments.utilization;
    request.usdPerKwh = arguments.advice.usdPerKwh;
    return request;
}

// Serving, chatting with, or fine-tuning a language model.
Result<void> adviseLanguage(CommandContext& context, const AdviseArguments& arguments) {
    ASSIGN(auto choice, languageChoice(context, arguments.advice, arguments.serving, arguments.tuning));
    choice.common.rows = arguments.all ? std::numeric_limits<std::size_t>::max() : arguments.top;
    choice.common.json = arguments.json;
    if (arguments.serving.job == "finetune") return adviseTuning(context, arguments.tuning, choice);
    auto serving = arguments.serving;
    serving.language.weights = arguments.advice.job.onnx.weights;
    return adviseServing(context, serving, choice.common);
}

void advise(CommandContext& context, const AdviseArguments& arguments) {
    if (arguments.serving.job != "train") {
        if (const auto done = adviseLanguage(context, arguments); !done) context.report(done.error());
        return;
    }
    if (const auto* option = arguments.tuning.given())
        return context.report({ErrorKind::InvalidArgument, option, app::messages::needsFinetune(), {}, {}, {}});
    const auto table = model::loadDecoderTable(context.resources);
    if (table && model::namesDecoder(*table, arguments.advice.job.workload))
        return context.report({ErrorKind::InvalidArgument, "--job", app::messages::languageJob(), {}, {}, {}});
    const auto data = advisorData(context);
    if (!data) return context.report(data.error());
    const auto asked = askedAdvice(context, arguments.advice, *data);
    if (!asked) return context.report(asked.error());
    const auto& request = asked->request;
    auto references = storedReferences(context, *data, arguments.database);
    if (!references) return context.report(references.error());
    const auto predictor = advisor::makePredictor(*data, std::move(*references));
    const auto advice = advisor::advise(request, data->catalog, predictor);
    if (!advice) return context.report(advice.error());
    std::optional<advisor::Purchase> purchase;
    if (arguments.buy) {
        const auto cards = advisor::cardsToBuy(request.job, data->catalog, predictor, request.software);
        if (!cards) return context.report(cards.error());
        auto weighed = advisor::weighPurchase(purchaseRequest(arguments), *cards, *advice);
        if (!weighed) return context.report(weighed.error());
        purchase = std::move(*weighed);
    }
    if (arguments.json) {
        context.out << advisor::adviceJson(request, *advice, 2, purchase ? &*purchase : nullptr) << "\n";
    } else {
        context.out << advisor::headline(request, *advice, data->catalog, asked->workload.title, asked->money) << "\n";
        if (const auto rate = rateText(asked->money); !rate.empty()) context.out << rate << "\n";
        printAdvice(context.out, request, *advice, arguments.all ? advice->candidates.size() : arguments.top,
                    asked->money);
        if (purchase) printPurchase(context.out, *purchase, asked->money);
    }
}

void addPurchaseOptions(CLI::App& command, AdviseArguments& arguments) {
    auto* buy = command
                    .add_option("--buy", arguments.buy,
                                "Compare renting with buying a desktop with this card (default: this computer's card, "
                                "or one like the rented one)")
                    ->expected(0, 1)
                    ->default_str(kUsualCard);
    command
        .add_option("--utilization", arguments.utilization,
                    "Fraction of the time the desktop is in use (default: 0.15)")
        ->check(fraction)
        ->needs(buy);
    const auto amount = [&](const char* name, double& value, const char* text) {
        command.add_option(name, value, text)->check(notNegative)->capture_default_str()->needs(buy);
    };
    amount("--host-usd", arguments.purchase.hostUsd, "Price of the desktop without the card");
    amount("--host-watts", arguments.purchase.hostWatts, "Power draw of the desktop without the card");
    command.add_option("--years", arguments.purchase.years, "Service life of the desktop in years")
        ->check(greaterThanZero)
        ->capture_default_str()
        ->needs(buy);
}

}  // namespace

void addAdvise(CLI::App& app, CommandContext& context) {
    auto* command =
        app.add_subcommand("advise", "Recommend hardware for a job: cheapest, fastest, balanced, with reasons");
    auto arguments = std::make_shared<AdviseArguments>();
    addAdviceOptions(*command, arguments->advice);
    auto* top = command->add_option("--top", arguments->top, "Number of offers to print")
                    ->check(greaterThanZero)
                    ->capture_default_str();
    command->add_flag("--all", arguments->all, "Print all offers, with reasons for those excluded")->excludes(top);
    addPurchaseOptions(*command, *arguments);
    addServingOptions(*command, arguments->serving);
    addTuningAdviceOptions(*command, arguments->tuning);
    command->get_option("--weights")->description(weightsHelp(true));
    command->add_option("--db", arguments->database, "History file with measurements to calibrate the prediction");
    command->add_flag("--json", arguments->json, "Print one JSON document");
    command->callback([&context, arguments] { advise(context, *arguments); });
}

}  // namespace steelyard::cli
