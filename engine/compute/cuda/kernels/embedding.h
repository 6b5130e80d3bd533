// SPDX-License-Identifier: Apache-2.0
// Look-ups in a table and the sum of gradients by row. ids: [tokens], in [0, vocabulary); units: length of a row.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

// y[t] = table[ids[t]]; table in tableType, [vocabulary, units].
[[nodiscard]] Status embeddingForward(Stream stream, ElementType tableType, const void* table, ElementType type,
                                      const std::int32_t* ids, void* y, std::int64_t tokens, std::int64_t units);

// gradient[ids[t]] += dy[t], Float32 [vocabulary, units], always added: clear it before (all of it, or clearRows).
// Tokens of one id are added in a fixed order: they are sorted by id first, which keeps their order.
[[nodiscard]] std::int64_t embeddingWorkspace(std::int64_t tokens, std::int64_t units);
[[nodiscard]] Status embeddingBackward(Stream stream, ElementType type, const void* dy, const std::int32_t* ids,
                                       float* gradient, std::int64_t tokens, std::int64_t units,
                                       std::int64_t vocabulary, void* workspace);

// For sparse updates: mask[row] = 1 for the rows in ids, after the whole mask [vocabulary] was cleared by the caller.
[[nodiscard]] Status markRows(Stream stream, const std::int32_t* ids, std::int64_t tokens, std::uint8_t* mask);
// Clears those rows of Float32 [vocabulary, units].
[[nodiscard]] Status clearRows(Stream stream, const std::int32_t* ids, std::int64_t tokens, float* gradient,
                               std::int64_t units);

}  // namespace steelyard::compute::cuda::kernels
