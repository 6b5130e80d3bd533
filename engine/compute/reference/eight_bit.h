// SPDX-License-Identifier: Apache-2.0
// Emulation of int8 inference in Float32: values are rounded to the grids of plan/quantisation.h, and sums are exact.
// Internal to engine/compute/reference.
#pragma once

#include <span>
#include <vector>

#include "engine/compute/reference/step_run.h"
#include "engine/plan/quantisation.h"

namespace steelyard::compute::reference {

// Rounds to the nearest step, ties to even. Values that are a tie up to Float32 rounding count as one, as often for
// averages of 8-bit values.
void roundToGrid(const plan::Grid& grid, std::span<float> values);

// Scope in which an operation with 8-bit products reads its first input and weights rounded.
class EightBitOperands {
public:
    EightBitOperands(const plan::Plan& plan, TensorStore& tensors, const Operation& op);
    EightBitOperands(const EightBitOperands&) = delete;
    EightBitOperands& operator=(const EightBitOperands&) = delete;
    ~EightBitOperands();

private:
    std::span<float> m_input, m_weights;
    std::vector<float> m_inputBefore, m_weightsBefore;
};

}  // namespace steelyard::compute::reference
