// SPDX-License-Identifier: Apache-2.0
// Row products (row_products.h) whose blocks prepare the activations themselves: each normalises and quantises the rows
// of the tokens into shared memory before it multiplies. That repeats little work and saves a launch, which a step of
// few tokens has hundreds of.
#pragma once

#include <span>

#include "engine/compute/cuda/kernels/language/decoder_rows.h"

namespace steelyard::compute::cuda::kernels {

// Whether the activations of so many tokens fit in shared memory.
[[nodiscard]] bool canFuse(const StoredWeights& weights, std::int64_t tokens);
// x: the rows before normalisation; with scale null they are taken as they are. x.rows: the tokens. At most
// `mostBlocks` blocks share the rows of the matrices: about what the device runs at a time, since each prepares the
// activations. Otherwise as multiplyRows() and multiplyGated(). No kernel may write the matrices.
[[nodiscard]] Status fusedRows(Stream stream, std::span<const RowProduct> products, const RmsRows& x, bool accumulate,
                               std::int64_t mostBlocks);
[[nodiscard]] Status fusedGated(Stream stream, const RowProduct& gate, const RowProduct& up, GateFunction function,
                                const RmsRows& x, std::int64_t mostBlocks);

}  // namespace steelyard::compute::cuda::kernels
