// SPDX-License-Identifier: Apache-2.0
// advise --job finetune: duration and cost of fine-tuning a language model on rented and bought hardware.
#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/advise_serving.h"

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
[[nodiscard]] Result<void> adviseTuning(CommandContext& context, const TuningAdviceArguments& arguments,
                                        const TuningChoice& choice);

}  // namespace steelyard::cli
