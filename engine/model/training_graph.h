// SPDX-License-Identifier: Apache-2.0
// An imported network as one to train. Files are exported for inference: they end in probabilities or scores and name
// no loss.
#pragma once

#include <vector>

#include "engine/model/graph.h"

namespace steelyard::model {

// By node: whether the result changes with a trainable parameter, so that a gradient passes through it.
[[nodiscard]] std::vector<bool> trainableNodes(const Graph& graph);

// The graph with one head, its first output, and a loss: cross-entropy over the last dimension, after a softmax; over
// the channels where the output is [B, C, H, W] or of more dimensions; of a sigmoid where there is one score. A softmax
// or sigmoid at the end is part of the loss. Unsupported, with the name of the operation, where one on the way has no
// gradient (array/array_gradient.h); InvalidArgument where nothing can be trained or the output is of integers.
// For graphs with whole shapes and heads without a loss.
[[nodiscard]] Result<Graph> trainingGraph(const Graph& graph);

}  // namespace steelyard::model
