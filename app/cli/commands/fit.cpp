// SPDX-License-Identifier: Apache-2.0
// fit: which devices have enough memory for a language model, up to which context and batch; and for fine-tuning.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/commands/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/options/advisor_inputs.h"
#include "app/cli/options/language_inputs.h"
#include "app/cli/tables/language_table.h"
#include "app/cli/tables/text_table.h"
#include "engine/advisor/language/language_json.h"
#include "engine/core/messages/app.h"

namespace steelyard::cli {
namespace {

using advisor::FineTuning;

struct FitArguments {
    std::string model, on;
    LanguageArguments language;
    std::int64_t batch = 1;
    int count = 1;
    std::optional<std::string> software, method;
    std::int64_t rank = 16;
    std::string targets = "all_linear", checkpointing = "yes";
    double tokens = 2048;
    bool json = false;
};

FineTuning::Method methodOf(const std::string& name) {
    if (name == "full") return FineTuning::Method::Full;
    if (name == "full_bf16") return FineTuning::Method::FullBf16;
    return name == "lora" ? FineTuning::Method::Lora : FineTuning::Method::Qlora;
}

// Devices with enough memory for fine-tuning, smallest first.
Result<void> fitTuning(CommandContext& context, const FitArguments& arguments, const model::ResolvedDecoder& resolved) {
    ASSIGN(const auto data, advisorData(context));
    FineTuning tuning;
    tuning.method = methodOf(*arguments.method);
    tuning.rank = arguments.rank;
    tuning.targets = arguments.targets == "all_linear" ? model::LoraTargets::AllLinear : model::LoraTargets::QueryValue;
    tuning.tokens = arguments.tokens;
    tuning.checkpointing = arguments.checkpointing == "yes";
    const auto memory = advisor::fineTuningMemory(resolved.spec, tuning);
    struct Row {
        std::string id, name;
        double available;
    };
    std::vector<Row> rows;
    const auto only = splitList(arguments.on);
    for (const auto& id : only)
        if (data.catalog.findHardware(id) == nullptr)
            return fail(ErrorKind::NotFound, id, app::messages::noSuchDevice());
    for (const auto& spec : data.catalog.hardware) {
        if (!only.empty() && std::ranges::find(only, spec.id) == only.end()) continue;
        auto refusal = advisor::LanguageRefusal::None;
        const auto target = advisor::languageTarget(spec, refusal);
        if (target && target->usableBytes)
            rows.push_back({spec.id, spec.name, *target->usableBytes * static_cast<double>(arguments.count)});
    }
    std::ranges::stable_sort(rows, {}, &Row::available);
    if (arguments.json) {
        auto devices = nlohmann::ordered_json::array();
        for (const auto& row : rows)
            devices.push_back({{"id", row.id},
                               {"name", row.name},
                               {"available_bytes", row.available},
                               {"fits", memory.total() <= row.available}});
        context.out << dumpJson(nlohmann::ordered_json{{"workload", resolved.spec.id},
                                                       {"method", *arguments.method},
                                                       {"rank", arguments.rank},
                                                       {"tokens", arguments.tokens},
                                                       {"checkpointing", tuning.checkpointing},
                                                       {"trained_parameters", memory.trained},
                                                       {"memory_bytes", memory.total()},
                                                       {"memory",
                                                        {{"base", memory.base},
                                                         {"optimiser", memory.optimiser},
                                                         {"activations", memory.activations},
                                                         {"logits", memory.logits}}},
                                                       {"devices", devices}},
                                2)
                    << "\n";
        return {};
    }
    fmt::print(context.out,
               "{}, fine-tuning by {}: {:.0f} parameters trained, steps of {:.0f} tokens{}\n"
               "estimated memory: base {}, optimizer {}, activations {}, logits {}, total {}\n\n",
               resolved.spec.title, *arguments.method, memory.trained, arguments.tokens,
               tuning.checkpointing ? " with checkpointing" : "", languageBytes(memory.base),
               languageBytes(memory.optimiser), languageBytes(memory.activations), languageBytes(memory.logits),
               languageBytes(memory.total()));
    TextTable table({{"id"}, {"device"}, {"usable", true}, {"fits"}});
    for (const auto& row : rows)
        table.add({row.id, row.name, languageBytes(row.available), memory.total() <= row.available ? "yes" : "no"});
    table.print(context.out);
    return {};
}

Result<void> fit(CommandContext& context, const FitArguments& arguments) {
    ASSIGN(const auto table, model::loadDecoderTable(context.resources));
    ASSIGN(const auto resolved, model::resolveDecoder(table, arguments.model));
    if (arguments.method) return fitTuning(context, arguments, resolved);
    ASSIGN(const auto parameters, advisor::loadLanguageParameters(context.resources));
    ASSIGN(const auto data, advisorData(context));
    ASSIGN(const auto job, languageJob(resolved, arguments.language, "decode", static_cast<double>(arguments.batch)));
    ASSIGN(auto request, languageRequest(context, data, table, arguments.language, {}));
    request.software = arguments.software.value_or(std::string());
    request.only = splitList(arguments.on);
    request.count = static_cast<double>(arguments.count);
    ASSIGN(const auto predictions, advisor::predictLanguage(job, data.catalog, parameters, request));
    remarkOn(context, job);
    if (arguments.json) {
        context.out << advisor::languagePredictionsJson(job, request, parameters, predictions) << "\n";
    } else {
        printFit(context.out, job, predictions);
    }
    return {};
}

}  // namespace

void addFit(CLI::App& app, CommandContext& context) {
    auto* command =
        app.add_subcommand("fit", "Show which devices a language model fits on, and up to which context and batch");
    auto arguments = std::make_shared<FitArguments>();
    command->add_option("model", arguments->model, "Language model (see list models), a config.json or a .gguf file")
        ->required();
    command->add_option("--weights", arguments->language.weights,
                        "Format of the model's weights, such as q4_k_m, q8_0, bf16, awq4 (default: q4_k_m)");
    addLanguageOptions(*command, arguments->language, false);
    command
        ->add_option("--memory-gib", arguments->language.memoryGib,
                     "Memory in GiB, overriding the device's (for a processor: its RAM)")
        ->check(greaterThanZero);
    command->add_option("--batch", arguments->batch, "Number of concurrent sequences")
        ->check(batchSize)
        ->capture_default_str();
    command->add_option("--on", arguments->on, "Devices, comma separated (see list hardware)");
    command->add_option("--devices", arguments->count, "Number of devices to split the layers over")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command->add_option("--software", arguments->software, "Software stack, such as llamacpp_cuda, vllm, mlx")
        ->default_str("llamacpp");
    auto* method = command
                       ->add_option("--method", arguments->method,
                                    "Show the memory for fine-tuning instead: full, full_bf16, lora or qlora")
                       ->check(CLI::IsMember({"full", "full_bf16", "lora", "qlora"}));
    command->add_option("--rank", arguments->rank, "Adapter rank")
        ->check(CLI::Range(1, 65536))
        ->capture_default_str()
        ->needs(method);
    command->add_option("--targets", arguments->targets, "Matrices that get adapters")
        ->check(CLI::IsMember({"all_linear", "query_value"}))
        ->capture_default_str()
        ->needs(method);
    command->add_option("--tokens", arguments->tokens, "Tokens per step: sequences times sequence length")
        ->check(greaterThanZero)
        ->capture_default_str()
        ->needs(method);
    command->add_option("--checkpointing", arguments->checkpointing, "Recompute activations in the backward pass")
        ->check(CLI::IsMember({"yes", "no"}))
        ->capture_default_str()
        ->needs(method);
    command->add_flag("--json", arguments->json, "Print one JSON document");
    command->callback([&context, arguments] {
        if (const auto done = fit(context, *arguments); !done) context.report(done.error());
    });
}

}  // namespace steelyard::cli
