// SPDX-License-Identifier: Apache-2.0
// advise and report with --job serve or chat: monthly cost of a language model on rented hardware, bought hardware and
// APIs.
#pragma once

#include <optional>
#include <string>

#include "app/cli/options/language_inputs.h"
#include "engine/advisor/language/language_offers.h"
#include "engine/core/money.h"
#include "engine/report/report_model.h"

namespace steelyard::cli {

struct ServingArguments {
    std::string job = "train";  // serve, chat, finetune
    LanguageArguments language;
    std::optional<double> prompt, answer, tokensPerMonth, userSpeed, busy, apiInput, apiOutput, years;
};
void addServingOptions(CLI::App& command, ServingArguments& arguments);

// The command's other options.
struct ServingChoice {
    std::string workload;
    std::string software;  // empty: the usual software of each device
    bool spot = false;
    double usdPerKwh = 0.12;
    std::size_t rows = 15;
    bool json = false;
    ExchangeRate money{};  // of the currency to print
};
struct ServingAnswer {
    advisor::ServingRequest request;
    advisor::ServingAdvice advice;
    bool isChat = false;
};
[[nodiscard]] Result<ServingAnswer> servingAnswer(CommandContext& context, const ServingArguments& arguments,
                                                  const ServingChoice& choice);
// The best offers; the note states the job, and at which load which offer is the cheapest.
[[nodiscard]] report::ReportTable servingTable(const ServingAnswer& answer, std::size_t rows,
                                               const ExchangeRate& money);
[[nodiscard]] report::ReportChart servingChart(const ServingAnswer& answer, std::size_t bars,
                                               const ExchangeRate& money);
[[nodiscard]] Result<void> adviseServing(CommandContext& context, const ServingArguments& arguments,
                                         const ServingChoice& choice);

}  // namespace steelyard::cli
