// SPDX-License-Identifier: Apache-2.0
// A GGUF file as the decoder computes it: which matrices a layer has, and the constants that its family implies. Fused
// matrices are taken apart here (their rows lie one after the other), so that every family has the same form. The
// matrices point into the mapped file, which is kept open. Immutable; any thread.
//
// Families: llama (with Mistral, Mixtral), qwen2, qwen2moe, qwen3, qwen3moe, gemma2, gemma3, phi3, gpt-oss. Where a
// file does not say how its family computes, the model's published code decides: transformers' modelling files of that
// name.
#pragma once

#include <memory>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/decoder/gguf_weights.h"

namespace steelyard::compute {

// Rotary position embedding (J. Su and others, RoFormer, 2021): pair i of a head turns by position x frequencies[i].
// All kinds of scaling are other frequencies, and a factor on what is rotated.
struct Rotary {
    std::vector<double> frequencies;  // radians a position; the head's other elements are not rotated
    double magnitude = 1;
    bool neighbours = false;  // a pair is 2 i and 2 i + 1; otherwise i and i + half the rotated elements
};

enum class GateKind {
    Silu,         // silu(gate) up
    GeluTanh,     // gelu(gate) up, by the approximation with tanh
    ClampedSilu,  // gpt-oss: g = min(gate, 7), u in [-7, 7]: g sigmoid(1.702 g) (u + 1)
};

// Gate and up: [inner, width], down: [width, inner]; of experts one each.
struct FeedForwardWeights {
    model::StoredMatrix gate, up, down;
    std::vector<float> gateBias, upBias, downBias;  // of all experts, one after the other; empty: none
};

struct LayerWeights {
    std::vector<float> attentionNorm, feedForwardNorm;
    std::vector<float> attentionPostNorm, feedForwardPostNorm;  // of what a part adds; empty: none
    model::StoredMatrix query, key, value, output;
    std::vector<float> queryBias, keyBias, valueBias, outputBias;  // empty: none
    std::vector<float> queryNorm, keyNorm;                         // of each head, before the rotation; empty: none
    std::vector<float> sinks;                                      // a logit a head that takes part in the softmax
    std::int64_t window = 0;                                       // tokens seen, its own among them; 0: all
    bool localRotary = false;

    FeedForwardWeights feedForward;  // dense, or the experts
    model::StoredMatrix router;      // [experts, width]; none: dense
    std::vector<float> routerBias;
    FeedForwardWeights shared;      // an expert that every token passes through
    std::vector<float> sharedGate;  // its weight is the sigmoid of this row times the input
};

struct DecoderWeights {
    std::shared_ptr<const model::GgufWeightFile> file;
    model::DecoderSpec spec;
    model::StoredMatrix embedding, head;  // the head may be the embedding
    std::vector<float> outputNorm;
    std::vector<LayerWeights> layers;
    Rotary rotary, localRotary;
    double embeddingScale = 1;
    double attentionScale = 1;  // of the products of queries and keys
    GateKind gate = GateKind::Silu;
    bool normalisesExperts = true;  // the chosen experts' weights sum to 1
};

// `context`: positions that will be used; some files have other frequencies for long contexts. Unsupported: a family
// that is not computed, a format of weights that is not read. CorruptData: tensors missing, or of other sizes.
[[nodiscard]] Result<DecoderWeights> decoderWeights(std::shared_ptr<const model::GgufWeightFile> file,
                                                    std::int64_t context);

}  // namespace steelyard::compute
