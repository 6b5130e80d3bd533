// SPDX-License-Identifier: Apache-2.0
// Rewrites a Plan to need fewer passes over memory, without changing its results:
//   conv/dense + activation             one kernel, if backward needs only the activation's result
//   conv - max pool - ReLU              ReLU moves into the convolution, since ReLU and maximum commute
//   add + ReLU, batch norm + ReLU       one pass; batch norm keeps a bit mask
//   conv/dense + batch norm, inference  folded into the weights
//   conv + add, inference               the convolution accumulates into the other operand
//   ReLU (- max pool) (- dropout)       ReLU's gradient is a mask that the later result still contains: applied there,
//                                       on the smaller tensor or together with the dropout's
//   softmax + cross-entropy             the forward loop writes the gradient of the logits
//   element-wise operations of arrays   one pass for a chain of them
//   transposition + matrix product      the product reads, or writes, through a strided view
//   conv - depthwise conv (- conv),     marked: they may run for a part of the batch at a time
//   inference
//   updates                             run as soon as the gradient is known, in groups; gradients then need no
//                                       memory
// A pure function; the rewritten Plan keeps the tensor ids of the original.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/model/array/strided_view.h"
#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

using model::StridedView;

// One function of an element-wise chain. Operands: an input of the operation, or ~k for the result of step k. Binary
// functions have two, Where has three.
struct MapStep {
    model::Map map;
    std::vector<int> operands;
};

// A strided view of an operand or result of a matrix product.
struct OperandView {
    model::Shape shape;  // as the product sees it
    StridedView view;    // of its elements in the tensor
};

struct Fusion {
    int original = -1;                                // index into the original Plan's operations
    std::optional<model::ActivationKind> activation;  // applied to the result
    // Convolution or MatMul, inference: scale, offset, running mean and variance of a batch norm on the result.
    std::vector<plan::TensorId> normalisation;
    double normalisationEpsilon = 0;
    bool addsInput = false;      // Convolution, inference: adds inputs[1] to the result, before the activation
    bool reluMask = false;       // Dropout, backward: `output` is max(0, .) times the mask; both masks are output != 0
    std::vector<MapStep> steps;  // Array: chain of element-wise functions; the last one gives the result
    std::vector<OperandView> views;         // Array, matrix product, attention: of the operands; empty: as stored
    std::optional<OperandView> resultView;  // Array, matrix product, attention: of the output
    // Convolution, inference: length of the chain that starts here, 2 or 3, or 0: a depthwise convolution follows, and
    // possibly another one, each the only reader of the result before, as its data.
    std::size_t chain = 0;
    bool computesGradient = false;  // losses, forward: writes the logits' gradient instead of the probabilities
};

struct FusedPlan {
    plan::Plan plan;
    std::vector<Fusion> fusion;  // parallel to plan.operations
};

struct FusionOptions {
    bool keepGradients = false;  // all gradients remain readable after the step
};

[[nodiscard]] FusedPlan fuse(const plan::Plan& plan, const FusionOptions& options);

}  // namespace steelyard::compute::cpu
