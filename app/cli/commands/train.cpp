// SPDX-License-Identifier: Apache-2.0
// train: a real training with validation; loss and accuracy per epoch, time to a given accuracy.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "engine/bench/case_runner.h"
#include "engine/bench/training.h"
#include "engine/data/open_dataset.h"
#include "engine/model/resolve.h"

namespace steelyard::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TrainArguments {
    std::string workload, data, device = "cpu", precision = "fp32";
    std::int64_t epochs = 0, batch = 0;
    int threads = 0;
    std::uint64_t seed = 1;
    double target = 0;
    bool json = false;
};

Result<data::DatasetPair> loadData(const model::Workload& workload, const TrainArguments& arguments) {
    const auto graph = workload.build();
    if (!graph) return Failure(graph.error());
    data::DatasetRequest request;
    request.dataset = workload.dataset;
    request.folder = arguments.data;
    request.featureShape = graph->nodes.front().output;
    request.batch = arguments.batch > 0 ? arguments.batch : workload.batch;
    request.bigrams = workload.id == "imdb_fasttext";
    request.classCount = graph->nodes[static_cast<std::size_t>(graph->heads.front().logits)].output.back();
    request.seed = arguments.seed;
    return data::openDataset(request);
}

Json optionalJson(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json asJson(const bench::EpochResult& epoch) {
    return {{"epoch", epoch.epoch}, {"train_seconds", epoch.trainSeconds}, {"validation_seconds", epoch.validationSeconds}, {"train_loss", epoch.trainLoss},
            {"validation_loss", optionalJson(epoch.validationLoss)}, {"validation_accuracy", optionalJson(epoch.validationAccuracy)}};
}

void printEpoch(std::ostream& out, const bench::EpochResult& epoch, std::int64_t epochs) {
    const auto figure = [](const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "-"; };
    fmt::print(out, "epoch {:>3}/{}  {:>8.2f} s  loss {:.4f}  validation loss {}  accuracy {}\n", epoch.epoch, epochs, epoch.trainSeconds, epoch.trainLoss,
               figure(epoch.validationLoss), figure(epoch.validationAccuracy));
    out.flush();
}

void train(CommandContext& context, const TrainArguments& arguments) {
    const auto workload = model::resolveWorkload(arguments.workload);
    if (!workload) return context.report(workload.error());
    auto backend = context.backends().backendOf(arguments.device);
    if (!backend) return context.report(backend.error());
    const auto profile = context.profile();
    if (!profile) return context.report(profile.error());
    const auto data = loadData(*workload, arguments);
    if (!data) return context.report(data.error());

    bench::TrainingOptions options;
    options.epochs = arguments.epochs > 0 ? arguments.epochs : workload->epochs;
    options.batch = arguments.batch;
    options.seed = arguments.seed;
    options.precision = plan::precisionFromString(arguments.precision).value();
    if (arguments.target > 0) options.targetAccuracy = arguments.target;
    options.compile.device = arguments.device;
    options.compile.seed = arguments.seed;
    options.compile.threads = arguments.threads > 0 ? arguments.threads : profile->cpu.usableThreads.valueOr(1);
    auto& progress = arguments.json ? context.err : context.out;
    const auto result = bench::train(**backend, *workload, *data, options, context.clock,
                                     [&](const bench::EpochResult& epoch) { printEpoch(progress, epoch, options.epochs); },
                                     [&] { return context.interrupted.load(); });
    if (!result) return context.report(result.error(), result.error().kind == ErrorKind::Cancelled ? kCancelled : kWrongUsage);
    if (!arguments.json) {
        if (result->secondsToTarget) fmt::print(context.out, "accuracy {} reached after {:.2f} s of training\n", arguments.target, *result->secondsToTarget);
        return;
    }
    auto epochs = Json::array();
    for (const auto& epoch : result->epochs) epochs.push_back(asJson(epoch));
    context.out << Json{{"workload", workload->id}, {"device", arguments.device}, {"epochs", epochs}, {"seconds_to_accuracy", optionalJson(result->secondsToTarget)}}.dump(2) << "\n";
}

}  // namespace

void addTrain(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand("train", "Train for real, with validation after each epoch");
    auto arguments = std::make_shared<TrainArguments>();
    command->add_option("workload", arguments->workload)->required();
    command->add_option("--data", arguments->data, "Folder with the data set's files")->required();
    command->add_option("--epochs", arguments->epochs, "Default: the paper's")->check(CLI::PositiveNumber);
    command->add_option("--batch", arguments->batch, "Default: the paper's")->check(CLI::PositiveNumber);
    command->add_option("--device", arguments->device)->capture_default_str();
    command->add_option("--threads", arguments->threads)->check(CLI::PositiveNumber);
    command->add_option("--precision", arguments->precision)->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16"}))->capture_default_str();
    command->add_option("--accuracy", arguments->target, "Note the time until this validation accuracy")->check(CLI::Range(0.0, 1.0));
    command->add_option("--seed", arguments->seed)->capture_default_str();
    command->add_flag("--json", arguments->json, "One JSON document");
    command->callback([&context, arguments] { train(context, *arguments); });
}

}  // namespace steelyard::cli
