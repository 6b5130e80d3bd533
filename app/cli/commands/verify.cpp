// SPDX-License-Identifier: Apache-2.0
// verify: compares results with the reference backend, without timing.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/options/kernel_cache_flag.h"
#include "app/cli/options/onnx_options.h"
#include "app/cli/options/option_checks.h"
#include "app/cli/options/option_values.h"
#include "engine/bench/measure/case_runner.h"
#include "engine/bench/measure/verification.h"
#include "engine/model/resolve.h"

namespace steelyard::cli {
namespace {

using Json = nlohmann::ordered_json;

struct VerifyArguments {
    std::string workloads, devices = "cpu", precisions = "fp32", modes = "train,infer";
    std::uint64_t seed = 1;
    std::int64_t batch = 0;  // 0: as published
    OnnxOptions onnx;
    bool json = false;
};

bench::Verification verifyOne(CommandContext& context, const model::Workload& workload, const bench::Case& spec,
                              int threads) {
    bench::Verification failed;
    const auto graph = workload.build();
    auto backend = context.backends().backendOf(spec.device);
    if (!graph || !backend) {
        failed.reason = messageOf(!graph ? graph.error() : backend.error());
        return failed;
    }
    bench::VerifyOptions options;
    options.seed = spec.seed;
    options.compile.device = spec.device;
    options.compile.threads = threads;
    return bench::verify(**backend, context.backends().reference(), *graph,
                         {spec.mode, spec.batch, spec.precision, workload.optimizer}, options);
}

void verify(CommandContext& context, const VerifyArguments& arguments) {
    const auto profile = context.profile();
    if (!profile) return context.report(profile.error());
    const auto precisions = namedValues(arguments.precisions, "--precision", plan::kPrecisions);
    if (!precisions) return context.report(precisions.error());
    const auto modes = namedValues(arguments.modes, "--mode", plan::kModes);
    if (!modes) return context.report(modes.error());
    const auto names = withOnnxOptions(arguments.workloads, arguments.onnx);
    if (!names) return context.report(names.error());
    auto ids = model::splitWorkloads(*names);
    if (ids.empty())
        for (const auto& workload : model::workloads()) ids.push_back(workload.id);
    auto rows = Json::array();
    for (const auto& id : ids) {
        const auto workload = model::resolveWorkload(id);
        if (!workload) return context.report(workload.error());
        for (const auto& device : splitList(arguments.devices)) {
            for (const auto precision : *precisions) {
                for (const auto mode : *modes) {
                    if (workload->inferenceOnly && mode == plan::Mode::Train) continue;
                    bench::Case spec{.workload = id,
                                     .mode = mode,
                                     .device = device,
                                     .precision = precision,
                                     .batch = arguments.batch > 0 ? arguments.batch : workload->batch,
                                     .seed = arguments.seed};
                    if (context.interrupted != 0) return void(context.exitCode = kCancelled);
                    const auto result = verifyOne(context, *workload, spec, bench::threadsOf(spec, *profile));
                    if (result.state != bench::VerificationState::Pass) context.exitCode = kSomeCaseFailed;
                    rows.push_back({{"workload", id},
                                    {"mode", toString(mode)},
                                    {"device", device},
                                    {"precision", toString(precision)},
                                    {"state", bench::toString(result.state)},
                                    {"max_relative_error",
                                     result.maxRelativeError ? Json(*result.maxRelativeError) : Json(nullptr)},
                                    {"tolerance", result.tolerance ? Json(*result.tolerance) : Json(nullptr)},
                                    {"reason", result.reason.text}});
                    if (!arguments.json)
                        fmt::print(context.out, "{:<24} {:<6} {:<8} {:<5} {:<12} error {:<10} {}\n", id, toString(mode),
                                   device, toString(precision), bench::toString(result.state),
                                   result.maxRelativeError ? fmt::format("{:.2g}", *result.maxRelativeError) : "-",
                                   result.reason.text);
                }
            }
        }
    }
    if (arguments.json) context.out << dumpJson(Json{{"verifications", rows}}, 2) << "\n";
}

}  // namespace

void addVerify(CLI::App& app, CommandContext& context) {
    auto* command =
        app.add_subcommand("verify", "Verify the results of a device against the reference, without timing");
    auto arguments = std::make_shared<VerifyArguments>();
    command->add_option("--workload", arguments->workloads, "Workloads, comma separated (default: all)")
        ->check(nonEmptyList);
    command->add_option("--device", arguments->devices, "Devices, comma separated")
        ->check(nonEmptyList)
        ->capture_default_str();
    command->add_option("--precision", arguments->precisions)->check(nonEmptyList)->capture_default_str();
    command->add_option("--mode", arguments->modes)->check(nonEmptyList)->capture_default_str();
    command->add_option("--batch", arguments->batch, "Samples per step (default: as published)")->check(batchSize);
    addOnnxOptions(*command, arguments->onnx, false);
    command->add_option("--seed", arguments->seed)->check(seed)->capture_default_str();
    addKernelCacheFlag(command, context);
    command->add_flag("--json", arguments->json, "Print one JSON document");
    command->callback([&context, arguments] { verify(context, *arguments); });
}

}  // namespace steelyard::cli
