// SPDX-License-Identifier: Apache-2.0
// Products of stored weights with the activations of a few tokens: the weights are read once, a warp for each row, with
// 8-bit activations for block formats (integer dot products of four) and Float32 for the others. For many tokens the
// matrix library is faster (dequantise() and a product).
#pragma once

#include <span>

#include "engine/compute/cuda/kernels/language/stored_weights.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr int kMostFewTokens = 8;
inline constexpr int kMostRowProducts = 3;

// Scale of a block of 32 activations in 8 bits: value = step q; sums of q over the first and last 16.
struct ActivationScale {
    float step;
    std::int16_t sums[2];
};

// Activations of some tokens: `values` [token][stride], and for block formats `q` [token][half][columns / 32][16],
// where half 0 has the first 16 of each 32, and `scales` [token][columns / 32]. Device memory.
struct TokenRows {
    const float* values = nullptr;
    std::int64_t stride = 0;
    const std::int8_t* q = nullptr;
    const ActivationScale* scales = nullptr;
};

// y[t, r] = sum over c of W[r, c] x[t, c] + bias[r]; y: [token][stride]; bias: Float32 [rows of all experts], or null.
struct RowProduct {
    StoredWeights weights;
    const float* bias = nullptr;
    float* y = nullptr;
    std::int64_t stride = 0;
};
enum class GateFunction : std::uint8_t { Silu, GeluTanh, ClampedSilu };  // as in compute/language/decoder_weights.h

// Of experts: row r of slot s is computed with matrix chosen[s] and token s / slotsPerToken of x, and written to
// y[s, r]. Without it: matrix 0.
struct ExpertChoice {
    const std::int32_t* chosen = nullptr;  // device memory, [slots]
    std::int64_t slots = 0;
    std::int64_t slotsPerToken = 1;
};

// All matrices with the same format and number of columns; at most kMostRowProducts, and kMostFewTokens tokens.
// `accumulate`: adds to y.
[[nodiscard]] Status multiplyRows(Stream stream, std::span<const RowProduct> products, const TokenRows& x, int tokens,
                                  bool accumulate, const ExpertChoice& experts = {});
// y[t, r] = f(gate, up) with both products, of the same format and shape; gate.y is not used, up.y is y.
[[nodiscard]] Status multiplyGated(Stream stream, const RowProduct& gate, const RowProduct& up, GateFunction function,
                                   const TokenRows& x, int tokens, const ExpertChoice& experts = {});

}  // namespace steelyard::compute::cuda::kernels
