// SPDX-License-Identifier: Apache-2.0
// Inference in eight bits, emulated in Float32: values are put on the grids of plan/quantisation.h, and sums are exact.
// Internal to engine/compute/reference.
#pragma once

#include <span>
#include <vector>

#include "engine/compute/reference/step_run.h"
#include "engine/plan/quantisation.h"

namespace steelyard::compute::reference {

// To the nearest step, ties to even. What is a tie but for the rounding of Float32 counts as one: averages of bytes
// often are.
void roundToGrid(const plan::Grid& grid, std::span<float> values);

// While it lives, an operation that multiplies bytes reads its first input and its weights rounded.
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
