// SPDX-License-Identifier: Apache-2.0
// Operations of language models on the rows of tokens, between the products: norms, rotary embedding, gates, the
// choice of experts. Float32 unless documented otherwise.
#pragma once

#include "engine/compute/cuda/kernels/language/row_products.h"

namespace steelyard::compute::cuda::kernels {

// Where an operation writes its rows, each form if it is not null: Float32, a type of the matrix library, or 8 bits
// with scales (columns a multiple of 32). All dense: [row][columns].
struct RowOutputs {
    float* values = nullptr;
    void* typed = nullptr;
    ElementType type = ElementType::F32;
    std::int8_t* q = nullptr;
    ActivationScale* scales = nullptr;
};

// y = x / sqrt(mean of squares + epsilon) scale (B. Zhang, R. Sennrich, Root Mean Square Layer Normalization, 2019);
// scale null: y = x. Row r of y is row first + r step of x, which is dense.
struct RmsRows {
    const float* x = nullptr;
    const float* scale = nullptr;
    float epsilon = 0;
    std::int64_t rows = 0, columns = 0;
    std::int64_t first = 0, step = 1;
};
[[nodiscard]] Status normaliseRows(Stream stream, const RmsRows& rows, const RowOutputs& to);
// x += norm of part.
[[nodiscard]] Status addNormalisedRows(Stream stream, const RmsRows& part, float* x);
// x[r] += bias
[[nodiscard]] Status addBias(Stream stream, const float* bias, std::int64_t rows, std::int64_t columns, float* x);
// The rows in the forms of `to`.
[[nodiscard]] Status convertRows(Stream stream, const float* x, std::int64_t rows, std::int64_t columns,
                                 const RowOutputs& to);
[[nodiscard]] Status gateRows(Stream stream, const float* gate, const float* up, GateFunction function,
                              std::int64_t rows, std::int64_t columns, const RowOutputs& to);
// x = cap tanh(x / cap)
[[nodiscard]] Status softCap(Stream stream, float* x, std::int64_t count, float cap);

// Cosine and sine of position x frequencies[i], times the magnitude: [token][pair][2]. Token t has the position
// *first + t mod run; `first` is in device memory.
[[nodiscard]] Status rotationTable(Stream stream, const std::int64_t* first, std::int64_t tokens, std::int64_t run,
                                   const double* frequencies, std::int64_t pairs, float magnitude, float* table);

// Keys and values of earlier tokens: [sequence][head][slot][element], of `type`. Position p is in slot p mod slots.
struct KvCache {
    void* keys = nullptr;
    void* values = nullptr;
    ElementType type = ElementType::F16;
    std::int64_t heads = 0, slots = 0, headDimension = 0;
};
// Tokens of sequences from `sequence` on, `run` each, at positions *first...
struct TokenPositions {
    const std::int64_t* first = nullptr;  // device memory
    std::int64_t tokens = 0, run = 1, sequence = 0;
};
// Normalises and rotates queries and keys per head, and stores keys and values in the cache. queries: [token][heads]
// [element], keys and values: [token][KV heads][element]. With `typed`, queries are written there in the type of the
// cache, [sequence][KV head][head of its group][token of the sequence][element]; else in place.
struct HeadRows {
    float* queries = nullptr;
    const float* keys = nullptr;
    const float* values = nullptr;
    void* typed = nullptr;
    std::int64_t heads = 0;
    const float* queryNorm = nullptr;  // per head; null: none
    const float* keyNorm = nullptr;
    float epsilon = 0;
    const float* table = nullptr;  // rotationTable(); null: not rotated
    std::int64_t pairs = 0;
    bool neighbours = false;  // pairs are 2 i and 2 i + 1, else i and i + pairs
};
[[nodiscard]] Status rotateAndStore(Stream stream, const HeadRows& rows, const TokenPositions& positions,
                                    const KvCache& cache);
// Copies the keys and values of positions [0, known) to the later ones, repeatedly, up to `positions`.
[[nodiscard]] Status repeatCache(Stream stream, const KvCache& cache, std::int64_t sequences, std::int64_t known,
                                 std::int64_t positions);

// The experts with the largest votes + bias (the first of equal ones), and their softmax weights: among the chosen, or
// among all. votes: [token][experts]; bias may be null; chosen, shares: [token][active].
struct ExpertVotes {
    float* votes = nullptr;  // biased in place
    const float* bias = nullptr;
    std::int64_t tokens = 0, experts = 0, active = 0;
    bool amongChosen = true;
    std::int32_t* chosen = nullptr;
    float* shares = nullptr;
};
[[nodiscard]] Status chooseExperts(Stream stream, const ExpertVotes& votes);
// x[t] (+)= sum over the slots of token t: shares[slot] y[slot].
[[nodiscard]] Status addShares(Stream stream, const float* y, const float* shares, std::int64_t tokens,
                               std::int64_t slotsPerToken, std::int64_t columns, bool accumulate, float* x);
// shares[t] = sigmoid of gate . x[t]; gate null: 1.
[[nodiscard]] Status sharedShares(Stream stream, const float* gate, const float* x, std::int64_t tokens,
                                  std::int64_t columns, float* shares);

}  // namespace steelyard::compute::cuda::kernels
