// SPDX-License-Identifier: Apache-2.0
// predict: time and memory of a job on every device of the catalogue, with prediction interval and basis; for language
// models, tokens per second.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <tuple>

#include "app/cli/commands/commands.h"
#include "app/cli/options/advisor_inputs.h"
#include "app/cli/options/language_inputs.h"
#include "app/cli/tables/language_table.h"
#include "app/cli/tables/text_table.h"
#include "engine/advisor/language/language_json.h"
#include "engine/advisor/predict/local_hardware.h"
#include "engine/advisor/rank/advice_json.h"
#include "engine/core/messages/app.h"
#include "engine/core/units.h"

namespace steelyard::cli {
namespace {

using advisor::Fits;
using advisor::PredictedTarget;

struct PredictArguments {
    JobArguments job;
    LanguageArguments language;
    TuningArguments tuning;
    std::string on;
    std::optional<std::string> software;  // absent: this program, for language models llama.cpp
    int count = 1;
    std::optional<std::string> database;
    bool json = false;
};

std::string memoryText(const advisor::Prediction& prediction) {
    if (prediction.neededBytes <= 0) return "-";
    // Sizes beyond 64 bits are clamped for display.
    const auto bytes = [](double value) {
        constexpr double kMost = 9.2e18;
        return formatBytes(Bytes(static_cast<std::int64_t>(std::min(value, kMost))));
    };
    if (!prediction.availableBytes) return bytes(prediction.neededBytes);
    return fmt::format("{} of {}", bytes(prediction.neededBytes), bytes(*prediction.availableBytes));
}

std::string fitsText(Fits fits) {
    switch (fits) {
        case Fits::Yes:
            return "yes";
        case Fits::Tight:
            return "tight";
        case Fits::No:
            return "no";
        case Fits::Unknown:
            return "-";
    }
    return "-";
}

void print(std::ostream& out, const advisor::JobModel& job, const std::string& software,
           std::vector<PredictedTarget> targets) {
    fmt::print(out, "{}, software {}: predicted step time with 80 % interval\n\n", jobText(job), software);
    std::ranges::stable_sort(targets, [](const PredictedTarget& a, const PredictedTarget& b) {
        const auto rank = [](const PredictedTarget& t) {
            const auto& p = t.prediction;
            return std::tuple(!p.hasTime(), p.fits == Fits::No, p.seconds.median);
        };
        return rank(a) < rank(b);
    });
    TextTable table(
        {{"id"}, {"device"}, {"step", true}, {"80 % interval"}, {"memory", true}, {"fits"}, {"limit"}, {"basis"}});
    for (const auto& target : targets) {
        const auto& p = target.prediction;
        if (!p.hasTime()) continue;
        table.add({target.id, target.name, formatSeconds(Seconds(p.seconds.median)), bandText(p.seconds), memoryText(p),
                   fitsText(p.fits), std::string(toString(p.limit)), std::string(toString(p.basis))});
    }
    if (!table.isEmpty()) table.print(out);
    TextTable refused({{"id"}, {"device"}, {"no prediction because"}});
    for (const auto& target : targets) {
        if (target.prediction.hasTime()) continue;
        refused.add({target.id, target.name,
                     advisor::englishText(
                         {advisor::ReasonKind::Refused, std::string(toString(target.prediction.refusal)), 0, 0})});
    }
    if (refused.isEmpty()) return;
    out << "\n";
    refused.print(out);
}

Result<void> predictModel(CommandContext& context, const PredictArguments& arguments,
                          const model::DecoderTable& table) {
    ASSIGN(const auto parameters, advisor::loadLanguageParameters(context.resources));
    ASSIGN(const auto data, advisorData(context));
    ASSIGN(const auto resolved, model::resolveDecoder(table, arguments.job.workload));
    auto language = arguments.language;
    language.weights = arguments.job.onnx.weights;
    ASSIGN(const auto job,
           languageJob(resolved, language, arguments.job.mode, static_cast<double>(arguments.job.batch)));
    ASSIGN(auto request, languageRequest(context, data, table, arguments.language, arguments.database));
    request.software = arguments.software.value_or(std::string());
    request.only = splitList(arguments.on);
    request.count = static_cast<double>(arguments.count);
    ASSIGN(const auto predictions, advisor::predictLanguage(job, data.catalog, parameters, request));
    remarkOn(context, job);
    if (arguments.json) {
        context.out << advisor::languagePredictionsJson(job, request, parameters, predictions) << "\n";
    } else {
        printLanguagePredictions(context.out, job, predictions);
    }
    return {};
}

bool isTuning(const std::string& mode) {
    return mode == "train" || mode == "lora" || mode == "qlora";
}

Result<void> predictFineTuning(CommandContext& context, const PredictArguments& arguments,
                               const model::DecoderTable& table) {
    for (const auto& [given, option] :
         {std::pair{arguments.language.cache != "f16", "--cache"},
          std::pair{arguments.language.context.has_value(), "--context"},
          std::pair{arguments.language.prompt.has_value(), "--prompt"},
          std::pair{arguments.language.bandwidthGbs.has_value(), "--bandwidth-gbs"},
          std::pair{!arguments.job.onnx.weights.empty(), "--weights"}, std::pair{arguments.job.batch > 0, "--batch"}})
        if (given) return fail(ErrorKind::InvalidArgument, option, app::messages::notForFineTuning());
    ASSIGN(const auto parameters, advisor::loadTrainingParameters(context.resources));
    ASSIGN(const auto data, advisorData(context));
    advisor::TuningJob job;
    ASSIGN(job.model, model::resolveDecoder(table, arguments.job.workload));
    job.tuning = arguments.tuning.tuning();
    job.tuning.method = arguments.job.mode == "lora"    ? advisor::FineTuning::Method::Lora
                        : arguments.job.mode == "qlora" ? advisor::FineTuning::Method::Qlora
                                                        : advisor::FineTuning::Method::Full;
    ASSIGN(const auto profile, context.profile());
    const advisor::TuningRequest request{.software = arguments.software.value_or(std::string()),
                                         .only = splitList(arguments.on),
                                         .own = advisor::ownLanguageTargets(profile, data.catalog, data.parameters, {}),
                                         .count = static_cast<double>(arguments.count),
                                         .memoryBytes = languageMemoryBytes(arguments.language)};
    ASSIGN(const auto predictions, advisor::predictTuning(job, data.catalog, parameters, request));
    if (arguments.json) {
        context.out << advisor::tuningPredictionsJson(job, request, parameters, predictions) << "\n";
    } else {
        printTuningPredictions(context.out, job, predictions);
    }
    return {};
}

void predict(CommandContext& context, const PredictArguments& arguments) {
    const auto table = model::loadDecoderTable(context.resources);
    if (!table) return context.report(table.error());
    if (model::namesDecoder(*table, arguments.job.workload)) {
        const bool tuning = isTuning(arguments.job.mode);
        if (const auto* option = arguments.tuning.given(); option != nullptr && !tuning)
            return context.report({ErrorKind::InvalidArgument, option, app::messages::needsTuningMode(), {}, {}, {}});
        const auto done =
            tuning ? predictFineTuning(context, arguments, *table) : predictModel(context, arguments, *table);
        if (!done) context.report(done.error());
        return;
    }
    if (const auto* option = arguments.tuning.given())
        return context.report({ErrorKind::InvalidArgument, option, app::messages::forLanguageModels(), {}, {}, {}});
    if (const auto* option = arguments.language.given())
        return context.report({ErrorKind::InvalidArgument, option, app::messages::forLanguageModels(), {}, {}, {}});
    const auto data = advisorData(context);
    if (!data) return context.report(data.error());
    const std::string software = arguments.software.value_or(std::string(advisor::kThisEngine));
    const auto job = jobOf(arguments.job);
    if (!job) return context.report(job.error());
    const auto profile = context.profile();
    if (!profile) return context.report(profile.error());
    auto references = storedReferences(context, *data, arguments.database);
    if (!references) return context.report(references.error());
    const auto predictor = advisor::makePredictor(*data, std::move(*references));
    const auto own = advisor::ownDevices(*profile, data->catalog, data->parameters);
    const auto targets = advisor::predictTargets(
        job->model, *data, predictor, own,
        {.software = software, .only = splitList(arguments.on), .count = static_cast<double>(arguments.count)});
    if (!targets) return context.report(targets.error());
    if (arguments.json) {
        context.out << advisor::predictionsJson(job->model, software, *targets) << "\n";
    } else {
        print(context.out, job->model, software, *targets);
    }
}

}  // namespace

void addPredict(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("predict", "Predict time and memory of a job on other devices");
    auto arguments = std::make_shared<PredictArguments>();
    addJobOptions(*command, arguments->job, true);
    addLanguageOptions(*command, arguments->language, true);
    addTuningOptions(*command, arguments->tuning);
    command->add_option("--on", arguments->on,
                        "Devices, comma separated (see list hardware; own/cpu is this computer's processor)");
    command->add_option("--devices", arguments->count, "Number of devices that share the batch")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    command
        ->add_option("--software", arguments->software,
                     "Software stack: steelyard, or a published one such as ngc22 or timm-nchw; language models: "
                     "llamacpp (steelyard on this computer's processor), llamacpp_cuda, vllm, mlx, ...; fine-tuning: "
                     "transformers (mlx on Apple devices), unsloth, torchtune, llm_foundry")
        ->default_str(std::string(advisor::kThisEngine));
    command->add_option("--db", arguments->database, "History file with measurements to calibrate the prediction");
    command->add_flag("--json", arguments->json, "Print one JSON document");
    command->callback([&context, arguments] { predict(context, *arguments); });
}

}  // namespace steelyard::cli
