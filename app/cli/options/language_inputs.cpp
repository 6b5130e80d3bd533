// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/language_inputs.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ostream>

#include "app/cli/options/advisor_inputs.h"
#include "app/cli/options/option_checks.h"
#include "engine/core/messages/app.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

// Far beyond any context, and small enough that no product with it overflows.
constexpr double kMostTokens = 1e9;

Result<double> tokens(const char* option, const std::optional<double>& value, double standard, double lowest) {
    const double count = value.value_or(standard);
    if (count >= lowest && count <= kMostTokens && count == std::floor(count)) return count;
    return fail(ErrorKind::InvalidArgument, option, app::messages::tokenRange(lowest, kMostTokens));
}

}  // namespace

const char* LanguageArguments::given() const {
    if (cache != "f16") return "--cache";
    if (context) return "--context";
    if (prompt) return "--prompt";
    if (bandwidthGbs) return "--bandwidth-gbs";
    return memoryGib ? "--memory-gib" : nullptr;
}

void addLanguageOptions(CLI::App& command, LanguageArguments& arguments, bool all) {
    command.add_option("--cache", arguments.cache, "KV cache format of a language model")
        ->check(CLI::IsMember({"f16", "q8_0"}))
        ->capture_default_str();
    command
        .add_option("--context", arguments.context,
                    "Tokens in a language model's KV cache; with --mode prefill, tokens before the prompt")
        ->check(notNegative);
    if (!all) return;
    command.add_option("--prompt", arguments.prompt, "Prompt length in tokens with --mode prefill (default: 512)")
        ->check(notNegative);
    command
        .add_option("--memory-gib", arguments.memoryGib,
                    "Memory for a language model in GiB, overriding the device's (for a processor: its RAM)")
        ->check(greaterThanZero);
    command
        .add_option("--bandwidth-gbs", arguments.bandwidthGbs,
                    "Memory bandwidth in GB/s, overriding the device's (for example with fewer memory channels)")
        ->check(greaterThanZero);
}

const char* TuningArguments::given() const {
    if (rank) return "--rank";
    if (targets) return "--targets";
    if (stepTokens) return "--step-tokens";
    if (sequence) return "--sequence";
    return checkpointing ? "--checkpointing" : nullptr;
}

advisor::FineTuning TuningArguments::tuning(advisor::FineTuning tuning) const {
    if (method)
        tuning.method =
            advisor::fromName(std::type_identity<advisor::FineTuning::Method>{}, *method).value_or(tuning.method);
    tuning.rank = rank.value_or(tuning.rank);
    if (targets == "query_value") tuning.targets = model::LoraTargets::QueryValue;
    tuning.tokens = stepTokens.value_or(tuning.tokens);
    tuning.sequence = std::min(sequence.value_or(tuning.sequence), tuning.tokens);
    if (checkpointing) tuning.checkpointing = *checkpointing == "yes";
    return tuning;
}

void addMethodOption(CLI::App& command, TuningArguments& arguments, const char* text) {
    command.add_option("--method", arguments.method, text)
        ->check(CLI::IsMember({"full", "full_bf16", "lora", "qlora"}));
}

void addTuningOptions(CLI::App& command, TuningArguments& arguments) {
    command.add_option("--rank", arguments.rank, "Fine-tuning: rank of the adapters (default: 16)")
        ->check(CLI::Range(1, 65536));
    command
        .add_option("--targets", arguments.targets,
                    "Fine-tuning: matrices with adapters, all_linear or query_value (default: all_linear)")
        ->check(CLI::IsMember({"all_linear", "query_value"}));
    command
        .add_option("--step-tokens", arguments.stepTokens,
                    "Fine-tuning: tokens per step and device, sequences times sequence length (default: 2048)")
        ->check(CLI::Range(1.0, kMostTokens));
    command
        .add_option("--sequence", arguments.sequence,
                    "Fine-tuning: sequence length in tokens (default: 2048, at most the tokens of a step)")
        ->check(CLI::Range(1.0, kMostTokens));
    command
        .add_option("--checkpointing", arguments.checkpointing,
                    "Fine-tuning: recompute activations in the backward pass, yes or no (default: yes)")
        ->check(CLI::IsMember({"yes", "no"}));
}

Result<advisor::LanguageJob> languageJob(const model::ResolvedDecoder& model, const LanguageArguments& arguments,
                                         const std::string& mode, double batch) {
    advisor::LanguageJob job;
    job.model = model;
    ASSIGN(job.weights, advisor::weightsOfJob(model, arguments.weights));
    job.cache =
        model::fromName(std::type_identity<model::CacheType>(), arguments.cache).value_or(model::CacheType::F16);
    job.batch = std::max(1.0, batch);
    if (mode == "prefill") {
        job.mode = advisor::LanguageMode::Prefill;
        ASSIGN(job.context, tokens("--prompt", arguments.prompt, 512, 1));
        ASSIGN(job.depth, tokens("--context", arguments.context, 0, 0));
        return job;
    }
    if (mode == "train" || mode == "infer")
        return fail(ErrorKind::InvalidArgument, "--mode", app::messages::languageMode());
    if (arguments.prompt) return fail(ErrorKind::InvalidArgument, "--prompt", app::messages::needsPrefill());
    ASSIGN(job.context, tokens("--context", arguments.context, 4096, 1));
    return job;
}

Result<advisor::LanguageRequest> languageRequest(CommandContext& context, const advisor::AdvisorData& data,
                                                 const model::DecoderTable& models, const LanguageArguments& arguments,
                                                 const std::optional<std::string>& database) {
    advisor::LanguageRequest request{.memoryBytes = languageMemoryBytes(arguments),
                                     .bytesPerSecond = languageBandwidth(arguments)};
    ASSIGN(const auto profile, context.profile());
    ASSIGN(request.anchors, storedLanguageAnchors(context, data, models, database));
    request.own = advisor::ownLanguageTargets(profile, data.catalog, data.parameters, request.anchors);
    return request;
}

std::optional<double> languageMemoryBytes(const LanguageArguments& arguments) {
    if (!arguments.memoryGib) return std::nullopt;
    return *arguments.memoryGib * 1073741824;
}

std::optional<double> languageBandwidth(const LanguageArguments& arguments) {
    if (!arguments.bandwidthGbs) return std::nullopt;
    return *arguments.bandwidthGbs * 1e9;
}

std::string languageBytes(double bytes) {
    constexpr double kMost = 9.2e18;
    return formatBytes(Bytes(static_cast<std::int64_t>(std::clamp(bytes, 0.0, kMost))));
}

std::string countText(const std::optional<double>& count) {
    return count ? fmt::format("{:.0f}", *count) : "-";
}

void remarkOn(CommandContext& context, const advisor::LanguageJob& job) {
    const auto& unread = job.model.unread;
    if (!unread.empty())
        fmt::print(context.err, "steelyard-cli: ignored members of {}: {}\n", job.model.spec.id,
                   fmt::join(unread, ", "));
    const auto length = static_cast<double>(job.model.spec.contextLength);
    if (length > 0 && job.context + job.depth > length)
        fmt::print(context.err, "steelyard-cli: {} was trained for a context of {:.0f} tokens\n", job.model.spec.title,
                   length);
    if (job.model.fileWeightBytes && !job.model.fileScheme.empty() && job.model.fileScheme != job.weights->name)
        fmt::print(context.err, "steelyard-cli: the file stores {}; sizes are computed for {}\n", job.model.fileScheme,
                   job.weights->name);
}

}  // namespace steelyard::cli
