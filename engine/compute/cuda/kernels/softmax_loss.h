// SPDX-License-Identifier: Apache-2.0
// Heads and losses: softmax or sigmoid with cross-entropy, forward and gradient in one pass over the logits; and the
// softmax of attention. A row is one sample or one token.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

// y = softmax of each row of x; [rows, classes].
[[nodiscard]] Status softmaxForward(Stream stream, ElementType type, const void* x, void* y, std::int64_t rows,
                                    std::int64_t classes);

// labels: [rows], in [0, classes). probabilities, gradient: as logits, or null; either may be the logits' memory.
// rowLosses: Float32 [rows]. gradient (+)= gradientScale lossScale->scale (p - target); lossScale null: 1.
// gradientScale: the head's weight / rows.
struct CrossEntropy {
    const void* logits = nullptr;
    const std::int32_t* labels = nullptr;
    void* probabilities = nullptr;
    void* gradient = nullptr;
    bool accumulate = false;
    float* rowLosses = nullptr;
    float gradientScale = 1;
    const LossScale* lossScale = nullptr;
    std::int64_t rows = 0;
    std::int64_t classes = 1;  // sigmoid: 1; a row is then one logit and its label 0 or 1
};
[[nodiscard]] Status softmaxCrossEntropy(Stream stream, ElementType type, const CrossEntropy& c);
[[nodiscard]] Status sigmoidCrossEntropy(Stream stream, ElementType type, const CrossEntropy& c);
// The gradient from stored probabilities; logits and rowLosses are not read. gradient may alias the probabilities.
[[nodiscard]] Status crossEntropyBackward(Stream stream, ElementType type, const CrossEntropy& c);

// *loss = mean of rowLosses; *total (+)= weight * mean (the step's loss over all heads), or null.
[[nodiscard]] Status meanLoss(Stream stream, const float* rowLosses, std::int64_t rows, float* loss, float* total,
                              float weight, bool accumulateTotal);

// Attention scores [matrices, tokens, keys] -> probabilities, as in engine/compute/reference/attention.cpp and
// decoder_layers.cpp: scores are multiplied by `scale` and capped; causal: token t sees keys 0 .. keys - tokens + t,
// with a window the last of these only; probabilities of others become 0.
struct AttentionRows {
    std::int64_t matrices = 0;  // batch x heads
    std::int64_t tokens = 0, keys = 0;
    float scale = 1;
    bool causal = false;
    std::int64_t window = 0;  // of a causal one; 0: none
    float cap = 0;            // scaled scores s become cap tanh(s / cap); 0: unchanged
};
// probabilities may alias the scores; logSums: Float32 [matrices, tokens], or null.
[[nodiscard]] Status attentionSoftmax(Stream stream, ElementType type, const AttentionRows& shape, const void* scores,
                                      void* probabilities, float* logSums);
// For the backward pass: probabilities = exp(s - logSums) of the scaled and capped scores s.
[[nodiscard]] Status attentionProbabilities(Stream stream, ElementType type, const AttentionRows& shape,
                                            const void* scores, const float* logSums, void* probabilities);
// dScores = scale P (dP - rowsum(P dP)), with a cap times the derivative of that; may alias dP. With respect to the
// unscaled scores: ready for the products with K and Q. scores: only read with a cap.
[[nodiscard]] Status attentionSoftmaxBackward(Stream stream, ElementType type, const AttentionRows& shape,
                                              const void* scores, const void* probabilities, const void* dProbabilities,
                                              void* dScores);

}  // namespace steelyard::compute::cuda::kernels
