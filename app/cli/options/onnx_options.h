// SPDX-License-Identifier: Apache-2.0
// The options with which an ONNX file is imported, for every command that names a workload. They are the same as those
// in parentheses behind the file's name (engine/model/onnx/onnx_workload.h).
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
// --weights is the format of theirs.
[[nodiscard]] const char* weightsHelp(bool withLanguageModels);
void addOnnxOptions(CLI::App& command, OnnxOptions& options, bool withLanguageModels);

// The name of a workload, or a list of names separated by commas, with these options behind every ONNX file.
// InvalidArgument where there are options and no ONNX file.
[[nodiscard]] Result<std::string> withOnnxOptions(const std::string& workloads, const OnnxOptions& options);

}  // namespace steelyard::cli
