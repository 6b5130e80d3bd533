// SPDX-License-Identifier: Apache-2.0
// What show, predict, fit and advise ask about a language model: which one, how its weights are stored, how much
// context and how many sequences. One thread.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command_context.h"
#include "engine/advisor/advisor_data.h"
#include "engine/advisor/language/fine_tuning.h"
#include "engine/advisor/language/language_model.h"

namespace CLI {
class App;
}

namespace steelyard::cli {

struct LanguageArguments {
    std::string weights;  // empty: of a GGUF file its own, else q4_k_m
    std::string cache = "f16";
    std::optional<double> context, prompt;
    std::optional<double> memoryGib, bandwidthGbs;

    // An option that only language models have was given: its name. (--weights is one that ONNX files have, too.)
    [[nodiscard]] const char* given() const;
};
// --cache and --context; with `all` also --prompt and --memory-gib. --weights is added by the command.
void addLanguageOptions(CLI::App& command, LanguageArguments& arguments, bool all);

// How a language model is fine-tuned. What is not given is as in advisor::FineTuning.
struct TuningArguments {
    std::optional<std::string> method, targets, checkpointing;
    std::optional<std::int64_t> rank;
    std::optional<double> stepTokens, sequence;

    // One of them but the method was given: its name.
    [[nodiscard]] const char* given() const;
    [[nodiscard]] advisor::FineTuning tuning() const;
};
// --rank, --targets, --step-tokens, --sequence, --checkpointing. --method is added by the command.
void addTuningOptions(CLI::App& command, TuningArguments& arguments);
void addMethodOption(CLI::App& command, TuningArguments& arguments, const char* text);

// InvalidArgument names the option. `mode`: decode, prefill, or empty for decode.
[[nodiscard]] Result<advisor::LanguageJob> languageJob(const model::ResolvedDecoder& model,
                                                       const LanguageArguments& arguments, const std::string& mode,
                                                       double batch);

// A question about a job on the devices of the catalogue and of this computer, with what the history says of it.
[[nodiscard]] Result<advisor::LanguageRequest> languageRequest(CommandContext& context,
                                                               const advisor::AdvisorData& data,
                                                               const model::DecoderTable& models,
                                                               const LanguageArguments& arguments,
                                                               const std::optional<std::string>& database);

// --memory-gib in bytes.
[[nodiscard]] std::optional<double> languageMemoryBytes(const LanguageArguments& arguments);
// --bandwidth-gbs in bytes per second.
[[nodiscard]] std::optional<double> languageBandwidth(const LanguageArguments& arguments);
// "4.58 GiB", also of what no 64 bits count.
[[nodiscard]] std::string languageBytes(double bytes);
// "8192", "-" where it is not known.
[[nodiscard]] std::string countText(const std::optional<double>& count);
// Remarks on a model: members of its file that were not used, a context beyond its own. Each a line on err.
void remarkOn(CommandContext& context, const advisor::LanguageJob& job);

}  // namespace steelyard::cli
