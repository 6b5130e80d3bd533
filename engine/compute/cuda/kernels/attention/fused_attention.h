// SPDX-License-Identifier: Apache-2.0
// Attention in one kernel: tiles of queries run over tiles of keys with a running softmax, so the scores are never
// stored (T. Dao and others, FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness, 2022). The
// backward pass makes the probabilities again from the sums of the forward pass. Everything is summed in Float32 on
// ordinary cores, whatever the type. Formulas: engine/compute/reference/attention.cpp.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr std::int64_t kMostFusedWidth = 128;  // of a head

// A tensor [batch, tokens, pitch] with the heads side by side, `width` elements each; pitches are in elements.
struct AttentionShape {
    std::int64_t batch = 0, tokens = 0, heads = 1, width = 0;  // width at most kMostFusedWidth
    std::int64_t inputPitch = 0;                               // of q, k, v and their gradients
    std::int64_t outputPitch = 0;                              // of the output and its gradient
    float scale = 1;                                           // of the scores
    bool causal = false;                                       // a token sees itself and those before it
};

// logSums: Float32 [batch, heads, tokens], log of the sum of exp(scale scores), or null.
[[nodiscard]] Status fusedAttentionForward(Stream stream, ElementType type, const AttentionShape& shape, const void* q,
                                           const void* k, const void* v, void* output, float* logSums);

struct AttentionGradients {
    const void *q = nullptr, *k = nullptr, *v = nullptr;
    const float* logSums = nullptr;  // of the forward pass
    const void* output = nullptr;    // of the forward pass; only tensorAttentionBackward reads it
    const void* dOutput = nullptr;
    void *dQ = nullptr, *dK = nullptr, *dV = nullptr;
    bool accumulate = false;
    float* rowSums = nullptr;  // scratch, Float32 [batch, heads, tokens]
};
[[nodiscard]] Status fusedAttentionBackward(Stream stream, ElementType type, const AttentionShape& shape,
                                            const AttentionGradients& g);

}  // namespace steelyard::compute::cuda::kernels
