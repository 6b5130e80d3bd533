// SPDX-License-Identifier: Apache-2.0
// train: trains on real data with validation; loss and accuracy per epoch, time to a target accuracy.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/options/kernel_cache_flag.h"
#include "app/cli/options/option_checks.h"
#include "engine/bench/measure/case_runner.h"
#include "engine/bench/training/accuracy_targets.h"
#include "engine/bench/training/training.h"
#include "engine/bench/training/workload_data.h"
#include "engine/model/resolve.h"

namespace steelyard::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TrainArguments {
    std::string workload, data, device = "cpu", precision = "fp32";
    std::int64_t epochs = 0, batch = 0;
    int threads = 0;
    std::uint64_t seed = 1;
    double target = 0, until = 0, temperature = 0.5;
    std::int64_t characters = 400;
    bool json = false;
};

Json optionalJson(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json asJson(const bench::EpochResult& epoch) {
    return {{"epoch", epoch.epoch},
            {"train_seconds", epoch.trainSeconds},
            {"validation_seconds", epoch.validationSeconds},
            {"train_loss", epoch.trainLoss},
            {"validation_loss", optionalJson(epoch.validationLoss)},
            {"validation_accuracy", optionalJson(epoch.validationAccuracy)}};
}

void printEpoch(std::ostream& out, const bench::EpochResult& epoch, std::int64_t epochs) {
    const auto figure = [](const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "-"; };
    fmt::print(out, "epoch {:>3}/{}  {:>8.2f} s  loss {:.4f}  validation loss {}  accuracy {}\n", epoch.epoch, epochs,
               epoch.trainSeconds, epoch.trainLoss, figure(epoch.validationLoss), figure(epoch.validationAccuracy));
    out.flush();
}

bench::TrainingOptions optionsOf(const TrainArguments& arguments, const model::Workload& workload, int usableThreads) {
    bench::TrainingOptions options;
    options.epochs = arguments.epochs > 0 ? arguments.epochs : workload.epochs;
    options.batch = arguments.batch;
    options.seed = arguments.seed;
    options.precision = plan::precisionFromString(arguments.precision).value();
    options.stopAtTarget = arguments.until > 0;
    if (const double target = std::max(arguments.target, arguments.until); target > 0) options.targetAccuracy = target;
    if (arguments.characters > 0)
        options.generate = bench::GenerationOptions{
            .characters = arguments.characters, .temperature = arguments.temperature, .seed = arguments.seed};
    options.compile.device = arguments.device;
    options.compile.seed = arguments.seed;
    options.compile.threads = arguments.threads > 0 ? arguments.threads : usableThreads;
    return options;
}

void printResult(std::ostream& out, const bench::TrainingOptions& options, const bench::TrainingResult& result,
                 const std::optional<bench::AccuracyVerdict>& gate) {
    if (result.secondsToTarget) {
        fmt::print(out, "accuracy {} reached after {:.2f} s of training\n", *options.targetAccuracy,
                   *result.secondsToTarget);
    } else if (options.targetAccuracy) {
        fmt::print(out, "accuracy {} was not reached\n", *options.targetAccuracy);
    }
    if (gate)
        fmt::print(out, "against the published result: {} ({})\n", bench::toString(gate->state), gate->sentence.text);
    if (!result.generated) return;
    const auto& written = *result.generated;
    fmt::print(
        out,
        "\ngenerated at temperature {}, {} per character (inference at batch 1, median of {}), prompt \"{}\":\n{}\n",
        options.generate->temperature, formatSeconds(Seconds(written.secondsPerCharacter.median)),
        written.secondsPerCharacter.n, written.start, written.text);
}

Json generatedJson(const bench::TrainingOptions& options, const std::optional<bench::GeneratedText>& generated) {
    if (!generated) return nullptr;
    const auto& seconds = generated->secondsPerCharacter;
    return {{"start", generated->start},
            {"text", generated->text},
            {"temperature", options.generate->temperature},
            {"seed", options.generate->seed},
            {"seconds_per_character",
             {{"median", seconds.median},
              {"ci95_low", optionalJson(seconds.ci95Low)},
              {"ci95_high", optionalJson(seconds.ci95High)},
              {"n", seconds.n}}}};
}

Json asJson(const std::string& workload, const TrainArguments& arguments, const bench::TrainingOptions& options,
            const bench::TrainingResult& result, const std::optional<bench::AccuracyVerdict>& gate) {
    auto epochs = Json::array();
    for (const auto& epoch : result.epochs) epochs.push_back(asJson(epoch));
    const auto gateJson = gate ? Json{{"state", bench::toString(gate->state)},
                                      {"value", optionalJson(gate->value)},
                                      {"reason", gate->sentence.text}}
                               : Json(nullptr);
    return {{"workload", workload},
            {"device", arguments.device},
            {"epochs", epochs},
            {"target_accuracy", optionalJson(options.targetAccuracy)},
            {"seconds_to_accuracy", optionalJson(result.secondsToTarget)},
            {"gate", gateJson},
            {"generated", generatedJson(options, result.generated)}};
}

void train(CommandContext& context, const TrainArguments& arguments) {
    const auto workload = model::resolveWorkload(arguments.workload);
    if (!workload) return context.report(workload.error());
    auto backend = context.backends().backendOf(arguments.device);
    if (!backend) return context.report(backend.error());
    const auto profile = context.profile();
    if (!profile) return context.report(profile.error());
    const auto source = bench::openWorkloadData(*workload, arguments.data, arguments.batch, arguments.seed);
    if (!source) return context.report(source.error());

    const auto options = optionsOf(arguments, *workload, profile->cpu.usableThreads.valueOr(1));
    auto& progress = arguments.json ? context.err : context.out;
    const auto result = bench::train(
        **backend, *source, options, context.clock,
        [&](const bench::EpochResult& epoch) { printEpoch(progress, epoch, options.epochs); },
        [&] { return context.interrupted.load() != 0; });
    if (!result)
        return context.report(result.error(), result.error().kind == ErrorKind::Cancelled ? kCancelled : kWrongUsage);
    const auto gate = bench::judgeAccuracy(source->workload, source->data, options, *result);
    if (gate && gate->state == bench::AccuracyState::Failed) context.exitCode = kSomeCaseFailed;
    if (arguments.json) {
        context.out << asJson(source->workload.id, arguments, options, *result, gate)
                           .dump(2, ' ', false, Json::error_handler_t::replace)
                    << "\n";
    } else {
        printResult(context.out, options, *result, gate);
    }
}

}  // namespace

