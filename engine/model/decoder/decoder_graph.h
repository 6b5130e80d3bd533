// SPDX-License-Identifier: Apache-2.0
// A language model as a network that can be trained: the layers of its specification over whole texts, with the loss of
// the next token at every position. Low-rank adapters (E. Hu et al., LoRA, 2021) are two dense layers and a scaling
// beside each frozen matrix; without them, all weights are trained. A pure function.
#pragma once

#include <cstdint>

#include "engine/core/error.h"
#include "engine/model/decoder/decoder_spec.h"
#include "engine/model/graph.h"

namespace steelyard::model {

struct DecoderGraphOptions {
    std::string name;           // of the graph; empty: the model's id
    std::int64_t tokens = 512;  // of a text
    std::int64_t rank = 0;      // of the adapters; 0: none
    double alpha = 16;          // the adapters' result is multiplied by alpha / rank
    LoraTargets targets = LoraTargets::AllLinear;
    bool neighbours = false;  // rotary pairs are neighbours, as in the weights of GGUF files of the family llama
};

// Unsupported, naming the part, for a model that has parts without a layer: experts, latent attention, attention sinks,
// some scalings of the rotary embedding, families with another order of norms. InvalidArgument for tokens or a rank
// below 1 or beyond the model's dimensions.
[[nodiscard]] Result<Graph> decoderGraph(const DecoderSpec& spec, const DecoderGraphOptions& options);

}  // namespace steelyard::model
