// SPDX-License-Identifier: Apache-2.0
// Options of advise: the job, its size, the criteria and the candidates.
#pragma once

#include <optional>
#include <string>

#include "app/cli/options/advisor_inputs.h"
#include "app/cli/options/currency_option.h"
#include "engine/advisor/rank/ranking.h"

namespace steelyard::cli {

// What is not given on the command line is taken from the preset, then from what is usual for the workload
// (usual_job.h), then from the standard of AdviceRequest.
struct AdviceArguments {
    JobArguments job;
    std::optional<double> epochs, samples, steps;
    int experiments = 1;
    std::optional<std::string> software, preset, priority, spot;
    std::optional<double> timeWeight, budget, deadline;
    std::string providers, own = "yes";
    std::optional<double> watts, inputRate, startUp, dataBytes, priceFactor;
    double usdPerKwh = 0.12;
    CurrencyArguments currency{};
};
void addAdviceOptions(CLI::App& command, AdviceArguments& arguments);

// The workload and what is asked about it. InvalidArgument names the option.
struct AskedAdvice {
    model::Workload workload;
    advisor::AdviceRequest request;
    ExchangeRate money;  // of the currency to print
};
[[nodiscard]] Result<AskedAdvice> askedAdvice(CommandContext& context, const AdviceArguments& arguments,
                                              const advisor::AdvisorData& data);

}  // namespace steelyard::cli
