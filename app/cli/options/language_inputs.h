// SPDX-License-Identifier: Apache-2.0
// Options of show, predict, fit and advise for a language model: weight format, context, number of sequences. One
// thread.
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
    std::string weights;  // empty: the format in a GGUF file, otherwise q4_k_m
    std::string cache = "f16";
    std::optional<double> context, prompt;
    std::optional<double> memoryGib, bandwidthGbs;

    // Name of a given option that only language models have, or null. (--weights also applies to ONNX files.)
    [[nodiscard]] const char* given() const;
};
// --cache and --context; with `all` also --prompt and --memory-gib. --weights is added by the command.
void addLanguageOptions(CLI::App& command, LanguageArguments& arguments, bool all);

// How a language model is fine-tuned; defaults as in advisor::FineTuning.
struct TuningArguments {
    std::optional<std::string> method, targets, checkpointing;
    std::optional<std::int64_t> rank;
    std::optional<double> stepTokens, sequence;

    // Name of a given option other than --method, or null.
    [[nodiscard]] const char* given() const;
    // With the given options.
    [[nodiscard]] advisor::FineTuning tuning(advisor::FineTuning tuning = {}) const;
};
// --rank, --targets, --step-tokens, --sequence, --checkpointing. --method is added by the command.
void addTuningOptions(CLI::App& command, TuningArguments& arguments);
void addMethodOption(CLI::App& command, TuningArguments& arguments, const char* text);

// InvalidArgument names the option. `mode`: decode, prefill, or empty for decode.
[[nodiscard]] Result<advisor::LanguageJob> languageJob(const model::ResolvedDecoder& model,
                                                       const LanguageArguments& arguments, const std::string& mode,
                                                       double batch);

// A request for a job on the devices of the catalogue and of this computer, with the stored measurements.
[[nodiscard]] Result<advisor::LanguageRequest> languageRequest(CommandContext& context,
                                                               const advisor::AdvisorData& data,
                                                               const model::DecoderTable& models,
                                                               const LanguageArguments& arguments,
                                                               const std::optional<std::string>& database);

// --memory-gib in bytes.
[[nodiscard]] std::optional<double> languageMemoryBytes(const LanguageArguments& arguments);
// --bandwidth-gbs in bytes per second.
[[nodiscard]] std::optional<double> languageBandwidth(const LanguageArguments& arguments);
// "4.58 GiB", also beyond 64 bits.
[[nodiscard]] std::string languageBytes(double bytes);
// "8192", "-" if unknown.
[[nodiscard]] std::string countText(const std::optional<double>& count);
// Prints warnings about a model on err, one per line: ignored members of its file, a context beyond the trained one.
void remarkOn(CommandContext& context, const advisor::LanguageJob& job);

}  // namespace steelyard::cli
