// SPDX-License-Identifier: Apache-2.0
// Strided views: transpositions, slices and reshapes without moving data. Pure functions on plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/model/array/array_layer.h"

namespace steelyard::model {

// Element i (row-major index in `extents`) is at offset + sum of i_k strides_k in the tensor.
struct StridedView {
    Shape extents, strides;
    std::int64_t offset = 0;

    [[nodiscard]] std::int64_t elements() const;
    // Position of element i.
    [[nodiscard]] std::int64_t at(std::int64_t i) const;
};

// All elements of a tensor in order.
[[nodiscard]] StridedView wholeView(std::int64_t elements);
// Without extents of 1, and with contiguous neighbouring dimensions merged.
[[nodiscard]] StridedView simplified(const StridedView& view);
// Element i is element inner.at(i) of `outer`. Unset if strides cannot express it.
[[nodiscard]] std::optional<StridedView> composed(const StridedView& outer, const StridedView& inner);
// Inverse of a permutation: element view.at(i) of the result is i. Unset if the view is not one.
[[nodiscard]] std::optional<StridedView> inverse(const StridedView& view);
// Strides for these extents, whose product is the number of elements; unset if there are none.
[[nodiscard]] std::optional<Shape> stridesFor(const StridedView& view, const Shape& extents);

}  // namespace steelyard::model
