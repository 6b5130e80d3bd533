// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/decoder_spec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/core/messages/core.h"
#include "engine/core/messages/model.h"

namespace steelyard::model {
namespace {

template <typename Enum, std::size_t Size>
using Names = std::array<std::pair<Enum, std::string_view>, Size>;

constexpr Names<DecoderNorm, 2> kNorms{{{DecoderNorm::Rms, "rms"}, {DecoderNorm::LayerNorm, "layer"}}};
constexpr Names<DecoderGate, 3> kGates{
    {{DecoderGate::SwiGlu, "swiglu"}, {DecoderGate::GeGlu, "geglu"}, {DecoderGate::None, "none"}}};
constexpr Names<QkNorm, 3> kQkNorms{{{QkNorm::None, "none"}, {QkNorm::PerHead, "per_head"}, {QkNorm::Whole, "whole"}}};
constexpr Names<RotaryScaling, 5> kScalings{{{RotaryScaling::None, "none"},
                                             {RotaryScaling::Linear, "linear"},
                                             {RotaryScaling::Llama3, "llama3"},
                                             {RotaryScaling::Yarn, "yarn"},
                                             {RotaryScaling::LongRope, "longrope"}}};
constexpr Names<CacheType, 3> kCaches{{{CacheType::F32, "f32"}, {CacheType::F16, "f16"}, {CacheType::Q8_0, "q8_0"}}};

template <typename List, typename Enum>
std::string_view nameIn(const List& list, Enum value) {
    for (const auto& [key, name] : list)
        if (key == value) return name;
    return "unknown";
}

template <typename Enum, typename List>
std::optional<Enum> valueIn(const List& list, std::string_view name) {
    for (const auto& [key, known] : list)
        if (known == name) return key;
    return std::nullopt;
}

// Attention of one layer, in file order.
void addAttention(const DecoderSpec& spec, std::int64_t layer, std::vector<DecoderTensor>& tensors) {
    const auto add = [&](TensorRole role, std::int64_t rows, std::int64_t length) {
        tensors.push_back({.role = role, .layer = layer, .rows = rows, .rowLength = length});
    };
    const auto norm = [&](std::int64_t length) { add(TensorRole::Norm, 1, length); };
    if (spec.isLatent()) {
        const auto queries = spec.heads * (spec.latentPlain + spec.latentRotary);
        if (spec.queryRank > 0) {
            add(TensorRole::Query, spec.queryRank, spec.width);
            norm(spec.queryRank);
            add(TensorRole::Query, queries, spec.queryRank);
        } else {
            add(TensorRole::Query, queries, spec.width);
        }
        add(TensorRole::Key, spec.latentRank + spec.latentRotary, spec.width);
        norm(spec.latentRank);
        add(TensorRole::Value, spec.heads * (spec.latentPlain + spec.latentValue), spec.latentRank);
        add(TensorRole::AttentionOutput, spec.width, spec.heads * spec.latentValue);
        return;
    }
    const auto q = spec.heads * spec.headDimension, kv = spec.kvHeads * spec.headDimension;
    if (spec.fusedQkv) {
        add(TensorRole::FusedQkv, q + 2 * kv, spec.width);
    } else {
        add(TensorRole::Query, q, spec.width);
        add(TensorRole::Key, kv, spec.width);
        add(TensorRole::Value, kv, spec.width);
    }
    if (spec.qkvBias) norm(q + 2 * kv);
    add(TensorRole::AttentionOutput, spec.width, q);
    if (spec.outputBias) norm(spec.width);
    if (spec.qkNorm == QkNorm::PerHead) norm(2 * spec.headDimension);
    if (spec.qkNorm == QkNorm::Whole) norm(q + kv);
    if (spec.attentionSinks) norm(spec.heads);
}

void addFeedForward(const DecoderSpec& spec, std::int64_t layer, std::vector<DecoderTensor>& tensors) {
    const auto part = [&](std::int64_t inner, std::int64_t copies, bool routed, bool bias) {
        const auto add = [&](TensorRole role, std::int64_t rows, std::int64_t length) {
            tensors.push_back(
                {.role = role, .layer = layer, .rows = rows, .rowLength = length, .copies = copies, .routed = routed});
        };
        const bool gated = spec.gate != DecoderGate::None;
        if (gated && !spec.fusedQkv) add(TensorRole::Gate, inner, spec.width);
        add(TensorRole::Up, gated && spec.fusedQkv ? 2 * inner : inner, spec.width);
        add(TensorRole::Down, spec.width, inner);
        if (bias) add(TensorRole::Norm, 1, (gated ? 2 : 1) * inner + spec.width);
    };
    if (!spec.hasExperts() || layer < spec.leadingDenseLayers)
        return part(spec.feedForward, 1, false, spec.feedForwardBias);
    tensors.push_back({.role = TensorRole::Router, .layer = layer, .rows = spec.experts, .rowLength = spec.width});
    if (spec.routerBias)
        tensors.push_back({.role = TensorRole::Norm, .layer = layer, .rows = 1, .rowLength = spec.experts});
    part(spec.expertWidth, spec.experts, true, spec.expertBias);
    if (spec.sharedExpertWidth > 0) part(spec.sharedExpertWidth, 1, false, false);
    if (spec.sharedExpertGate)
        tensors.push_back({.role = TensorRole::Norm, .layer = layer, .rows = 1, .rowLength = spec.width});
}

// Fraction of a tensor that one token uses.
double activeShare(const DecoderSpec& spec, const DecoderTensor& tensor) {
    if (!tensor.routed) return 1;
    return static_cast<double>(spec.activeExperts) / static_cast<double>(spec.experts);
}

// Layers to which llama.cpp gives more bits in its _M mixtures (use_more_bits).
bool getsMoreBits(std::int64_t layer, std::int64_t layers) {
    return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

// Rows not divisible into blocks of 256 use blocks of 32 of about the same size; others 16 bits.
TensorType inBlocks(TensorType type, std::int64_t rowLength) {
    if (formatOf(type).blockWeights == 256 && rowLength % 256 != 0) {
        switch (type) {
            case TensorType::Q4K:
                type = TensorType::Q5_0;
                break;
            case TensorType::Q5K:
                type = TensorType::Q5_1;
                break;
            case TensorType::Q6K:
                type = TensorType::Q8_0;
                break;
            default:
                type = TensorType::Iq4Nl;
                break;
        }
    }
    return rowLength % formatOf(type).blockWeights == 0 ? type : TensorType::F16;
}

// llama_tensor_get_type() of llama.cpp, without an importance matrix.
TensorType ggufType(const DecoderSpec& spec, const DecoderTensor& tensor, const WeightScheme& scheme) {
    const auto base = scheme.base;
    const bool medium = scheme.name.ends_with("_m"), small = scheme.name.ends_with("_s");
    const bool isQ4K = base == TensorType::Q4K;
    const bool eightExperts = spec.experts == 8;
    switch (tensor.role) {
        case TensorRole::Head:
            return base == TensorType::Q8_0 ? base : TensorType::Q6K;
        case TensorRole::Embedding:
            return spec.tiedEmbeddings && base != TensorType::Q8_0 ? TensorType::Q6K : base;
        case TensorRole::Value: {
            auto type = base;
            if (medium && getsMoreBits(tensor.layer, spec.layers)) type = TensorType::Q6K;
            if (small && isQ4K && tensor.layer < 4) type = TensorType::Q5K;
            // Llama 2 and 3 70B: eight heads share a value matrix, so more bits pay off.
            if (spec.layers == 80 && spec.heads != spec.kvHeads && type == TensorType::Q4K) type = TensorType::Q5K;
            return eightExperts ? TensorType::Q8_0 : type;
        }
        case TensorRole::Key:
            return eightExperts ? TensorType::Q8_0 : base;
        case TensorRole::AttentionOutput:
            return eightExperts && isQ4K ? TensorType::Q5K : base;
        case TensorRole::FusedQkv:
            return !medium ? base : isQ4K ? TensorType::Q5K : TensorType::Q6K;
        case TensorRole::Down:
            if (medium && getsMoreBits(tensor.layer, spec.layers)) return TensorType::Q6K;
            return small && isQ4K && tensor.layer < spec.layers / 8 ? TensorType::Q5K : base;
        default:
            return base;
    }
}

}  // namespace

std::string_view toString(DecoderNorm value) {
    return nameIn(kNorms, value);
}
std::string_view toString(DecoderGate value) {
    return nameIn(kGates, value);
}
std::string_view toString(QkNorm value) {
    return nameIn(kQkNorms, value);
}
std::string_view toString(RotaryScaling value) {
    return nameIn(kScalings, value);
}
std::string_view toString(CacheType value) {
    return nameIn(kCaches, value);
}
std::optional<DecoderNorm> fromName(std::type_identity<DecoderNorm>, std::string_view name) {
    return valueIn<DecoderNorm>(kNorms, name);
}
std::optional<DecoderGate> fromName(std::type_identity<DecoderGate>, std::string_view name) {
    return valueIn<DecoderGate>(kGates, name);
}
std::optional<QkNorm> fromName(std::type_identity<QkNorm>, std::string_view name) {
    return valueIn<QkNorm>(kQkNorms, name);
}
std::optional<RotaryScaling> fromName(std::type_identity<RotaryScaling>, std::string_view name) {
    return valueIn<RotaryScaling>(kScalings, name);
}
std::optional<CacheType> fromName(std::type_identity<CacheType>, std::string_view name) {
    return valueIn<CacheType>(kCaches, name);
}

std::int64_t DecoderSpec::globalLayers() const {
    if (window == 0) return layers;
    return globalEvery == 0 ? 0 : layers / globalEvery;
}

std::vector<DecoderTensor> tensorsOf(const DecoderSpec& spec) {
    std::vector<DecoderTensor> tensors;
    const auto norm = [&](std::int64_t layer) {
        const auto length = spec.norm == DecoderNorm::LayerNorm ? 2 * spec.width : spec.width;
        tensors.push_back({.role = TensorRole::Norm, .layer = layer, .rows = 1, .rowLength = length});
    };
    tensors.push_back({.role = TensorRole::Embedding, .rows = spec.vocabulary, .rowLength = spec.width});
    if (spec.learnedPositions)
        tensors.push_back({.role = TensorRole::Positions, .rows = spec.contextLength, .rowLength = spec.width});
    for (std::int64_t layer = 0; layer < spec.layers; ++layer) {
        for (std::int64_t i = 0; i < spec.normsPerLayer; ++i) norm(layer);
        addAttention(spec, layer, tensors);
        addFeedForward(spec, layer, tensors);
    }
    norm(-1);
    if (!spec.tiedEmbeddings)
        tensors.push_back({.role = TensorRole::Head, .rows = spec.vocabulary, .rowLength = spec.width});
    return tensors;
}

ParameterCounts parametersOf(const DecoderSpec& spec) {
    ParameterCounts counts;
    for (const auto& tensor : tensorsOf(spec)) {
        const auto elements = tensor.elements();
        const auto active = elements * activeShare(spec, tensor);
        counts.total += elements;
        counts.active += active;
        switch (tensor.role) {
            case TensorRole::Embedding:
                counts.embedding += elements;
                break;
            case TensorRole::Head:
                counts.head += elements;
                break;
            case TensorRole::Norm:
            case TensorRole::Positions:
                break;
            default:
                counts.activeMatrices += active;
        }
    }
    return counts;
}

TensorType tensorTypeOf(const DecoderSpec& spec, const DecoderTensor& tensor, const WeightScheme& scheme) {
    const bool isMatrix = tensor.role != TensorRole::Norm && tensor.role != TensorRole::Router;
    if (!scheme.gguf) {
        const bool isEnd = tensor.role == TensorRole::Embedding || tensor.role == TensorRole::Head ||
                           tensor.role == TensorRole::Positions;
        return !isMatrix || (isEnd && scheme.base != TensorType::Mlx4) ? TensorType::Bf16 : scheme.base;
    }
    if (!isMatrix || tensor.role == TensorRole::Positions) return TensorType::F32;
    if (formatOf(scheme.base).blockWeights == 1) return scheme.base;
    if (scheme.base == TensorType::Mxfp4)
        return tensor.routed ? scheme.base : inBlocks(TensorType::Q8_0, tensor.rowLength);
    return inBlocks(ggufType(spec, tensor, scheme), tensor.rowLength);
}

WeightBytes weightBytes(const DecoderSpec& spec, const WeightScheme& scheme) {
    WeightBytes bytes;
    for (const auto& tensor : tensorsOf(spec)) {
        const auto size =
            static_cast<double>(tensor.copies) *
            tensorBytes(tensorTypeOf(spec, tensor, scheme), static_cast<double>(tensor.rows), tensor.rowLength);
        bytes.total += size;
        const bool isInput =
            tensor.role == TensorRole::Positions || (tensor.role == TensorRole::Embedding && !spec.tiedEmbeddings);
        if (isInput) continue;
        const auto read = size * activeShare(spec, tensor);
        bytes.readPerToken += read;
        if (tensor.routed) bytes.expertsPerToken += read;
    }
    return bytes;
}

double bytesPerElement(CacheType type) {
    switch (type) {
        case CacheType::F32:
            return 4;
        case CacheType::F16:
            return 2;
        case CacheType::Q8_0:
            return 34.0 / 32;
    }
    return 0;
}

double cacheBytes(const DecoderSpec& spec, double context, CacheType type) {
    const auto layers = static_cast<double>(spec.layers), global = static_cast<double>(spec.globalLayers());
    const auto kept = spec.window > 0 ? std::min(context, static_cast<double>(spec.window)) : context;
    const auto perLayer = spec.isLatent()
                              ? static_cast<double>(spec.latentRank + spec.latentRotary)
                              : 2 * static_cast<double>(spec.kvHeads) * static_cast<double>(spec.headDimension);
    return (global * context + (layers - global) * kept) * perLayer * bytesPerElement(type);
}

double cacheBytesPerToken(const DecoderSpec& spec, CacheType type) {
    return cacheBytes(spec, 1, type);
}

double loraParameters(const DecoderSpec& spec, std::int64_t rank, LoraTargets targets) {
    double sum = 0;
    for (const auto& tensor : tensorsOf(spec)) {
        const bool queryValue =
            tensor.role == TensorRole::Query || tensor.role == TensorRole::Value || tensor.role == TensorRole::FusedQkv;
        const bool linear = queryValue || tensor.role == TensorRole::Key ||
                            tensor.role == TensorRole::AttentionOutput || tensor.role == TensorRole::Gate ||
                            tensor.role == TensorRole::Up || tensor.role == TensorRole::Down;
        if (targets == LoraTargets::QueryValue ? !queryValue : !linear) continue;
        sum += static_cast<double>(tensor.copies) * static_cast<double>(rank) *
               static_cast<double>(tensor.rows + tensor.rowLength);
    }
    return sum;
}

Result<void> checkSpec(const DecoderSpec& spec, const std::string& subject) {
    const auto refuse = [&](std::string_view figure, Message why) {
        return fail(ErrorKind::InvalidArgument, subject, messages::decoderFigure(figure, std::move(why)));
    };
    struct Figure {
        std::string_view name;
        std::int64_t value, lowest, highest;
    };
    // Far above every published model, and small enough that products of three are (nearly) exact in double.
    constexpr std::int64_t kWide = 1 << 20;
    const bool dense = !spec.hasExperts() || spec.leadingDenseLayers > 0;
    for (const auto& [name, value, lowest, highest] : {
             Figure{"layers", spec.layers, 1, 10'000},
             Figure{"width", spec.width, 1, kWide},
             Figure{"heads", spec.heads, 1, 65'536},
             Figure{"kv_heads", spec.kvHeads, 1, spec.heads},
             Figure{"head_dimension", spec.headDimension, 1, 65'536},
             Figure{"feed_forward", spec.feedForward, dense ? 1 : 0, 16 * kWide},
             Figure{"vocabulary", spec.vocabulary, 1, 1 << 26},
             Figure{"context_length", spec.contextLength, spec.learnedPositions ? 1 : 0, std::int64_t{1} << 40},
             Figure{"norms_per_layer", spec.normsPerLayer, 1, 8},
             Figure{"window", spec.window, 0, std::int64_t{1} << 40},
             Figure{"global_every", spec.globalEvery, 0, spec.layers},
             Figure{"experts", spec.experts, 0, 65'536},
             Figure{"active_experts", spec.activeExperts, spec.hasExperts() ? 1 : 0, spec.experts},
             Figure{"expert_width", spec.expertWidth, spec.hasExperts() ? 1 : 0, 16 * kWide},
             Figure{"shared_expert_width", spec.sharedExpertWidth, 0, 16 * kWide},
             Figure{"leading_dense_layers", spec.leadingDenseLayers, 0, spec.layers},
             Figure{"latent_rank", spec.latentRank, 0, kWide},
             Figure{"query_rank", spec.queryRank, 0, kWide},
             Figure{"latent_rotary", spec.latentRotary, spec.isLatent() ? 1 : 0, kWide},
             Figure{"latent_plain", spec.latentPlain, spec.isLatent() ? 1 : 0, kWide},
             Figure{"latent_value", spec.latentValue, spec.isLatent() ? 1 : 0, kWide},
         })
        if (value < lowest || value > highest) return refuse(name, messages::notBetween(value, lowest, highest));
    if (spec.heads % spec.kvHeads != 0) return refuse("kv_heads", messages::doesNotDivide(spec.kvHeads, spec.heads));
    for (const auto& [name, value] :
         {std::pair{"rotary_theta", spec.rotaryTheta}, std::pair{"norm_epsilon", spec.normEpsilon},
          std::pair{"rotary_share", spec.rotaryShare}, std::pair{"rotary_factor", spec.rotaryFactor}})
        if (!std::isfinite(value) || value <= 0) return refuse(name, steelyard::messages::mustBePositive());
    return {};
}

}  // namespace steelyard::model
