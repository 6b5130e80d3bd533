// SPDX-License-Identifier: Apache-2.0
// Options of advise: the job, its amount, the criteria, and the candidates.
#pragma once

#include <optional>
#include <string>

#include "app/cli/options/advisor_inputs.h"
#include "engine/advisor/rank/ranking.h"

namespace steelyard::cli {

// What is not given on the command line is taken from the preset, then from the standard of AdviceRequest.
struct AdviceArguments {
    JobArguments job;
    std::optional<double> epochs, samples, steps;
    int experiments = 1;
    std::string software{advisor::kThisEngine};
    std::optional<std::string> preset, priority, spot;
    std::optional<double> timeWeight, budget, deadline;
    std::string providers, own = "yes";
    std::optional<double> watts, inputRate, startUp, dataBytes, priceFactor;
    double usdPerKwh = 0.12;
};
void addAdviceOptions(CLI::App& command, AdviceArguments& arguments);

// InvalidArgument names the option.
[[nodiscard]] Result<advisor::AdviceRequest> adviceRequest(CommandContext& context, const AdviceArguments& arguments,
                                                           const advisor::Job& job, const advisor::AdvisorData& data);

}  // namespace steelyard::cli
