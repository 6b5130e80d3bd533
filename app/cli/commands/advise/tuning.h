// SPDX-License-Identifier: Apache-2.0
// advise and report with --job finetune: duration and cost of fine-tuning a language model on rented and bought
// hardware.
#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/advise/serving.h"
#include "app/cli/options/advice_inputs.h"
#include "engine/advisor/language/fine_tuning.h"

namespace steelyard::cli {

struct TuningAdviceArguments {
    TuningArguments tuning;
    std::optional<double> tokens, datasetTokens;

    // Name of one of these options that was given, or null.
    [[nodiscard]] const char* given() const;
};
void addTuningAdviceOptions(CLI::App& command, TuningAdviceArguments& arguments);

struct TuningChoice {
    ServingChoice common;
    std::optional<double> epochs, budget, deadline, busy, years;
};
// The options of advise and report that concern language models. InvalidArgument for options of fine-tuning without
// that job.
[[nodiscard]] Result<TuningChoice> languageChoice(const CommandContext& context, const AdviceArguments& advice,
                                                  const ServingArguments& serving, const TuningAdviceArguments& tuning);

struct TuningAnswer {
    advisor::TuningOfferRequest request;
    advisor::TuningAdvice advice;
    std::string json;
};
[[nodiscard]] Result<TuningAnswer> tuningAnswer(CommandContext& context, const TuningAdviceArguments& arguments,
                                                const TuningChoice& choice);
// The best offers; the note states the job and the fastest offer.
[[nodiscard]] report::ReportTable tuningTable(const TuningAnswer& answer, std::size_t rows, const ExchangeRate& money);
[[nodiscard]] report::ReportChart tuningChart(const TuningAnswer& answer, std::size_t bars, const ExchangeRate& money);
[[nodiscard]] Result<void> adviseTuning(CommandContext& context, const TuningAdviceArguments& arguments,
                                        const TuningChoice& choice);

}  // namespace steelyard::cli
