// SPDX-License-Identifier: Apache-2.0
// Attention without stored scores on tensor cores, in 16-bit types: products of 16-bit values with Float32 sums, and
// probabilities rounded to the type before they weight the values (T. Dao, FlashAttention-2: Faster Attention with
// Better Parallelism and Work Partitioning, 2023). Semantics as in fused_attention.h. The host twin returns
// kNotSupported.
#pragma once

#include "engine/compute/cuda/kernels/attention/fused_attention.h"

namespace steelyard::compute::cuda::kernels {

// Rows per block of four warps. More rows reuse streamed tiles more often, fewer rows give more blocks.
inline constexpr int kTensorBlockRows[] = {64, 128};  // 128: heads of up to 64

// Whether the current device supports these kernels: compute capability 8.0, heads of up to kMostFusedWidth, heads and
// pitches in multiples of 16 bytes, a positive scale. Pointers must be aligned to 16 bytes.
[[nodiscard]] bool tensorAttentionFits(ElementType type, const AttentionShape& shape, int blockRows);

[[nodiscard]] Status tensorAttentionForward(Stream stream, ElementType type, const AttentionShape& shape, int blockRows,
                                            const void* q, const void* k, const void* v, void* output, float* logSums);
// Requires g.output; rowSums then contains the sums of output times dOutput.
[[nodiscard]] Status tensorAttentionBackward(Stream stream, ElementType type, const AttentionShape& shape,
                                             int blockRows, const AttentionGradients& g);

}  // namespace steelyard::compute::cuda::kernels
