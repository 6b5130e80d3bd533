// SPDX-License-Identifier: Apache-2.0
// An ONNX file as a workload: what a person writes, and what identifies it.
//   ./net.onnx
//   ./net.onnx(batch=8,shape.x=1x3x640x640,value.sr=16000,outputs=logits,weights=file)
//   ./net.onnx#1a2b3c4d                 the same, but an error where the network is no longer that one
// Several outputs: outputs=a+b. The hash is of structure, attributes and shapes (structure_hash.h).
// The id of the workload, "net.onnx(batch=8)#1a2b3c4d", has no folder: it is the same wherever the file lies. In a
// process that has read the file it is also a name of it; another one needs locatedOnnxName().
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

// The name with further options, each as in its parentheses: "shape.x=1x3x64x64". InvalidArgument where there are some
// and the name is not that of an ONNX file.
[[nodiscard]] Result<std::string> withImportOptions(std::string_view text, const std::vector<std::string>& options);

// What makes two ids of workloads the same network: of an ONNX file its hash, wherever the file lies; else the id.
[[nodiscard]] std::string workloadIdentity(std::string_view id);

// An id as a name that another process can resolve: with the path at which this one has found the file. Any other text
// as it is. Thread-safe.
[[nodiscard]] std::string locatedOnnxName(std::string_view text);
// The other way round: the id, and remembers the path. A name without a hash as it is. Thread-safe.
[[nodiscard]] std::string receivedOnnxName(std::string_view text);

[[nodiscard]] Result<Workload> readOnnxWorkload(std::string_view text);

}  // namespace steelyard::model::onnx
