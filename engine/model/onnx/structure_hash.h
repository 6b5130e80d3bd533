// SPDX-License-Identifier: Apache-2.0
// What identifies an imported network.
#pragma once

#include <cstddef>
#include <string>

#include "engine/model/graph.h"

namespace steelyard::model::onnx {

inline constexpr std::size_t kStructureHashDigits = 8;

// Of operations, their attributes, how they are connected, and shapes; not of weights, names or where the file lies.
[[nodiscard]] std::string structureHash(const model::Graph& network);

}  // namespace steelyard::model::onnx
