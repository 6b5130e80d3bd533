// SPDX-License-Identifier: Apache-2.0
// advise --job finetune: hours and dollars of fine-tuning a language model on rented and bought hardware.
#pragma once

#include <optional>
#include <string>

#include "app/cli/commands/advise_serving.h"

namespace steelyard::cli {

struct TuningAdviceArguments {
    TuningArguments tuning;
    std::optional<double> tokens, datasetTokens;

    // One of these options was given: its name.
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
