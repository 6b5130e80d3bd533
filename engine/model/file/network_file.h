// SPDX-License-Identifier: Apache-2.0
// Networks of one's own, described in a small JSON file (resources/schemas/network.schema.json) and usable wherever a
// workload of the zoo is. Pure functions but for readNetworkFile.
//
//   {"name": "tiny", "batch": 64, "optimizer": {"kind": "adam", "learning_rate": 0.001},
//    "layers": [{"kind": "input", "shape": [1, 28, 28]},
//               {"kind": "conv2d", "filters": 8, "kernel": 3, "padding": "same"},
//               {"kind": "flatten"}, {"kind": "dense", "name": "answer", "units": 10}],
//    "outputs": [{"layer": "answer"}]}
//
// A layer's "inputs" name layers above it; without them it takes the one before.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/model/zoo/zoo.h"

namespace steelyard::model {

// InvalidArgument, with line and column, for whatever the schema does not allow and for a network that does not fit
// together. `subject` names the text in errors and becomes the workload's id.
[[nodiscard]] Result<Workload> readNetwork(std::string_view text, const std::string& subject);
// Also NotFound, PermissionDenied and IoFailed; a file above 1 MiB is refused unread. The workload's id is the path and
// a hash of the content, "net.json#1a2b3c4d", so that an edited file is another workload; a name that ends in a hash is
// InvalidArgument when the file no longer has it.
[[nodiscard]] Result<Workload> readNetworkFile(const std::string& name);

}  // namespace steelyard::model
