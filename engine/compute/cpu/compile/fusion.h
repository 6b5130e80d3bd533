// SPDX-License-Identifier: Apache-2.0
// Rewrites a Plan into one with fewer passes over memory, without changing what it computes:
//   conv/dense + activation             one kernel, when backward needs only the activation's result
//   conv - max pool - ReLU              ReLU moves into the convolution; ReLU and maximum commute
//   add + ReLU, batch norm + ReLU         one pass; batch norm keeps a mask of a bit per element
//   conv/dense + batch norm, inferring    the norm becomes part of the weights
//   conv + add, inferring                 the convolution adds to the other operand
//   ReLU (- max pool) (- dropout)       ReLU's gradient is a mask that the later result still shows: applied there,
//                                       on the smaller tensor or together with the dropout's
//   softmax + cross-entropy             the forward loop writes the gradient of the logits
//   element-wise operations of arrays   one pass for a chain of them
//   transposition + matrix product      the product reads, or writes, where the transposition would
//   updates                             run as soon as the gradient is known, in groups; gradients then need no
//                                       memory of their own
// A pure function; the rewritten Plan keeps the tensor ids of the original.
#pragma once

#include <optional>
#include <vector>

#include "engine/compute/cpu/compile/strided_view.h"
#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

// One function of a chain of element-wise ones. Operands: an input of the operation, or ~k for the result of step k.
// Binary functions have two, Where has three.
struct MapStep {
    model::Map map;
    std::vector<int> operands;
};

// An operand or the result of a matrix product that lies in another order in its tensor.
struct OperandView {
    model::Shape shape;  // as the product sees it
    StridedView view;    // of its elements, in the tensor
};

struct Fusion {
    int original = -1;                                // index of the operation in the original Plan
    std::optional<model::ActivationKind> activation;  // applied to the result
    // Convolution or MatMul, inferring: scale, offset, running mean and variance of a batch norm on the result.
    std::vector<plan::TensorId> normalisation;
    double normalisationEpsilon = 0;
    bool addsInput = false;      // Convolution, inferring: inputs[1] is added to the result, before the activation
    bool reluMask = false;       // Dropout, backward: `output` is max(0, .) times the mask; both masks are output != 0
    std::vector<MapStep> steps;  // Array: the chain of element-wise functions; the last gives the result
    std::vector<OperandView> views;  // Array, matrix product, attention: of what is multiplied; empty: as it lies
    std::optional<OperandView> resultView;  // Array, matrix product, attention: of the output
    bool computesGradient = false;          // losses, forward: writes the logits' gradient instead of the probabilities
};

struct FusedPlan {
    plan::Plan plan;
    std::vector<Fusion> fusion;  // parallel to plan.operations
};

struct FusionOptions {
    bool keepGradients = false;  // every gradient stays readable after the step
};

[[nodiscard]] FusedPlan fuse(const plan::Plan& plan, const FusionOptions& options);

}  // namespace steelyard::compute::cpu
