// SPDX-License-Identifier: Apache-2.0
// FLOPs, bytes and shape figures of one operation, from the dimensions of its tensors. Internal to engine/plan.
//   Convolution  macs = B K OH OW (C / groups) kh kw                      (cross-correlation, every tap counted)
//   MatMul       macs = rows units F
//   Product      macs = B M N K
//   Attention    macs = 2 B T (T + cached) F                              (Q K^T and P V; a causal mask is not
//   subtracted) Recurrent    macs = directions B T gates units (F + units)
// The data gradient and the weight gradient of a matrix-like operation each cost as much as its forward pass;
// attention's and the recurrent layers' joint backward pass costs twice.
#pragma once

#include "engine/plan/plan.h"

namespace steelyard::plan {

// Fills macs, outputChannels, reductionLength and sequentialSteps of a matrix-like operation (no effect on others). The
// dimensions are those of its first input (with the batch) and of its weight; empty when there is none.
void fillMatrixCost(Operation& operation, const Plan& plan, const model::Shape& firstInput, const model::Shape& weight);
// Fills flops and bytes; after fillMatrixCost.
void fillCost(Operation& operation, const Plan& plan);

}  // namespace steelyard::plan
