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
// x: the rows before normalisation; with scale null they are taken as they are. x.rows: the tokens. Otherwise as
// multiplyRows() and multiplyGated(). A matrix may not be written by kernels.
[[nodiscard]] Status fusedRows(Stream stream, std::span<const RowProduct> products, const RmsRows& x, bool accumulate);
[[nodiscard]] Status fusedGated(Stream stream, const RowProduct& gate, const RowProduct& up, GateFunction function,
                                const RmsRows& x);

}  // namespace steelyard::compute::cuda::kernels
