// SPDX-License-Identifier: Apache-2.0
// A language model as figures: a stack of decoder layers between an embedding and a head. Everything that is said of
// its size follows from the list of its tensors. Plain values; any thread. Nothing here can fail: the readers
// (decoder_table.h, config_json.h, gguf_file.h) hand out checked specifications only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/core/error.h"
#include "engine/model/decoder/weight_format.h"

namespace steelyard::model {

enum class DecoderNorm { Rms, LayerNorm };
enum class DecoderGate { SwiGlu, GeGlu, None };  // None: two matrices with an activation between
enum class QkNorm { None, PerHead, Whole };      // of queries and keys: weights for one head, or for all
enum class RotaryScaling { None, Linear, Llama3, Yarn, LongRope };

[[nodiscard]] std::string_view toString(DecoderNorm value);
[[nodiscard]] std::string_view toString(DecoderGate value);
[[nodiscard]] std::string_view toString(QkNorm value);
[[nodiscard]] std::string_view toString(RotaryScaling value);
[[nodiscard]] std::optional<DecoderNorm> fromName(std::type_identity<DecoderNorm>, std::string_view name);
[[nodiscard]] std::optional<DecoderGate> fromName(std::type_identity<DecoderGate>, std::string_view name);
[[nodiscard]] std::optional<QkNorm> fromName(std::type_identity<QkNorm>, std::string_view name);
[[nodiscard]] std::optional<RotaryScaling> fromName(std::type_identity<RotaryScaling>, std::string_view name);

struct DecoderSpec {
    std::string id;      // "llama_3_1_8b"
    std::string title;   // "Llama 3.1 8B"
    std::string family;  // "llama": the model_type of Hugging Face
    std::string source;  // where the figures were read
    std::string date;    // of the source, or the day it was read

    std::int64_t layers = 0, width = 0, heads = 0, kvHeads = 0, headDimension = 0;
    std::int64_t feedForward = 0;  // width of a dense layer's feed-forward part; 0: every layer has experts
    std::int64_t vocabulary = 0;
    std::int64_t contextLength = 0;  // positions it was trained for; 0: not known

    DecoderNorm norm = DecoderNorm::Rms;
    double normEpsilon = 1e-5;
    DecoderGate gate = DecoderGate::SwiGlu;
    QkNorm qkNorm = QkNorm::None;
    std::int64_t normsPerLayer = 2;  // 4 in Gemma 2 and 3: before and behind each part
    bool qkvBias = false, outputBias = false, feedForwardBias = false;
    bool fusedQkv = false;          // one matrix for query, key and value, one for gate and up
    bool attentionSinks = false;    // a learned logit a head (gpt-oss)
    bool learnedPositions = false;  // instead of rotation (GPT-2)
    bool tiedEmbeddings = false;

    double rotaryTheta = 10000, localRotaryTheta = 0;  // the latter of window layers, where it differs
    double rotaryShare = 1;                            // of the head that is rotated
    RotaryScaling rotaryScaling = RotaryScaling::None;
    double rotaryFactor = 1;

    std::int64_t window = 0;       // tokens a window layer looks back; 0: every layer sees the whole context
    std::int64_t globalEvery = 0;  // every n-th layer sees the whole context; 0: none does, where there is a window
    double attentionSoftCap = 0, logitSoftCap = 0;  // 0: none

    std::int64_t experts = 0, activeExperts = 0, expertWidth = 0;
    std::int64_t sharedExpertWidth = 0;  // of all shared experts together
    bool sharedExpertGate = false;
    std::int64_t leadingDenseLayers = 0;  // before the first layer with experts
    bool expertBias = false;              // of the experts' matrices
    bool routerBias = false;

    // Latent attention (DeepSeek): keys and values from a shared low-rank vector. 0: ordinary attention.
    std::int64_t latentRank = 0, queryRank = 0, latentRotary = 0, latentPlain = 0, latentValue = 0;

    friend bool operator==(const DecoderSpec&, const DecoderSpec&) = default;

    [[nodiscard]] bool isLatent() const { return latentRank > 0; }
    [[nodiscard]] bool hasExperts() const { return experts > 0; }
    // Layers that see the whole context.
    [[nodiscard]] std::int64_t globalLayers() const;
};

enum class TensorRole {
    Embedding,
    Positions,
    Norm,  // one row: norms, biases, sinks; never quantised
    Query,
    Key,
    Value,
    FusedQkv,
    AttentionOutput,
    Gate,
    Up,
    Down,
    Router,
    Head,
};

struct DecoderTensor {
    TensorRole role = TensorRole::Norm;
    std::int64_t layer = -1;  // -1: of no layer
    std::int64_t rows = 1, rowLength = 0;
    std::int64_t copies = 1;  // experts
    bool routed = false;      // of an expert that is chosen for each token

    [[nodiscard]] double elements() const {
        return static_cast<double>(copies) * static_cast<double>(rows) * static_cast<double>(rowLength);
    }
};
// Every tensor of the model; a tied head is the embedding and is not listed again.
[[nodiscard]] std::vector<DecoderTensor> tensorsOf(const DecoderSpec& spec);

struct ParameterCounts {
    double total = 0;
    double active = 0;               // a token passes through: without the experts that are not chosen
    double activeMatrices = 0;       // ... in matrices between the embedding and the head: 2 FLOPs each a token
    double embedding = 0, head = 0;  // a tied head counts 0
};
[[nodiscard]] ParameterCounts parametersOf(const DecoderSpec& spec);

// The type that a scheme gives a tensor; llama.cpp's llama_tensor_get_type() for those of GGUF.
[[nodiscard]] TensorType tensorTypeOf(const DecoderSpec& spec, const DecoderTensor& tensor, const WeightScheme& scheme);

struct WeightBytes {
    double total = 0;
    double readPerToken = 0;     // without the input embedding, of experts those that are active; a tied head is read
    double expertsPerToken = 0;  // of readPerToken, what belongs to routed experts
};
[[nodiscard]] WeightBytes weightBytes(const DecoderSpec& spec, const WeightScheme& scheme);

enum class CacheType { F16, Q8_0 };
[[nodiscard]] double bytesPerElement(CacheType type);
// KV cache: keys and values of one more token, in all layers; window layers count until their window is full.
[[nodiscard]] double cacheBytesPerToken(const DecoderSpec& spec, CacheType type = CacheType::F16);
// ... of a context of so many tokens, window layers holding no more than their window.
[[nodiscard]] double cacheBytes(const DecoderSpec& spec, double context, CacheType type = CacheType::F16);

// Matrices that LoRA adapts: all of attention and feed-forward ("all_linear"), or query and value.
enum class LoraTargets { AllLinear, QueryValue };
// Sum of rank x (rows + row length) over the adapted matrices.
[[nodiscard]] double loraParameters(const DecoderSpec& spec, std::int64_t rank, LoraTargets targets);

// What a specification must hold to be one: positive sizes within what 64 bits count, heads that divide, experts that
// exist. InvalidArgument names the figure; `subject` is the file or the model.
[[nodiscard]] Result<void> checkSpec(const DecoderSpec& spec, const std::string& subject);

}  // namespace steelyard::model
