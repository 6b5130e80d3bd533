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
//   updates                             run as soon as the gradient is known, in groups; gradients then need no
//                                       memory of their own
// A pure function; the rewritten Plan keeps the tensor ids of the original.
#pragma once

#include <optional>
#include <vector>

#include "engine/plan/plan.h"

namespace steelyard::compute::cpu {

struct Fusion {
    int original = -1;                                // index of the operation in the original Plan
    std::optional<model::ActivationKind> activation;  // applied to the result
    // Convolution or MatMul, inferring: scale, offset, running mean and variance of a batch norm on the result.
    std::vector<plan::TensorId> normalisation;
    double normalisationEpsilon = 0;
    bool addsInput = false;  // Convolution, inferring: inputs[1] is added to the result, before the activation
    bool reluMask = false;   // Dropout, backward: `output` is max(0, .) times the mask; both masks are output != 0
    bool computesGradient = false;  // losses, forward: writes the logits' gradient instead of the probabilities
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
