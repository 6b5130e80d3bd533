// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/advise/serving.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

#include "app/cli/options/advisor_inputs.h"
#include "app/cli/options/currency_option.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/tables/text_table.h"
#include "engine/advisor/language/language_offers.h"
#include "engine/advisor/usual_job.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

using advisor::OfferKind;
using advisor::ServingOffer;

constexpr double kMillion = 1e6;

std::string machineText(const ServingOffer& offer, const std::string& text) {
    return offer.kind == OfferKind::Api ? "-" : text;
}

std::string joinedText(const std::vector<Message>& messages, const ExchangeRate& money) {
    std::string text;
    for (const auto& message : messages) text += (text.empty() ? "" : "; ") + englishIn(message, money);
    return text;
}

std::string turningPoint(const char* kind, const std::optional<double>& millions) {
    if (millions)
        return fmt::format("One {} machine is cheaper than the cheapest API above {} million tokens per month.", kind,
                           formatNumber(*millions));
    return fmt::format("One {} machine never becomes cheaper than the cheapest API within its capacity.", kind);
}

std::string jobSentence(const advisor::ServingRequest& request) {
    return fmt::format(
        "{} as {}: {:.0f} million tokens per month, prompts of {:.0f} and answers of {:.0f} tokens, at least {} "
        "tokens/s per user.",
        request.job.model.spec.title, request.job.weights->title, request.tokensPerMonth / 1e6, request.prompt,
        request.answer, formatNumber(request.userSpeed));
}

std::string basisSentence(const advisor::ServingRequest& request) {
    return fmt::format("Speeds are predictions, prices have dates; machines are busy at most {:.0f} % of the month.",
                       100 * request.busy);
}

// At which loads the choice changes.
std::vector<std::string> loadSentences(const advisor::ServingAdvice& advice) {
    std::vector<std::string> sentences{turningPoint("rented", advice.rentBeatsApi),
                                       turningPoint("bought", advice.buyBeatsApi)};
    if (!advice.cheapestAtTenth.empty())
        sentences.push_back(fmt::format("Cheapest at a tenth of this load: {}; at ten times this load: {}.",
                                        advice.cheapestAtTenth, advice.cheapestAtTenfold));
    return sentences;
}

std::vector<report::ReportColumn> offerColumns(const ExchangeRate& money) {
    const std::string code(toString(money.currency));
    return {{"offer"},
            {"kind"},
            {"hardware"},
            {"software"},
            {code + "/month", true},
            {"80 % interval"},
            {code + "/M tokens", true},
            {"machines", true},
            {"users/machine", true},
            {"M tokens/month/machine", true},
            {"reasons"}};
}

std::vector<std::string> cellsOf(const ServingOffer& offer, const ExchangeRate& money) {
    return {offer.id,
            std::string(toString(offer.kind)),
            offer.devices > 1 ? fmt::format("{:.0f} x {}", offer.devices, offer.hardware) : offer.hardware,
            machineText(offer, offer.software),
            moneyDigits(offer.usdPerMonth.median, money),
            machineText(
                offer, moneyDigits(offer.usdPerMonth.low, money) + " to " + moneyDigits(offer.usdPerMonth.high, money)),
            moneyDigits(offer.usdPerMillion, money),
            machineText(offer, fmt::format("{:.0f}", offer.machines)),
            machineText(offer, countText(offer.users)),
            machineText(offer, formatNumber(offer.tokensPerMonth.median / 1e6)),
            joinedText(offer.reasons, money)};
}

void print(std::ostream& out, const advisor::ServingRequest& request, const advisor::ServingAdvice& advice,
           std::size_t rows, const ExchangeRate& money) {
    fmt::print(out, "{}\n{}\n\n", jobSentence(request), basisSentence(request));
    std::vector<TextColumn> columns;
    for (auto& column : offerColumns(money)) columns.push_back({std::move(column.heading), column.isNumber});
    TextTable table(std::move(columns));
    TextTable rejected({{"offer"}, {"kind"}, {"excluded because"}});
    std::size_t shown = 0, refused = 0;
    for (const auto& offer : advice.offers) {
        if (!offer.possible()) {
            if (++refused <= rows)
                rejected.add({offer.id, std::string(toString(offer.kind)), joinedText(offer.rejectedBecause, money)});
            continue;
        }
        if (++shown <= rows) table.add(cellsOf(offer, money));
    }
    if (table.isEmpty()) {
        out << "no offer meets the requirements\n";
    } else {
        table.print(out);
        if (shown > rows) fmt::print(out, "... and {} more\n", shown - rows);
    }
    out << "\n";
    for (const auto& sentence : loadSentences(advice)) out << sentence << "\n";
    if (rejected.isEmpty()) return;
    out << "\n";
    rejected.print(out);
    if (refused > rows) fmt::print(out, "... and {} more\n", refused - rows);
}

}  // namespace

