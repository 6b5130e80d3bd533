// SPDX-License-Identifier: Apache-2.0
// Exports a network of layers as an ONNX file (opset 20) for inference: with softmax or sigmoid after the logits,
// without dropout and without inputs needed for training only. The first dimension of the inputs is symbolic. The
// operators follow the conventions of framework exporters, so that an import restores the same layers; except that
//   recurrent layers have ONNX's two biases, the second being zero,
//   for a table of positions or token types only the rows in use are written.
// Thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/model/graph.h"

namespace steelyard::model::onnx {

// Weights are the initial values of the seed. They are written sequentially and never all in memory.
// Unsupported: layers with state carried between steps, imported operations, more than the 2 GiB limit of a file.
[[nodiscard]] Result<void> exportNetwork(const model::Graph& network, const std::string& path, std::uint64_t seed);

// A TensorProto of float32.
[[nodiscard]] std::string tensorBytes(std::string_view name, const Shape& shape, std::span<const float> values);

}  // namespace steelyard::model::onnx
