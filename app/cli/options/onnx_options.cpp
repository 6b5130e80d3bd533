// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/onnx_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/options/option_checks.h"
#include "engine/core/messages/app.h"
#include "engine/core/messages/onnx.h"
#include "engine/model/onnx/onnx_workload.h"
#include "engine/model/resolve.h"

namespace steelyard::cli {

const char* weightsHelp(bool withLanguageModels) {
    return withLanguageModels ? "Weights. Language model: their format, such as q4_k_m, q8_0, bf16, awq4 (default: "
                                "q4_k_m). ONNX file: file for those in the file, drawn for random ones (default)"
                              : "ONNX file: file for the weights in the file, drawn for random ones (default)";
}

void addOnnxOptions(CLI::App& command, OnnxOptions& options, bool withLanguageModels) {
    const auto several = [&](const char* name, std::vector<std::string>& values, const char* text) {
        command.add_option(name, values, text)->allow_extra_args(false)->check(nonEmptyList);
    };
    several("--shape", options.shapes, "ONNX file: shape of an input, or one dimension: x=1x3x640x640, frames=100");
    several("--value", options.values, "ONNX file: value of an input that determines shapes: rate=16000");
    command
        .add_option("--outputs", options.outputs,
                    "ONNX file: values to compute, comma separated (default: the graph's outputs)")
        ->check(nonEmptyList);
    command.add_option("--weights", options.weights, weightsHelp(withLanguageModels));
}

Result<std::string> withOnnxOptions(const std::string& workloads, const OnnxOptions& options) {
    std::vector<std::string> added;
    for (const auto& shape : options.shapes) added.push_back("shape." + shape);
    for (const auto& value : options.values) added.push_back("value." + value);
    if (!options.outputs.empty()) {
        auto outputs = options.outputs;
        std::replace(outputs.begin(), outputs.end(), ',', '+');
        added.push_back("outputs=" + outputs);
    }
    if (!options.weights.empty()) added.push_back("weights=" + options.weights);
    if (added.empty()) return workloads;
    bool any = false;
    auto names = model::splitWorkloads(workloads);
    for (auto& name : names) {
        if (!model::onnx::isOnnxName(name)) continue;
        ASSIGN(name, model::onnx::withImportOptions(name, added));
        any = true;
    }
    if (!any && added.size() == 1 && !options.weights.empty())
        return fail(ErrorKind::InvalidArgument, "--weights", app::messages::forModelsAndFiles());
    if (!any)
        return fail(ErrorKind::InvalidArgument, "--shape, --value, --outputs, --weights",
                    model::onnx::messages::forOnnxFiles());
    return fmt::format("{}", fmt::join(names, ","));
}

}  // namespace steelyard::cli
