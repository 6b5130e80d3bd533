// SPDX-License-Identifier: Apache-2.0
// Inference in eight bits: which tensors are stored in bytes, and on which grid. The scheme is that of B. Jacob and
// others, Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference (2018), without
// zero points:
//   weights      w = step q, one step for each output channel, q from -levels to levels (Quantisation::weightLevels)
//   activations  x = step q, one step for each tensor, from calibration (compute/calibration.h); q from -127 to 127, or
//                0 to 255 where the values are never negative
// Convolutions and dense layers multiply bytes and add 32-bit integers; scaling, bias, batch normalisation, shortcut
// and activation follow in Float32, and the result is rounded to the nearest step, ties to even. Pooling, concatenation
// and flattening keep the grid of what they read. All else (attention, normalisation, recurrent layers, heads) computes
// in Float32; a Float32 tensor that a product reads is rounded on the way in.
//
// Pure functions.
#pragma once

#include <vector>

#include "engine/plan/plan.h"

namespace steelyard::plan {

// Whether the operation multiplies bytes: convolutions and dense layers of an Int8 plan.
[[nodiscard]] bool isEightBitProduct(const Operation& op, const Plan& plan);

// Stored in bytes by an operation of the step.
[[nodiscard]] bool isEightBit(const Tensor& tensor);

// Types the tensors of an Int8 plan: Int8 or UInt8 where every operation that writes or reads one works on bytes. The
// later operand of a sum of two stays Float32 when a convolution writes it: backends add it before they round.
void chooseEightBits(Plan& plan);

struct Grid {
    bool isSigned = true;
    float step = 1;

    [[nodiscard]] int lowest() const { return isSigned ? -127 : 0; }
    [[nodiscard]] int highest() const { return isSigned ? 127 : 255; }
};

// The grid on which a tensor is stored, or on which products read it. Without calibration the step is 1.
[[nodiscard]] Grid gridOf(const Plan& plan, TensorId id);

// Magnitudes found by calibration, joined over tensors that share a grid.
[[nodiscard]] std::vector<float> sharedRanges(const Plan& plan, std::vector<float> ranges);

}  // namespace steelyard::plan
