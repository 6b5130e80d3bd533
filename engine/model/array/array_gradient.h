// SPDX-License-Identifier: Apache-2.0
// Which array operations can be trained through. The gradients themselves are in plan/array_gradient.h.
#pragma once

#include <vector>

#include "engine/model/array/array_layer.h"

namespace steelyard::model {

// Whether the result changes with its inputs at all: comparisons, roundings and indices of extremes do not, and the
// gradient of what they are computed from is zero.
[[nodiscard]] bool passesGradient(const ArrayOperation& operation);

// Whether there is a gradient for each of the inputs that are `wanted`. `inputs` are the shapes, as many as `wanted`;
// arrayShape() accepts them and gave `output`.
[[nodiscard]] bool hasGradient(const ArrayOperation& operation, const std::vector<Shape>& inputs, const Shape& output,
                               const std::vector<bool>& wanted);

}  // namespace steelyard::model
