// SPDX-License-Identifier: Apache-2.0
// Import options of ONNX files, for every command that takes a workload. They can also be given in parentheses after
// the file name (engine/model/onnx/onnx_workload.h).
#pragma once

#include <string>
#include <vector>

#include "engine/core/error.h"

namespace CLI {
class App;
}

namespace steelyard::cli {

struct OnnxOptions {
    std::vector<std::string> shapes, values;  // "NAME=1x3x640x640", "NAME=16000"
    std::string outputs, weights;
};

// --shape, --value, --outputs and --weights. `withLanguageModels`: the command also takes language models, for which
// --weights is the weight format.
[[nodiscard]] const char* weightsHelp(bool withLanguageModels);
void addOnnxOptions(CLI::App& command, OnnxOptions& options, bool withLanguageModels);

// A workload name, or a comma-separated list of names, with these options added to every ONNX file. InvalidArgument if
// options are given without an ONNX file.
[[nodiscard]] Result<std::string> withOnnxOptions(const std::string& workloads, const OnnxOptions& options);

}  // namespace steelyard::cli
