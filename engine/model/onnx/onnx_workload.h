// SPDX-License-Identifier: Apache-2.0
// An ONNX file as a workload: what a person writes, and what identifies it.
//   ./net.onnx
//   ./net.onnx(batch=8,shape.x=1x3x640x640,value.sr=16000,outputs=logits,weights=file)
//   ./net.onnx#1a2b3c4d                 the same, but an error where the network is no longer that one
// Several outputs: outputs=a+b. The hash is of structure and shapes; not of weights, names of nodes or the path.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/model/onnx/import.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model::onnx {

[[nodiscard]] bool isOnnxName(std::string_view text);

// The parts of such a name. InvalidArgument for an option that does not exist or does not fit.
struct OnnxName {
    std::string path;
    ImportOptions options;
    std::string hash;         // empty: none given
    std::string optionsText;  // canonical, with its parentheses; empty without options
};
[[nodiscard]] Result<OnnxName> parseOnnxName(std::string_view text);

[[nodiscard]] std::string structureHash(const model::Graph& network);

[[nodiscard]] Result<Workload> readOnnxWorkload(std::string_view text);

}  // namespace steelyard::model::onnx
