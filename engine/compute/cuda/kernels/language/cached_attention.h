// SPDX-License-Identifier: Apache-2.0
// Attention of tokens to the keys and values in the cache, causal, with a sliding window, a soft cap and sinks.
// Few tokens: the positions are split over blocks, whose results are combined. Many: products by the matrix library
// with maskedSoftmax() in between.
#pragma once

#include "engine/compute/cuda/kernels/language/decoder_rows.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr std::int64_t kMostHeadDimension = 256;
inline constexpr std::int64_t kPositionsPerTile = 256;

struct AttentionForm {
    std::int64_t heads = 0;        // of queries
    float scale = 1;               // of the scores
    float softCap = 0;             // 0: none
    std::int64_t window = 0;       // positions seen, including the own; 0: all
    const float* sinks = nullptr;  // a logit per head without a value, or null
};

// Head dimensions that are multiples of 8 up to kMostHeadDimension.
[[nodiscard]] bool canSplit(const KvCache& cache);
// Partial results: [token][head][split][head dimension], and of each the maximum and the sum.
struct AttentionParts {
    float* mixed = nullptr;
    float* maxima = nullptr;
    float* sums = nullptr;
    unsigned* arrived = nullptr;  // 0 before and afterwards; one for each token and head
    std::int64_t splits = 1;
};
// queries: Float32 [token][head][element]; to: [token][heads x head dimension]. The last block of some heads combines
// the parts. With `own.queries` (the queries), which one token per sequence allows, queries and keys are normalised and
// rotated here and keys and values stored, as by rotateAndStore(); otherwise they have been.
[[nodiscard]] Status splitAttention(Stream stream, const float* queries, const TokenPositions& positions,
                                    const KvCache& cache, const AttentionForm& form, const AttentionParts& parts,
                                    const HeadRows& own, float* to);

// Rows of scores of some KV heads of one sequence: [KV head][head of its group][token][slot], slots [0, columns).
// weights: the softmax over the positions that the token sees, in `type`; 0 for the others.
struct ScoreRows {
    const float* scores = nullptr;
    void* weights = nullptr;
    ElementType type = ElementType::F16;
    std::int64_t firstHead = 0, heads = 0;  // of the queries, in these rows
    std::int64_t columns = 0, slots = 0;    // slots of the cache
};
[[nodiscard]] Status maskedSoftmax(Stream stream, const ScoreRows& rows, const TokenPositions& positions,
                                   const AttentionForm& form);
// From [head][token][element] to [token][heads x element].
[[nodiscard]] Status gatherHeads(Stream stream, const float* mixed, std::int64_t tokens, std::int64_t heads,
                                 std::int64_t headDimension, float* to);

}  // namespace steelyard::compute::cuda::kernels
