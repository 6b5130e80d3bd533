// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/advisor_inputs.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <ostream>

#include "engine/advisor/predict/local_hardware.h"
#include "engine/core/csv.h"
#include "engine/core/messages/app.h"
#include "engine/core/units.h"
#include "engine/history/history_store.h"

namespace steelyard::cli {

void addJobOptions(CLI::App& command, JobArguments& arguments, bool withLanguageModels) {
    command
        .add_option("--workload", arguments.workload,
                    withLanguageModels
                        ? "Workload name with options, a network file, or a language model (see list models; a "
                          "config.json or .gguf file)"
                        : "Workload name with options, or a network file")
        ->required()
        ->check(nonEmptyList);
    std::vector<std::string> modes{"train", "infer"};
    if (withLanguageModels) modes.insert(modes.end(), {"decode", "prefill", "lora", "qlora"});
    command
        .add_option("--mode", arguments.mode,
                    withLanguageModels
                        ? "train or infer (default: train, or infer if the workload has no training); language models: "
                          "decode (default), prefill, train, lora or qlora"
                        : "train or infer (default: train, or infer if the workload has no training)")
        ->check(CLI::IsMember(modes));
    command.add_option("--batch", arguments.batch, "Samples per step (default: as published)")->check(batchSize);
    command.add_option("--precision", arguments.precision, "Number format (default: fp32)")
        ->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16"}));
    addOnnxOptions(command, arguments.onnx, withLanguageModels);
}

Result<void> checkMode(const JobArguments& arguments) {
    if (!arguments.mode.empty() && arguments.mode != "train" && arguments.mode != "infer")
        return fail(ErrorKind::InvalidArgument, "--mode", app::messages::modeOfLanguageModels(arguments.mode));
    return {};
}

Result<advisor::Job> jobOf(const JobArguments& arguments) {
    TRY(checkMode(arguments));
    ASSIGN(const auto workload, withOnnxOptions(arguments.workload, arguments.onnx));
    return advisor::makeJob(
        {.workload = workload,
         .mode = plan::modeFromString(arguments.mode),
         .batch = arguments.batch,
         .precision = plan::precisionFromString(arguments.precision).value_or(plan::Precision::Fp32)});
}

std::string jobText(const advisor::JobModel& job) {
    return fmt::format("{} {}, batch {}, {}", job.workload, plan::toString(job.mode), job.batch,
                       plan::toString(job.precision));
}

std::filesystem::path userCatalogFile(const CommandContext& context) {
    return catalog::defaultUserCatalogFile(context.environment("XDG_DATA_HOME"), context.environment("HOME"));
}

Result<advisor::AdvisorData> advisorData(const CommandContext& context) {
    return advisor::loadAdvisorData({.resources = context.resources, .userCatalog = userCatalogFile(context)});
}

namespace {

// Passes each stored run to a collector.
Result<void> collect(CommandContext& context, const std::optional<std::string>& database,
                     const std::function<void(const bench::RunRecord&)>& add) {
    const auto read = [&]() -> Result<void> {
        const auto file = context.historyFile(database);
        std::error_code ignored;
        if (!database && !std::filesystem::exists(file, ignored)) return {};
        if (database && !std::filesystem::exists(file, ignored))
            return fail(ErrorKind::NotFound, file.string(), app::messages::noHistory());
        ASSIGN(const auto store, history::HistoryStore::open(file, {.create = false}));
        return store->forEachRun(add, history::Detail::Summaries);
    };
    auto done = read();
    if (done || database) return done;
    fmt::print(context.err, "steelyard-cli: stored measurements are not used: {}\n", describe(done.error()));
    return {};
}

}  // namespace

Result<std::vector<advisor::Reference>> storedReferences(CommandContext& context, const advisor::AdvisorData& data,
                                                         const std::optional<std::string>& database) {
    advisor::ReferenceCollector collector(data.catalog, data.parameters);
    TRY(collect(context, database, [&](const auto& run) { collector.add(run); }));
    return collector.references();
}

Result<std::vector<advisor::LanguageAnchor>> storedLanguageAnchors(CommandContext& context,
                                                                   const advisor::AdvisorData& data,
                                                                   const model::DecoderTable& models,
                                                                   const std::optional<std::string>& database) {
    advisor::LanguageAnchorCollector collector(data.catalog, data.parameters, models);
    TRY(collect(context, database, [&](const auto& run) { collector.add(run); }));
    return collector.anchors();
}

std::string today(const CommandContext& context) {
    return formatIsoTime(context.clock.unixMilliseconds()).substr(0, 10);
}

std::string bandText(const advisor::Interval& seconds) {
    return fmt::format("{} to {}", formatSeconds(Seconds(seconds.low)), formatSeconds(Seconds(seconds.high)));
}

}  // namespace steelyard::cli
