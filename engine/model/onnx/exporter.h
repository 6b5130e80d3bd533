// SPDX-License-Identifier: Apache-2.0
// A network of layers as an ONNX file (opset 20) that computes what an inference step of it computes: with softmax or
// sigmoid behind the logits, without dropout and without what only training reads. The first dimension of the inputs is
// open. Operators are those that exporters of frameworks write, so that an import finds the same layers again; but
//   recurrent layers have ONNX's two biases, of which the second is zero,
//   of a table of positions or token types only the rows that are read are written.
// Thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/model/graph.h"

namespace steelyard::model::onnx {

// Weights are the initial values of the seed. They are written one after the other, and never all in memory.
// Unsupported: layers that keep something from step to step, imported operations, more than the 2 GiB of a file.
[[nodiscard]] Result<void> exportNetwork(const model::Graph& network, const std::string& path, std::uint64_t seed);

// A TensorProto of float32.
[[nodiscard]] std::string tensorBytes(std::string_view name, const Shape& shape, std::span<const float> values);

}  // namespace steelyard::model::onnx
