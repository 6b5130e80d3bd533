// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/language_tasks.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <utility>

#include "app/cli/options/option_checks.h"
#include "app/cli/options/option_values.h"
#include "engine/core/messages/app.h"
#include "engine/model/decoder/decoder_table.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::cli {
namespace {

Result<std::vector<model::CacheType>> cacheTypesOf(const std::string& text) {
    std::vector<model::CacheType> types;
    for (const auto& name : splitList(text)) {
        const auto type = model::fromName(std::type_identity<model::CacheType>(), name);
        if (!type) return fail(ErrorKind::InvalidArgument, "--cache", app::messages::notOneOf(name, "f32, f16, q8_0"));
        types.push_back(*type);
    }
    if (types.empty()) types.push_back(model::CacheType::F16);
    return types;
}

// The numbers of an option; a single empty value, meaning the default, if it was not given.
Result<std::vector<std::optional<std::int64_t>>> numbersOf(const std::string& text, const char* option) {
    ASSIGN(const auto numbers, wholeNumbers<std::int64_t>(text, option, model::kMostTokens));
    std::vector<std::optional<std::int64_t>> result(numbers.begin(), numbers.end());
    if (result.empty()) result.emplace_back();
    return result;
}

}  // namespace

void addLanguageTaskOptions(CLI::App& command, LanguageTaskOptions& options) {
    command.add_option("--context", options.contexts, "Language model, decode: tokens in the KV cache (default: 128)")
        ->check(nonEmptyList);
    command
        .add_option("--prompt", options.prompts,
                    "Language model, prefill and generate: prompt length in tokens (default: 128)")
        ->check(nonEmptyList);
    command.add_option("--tokens", options.tokens, "Language model, generate: tokens to generate (default: 64)")
        ->check(nonEmptyList);
    command
        .add_option("--cache", options.caches,
                    "Language model: types of the KV cache, f16 (default), q8_0 or f32, comma-separated")
        ->check(nonEmptyList);
}

Result<LanguageNames> withLanguageTasks(const std::vector<std::string>& workloads,
                                        const std::vector<model::LanguageTask>& tasks, const std::string& weights,
                                        const LanguageTaskOptions& options, const CommandContext& context) {
    LanguageNames result;
    // Networks can be measured without the table of models.
    const auto loaded = model::loadDecoderTable(context.resources);
    const auto table = loaded.value_or(model::DecoderTable());
    const auto taskList = tasks.empty() ? std::vector{model::LanguageTask::Decode} : tasks;
    auto weightList = splitList(weights);
    if (weightList.empty()) weightList.emplace_back();
    ASSIGN(const auto contexts, numbersOf(options.contexts, "--context"));
    ASSIGN(const auto prompts, numbersOf(options.prompts, "--prompt"));
    ASSIGN(const auto counts, numbersOf(options.tokens, "--tokens"));
    ASSIGN(const auto caches, cacheTypesOf(options.caches));
    for (const auto& workload : workloads) {
        if (model::isLanguageName(workload) && workload.find('(') != std::string::npos) {
            ASSIGN(const auto name, model::parseLanguageName(workload));
            ASSIGN(const auto resolved, model::resolveDecoder(table, name.model));
            result.workloads.push_back(workload);
            result.any = true;
            continue;
        }
        if (model::onnx::isOnnxName(workload) || !model::namesDecoder(table, workload)) {
            result.workloads.push_back(workload);
            continue;
        }
        result.any = true;
        const auto combine = [&](model::LanguageName name) -> Result<void> {
            ASSIGN(const auto checked, model::parseLanguageName(name.id()));
            if (const auto id = checked.id(); std::ranges::find(result.workloads, id) == result.workloads.end())
                result.workloads.push_back(id);
            return {};
        };
        for (const auto task : taskList)
            for (const auto& format : weightList)
                for (const auto& held : contexts)
                    for (const auto& prompt : prompts)
                        for (const auto& count : counts)
                            for (const auto cache : caches) {
                                model::LanguageName name{
                                    .model = workload, .task = task, .weights = format, .cache = cache, .hash = {}};
                                if (const auto* known = table.find(workload)) name.model = known->id;
                                name.context = held.value_or(name.context);
                                name.prompt = prompt.value_or(name.prompt);
                                name.tokens = count.value_or(name.tokens);
                                TRY(combine(std::move(name)));
                            }
    }
    if (result.any) return result;
    for (const auto& [given, option] :
         {std::pair{!tasks.empty(), "--mode"}, std::pair{!options.contexts.empty(), "--context"},
          std::pair{!options.prompts.empty(), "--prompt"}, std::pair{!options.tokens.empty(), "--tokens"},
          std::pair{!options.caches.empty(), "--cache"}})
        if (given) return fail(ErrorKind::InvalidArgument, option, app::messages::forLanguageModels());
    return result;
}

}  // namespace steelyard::cli
