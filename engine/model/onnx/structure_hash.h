// SPDX-License-Identifier: Apache-2.0
// Identifies an imported network.
#pragma once

#include <cstddef>
#include <string>

#include "engine/model/graph.h"

namespace steelyard::model::onnx {

inline constexpr std::size_t kStructureHashDigits = 8;

// Hash of operations, attributes, connections, and shapes; not of weights, names or the file's location.
[[nodiscard]] std::string structureHash(const model::Graph& network);

}  // namespace steelyard::model::onnx