void addServingOptions(CLI::App& command, ServingArguments& arguments) {
    command
        .add_option("--job", arguments.job,
                    "train a network (default); serve a language model to many users, chat (one user), or finetune one")
        ->check(CLI::IsMember({"train", "serve", "chat", "finetune"}))
        ->capture_default_str();
    command.add_option("--cache", arguments.language.cache, "KV cache format of a language model")
        ->check(CLI::IsMember({"f16", "q8_0"}))
        ->capture_default_str();
    const auto number = [&](const char* name, std::optional<double>& value, const std::string& text) {
        command.add_option(name, value, text)->check(greaterThanZero);
    };
    const auto serve = advisor::usualServing(advisor::ServingKind::Serve);
    const auto chat = advisor::usualServing(advisor::ServingKind::Chat);
    number("--prompt", arguments.prompt, fmt::format("Tokens per prompt (default: {:.0f})", serve.prompt));
    number("--answer", arguments.answer, fmt::format("Tokens per answer (default: {:.0f})", serve.answer));
    number("--tokens-per-month", arguments.tokensPerMonth,
           fmt::format("Tokens per month, prompts and answers together (default: {:.0f} million; chat: {:.0f} million)",
                       serve.tokensPerMonth / kMillion, chat.tokensPerMonth / kMillion));
    number("--user-speed", arguments.userSpeed,
           fmt::format("Minimum tokens per second per user (default: {:.0f}; chat: {:.0f})", serve.userSpeed,
                       chat.userSpeed));
    command
        .add_option("--busy", arguments.busy,
                    fmt::format("Maximum utilization of a machine as a fraction (default: {})", serve.busy))
        ->check(fraction);
    number("--keep-years", arguments.years,
           fmt::format("Service life of bought hardware in years (default: {})", serve.years));
    auto* input =
        command.add_option("--api-input", arguments.apiInput, "Price of another API: USD per million input tokens")
            ->check(notNegative);
    auto* output =
        command.add_option("--api-output", arguments.apiOutput, "Price of another API: USD per million output tokens")
            ->check(greaterThanZero);
    input->needs(output);
    output->needs(input);
}

Result<ServingAnswer> servingAnswer(CommandContext& context, const ServingArguments& arguments,
                                    const ServingChoice& choice) {
    ASSIGN(const auto table, model::loadDecoderTable(context.resources));
    ASSIGN(const auto resolved, model::resolveDecoder(table, choice.workload));
    ASSIGN(const auto parameters, advisor::loadLanguageParameters(context.resources));
    ASSIGN(const auto prices, advisor::loadLanguagePrices(context.resources));
    ASSIGN(const auto data, advisorData(context));
    const bool chat = arguments.job == "chat";
    auto request = advisor::usualServing(chat ? advisor::ServingKind::Chat : advisor::ServingKind::Serve);
    request.software = choice.software;
    ASSIGN(request.job, languageJob(resolved, arguments.language, "decode", 1));
    request.prompt = arguments.prompt.value_or(request.prompt);
    request.answer = arguments.answer.value_or(request.answer);
    request.tokensPerMonth = arguments.tokensPerMonth.value_or(request.tokensPerMonth);
    request.userSpeed = arguments.userSpeed.value_or(request.userSpeed);
    request.busy = arguments.busy.value_or(request.busy);
    request.years = arguments.years.value_or(request.years);
    request.usdPerKwh = choice.usdPerKwh;
    request.spot = choice.spot;
    request.today = today(context);
    if (arguments.apiInput)
        request.ownApi = advisor::ApiPrice{.model = resolved.spec.id,
                                           .provider = std::string(advisor::kOwnProvider),
                                           .offeredAs = "entered",
                                           .usdPerMillionInput = *arguments.apiInput,
                                           .usdPerMillionOutput = *arguments.apiOutput,
                                           .date = request.today,
                                           .source = "entered on the command line"};
    ASSIGN(auto advice, advisor::adviseServing(request, data.catalog, parameters, prices));
    return ServingAnswer{std::move(request), std::move(advice), chat};
}

report::ReportTable servingTable(const ServingAnswer& answer, std::size_t rows, const ExchangeRate& money) {
    report::ReportTable table;
    table.title = fmt::format("{}: {}", answer.isChat ? "Chat" : "Serve", answer.request.job.model.spec.title);
    table.note = jobSentence(answer.request) + " " + basisSentence(answer.request);
    for (const auto& sentence : loadSentences(answer.advice)) table.note += " " + sentence;
    table.columns = offerColumns(money);
    for (const auto& offer : answer.advice.offers)
        if (offer.possible() && table.rows.size() < rows) table.rows.push_back(cellsOf(offer, money));
    if (table.rows.empty()) table.note += " No offer meets the requirements.";
    return table;
}

report::ReportChart servingChart(const ServingAnswer& answer, std::size_t bars, const ExchangeRate& money) {
    report::ReportChart chart;
    chart.title = fmt::format("{}: {} per month", answer.request.job.model.spec.title, toString(money.currency));
    for (const auto& offer : answer.advice.offers) {
        if (!offer.possible() || chart.bars.size() == bars) continue;
        chart.bars.push_back({.label = offer.id,
                              .value = money.of(offer.usdPerMonth.median),
                              .low = money.of(offer.usdPerMonth.low),
                              .high = money.of(offer.usdPerMonth.high),
                              .valueText = moneyDigits(offer.usdPerMonth.median, money)});
    }
    return chart;
}

Result<void> adviseServing(CommandContext& context, const ServingArguments& arguments, const ServingChoice& choice) {
    ASSIGN(const auto answer, servingAnswer(context, arguments, choice));
    remarkOn(context, answer.request.job);
    if (choice.json) {
        context.out << advisor::servingJson(answer.request, answer.advice) << "\n";
    } else {
        if (const auto rate = rateText(choice.money); !rate.empty()) context.out << rate << "\n";
        print(context.out, answer.request, answer.advice, choice.rows, choice.money);
    }
    return {};
}

}  // namespace steelyard::cli
