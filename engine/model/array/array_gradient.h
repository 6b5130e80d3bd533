// SPDX-License-Identifier: Apache-2.0
// Which array operations are differentiable. The gradients are in plan/array_gradient.h.
#pragma once

#include <vector>

#include "engine/model/array/array_layer.h"

namespace steelyard::model {

// Whether the result depends differentiably on the inputs: comparisons, rounding and argmax do not, and their gradient
// is zero.
[[nodiscard]] bool passesGradient(const ArrayOperation& operation);

// Whether a gradient exists for each input in `wanted`. `inputs` are the shapes, one per entry of `wanted`, for which
// arrayShape() returned `output`.
[[nodiscard]] bool hasGradient(const ArrayOperation& operation, const std::vector<Shape>& inputs, const Shape& output,
                               const std::vector<bool>& wanted);

// Whether each input element becomes a block of equal output elements.
[[nodiscard]] bool repeatsElements(const ResizeArray& resize, const Shape& input, const Shape& output);

}  // namespace steelyard::model
