// SPDX-License-Identifier: Apache-2.0
// Dimensions of a language model: a stack of decoder layers between an embedding and a head. All sizes follow from the
// list of its tensors. Plain values; any thread. No errors: the readers (decoder_table.h, config_json.h, gguf_file.h)
// return validated specifications only.
#pragma once

#include <array>
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
enum class QkNorm { None, PerHead, Whole };  // of queries and keys: one weight per head dimension, or over all heads
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
    std::string source;  // where the dimensions were published
    std::string date;    // of the source, or of access

    std::int64_t layers = 0, width = 0, heads = 0, kvHeads = 0, headDimension = 0;
    std::int64_t feedForward = 0;  // width of dense feed-forward layers; 0: all layers have experts
    std::int64_t vocabulary = 0;
    std::int64_t contextLength = 0;  // trained context; 0: unknown

    DecoderNorm norm = DecoderNorm::Rms;
    double normEpsilon = 1e-5;
    DecoderGate gate = DecoderGate::SwiGlu;
    QkNorm qkNorm = QkNorm::None;
    std::int64_t normsPerLayer = 2;  // 4 in Gemma 2 and 3: before and after attention and feed-forward
    bool qkvBias = false, outputBias = false, feedForwardBias = false;
    bool fusedQkv = false;          // one matrix for query, key and value, and one for gate and up
    bool attentionSinks = false;    // a learned logit per head (gpt-oss)
    bool learnedPositions = false;  // instead of rotary embedding (GPT-2)
    bool tiedEmbeddings = false;

    double rotaryTheta = 10000, localRotaryTheta = 0;  // the latter for window layers, if different
    double rotaryShare = 1;                            // fraction of the head dimension that is rotated
    RotaryScaling rotaryScaling = RotaryScaling::None;
    double rotaryFactor = 1;

    std::int64_t window = 0;       // sliding-window size in tokens; 0: all layers have full attention
    std::int64_t globalEvery = 0;  // every n-th layer has full attention; 0: none, if there is a window
    double attentionSoftCap = 0, logitSoftCap = 0;  // 0: none

    std::int64_t experts = 0, activeExperts = 0, expertWidth = 0;
    std::int64_t sharedExpertWidth = 0;  // total over all shared experts
    bool sharedExpertGate = false;
    std::int64_t leadingDenseLayers = 0;  // before the first layer with experts
    bool expertBias = false;              // biases of the experts' matrices
    bool routerBias = false;

    // Multi-head latent attention (DeepSeek): keys and values from a shared low-rank vector. 0: ordinary attention.
    std::int64_t latentRank = 0, queryRank = 0, latentRotary = 0, latentPlain = 0, latentValue = 0;

    friend bool operator==(const DecoderSpec&, const DecoderSpec&) = default;

    [[nodiscard]] bool isLatent() const { return latentRank > 0; }
    [[nodiscard]] bool hasExperts() const { return experts > 0; }
    // Layers with full attention.
    [[nodiscard]] std::int64_t globalLayers() const;
};

enum class TensorRole {
    Embedding,
    Positions,
    Norm,  // vectors: norms, biases, sinks; never quantised
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
    std::int64_t layer = -1;  // -1: not part of a layer
    std::int64_t rows = 1, rowLength = 0;
    std::int64_t copies = 1;  // number of experts
    bool routed = false;      // of an expert selected by the router

    [[nodiscard]] double elements() const {
        return static_cast<double>(copies) * static_cast<double>(rows) * static_cast<double>(rowLength);
    }
};
// All tensors of the model; a tied head is not listed separately.
[[nodiscard]] std::vector<DecoderTensor> tensorsOf(const DecoderSpec& spec);

struct ParameterCounts {
    double total = 0;
    double active = 0;               // per token: without inactive experts
    double activeMatrices = 0;       // ... in matrices between embedding and head: 2 FLOPs each per token
    double embedding = 0, head = 0;  // a tied head counts as 0
};
[[nodiscard]] ParameterCounts parametersOf(const DecoderSpec& spec);

// The type of a tensor in a scheme; for GGUF as in llama.cpp's llama_tensor_get_type().
[[nodiscard]] TensorType tensorTypeOf(const DecoderSpec& spec, const DecoderTensor& tensor, const WeightScheme& scheme);

struct WeightBytes {
    double total = 0;
    double readPerToken = 0;     // without the input embedding and inactive experts; includes a tied head
    double expertsPerToken = 0;  // part of readPerToken that belongs to routed experts
};
[[nodiscard]] WeightBytes weightBytes(const DecoderSpec& spec, const WeightScheme& scheme);

enum class CacheType { F32, F16, Q8_0 };
inline constexpr std::array kCacheTypes{CacheType::F32, CacheType::F16, CacheType::Q8_0};
[[nodiscard]] std::string_view toString(CacheType type);  // "f32", "f16", "q8_0"
[[nodiscard]] std::optional<CacheType> fromName(std::type_identity<CacheType>, std::string_view name);
[[nodiscard]] double bytesPerElement(CacheType type);
// KV-cache bytes per additional token, over all layers, while sliding windows are not full.
[[nodiscard]] double cacheBytesPerToken(const DecoderSpec& spec, CacheType type = CacheType::F16);
// KV-cache bytes of a context in tokens; sliding-window layers store at most their window.
[[nodiscard]] double cacheBytes(const DecoderSpec& spec, double context, CacheType type = CacheType::F16);

// Matrices with LoRA adapters: all of attention and feed-forward ("all_linear"), or query and value.
enum class LoraTargets { AllLinear, QueryValue };
// Sum of rank x (rows + columns) over the adapted matrices.
[[nodiscard]] double loraParameters(const DecoderSpec& spec, std::int64_t rank, LoraTargets targets);

// Validates a specification: positive sizes within 64 bits, divisible heads, existing experts. InvalidArgument names
// the field; `subject` is the file or the model.
[[nodiscard]] Result<void> checkSpec(const DecoderSpec& spec, const std::string& subject);

}  // namespace steelyard::model
