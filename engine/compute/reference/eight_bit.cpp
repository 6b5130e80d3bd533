// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/reference/eight_bit.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/compute/eight_bit.h"

namespace steelyard::compute::reference {

void roundToGrid(const plan::Grid& grid, std::span<float> values) {
    constexpr double kFraction = 4096;  // of a step
    for (auto& value : values) {
        const double steps = static_cast<double>(value) / static_cast<double>(grid.step);
        const double near = std::nearbyint(std::nearbyint(steps * kFraction) / kFraction);
        const double limited = std::isnan(near) ? 0 : std::clamp<double>(near, grid.lowest(), grid.highest());
        value = static_cast<float>(limited) * grid.step;
    }
}

EightBitOperands::EightBitOperands(const plan::Plan& plan, TensorStore& tensors, const Operation& op) {
    if (!plan::isEightBitProduct(op, plan)) return;
    m_input = tensors.floats(op.inputs[0]);
    m_inputBefore.assign(m_input.begin(), m_input.end());
    roundToGrid(plan::gridOf(plan, op.inputs[0]), m_input);
    m_weights = tensors.floats(op.parameters[0]);
    m_weightsBefore.assign(m_weights.begin(), m_weights.end());
    std::vector<std::int8_t> rounded(m_weights.size());
    std::vector<float> steps(static_cast<std::size_t>(plan.tensor(op.parameters[0]).dims[0]));
    roundWeightRows(m_weights, plan::declaredSteps(plan, op.parameters[0]), plan.options.quantisation.weightLevels,
                    rounded, steps);
    const auto length = rounded.size() / steps.size();
    for (std::size_t i = 0; i < rounded.size(); ++i) m_weights[i] = static_cast<float>(rounded[i]) * steps[i / length];
}

EightBitOperands::~EightBitOperands() {
    std::copy(m_inputBefore.begin(), m_inputBefore.end(), m_input.begin());
    std::copy(m_weightsBefore.begin(), m_weightsBefore.end(), m_weights.begin());
}

}  // namespace steelyard::compute::reference
