// SPDX-License-Identifier: Apache-2.0
// Interpolation taps of a resized array: the formulas of ONNX's Resize, shared by all implementations.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/array/array_layer.h"

namespace steelyard::model {

// The input elements, of `from` along one dimension, that contribute to element `out` of `to`.
struct ResizeTaps {
    std::vector<std::int64_t> places;
    std::vector<double> weights;
};
[[nodiscard]] ResizeTaps resizeTaps(const ResizeArray& resize, std::int64_t out, double scale, std::int64_t from,
                                    std::int64_t to);

}  // namespace steelyard::model
