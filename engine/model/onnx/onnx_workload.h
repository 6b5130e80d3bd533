// SPDX-License-Identifier: Apache-2.0
// An ONNX file as a workload: the name entered by the user, and its identity.
//   ./net.onnx
//   ./net.onnx(batch=8,shape.x=1x3x640x640,value.sr=16000,outputs=logits,weights=file)
//   ./net.onnx#1a2b3c4d                 the same, but an error if the network has changed
// Several outputs: outputs=a+b. The hash covers structure, attributes and shapes (structure_hash.h). The id of the
// workload, "net.onnx(batch=8)#1a2b3c4d", has no folder: it is independent of the file's location. In a process that
// has read the file the id is also a valid name; other processes need locatedOnnxName().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/onnx/import.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model::onnx {

[[nodiscard]] bool isOnnxName(std::string_view text);

// The parts of such a name. InvalidArgument for an unknown or invalid option.
struct OnnxName {
    std::string path;
    ImportOptions options;
    std::string hash;         // empty: none given
    std::string optionsText;  // canonical, with parentheses; empty without options
};
[[nodiscard]] Result<OnnxName> parseOnnxName(std::string_view text);

// The name with further options, each as in its parentheses: "shape.x=1x3x64x64". InvalidArgument if there are options
// and the name is not that of an ONNX file.
[[nodiscard]] Result<std::string> withImportOptions(std::string_view text, const std::vector<std::string>& options);

// Key for comparing the networks of workload ids: for an ONNX file its hash, independent of the location; otherwise the
// id.
[[nodiscard]] std::string workloadIdentity(std::string_view id);

// An id as a name that another process can resolve: with the path at which this process found the file. Other text is
// returned unchanged. Thread-safe.
[[nodiscard]] std::string locatedOnnxName(std::string_view text);
// The inverse: returns the id and remembers the path. A name without a hash is returned unchanged. Thread-safe.
[[nodiscard]] std::string receivedOnnxName(std::string_view text);

[[nodiscard]] Result<Workload> readOnnxWorkload(std::string_view text);

}  // namespace steelyard::model::onnx
