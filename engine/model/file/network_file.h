// SPDX-License-Identifier: Apache-2.0
// User-defined networks in a small JSON file (resources/schemas/network.schema.json), usable like a workload of the
// zoo. Pure functions except readNetworkFile.
//
//   {"name": "tiny", "batch": 64, "optimizer": {"kind": "adam", "learning_rate": 0.001},
//    "layers": [{"kind": "input", "shape": [1, 28, 28]},
//               {"kind": "conv2d", "filters": 8, "kernel": 3, "padding": "same"},
//               {"kind": "flatten"}, {"kind": "dense", "name": "answer", "units": 10}],
//    "outputs": [{"layer": "answer"}]}
//
// A layer's "inputs" name earlier layers; the default is the previous one.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

// InvalidArgument, with line and column, for violations of the schema and inconsistent networks. `subject` names the
// text in errors and becomes the workload's id.
[[nodiscard]] Result<Workload> readNetwork(std::string_view text, const std::string& subject);
// Also NotFound, PermissionDenied and IoFailed; files above 1 MiB are rejected. The workload's id is the path and a
// hash of the content, "net.json#1a2b3c4d", so that an edited file is a different workload; InvalidArgument if a hash
// in the name does not match.
[[nodiscard]] Result<Workload> readNetworkFile(const std::string& name);

}  // namespace steelyard::model
