// SPDX-License-Identifier: Apache-2.0
// A GGUF file in the decoder's terms: the matrices of each layer, and the constants implied by its family. Fused
// matrices are split (their rows are contiguous), so that all families have the same form. Matrices point into the
// mapped file, which is kept open. Immutable; any thread.
//
// Families: llama (with Mistral, Mixtral), qwen2, qwen2moe, qwen3, qwen3moe, gemma2, gemma3, phi3, gpt-oss. What the
// file does not specify follows the family's published code (transformers modelling files).
#pragma once

#include <memory>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/decoder/gguf_weights.h"

namespace steelyard::compute {

// Rotary position embedding (J. Su et al., RoFormer, 2021): pair i of a head is rotated by position x frequencies[i].
// All kinds of scaling amount to other frequencies and a factor on the rotated elements.
struct Rotary {
    std::vector<double> frequencies;  // radians per position; further elements of the head are not rotated
    double magnitude = 1;
    bool neighbours = false;  // pairs are 2 i and 2 i + 1; otherwise i and i + half the rotated elements
};

enum class GateKind {
    Silu,         // silu(gate) up
    GeluTanh,     // gelu(gate) up, by the approximation with tanh
    ClampedSilu,  // gpt-oss: g = min(gate, 7), u in [-7, 7]: g sigmoid(1.702 g) (u + 1)
};

// Gate and up: [inner, width], down: [width, inner]; one each per expert.
struct FeedForwardWeights {
    model::StoredMatrix gate, up, down;
    std::vector<float> gateBias, upBias, downBias;  // of all experts, contiguous; may be empty
};

struct LayerWeights {
    std::vector<float> attentionNorm, feedForwardNorm;  // of the input; empty: not normalised
    std::vector<float> attentionPostNorm,
        feedForwardPostNorm;  // on the output of attention or feed-forward; may be empty
    model::StoredMatrix query, key, value, output;
    std::vector<float> queryBias, keyBias, valueBias, outputBias;  // may be empty
    std::vector<float> queryNorm, keyNorm;  // before the rotation, per head or over all heads; may be empty
    std::vector<float> sinks;               // one logit per head that takes part in the softmax
    std::int64_t window = 0;                // sliding window in tokens, including the current one; 0: full attention
    bool localRotary = false;
    bool rotates = true;  // applies a rotary embedding

    FeedForwardWeights feedForward;  // dense, or the routed experts
    model::StoredMatrix router;      // [experts, width]; absent: dense
    std::vector<float> routerBias;
    FeedForwardWeights shared;      // shared expert
    std::vector<float> sharedGate;  // its weight is the sigmoid of this row times the input
};

struct DecoderWeights {
    std::shared_ptr<const model::GgufWeightFile> file;
    model::DecoderSpec spec;
    model::StoredMatrix embedding, head;  // the head may alias the embedding
    std::vector<float> outputNorm;
    std::vector<LayerWeights> layers;
    Rotary rotary, localRotary;
    double embeddingScale = 1;
    double attentionScale = 1;  // scale of the attention scores
    GateKind gate = GateKind::Silu;
    bool normalisesExperts = true;  // normalises the weights of the selected experts to sum 1
};

// `context`: number of positions; some files have other frequencies for long contexts. Errors: Unsupported for an
// unsupported family or weight format; CorruptData for missing tensors or wrong dimensions.
[[nodiscard]] Result<DecoderWeights> decoderWeights(std::shared_ptr<const model::GgufWeightFile> file,
                                                    std::int64_t context);

}  // namespace steelyard::compute
