// SPDX-License-Identifier: Apache-2.0
// FLOPs, bytes and shape parameters of an operation, from the dimensions of its tensors. Internal to engine/plan.
//   Convolution  macs = B K OH OW (C / groups) kh kw                      (every tap counted)
//   MatMul       macs = rows units F
//   Product      macs = B M N K
//   Attention    macs = 2 B T (T + cached) F                              (Q K^T and P V, regardless of causal masks)
//   Recurrent    macs = directions B T gates units (F + units)
// The data gradient and the weight gradient of a matrix-like operation each cost as much as its forward pass;
// attention's and the recurrent layers' joint backward pass costs twice.
#pragma once

#include "engine/plan/plan.h"

namespace steelyard::plan {

// Sets macs, outputChannels, reductionLength and sequentialSteps of matrix-like operations (no-op for others). The
// dimensions are those of the first input (with the batch) and of the weight; empty if absent.
void fillMatrixCost(Operation& operation, const Plan& plan, const model::Shape& firstInput, const model::Shape& weight);
// Fills flops and bytes; after fillMatrixCost.
void fillCost(Operation& operation, const Plan& plan);

}  // namespace steelyard::plan
