// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/advise/tuning.h"

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
#include "engine/core/messages/app.h"
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

std::string tuningSentence(const advisor::TuningOfferRequest& request) {
    return fmt::format("{}: {} million tokens in total.", jobText(request.job), formatNumber(request.tokens / 1e6));
}

std::string tuningBasis(const advisor::TuningOfferRequest& request) {
    return fmt::format(
        "Speeds are predictions, prices have dates; the price of bought hardware is spread over {} years at {:.0f} % "
        "utilization.",
        formatNumber(request.years), 100 * request.busy);
}

std::string payingSentence(double jobs) {
    return fmt::format(
        "Buying the cheapest device pays for itself after {} such jobs, compared with the cheapest rental.",
        formatNumber(std::ceil(jobs)));
}

std::vector<report::ReportColumn> tuningColumns(const ExchangeRate& money) {
    return {{"offer"},         {"kind"},        {"hardware"},      {std::string(toString(money.currency)), true},
            {"80 % interval"}, {"hours", true}, {"80 % interval"}, {"tokens/s", true},
            {"confidence"},    {"software"},    {"reasons"}};
}

std::vector<std::string> tuningCells(const TuningOffer& offer, const ExchangeRate& money) {
    return {offer.id,
            std::string(toString(offer.kind)),
            offer.devices > 1 ? fmt::format("{:.0f} x {}", offer.devices, offer.hardware) : offer.hardware,
            moneyDigits(offer.usd.median, money),
            moneyDigits(offer.usd.low, money) + " to " + moneyDigits(offer.usd.high, money),
            amountText(offer.hours.median),
            spanText(offer.hours),
            formatNumber(offer.tokensPerSecond.median),
            offer.lowConfidence ? "low" : "normal",
            offer.software,
            messagesText(offer.reasons, money)};
}

void print(std::ostream& out, const advisor::TuningOfferRequest& request, const advisor::TuningAdvice& advice,
           std::size_t rows, const ExchangeRate& money) {
    fmt::print(out, "{}\n{}\n\n", tuningSentence(request), tuningBasis(request));
    std::vector<TextColumn> columns;
    for (auto& column : tuningColumns(money)) columns.push_back({std::move(column.heading), column.isNumber});
    TextTable table(std::move(columns));
    TextTable rejected({{"offer"}, {"kind"}, {"excluded because"}});
    std::size_t shown = 0, refused = 0;
    for (const auto& offer : advice.offers) {
        const std::string kind(toString(offer.kind));
        if (!offer.possible()) {
            if (++refused <= rows) rejected.add({offer.id, kind, messagesText(offer.rejectedBecause, money)});
            continue;
        }
        if (++shown <= rows) table.add(tuningCells(offer, money));
    }
    if (table.isEmpty()) {
        out << "no offer meets the requirements\n";
    } else {
        table.print(out);
        if (shown > rows) fmt::print(out, "... and {} more\n", shown - rows);
        fmt::print(out, "\nFastest: {}.\n", advice.fastest);
    }
    if (advice.jobsUntilPurchasePays) out << payingSentence(*advice.jobsUntilPurchasePays) << "\n";
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

Result<TuningChoice> languageChoice(const CommandContext& context, const AdviceArguments& advice,
                                    const ServingArguments& serving, const TuningAdviceArguments& tuning) {
    if (const auto* option = tuning.given(); option != nullptr && serving.job != "finetune")
        return fail(ErrorKind::InvalidArgument, option, app::messages::needsFinetune());
    ASSIGN(const auto money, shownCurrency(context, advice.currency));
    TuningChoice choice;
    choice.common.workload = advice.job.workload;
    choice.common.software = advice.software.value_or("");
    choice.common.spot = advice.spot == "yes";
    choice.common.usdPerKwh = advice.usdPerKwh;
    choice.common.money = money;
    choice.epochs = advice.epochs;
    if (advice.budget) choice.budget = money.toUsd(*advice.budget);
    choice.deadline = advice.deadline;
    choice.busy = serving.busy;
    choice.years = serving.years;
    return choice;
}

Result<TuningAnswer> tuningAnswer(CommandContext& context, const TuningAdviceArguments& arguments,
                                  const TuningChoice& choice) {
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
    ASSIGN(auto advice, advisor::adviseTuning(request, data.catalog, parameters, prices));
    auto json = advisor::tuningAdviceJson(request, parameters, advice);
    return TuningAnswer{std::move(request), std::move(advice), std::move(json)};
}

report::ReportTable tuningTable(const TuningAnswer& answer, std::size_t rows, const ExchangeRate& money) {
    report::ReportTable table;
    table.title = fmt::format("Fine-tune: {}", answer.request.job.model.spec.title);
    table.note = tuningSentence(answer.request) + " " + tuningBasis(answer.request);
    table.columns = tuningColumns(money);
    for (const auto& offer : answer.advice.offers)
        if (offer.possible() && table.rows.size() < rows) table.rows.push_back(tuningCells(offer, money));
    table.note +=
        table.rows.empty() ? " No offer meets the requirements." : fmt::format(" Fastest: {}.", answer.advice.fastest);
    if (answer.advice.jobsUntilPurchasePays) table.note += " " + payingSentence(*answer.advice.jobsUntilPurchasePays);
    return table;
}

report::ReportChart tuningChart(const TuningAnswer& answer, std::size_t bars, const ExchangeRate& money) {
    report::ReportChart chart;
    chart.title = fmt::format("Fine-tune {}: {}", answer.request.job.model.spec.title, toString(money.currency));
    for (const auto& offer : answer.advice.offers) {
        if (!offer.possible() || chart.bars.size() == bars) continue;
        chart.bars.push_back({.label = offer.id,
                              .value = money.of(offer.usd.median),
                              .low = money.of(offer.usd.low),
                              .high = money.of(offer.usd.high),
                              .valueText = moneyDigits(offer.usd.median, money)});
    }
    return chart;
}

Result<void> adviseTuning(CommandContext& context, const TuningAdviceArguments& arguments, const TuningChoice& choice) {
    ASSIGN(const auto answer, tuningAnswer(context, arguments, choice));
    if (choice.common.json) {
        context.out << answer.json << "\n";
    } else {
        if (const auto rate = rateText(choice.common.money); !rate.empty()) context.out << rate << "\n";
        print(context.out, answer.request, answer.advice, choice.common.rows, choice.common.money);
    }
    return {};
}

}  // namespace steelyard::cli
