// SPDX-License-Identifier: Apache-2.0
// Attention without stored scores on tensor cores, in 16-bit types: products of 16-bit values, summed in Float32, and
// probabilities rounded to the type before they weight the values (T. Dao, FlashAttention-2: Faster Attention with
// Better Parallelism and Work Partitioning, 2023). What it means is fused_attention.h's. The twin cannot: its functions
// return kNotSupported.
#pragma once

#include "engine/compute/cuda/kernels/attention/fused_attention.h"

namespace steelyard::compute::cuda::kernels {

// Rows of a block, four warps' own. More reuse what is streamed past more often, fewer make more blocks.
inline constexpr int kTensorBlockRows[] = {64, 128};  // 128: heads of up to 64

// Whether the current device and these kernels can: compute capability 8.0, heads of up to kMostFusedWidth, heads and
// pitches of whole 16 bytes, a positive scale. Pointers must then be aligned to 16 bytes.
[[nodiscard]] bool tensorAttentionFits(ElementType type, const AttentionShape& shape, int blockRows);

[[nodiscard]] Status tensorAttentionForward(Stream stream, ElementType type, const AttentionShape& shape, int blockRows,
                                            const void* q, const void* k, const void* v, void* output, float* logSums);
// Needs g.output; rowSums then holds the sums of output times dOutput.
[[nodiscard]] Status tensorAttentionBackward(Stream stream, ElementType type, const AttentionShape& shape,
                                             int blockRows, const AttentionGradients& g);

}  // namespace steelyard::compute::cuda::kernels