void addTrain(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("train", "Train on real data, with validation after each epoch");
    auto arguments = std::make_shared<TrainArguments>();
    command->add_option("workload", arguments->workload)->required();
    command->add_option("--data", arguments->data, "Folder of the data set")->required();
    command->add_option("--epochs", arguments->epochs, "Number of epochs (default: as published)")->check(amount);
    command->add_option("--batch", arguments->batch, "Samples per step (default: as published)")->check(batchSize);
    command->add_option("--device", arguments->device)->capture_default_str();
    command->add_option("--threads", arguments->threads)->check(threadCount);
    command->add_option("--precision", arguments->precision)
        ->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16"}))
        ->capture_default_str();
    auto* note = command->add_option("--accuracy", arguments->target, "Report the time to this validation accuracy")
                     ->check(CLI::Range(0.0, 1.0));
    command->add_option("--until-accuracy", arguments->until, "Stop when this validation accuracy is reached")
        ->check(CLI::Range(0.0, 1.0))
        ->excludes(note);
    command
        ->add_option("--generate", arguments->characters,
                     "Number of characters to generate after training on text; 0 = none")
        ->check(notNegative)
        ->capture_default_str();
    command->add_option("--temperature", arguments->temperature, "Sampling temperature of the generated text")
        ->check(greaterThanZero)
        ->capture_default_str();
    command->add_option("--seed", arguments->seed)->check(seed)->capture_default_str();
    addKernelCacheFlag(command, context);
    command->add_flag("--json", arguments->json, "Print one JSON document");
    command->callback([&context, arguments] { train(context, *arguments); });
}

}  // namespace steelyard::cli
