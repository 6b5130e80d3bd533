// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/array/array_layer.h"

namespace steelyard::model {

// Row-major strides in elements; the last dimension is contiguous.
[[nodiscard]] inline Shape rowMajorStrides(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
    return strides;
}

}  // namespace steelyard::model
