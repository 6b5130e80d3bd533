// SPDX-License-Identifier: Apache-2.0
// Elements of a tensor in another order, without moving them: what transpositions, slices and reshapes amount to. Pure
// functions on plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/model/layer.h"

namespace steelyard::compute::cpu {

// Element i, which is row-major in `extents`, lies at offset + sum of i_k strides_k of the tensor.
struct StridedView {
    model::Shape extents, strides;
    std::int64_t offset = 0;

    [[nodiscard]] std::int64_t elements() const { return model::elementCount(extents); }
    // Where element i lies.
    [[nodiscard]] std::int64_t at(std::int64_t i) const;
};

// All elements of a tensor of that many, as they lie.
[[nodiscard]] StridedView wholeView(std::int64_t elements);
// Without extents of 1, and with neighbours that lie behind each other as one.
[[nodiscard]] StridedView simplified(const StridedView& view);
// Element i is element inner.at(i) of `outer`. Nothing where strides cannot express it.
[[nodiscard]] std::optional<StridedView> composed(const StridedView& outer, const StridedView& inner);
// Of a permutation: element view.at(i) of the result is i. Nothing where elements are left out or occur twice.
[[nodiscard]] std::optional<StridedView> inverse(const StridedView& view);
// The strides of these extents, whose product is the number of elements; nothing where one of them needs two.
[[nodiscard]] std::optional<model::Shape> stridesFor(const StridedView& view, const model::Shape& extents);

}  // namespace steelyard::compute::cpu
