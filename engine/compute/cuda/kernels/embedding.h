// SPDX-License-Identifier: Apache-2.0
// Table look-ups, and their gradients summed by row. ids: [tokens], in [0, vocabulary); units: length of a row.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

// y[t] = table[ids[t]]; table in tableType, [vocabulary, units].
[[nodiscard]] Status embeddingForward(Stream stream, ElementType tableType, const void* table, ElementType type,
                                      const std::int32_t* ids, void* y, std::int64_t tokens, std::int64_t units);

// gradient[ids[t]] += dy[t], Float32 [vocabulary, units], always accumulated: clear it before (completely, or with
// clearRows). Tokens with equal ids are added in a fixed order by a stable sort.
[[nodiscard]] std::int64_t embeddingWorkspace(std::int64_t tokens, std::int64_t units);
[[nodiscard]] Status embeddingBackward(Stream stream, ElementType type, const void* dy, const std::int32_t* ids,
                                       float* gradient, std::int64_t tokens, std::int64_t units,
                                       std::int64_t vocabulary, void* workspace);

// For sparse updates: mask[row] = 1 for the rows in ids; the caller must clear the whole mask [vocabulary] before.
[[nodiscard]] Status markRows(Stream stream, const std::int32_t* ids, std::int64_t tokens, std::uint8_t* mask);
// Clears those rows of Float32 [vocabulary, units].
[[nodiscard]] Status clearRows(Stream stream, const std::int32_t* ids, std::int64_t tokens, float* gradient,
                               std::int64_t units);

}  // namespace steelyard::compute::cuda::kernels
