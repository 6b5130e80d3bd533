// SPDX-License-Identifier: Apache-2.0
// Int8 inference: which tensors are stored in 8 bits, and on which grid. The scheme is that of B. Jacob et al.,
// Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference (2018), without zero
// points:
//   weights      w = step q, one step per output channel, q from -levels to levels (Quantisation::weightLevels)
//   activations  x = step q, one step per tensor, from a quantised file or from calibration (compute/eight_bit.h);
//                q from -127 to 127, or 0 to 255 if the values are never negative
// Convolutions and dense layers multiply 8-bit integers and accumulate in 32 bits; scaling, bias, batch normalisation,
// shortcut and activation follow in Float32, and the result is rounded to the nearest step, ties to even. Pooling,
// concatenation and flattening preserve the grid of their inputs. Everything else (attention, normalisation, recurrent
// layers, heads) computes in Float32; a Float32 tensor that a product reads is quantised on the fly.
//
// Pure functions.
#pragma once

#include <vector>

#include "engine/plan/plan.h"

namespace steelyard::plan {

// Whether the operation multiplies 8-bit integers: convolutions and dense layers of an Int8 plan.
[[nodiscard]] bool isEightBitProduct(const Operation& op, const Plan& plan);

// Whether the tensor is stored in 8 bits.
[[nodiscard]] bool isEightBit(const Tensor& tensor);

// Sets the tensor types of an Int8 plan: Int8 or UInt8 if all operations that write or read the tensor support 8 bits.
// The second operand of an addition stays Float32 if a convolution writes it: backends add it before rounding.
void chooseEightBits(Plan& plan);

struct Grid {
    bool isSigned = true;
    float step = 1;

    [[nodiscard]] int lowest() const { return isSigned ? -127 : 0; }
    [[nodiscard]] int highest() const { return isSigned ? 127 : 255; }
};

// The grid in which a tensor is stored, or quantised when products read it. Without calibration the step is 1.
[[nodiscard]] Grid gridOf(const Plan& plan, TensorId id);

// Magnitudes from the grids of a quantised file, also for tensors to which operations preserve them; 0 if there is
// none.
[[nodiscard]] std::vector<float> declaredRanges(const Plan& plan);
// Whether gridOf the tensor is used.
[[nodiscard]] bool needsRange(const Plan& plan, TensorId id);
// Steps of the rows of a weight in its file, or nothing.
[[nodiscard]] std::vector<float> declaredSteps(const Plan& plan, TensorId weight);

// Calibrated magnitudes, merged over tensors that share a grid.
[[nodiscard]] std::vector<float> sharedRanges(const Plan& plan, std::vector<float> ranges);

}  // namespace steelyard::plan
