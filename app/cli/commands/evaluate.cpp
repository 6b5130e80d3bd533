// SPDX-License-Identifier: Apache-2.0
// evaluate: real numbers through an ONNX file, compared with what another program computed.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "app/cli/command_context.h"
#include "app/cli/commands/commands.h"
#include "app/cli/json_text.h"
#include "app/cli/options/kernel_cache_flag.h"
#include "app/cli/options/onnx_options.h"
#include "app/cli/options/option_checks.h"
#include "engine/bench/measure/case_runner.h"
#include "engine/compute/evaluation.h"
#include "engine/core/messages/app.h"
#include "engine/model/onnx/onnx_workload.h"

namespace steelyard::cli {
namespace {

struct EvaluateArguments {
    std::string file, inputs, outputs, weights = "file", device = "cpu", precision = "fp32", constants;
    std::optional<double> relative, absolute;
    bool json = false;

    // What is not given depends on the precision: a 16-bit type has two to three digits.
    [[nodiscard]] compute::Tolerance tolerance() const {
        const bool narrow = precision == "bf16" || precision == "fp16";
        return {relative.value_or(narrow ? 5e-2 : 1e-3), absolute.value_or(narrow ? 5e-2 : 1e-5)};
    }
};

// The folder with input_0.pb: the one that is named, or its test_data_set_0.
std::string folderOf(const std::string& inputs) {
    const auto below = std::filesystem::path(inputs) / "test_data_set_0";
    std::error_code ignored;
    const bool direct = std::filesystem::exists(std::filesystem::path(inputs) / "input_0.pb", ignored);
    return !direct && std::filesystem::exists(below / "input_0.pb", ignored) ? below.string() : inputs;
}

Result<compute::Evaluation> evaluateFile(CommandContext& context, const EvaluateArguments& arguments) {
    if (!model::onnx::isOnnxName(arguments.file))
        return fail(ErrorKind::InvalidArgument, arguments.file, app::messages::evaluatesOnnxFiles());
    ASSIGN(const auto name, model::onnx::parseOnnxName(arguments.file));
    ASSIGN(auto file, model::onnx::readFile(name.path));
    ASSIGN(const auto profile, context.profile());
    ASSIGN(auto* const backend, context.backends().backendOf(arguments.device));
    compute::EvaluationRequest request;
    request.folder = folderOf(arguments.inputs);
    request.options = name.options;
    request.options.fileWeights = arguments.weights == "file";
    request.constants = splitList(arguments.constants);
    request.precision = plan::precisionFromString(arguments.precision).value();
    request.compile.device = arguments.device;
    request.compile.threads = bench::threadsOf({.device = arguments.device}, profile);
    return compute::evaluateFolder(*backend, std::move(file), request);
}

Result<void> writeOutputs(const compute::Evaluation& evaluation, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return fail(ErrorKind::IoFailed, folder, Message(error.message()));
    for (std::size_t i = 0; i < evaluation.outputs.size(); ++i)
        TRY(compute::writeArray(evaluation.outputs[i], fmt::format("{}/output_{}.pb", folder, i)));
    return {};
}

void evaluate(CommandContext& context, const EvaluateArguments& arguments) {
    const auto evaluation = evaluateFile(context, arguments);
    if (!evaluation) return context.report(evaluation.error());
    if (!arguments.outputs.empty())
        if (const auto written = writeOutputs(*evaluation, arguments.outputs); !written)
            return context.report(written.error());
    auto rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < evaluation->outputs.size(); ++i) {
        const auto& output = evaluation->outputs[i];
        const auto shape = output.shape.empty() ? "scalar" : model::toString(output.shape);
        if (i >= evaluation->expected.size()) {
            rows.push_back({{"output", output.name}, {"shape", output.shape}, {"state", "not_compared"}});
            if (!arguments.json) fmt::print(context.out, "{:<32} {:<20} not compared\n", output.name, shape);
            continue;
        }
        const auto& expected = evaluation->expected[i];
        auto error = compute::compareOutput(output, expected, arguments.tolerance());
        if (output.shape != expected.shape) error.within = false;
        if (!error.within) context.exitCode = kSomeCaseFailed;
        const auto* state = error.within ? "pass" : "fail";
        rows.push_back({{"output", output.name},
                        {"shape", output.shape},
                        {"state", state},
                        {"max_absolute_error", error.absolute},
                        {"max_relative_error", error.relative}});
        if (!arguments.json)
            fmt::print(context.out, "{:<32} {:<20} {}, largest error {:.2g}, relative {:.2g}\n", output.name, shape,
                       state, error.absolute, error.relative);
    }
    if (arguments.json) context.out << dumpJson(nlohmann::ordered_json{{"outputs", rows}}, 2) << "\n";
}

}  // namespace

void addEvaluate(CLI::App& app, CommandContext& context) {
    auto* command = app.add_subcommand(
        "evaluate", "Compute an ONNX file on given inputs, and compare with the outputs of another program");
    auto arguments = std::make_shared<EvaluateArguments>();
    command
        ->add_option("file", arguments->file,
                     "ONNX file, with options in parentheses where it needs some: net.onnx(outputs=logits)")
        ->required();
    command
        ->add_option("--inputs", arguments->inputs,
                     "Folder with input_0.pb and so on (TensorProto); output_0.pb and so on are compared with")
        ->required();
    command->add_option("--outputs", arguments->outputs, "Folder to write the computed output_0.pb and so on to");
    command->add_option("--weights", arguments->weights, "file for the file's weights (default), drawn for random ones")
        ->check(CLI::IsMember({"file", "drawn"}));
    command->add_option("--constants", arguments->constants,
                        "Inputs that become constants of the network, comma separated (default: those that must)");
    command->add_option("--device", arguments->device)->capture_default_str();
    command->add_option("--precision", arguments->precision)
        ->check(CLI::IsMember({"fp32", "tf32", "bf16", "fp16"}))
        ->capture_default_str();
    command
        ->add_option("--relative", arguments->relative,
                     "Largest relative error (default: 1e-3; 5e-2 in 16-bit precisions)")
        ->check(notNegative);
    command
        ->add_option("--absolute", arguments->absolute,
                     "Largest absolute error beside it (default: 1e-5; 5e-2 in 16-bit precisions)")
        ->check(notNegative);
    addKernelCacheFlag(command, context);
    command->add_flag("--json", arguments->json, "Print one JSON document");
    command->callback([&context, arguments] { evaluate(context, *arguments); });
}

}  // namespace steelyard::cli
