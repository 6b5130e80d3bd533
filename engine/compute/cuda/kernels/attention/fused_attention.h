// SPDX-License-Identifier: Apache-2.0
// Attention in one kernel: tiles of queries iterate over tiles of keys with a running softmax, so scores are never
// stored (T. Dao et al., FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness, 2022). The
// backward pass recomputes probabilities from the sums of the forward pass. Sums are in Float32 on CUDA cores for all
// types. Formulas: engine/compute/reference/attention.cpp.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr std::int64_t kMostFusedWidth = 128;  // head width

// A tensor [batch, tokens, pitch] with the heads side by side, `width` elements each; pitches are in elements.
struct AttentionShape {
    std::int64_t batch = 0, tokens = 0, heads = 1, width = 0;  // width at most kMostFusedWidth
    std::int64_t inputPitch = 0;                               // of q, k, v and their gradients
    std::int64_t outputPitch = 0;                              // of the output and its gradient
    float scale = 1;                                           // of the scores
    bool causal = false;                                       // a token sees itself and earlier ones
};

// logSums: Float32 [batch, heads, tokens], log of the sum of exp(scale scores), or null.
[[nodiscard]] Status fusedAttentionForward(Stream stream, ElementType type, const AttentionShape& shape, const void* q,
                                           const void* k, const void* v, void* output, float* logSums);

struct AttentionGradients {
    const void *q = nullptr, *k = nullptr, *v = nullptr;
    const float* logSums = nullptr;  // from the forward pass
    const void* output = nullptr;    // from the forward pass; only used by tensorAttentionBackward
    const void* dOutput = nullptr;
    void *dQ = nullptr, *dK = nullptr, *dV = nullptr;
    bool accumulate = false;
    float* rowSums = nullptr;  // scratch, Float32 [batch, heads, tokens]
};
[[nodiscard]] Status fusedAttentionBackward(Stream stream, ElementType type, const AttentionShape& shape,
                                            const AttentionGradients& g);

}  // namespace steelyard::compute::cuda::kernels
