// SPDX-License-Identifier: Apache-2.0
// What an element of a resized array is made of: the formulas of ONNX's Resize, for every evaluator.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/array/array_layer.h"

namespace steelyard::model {

// The elements of one dimension, of `from` elements, that element `out` of the `to` resized ones is made of.
struct ResizeTaps {
    std::vector<std::int64_t> places;
    std::vector<double> weights;
};
[[nodiscard]] ResizeTaps resizeTaps(const ResizeArray& resize, std::int64_t out, double scale, std::int64_t from,
                                    std::int64_t to);

}  // namespace steelyard::model
