// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/advise_tuning.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "app/cli/options/advisor_inputs.h"
#include "app/cli/options/currency_option.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/tables/language_table.h"
#include "app/cli/tables/text_table.h"
#include "engine/advisor/language/language_json.h"
#include "engine/advisor/usual_job.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

using advisor::TuningOffer;

constexpr double kMostJobTokens = 1e15;

std::string amountText(double value) {
    return value < 10 ? fmt::format("{:.2f}", value) : fmt::format("{:.0f}", value);
}

std::string spanText(const advisor::Interval& span) {
    return amountText(span.low) + " to " + amountText(span.high);
}

std::string messagesText(const std::vector<Message>& messages, const ExchangeRate& money) {
    std::string text;
    for (const auto& message : messages) text += (text.empty() ? "" : "; ") + englishIn(message, money);
    return text;
}

void print(std::ostream& out, const advisor::TuningOfferRequest& request, const advisor::TuningAdvice& advice,
           std::size_t rows, const ExchangeRate& money) {
    fmt::print(out,
               "{}: {} million tokens in total.\nSpeeds are predictions, prices have dates; the price of bought "
               "hardware is spread over {} years at {:.0f} % utilization.\n\n",
               jobText(request.job), formatNumber(request.tokens / 1e6), formatNumber(request.years),
               100 * request.busy);
    TextTable table({{"offer"},
                     {"kind"},
                     {"hardware"},
                     {std::string(toString(money.currency)), true},
                     {"80 % interval"},
                     {"hours", true},
                     {"80 % interval"},
                     {"tokens/s", true},
                     {"confidence"},
                     {"software"},
                     {"reasons"}});
    TextTable rejected({{"offer"}, {"kind"}, {"excluded because"}});
    std::size_t shown = 0, refused = 0;
    for (const auto& offer : advice.offers) {
        const std::string kind(toString(offer.kind));
        if (!offer.possible()) {
            if (++refused <= rows) rejected.add({offer.id, kind, messagesText(offer.rejectedBecause, money)});
            continue;
        }
        if (++shown > rows) continue;
        table.add({offer.id, kind,
                   offer.devices > 1 ? fmt::format("{:.0f} x {}", offer.devices, offer.hardware) : offer.hardware,
                   moneyDigits(offer.usd.median, money),
                   moneyDigits(offer.usd.low, money) + " to " + moneyDigits(offer.usd.high, money),
                   amountText(offer.hours.median), spanText(offer.hours), formatNumber(offer.tokensPerSecond.median),
                   offer.lowConfidence ? "low" : "normal", offer.software, messagesText(offer.reasons, money)});
    }
    if (table.isEmpty()) {
        out << "no offer meets the requirements\n";
    } else {
        table.print(out);
        if (shown > rows) fmt::print(out, "... and {} more\n", shown - rows);
        fmt::print(out, "\nFastest: {}.\n", advice.fastest);
    }
    if (advice.jobsUntilPurchasePays)
        fmt::print(
            out, "Buying the cheapest device pays for itself after {} such jobs, compared with the cheapest rental.\n",
            formatNumber(std::ceil(*advice.jobsUntilPurchasePays)));
    if (rejected.isEmpty()) return;
    out << "\n";
    rejected.print(out);
    if (refused > rows) fmt::print(out, "... and {} more\n", refused - rows);
}

}  // namespace

const char* TuningAdviceArguments::given() const {
    if (tokens) return "--tokens";
    if (datasetTokens) return "--dataset-tokens";
    return tuning.method ? "--method" : tuning.given();
}

void addTuningAdviceOptions(CLI::App& command, TuningAdviceArguments& arguments) {
    auto* tokens = command.add_option("--tokens", arguments.tokens, "Fine-tuning: total tokens of the job")
                       ->check(CLI::Range(1.0, kMostJobTokens));
    command
        .add_option("--dataset-tokens", arguments.datasetTokens,
                    fmt::format("Fine-tuning: tokens of the data set (default: {:.0f} million), read --epochs times "
                                "(default: once)",
                                advisor::usualTuning().tokens / 1e6))
        ->check(CLI::Range(1.0, kMostJobTokens))
        ->excludes(tokens);
    addMethodOption(command, arguments.tuning, "Fine-tuning: full, full_bf16, lora or qlora (default: lora)");
    addTuningOptions(command, arguments.tuning);
}

Result<void> adviseTuning(CommandContext& context, const TuningAdviceArguments& arguments, const TuningChoice& choice) {
    ASSIGN(const auto table, model::loadDecoderTable(context.resources));
    ASSIGN(const auto parameters, advisor::loadTrainingParameters(context.resources));
    ASSIGN(const auto prices, advisor::loadLanguagePrices(context.resources));
    ASSIGN(const auto data, advisorData(context));
    auto request = advisor::usualTuning();
    ASSIGN(request.job.model, model::resolveDecoder(table, choice.common.workload));
    request.job.tuning = arguments.tuning.tuning(request.job.tuning);
    request.tokens =
        arguments.tokens.value_or(arguments.datasetTokens.value_or(request.tokens) * choice.epochs.value_or(1));
    request.software = choice.common.software;
    request.busy = choice.busy.value_or(request.busy);
    request.years = choice.years.value_or(request.years);
    request.usdPerKwh = choice.common.usdPerKwh;
    request.spot = choice.common.spot;
    request.budgetUsd = choice.budget;
    request.deadlineHours = choice.deadline;
    request.today = today(context);
    ASSIGN(const auto advice, advisor::adviseTuning(request, data.catalog, parameters, prices));
    if (choice.common.json) {
        context.out << advisor::tuningAdviceJson(request, parameters, advice) << "\n";
    } else {
        if (const auto rate = rateText(choice.common.money); !rate.empty()) context.out << rate << "\n";
        print(context.out, request, advice, choice.common.rows, choice.common.money);
    }
    return {};
}

}  // namespace steelyard::cli
