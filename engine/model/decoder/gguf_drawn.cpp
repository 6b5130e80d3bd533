// SPDX-License-Identifier: Apache-2.0
// Random weights; see gguf_weights.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>

#include "engine/core/messages/model.h"
#include "engine/core/random.h"
#include "engine/model/decoder/gguf_weights.h"
#include "engine/model/decoder/weight_blocks.h"

namespace steelyard::model {
namespace {

// Matrices of one format start at different blocks of their buffer, at most this many after its start.
constexpr std::int64_t kPlaces = 4096, kStride = 977;

struct DrawnTensor {
    std::string name;
    DecoderTensor shape;
};

// A norm or bias vector, under the name that the decoder requests.
struct DrawnRow {
    std::string name;
    std::int64_t length = 0;
    float centre = 0, width = 0;  // uniform in centre +- width
};

std::string_view partName(TensorRole role) {
    switch (role) {
        case TensorRole::Query:
            return "attn_q";
        case TensorRole::Key:
            return "attn_k";
        case TensorRole::Value:
            return "attn_v";
        case TensorRole::FusedQkv:
            return "attn_qkv";
        case TensorRole::AttentionOutput:
            return "attn_output";
        case TensorRole::Gate:
            return "ffn_gate";
        case TensorRole::Up:
            return "ffn_up";
        case TensorRole::Down:
            return "ffn_down";
        case TensorRole::Router:
            return "ffn_gate_inp";
        case TensorRole::Embedding:
        case TensorRole::Positions:
        case TensorRole::Norm:
        case TensorRole::Head:
            break;
    }
    return {};
}

std::string nameOf(const DecoderSpec& spec, const DecoderTensor& tensor) {
    if (tensor.role == TensorRole::Embedding) return "token_embd.weight";
    if (tensor.role == TensorRole::Head) return "output.weight";
    std::string name(partName(tensor.role));
    const bool isFeedForward =
        tensor.role == TensorRole::Gate || tensor.role == TensorRole::Up || tensor.role == TensorRole::Down;
    if (isFeedForward && tensor.routed) name += "_exps";
    // In a layer with experts, weights that are not routed belong to the shared expert.
    else if (isFeedForward && spec.hasExperts() && tensor.layer >= spec.leadingDenseLayers)
        name += "_shexp";
    return fmt::format("blk.{}.{}.weight", tensor.layer, name);
}

constexpr float kNormWidth = 0.25F, kBiasWidth = 0.02F;

std::vector<DrawnRow> rowsOf(const DecoderSpec& spec, std::int64_t layer) {
    std::vector<DrawnRow> rows;
    const auto norm = [&](std::string_view part, std::int64_t length) {
        rows.push_back({fmt::format("blk.{}.{}.weight", layer, part), length, 1, kNormWidth});
    };
    const auto bias = [&](std::string_view part, std::int64_t length) {
        rows.push_back({fmt::format("blk.{}.{}.bias", layer, part), length, 0, kBiasWidth});
    };
    const auto width = spec.width, head = spec.headDimension;
    const auto queries = spec.heads * head, keys = spec.kvHeads * head;
    const bool outputsOnly = spec.family == "olmo2";
    if (!outputsOnly) {
        norm("attn_norm", width);
        norm(spec.family == "gpt_oss" ? "post_attention_norm" : "ffn_norm", width);
    }
    if (spec.normsPerLayer == 4 || outputsOnly) {
        norm("post_attention_norm", width);
        norm("post_ffw_norm", width);
    }
    if (spec.qkvBias && spec.fusedQkv) bias("attn_qkv", queries + 2 * keys);
    if (spec.qkvBias && !spec.fusedQkv) {
        bias("attn_q", queries);
        bias("attn_k", keys);
        bias("attn_v", keys);
    }
    if (spec.outputBias) bias("attn_output", width);
    if (spec.qkNorm != QkNorm::None) {
        const bool ofAllHeads = spec.qkNorm == QkNorm::Whole;
        norm("attn_q_norm", ofAllHeads ? queries : head);
        norm("attn_k_norm", ofAllHeads ? keys : head);
    }
    if (spec.attentionSinks) rows.push_back({fmt::format("blk.{}.attn_sinks.weight", layer), spec.heads, 0, 1});
    if (!spec.hasExperts() || layer < spec.leadingDenseLayers) {
        if (!spec.feedForwardBias || spec.fusedQkv) return rows;
        bias("ffn_gate", spec.feedForward);
        bias("ffn_up", spec.feedForward);
        bias("ffn_down", width);
        return rows;
    }
    if (spec.routerBias) bias("ffn_gate_inp", spec.experts);
    if (spec.sharedExpertGate)
        rows.push_back({fmt::format("blk.{}.ffn_gate_inp_shexp.weight", layer), width, 0, kBiasWidth});
    return rows;
}

// Random bits, eight bytes at a time: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
// Generators", 2014).
class Bits {
public:
    explicit Bits(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next() {
        auto z = m_state += 0x9e3779b97f4a7c15ULL;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
        return z ^ z >> 31;
    }
    void fill(std::byte* to, std::int64_t bytes) {
        for (std::int64_t i = 0; i < bytes; i += 8) {
            const auto value = next();
            std::memcpy(to + i, &value, static_cast<std::size_t>(std::min<std::int64_t>(8, bytes - i)));
        }
    }
    // In [-1, 1).
    float uniform() { return static_cast<float>(static_cast<std::int32_t>(next() >> 32)) * 0x1p-31F; }

private:
    std::uint64_t m_state;
};

void putHalf(std::byte* to, float value) {
    const auto bits = toHalf(value);
    std::memcpy(to, &bits, sizeof(bits));
}

// Eight 6-bit scales and as many minima with the same values, in the layout of nestedScale().
void putNestedScales(std::byte* to, std::uint64_t bits) {
    std::array<unsigned, 8> scales{};
    for (auto& scale : scales) {
        scale = 16 + (static_cast<unsigned>(bits) & 31U);
        bits >>= 5;
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const auto low = scales[i], high = scales[i + 4];
        to[i] = to[i + 4] = static_cast<std::byte>(low | high >> 4 << 6);
        to[i + 8] = static_cast<std::byte>((high & 15U) | (high & 15U) << 4);
    }
}

// Turns a block of random bits into weights with about this standard deviation and mean 0 by setting its scales.
// Uniform integers with n values have a standard deviation of n / sqrt(12).
void scaleBlock(TensorType type, std::byte* block, Bits& bits, float deviation) {
    const float varied = deviation * (1 + 0.25F * bits.uniform());
    constexpr float kOf16 = 4.61F, kOf32 = 9.23F, kOf64 = 18.47F, kOf256 = 73.9F;
    constexpr float kMeanNested = 31.5F, kMeanScale = 63.5F;
    constexpr int kSixBitScales = 192;  // offset of the sixteen scales of q6_k
    switch (type) {
        case TensorType::Q8_0:
            return putHalf(block, varied / kOf256);
        case TensorType::Q4_0:
            return putHalf(block, varied / kOf16);
        case TensorType::Iq4Nl:
            return putHalf(block, varied / kOf256);
        case TensorType::Q5_0:
            return putHalf(block, varied / kOf32);
        case TensorType::Q4_1:
            putHalf(block, varied / kOf16);
            return putHalf(block + 2, -7.5F * varied / kOf16);
        case TensorType::Q5_1:
            putHalf(block, varied / kOf32);
            return putHalf(block + 2, -15.5F * varied / kOf32);
        case TensorType::Q4K:
            putHalf(block, varied / (kOf16 * kMeanNested));
            putHalf(block + 2, 7.5F * varied / (kOf16 * kMeanNested));
            return putNestedScales(block + 4, bits.next());
        case TensorType::Q5K:
            putHalf(block, varied / (kOf32 * kMeanNested));
            putHalf(block + 2, 15.5F * varied / (kOf32 * kMeanNested));
            return putNestedScales(block + 4, bits.next());
        case TensorType::Q6K: {
            auto random = bits.next();
            for (int i = 0; i < 16; ++i, random >>= 4)
                block[kSixBitScales + i] = static_cast<std::byte>(32 + 4 * (random & 15U));
            return putHalf(block + kSixBitScales + 16, varied / (kOf64 * (kMeanScale - 1.5F)));
        }
        case TensorType::Mxfp4: {
            constexpr float kOfMagnitudes = 2.94F;  // root mean square of 0, 0.5, 1, 1.5, 2, 3, 4, 6
            const auto exponent = std::lround(std::log2(deviation / kOfMagnitudes));
            block[0] = static_cast<std::byte>(127 + std::clamp(exponent, -100L, 100L));
            return;
        }
        default:
            return;
    }
}

void drawStore(TensorType type, std::byte* to, std::int64_t bytes, Bits bits, float deviation) {
    const auto& format = formatOf(type);
    if (format.blockWeights == 1) {
        const float width = deviation * std::sqrt(3.0F);
        std::array<float, 1> value{};
        for (std::int64_t i = 0; i < bytes; i += format.blockBytes) {
            value[0] = width * bits.uniform();
            quantise(type, value, to + i);
        }
        return;
    }
    bits.fill(to, bytes);
    for (std::int64_t i = 0; i < bytes; i += format.blockBytes) scaleBlock(type, to + i, bits, deviation);
}

}  // namespace

Result<std::shared_ptr<GgufWeightFile>> GgufWeightFile::layOut(const DecoderSpec& spec, const WeightScheme& scheme) {
    const auto architecture = ggufArchitecture(spec.family);
    if (architecture.empty() || !scheme.gguf)
        return fail(ErrorKind::Unsupported, spec.id, messages::notDrawn(spec.family, scheme.name));
    std::shared_ptr<GgufWeightFile> file(new GgufWeightFile);
    file->m_path = spec.id;
    file->m_spec = spec;
    auto& header = file->m_header;
    header.version = 3;
    header.values.emplace("general.architecture", std::string(architecture));
    std::vector<DrawnRow> rows{{"output_norm.weight", spec.width, 1, kNormWidth}};
    for (std::int64_t layer = 0; layer < spec.layers; ++layer)
        for (auto& row : rowsOf(spec, layer)) rows.push_back(std::move(row));
    std::vector<DrawnTensor> matrices;
    for (const auto& tensor : tensorsOf(spec))
        if (tensor.role != TensorRole::Norm && tensor.role != TensorRole::Positions)
            matrices.push_back({nameOf(spec, tensor), tensor});
    // Biases of experts are stored as matrices.
    if (spec.hasExperts() && spec.expertBias)
        for (auto layer = spec.leadingDenseLayers; layer < spec.layers; ++layer)
            for (const auto& [part, length] :
                 {std::pair{"gate", spec.expertWidth}, {"up", spec.expertWidth}, {"down", spec.width}})
                rows.push_back(
                    {fmt::format("blk.{}.ffn_{}_exps.bias", layer, part), length * spec.experts, 0, kBiasWidth});

    std::int64_t at = 0;
    for (const auto& row : rows) {
        std::vector<std::int64_t> sizes{row.length};
        if (row.name.ends_with("_exps.bias")) sizes = {row.length / spec.experts, spec.experts};
        header.tensors.push_back({row.name, std::move(sizes), TensorType::F32, static_cast<std::uint64_t>(at)});
        at += row.length * static_cast<std::int64_t>(sizeof(float));
    }
    std::map<TensorType, std::int64_t> largest;
    for (const auto& matrix : matrices) {
        const auto type = tensorTypeOf(spec, matrix.shape, scheme);
        const StoredMatrix stored{type, matrix.shape.rows, matrix.shape.rowLength, matrix.shape.copies};
        largest[type] = std::max(largest[type], stored.bytes());
    }
    for (const auto& [type, bytes] : largest) {
        const auto whole = bytes + kPlaces * formatOf(type).blockBytes;
        file->m_stores.push_back({type, at, whole});
        at += whole;
    }
    std::int64_t place = 0;
    for (const auto& matrix : matrices) {
        const auto type = tensorTypeOf(spec, matrix.shape, scheme);
        const auto store = std::ranges::find(file->m_stores, type, &Store::type);
        std::vector<std::int64_t> sizes{matrix.shape.rowLength, matrix.shape.rows};
        if (matrix.shape.copies > 1) sizes.push_back(matrix.shape.copies);
        place = (place + kStride) % kPlaces;
        header.tensors.push_back({matrix.name, std::move(sizes), type,
                                  static_cast<std::uint64_t>(store->begin + place * formatOf(type).blockBytes)});
    }
    file->m_drawn = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(at));
    file->m_drawnBytes = at;
    file->m_data = file->m_drawn.get();
    auto* target = file->m_drawn.get();
    const RandomStream random(0, 0);
    std::uint32_t index = 0;
    for (const auto& row : rows)
        for (std::int64_t i = 0; i < row.length; ++i, target += sizeof(float)) {
            const float value = row.centre + row.width * (2 * random.uniform(index++) - 1);
            std::memcpy(target, &value, sizeof(value));
        }
    return file;
}

void GgufWeightFile::draw(std::uint64_t seed) {
    const auto deviation =
        static_cast<float>(1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, m_spec.width))));
    for (const auto& store : m_stores)
        drawStore(store.type, m_drawn.get() + store.begin, store.bytes,
                  Bits(seed * 31 + static_cast<std::uint64_t>(store.type)), deviation);
}

}  // namespace steelyard::model
