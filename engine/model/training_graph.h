// SPDX-License-Identifier: Apache-2.0
// Makes an imported network trainable. Files are exported for inference: they end in probabilities or scores and
// contain no loss.
#pragma once

#include <vector>

#include "engine/model/graph.h"

namespace steelyard::model {

// Per node: whether its result depends on a trainable parameter, so that gradients pass through it.
[[nodiscard]] std::vector<bool> trainableNodes(const Graph& graph);

// The graph with one head, its first output, and a loss: cross-entropy over the last dimension, after a softmax; over
// the channels for outputs [B, C, H, W] or of higher rank; of a sigmoid for a single score. A final softmax or sigmoid
// becomes part of the loss. Errors: Unsupported, naming the operation, if one has no gradient (array/array_gradient.h);
// InvalidArgument if there is nothing to train or the output is of integer type. For graphs with whole shapes and heads
// without a loss.
[[nodiscard]] Result<Graph> trainingGraph(const Graph& graph);

}  // namespace steelyard::model
