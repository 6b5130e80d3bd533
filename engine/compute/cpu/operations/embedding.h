// SPDX-License-Identifier: Apache-2.0
// Gradient of an embedding table, limited to the rows that occur in the batch, which are few for a large table. Sorted,
// so that sums do not depend on the number of threads.
#pragma once

#include "engine/compute/cpu/compile/compiler.h"

namespace steelyard::compute::cpu {

struct RowGradient {
    Value order;          // [tokens, 2] int32: row and token, sorted
    Value starts;         // [tokens + 1] int32: start of each distinct row in `order`
    Value count;          // int32: distinct rows
    Value values;         // [tokens, units] float32: the gradient of each distinct row
    Value zeros;          // zeros for kZeroElements
    Value dense;          // gradient of the whole table, if an operation needs it
    bool sparse = false;  // only rows of the batch are updated
    std::int64_t tokens = 0, units = 0, rows = 0;

    [[nodiscard]] std::int32_t distinct() const { return *count.as<std::int32_t>(); }
    [[nodiscard]] std::int32_t rowOf(std::int64_t distinct) const {
        return order.as<std::int32_t>()[2 * starts.as<std::int32_t>()[distinct]];
    }
};

inline constexpr std::int64_t kZeroElements = 4096;

}  // namespace steelyard::compute::cpu
