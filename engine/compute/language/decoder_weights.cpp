// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/language/decoder_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "engine/core/messages/compute.h"
#include "engine/model/decoder/weight_blocks.h"

namespace steelyard::compute {
namespace {

using model::GgufWeightFile;
using model::StoredMatrix;

constexpr std::array<std::string_view, 11> kFamilies{"llama",     "qwen2",  "qwen2_moe",   "qwen3",
                                                     "qwen3_moe", "gemma2", "gemma3_text", "phi3",
                                                     "gpt_oss",   "olmo2",  "smollm3"};

constexpr std::int64_t kUnrotatedEvery = 4;  // layers of SmolLM3

StoredMatrix someRows(StoredMatrix matrix, std::int64_t first, std::int64_t rows) {
    matrix.data = matrix.row(first);
    matrix.rows = rows;
    return matrix;
}

std::vector<float> somePart(const std::vector<float>& values, std::int64_t first, std::int64_t length) {
    return {values.begin() + first, values.begin() + first + length};
}

// Reads the layers in order.
class LayerReader {
public:
    explicit LayerReader(const GgufWeightFile& file) : m_file(file), m_spec(file.spec()) {}

    Result<LayerWeights> read(std::int64_t index) {
        m_index = index;
        LayerWeights layer;
        const bool seesAll = m_spec.globalEvery > 0 && (index + 1) % m_spec.globalEvery == 0;
        layer.window = seesAll ? 0 : m_spec.window;
        layer.localRotary = layer.window > 0 && m_spec.localRotaryTheta > 0;
        layer.rotates = m_spec.family != "smollm3" || (index + 1) % kUnrotatedEvery != 0;
        TRY(readNorms(layer));
        TRY(readAttention(layer));
        TRY(readFeedForward(layer));
        return layer;
    }

private:
    [[nodiscard]] std::string name(std::string_view part) const { return fmt::format("blk.{}.{}", m_index, part); }

    Result<void> matrix(StoredMatrix& target, std::string_view part, std::int64_t rows, std::int64_t columns,
                        std::int64_t count = 1) const {
        ASSIGN(target, m_file.matrix(name(part), rows, columns, count));
        return {};
    }
    Result<void> vector(std::vector<float>& target, std::string_view part, std::int64_t length) const {
        ASSIGN(target, m_file.vector(name(part), length));
        return {};
    }
    Result<void> optionalVector(std::vector<float>& target, std::string_view part, std::int64_t length) const {
        return m_file.has(name(part)) ? vector(target, part, length) : Result<void>{};
    }
    // Biases of experts: one row each.
    Result<void> expertBias(std::vector<float>& target, std::string_view part, std::int64_t length) const {
        if (!m_file.has(name(part))) return {};
        ASSIGN(const auto stored, m_file.matrix(name(part), m_spec.experts, length));
        target.resize(static_cast<std::size_t>(m_spec.experts * length));
        model::dequantise(stored.type, stored.data, target);
        return {};
    }

    Result<void> readNorms(LayerWeights& layer) const {
        const auto width = m_spec.width;
        // OLMo 2 normalises outputs only.
        const bool outputsOnly = m_spec.family == "olmo2";
        if (m_spec.normsPerLayer == 4 || outputsOnly) {
            TRY(vector(layer.attentionPostNorm, "post_attention_norm.weight", width));
            TRY(vector(layer.feedForwardPostNorm, "post_ffw_norm.weight", width));
        }
        if (outputsOnly) return {};
        TRY(vector(layer.attentionNorm, "attn_norm.weight", width));
        // gpt-oss names the norm before its experts after the part that precedes it.
        TRY(vector(layer.feedForwardNorm, m_spec.family == "gpt_oss" ? "post_attention_norm.weight" : "ffn_norm.weight",
                   width));
        return {};
    }

    Result<void> readAttention(LayerWeights& layer) const {
        const auto width = m_spec.width, head = m_spec.headDimension;
        const auto queries = m_spec.heads * head, keys = m_spec.kvHeads * head;
        if (m_spec.fusedQkv) {
            StoredMatrix fused;
            TRY(matrix(fused, "attn_qkv.weight", queries + 2 * keys, width));
            layer.query = someRows(fused, 0, queries);
            layer.key = someRows(fused, queries, keys);
            layer.value = someRows(fused, queries + keys, keys);
            std::vector<float> bias;
            TRY(optionalVector(bias, "attn_qkv.bias", queries + 2 * keys));
            if (!bias.empty()) {
                layer.queryBias = somePart(bias, 0, queries);
                layer.keyBias = somePart(bias, queries, keys);
                layer.valueBias = somePart(bias, queries + keys, keys);
            }
        } else {
            TRY(matrix(layer.query, "attn_q.weight", queries, width));
            TRY(matrix(layer.key, "attn_k.weight", keys, width));
            TRY(matrix(layer.value, "attn_v.weight", keys, width));
            TRY(optionalVector(layer.queryBias, "attn_q.bias", queries));
            TRY(optionalVector(layer.keyBias, "attn_k.bias", keys));
            TRY(optionalVector(layer.valueBias, "attn_v.bias", keys));
        }
        TRY(matrix(layer.output, "attn_output.weight", width, queries));
        TRY(optionalVector(layer.outputBias, "attn_output.bias", width));
        const bool ofAllHeads = m_spec.qkNorm == model::QkNorm::Whole;
        TRY(optionalVector(layer.queryNorm, "attn_q_norm.weight", ofAllHeads ? queries : head));
        TRY(optionalVector(layer.keyNorm, "attn_k_norm.weight", ofAllHeads ? keys : head));
        if (m_spec.attentionSinks) TRY(vector(layer.sinks, "attn_sinks.weight", m_spec.heads));
        return {};
    }

    Result<void> readFeedForward(LayerWeights& layer) const {
        const auto width = m_spec.width;
        auto& part = layer.feedForward;
        if (!m_spec.hasExperts() || m_index < m_spec.leadingDenseLayers) {
            const auto inner = m_spec.feedForward;
            if (m_spec.fusedQkv) {
                StoredMatrix fused;
                TRY(matrix(fused, "ffn_up.weight", 2 * inner, width));
                part.gate = someRows(fused, 0, inner);
                part.up = someRows(fused, inner, inner);
            } else {
                TRY(matrix(part.gate, "ffn_gate.weight", inner, width));
                TRY(matrix(part.up, "ffn_up.weight", inner, width));
                TRY(optionalVector(part.gateBias, "ffn_gate.bias", inner));
                TRY(optionalVector(part.upBias, "ffn_up.bias", inner));
            }
            TRY(matrix(part.down, "ffn_down.weight", width, inner));
            return optionalVector(part.downBias, "ffn_down.bias", width);
        }
        const auto inner = m_spec.expertWidth, experts = m_spec.experts;
        TRY(matrix(layer.router, "ffn_gate_inp.weight", experts, width));
        TRY(optionalVector(layer.routerBias, "ffn_gate_inp.bias", experts));
        TRY(matrix(part.gate, "ffn_gate_exps.weight", inner, width, experts));
        TRY(matrix(part.up, "ffn_up_exps.weight", inner, width, experts));
        TRY(matrix(part.down, "ffn_down_exps.weight", width, inner, experts));
        TRY(expertBias(part.gateBias, "ffn_gate_exps.bias", inner));
        TRY(expertBias(part.upBias, "ffn_up_exps.bias", inner));
        TRY(expertBias(part.downBias, "ffn_down_exps.bias", width));
        if (m_spec.sharedExpertWidth == 0) return {};
        TRY(matrix(layer.shared.gate, "ffn_gate_shexp.weight", m_spec.sharedExpertWidth, width));
        TRY(matrix(layer.shared.up, "ffn_up_shexp.weight", m_spec.sharedExpertWidth, width));
        TRY(matrix(layer.shared.down, "ffn_down_shexp.weight", width, m_spec.sharedExpertWidth));
        return optionalVector(layer.sharedGate, "ffn_gate_inp_shexp.weight", width);
    }

    const GgufWeightFile& m_file;
    const model::DecoderSpec& m_spec;
    std::int64_t m_index = 0;
};

// YaRN (B. Peng et al., 2023): low-frequency pairs are interpolated, high-frequency ones are not, with a ramp in
// between. The bounds are the pairs with a given number of rotations within the original training context.
double yarnFrequency(double plain, double factor, double pair, double low, double high) {
    const double ramp = std::clamp((pair - low) / std::max(0.001, high - low), 0.0, 1.0);
    return plain * (1 - ramp) + plain / factor * ramp;
}

Result<Rotary> rotaryOf(const GgufWeightFile& file, double theta, bool scaled, std::int64_t context) {
    const auto& spec = file.spec();
    const auto& architecture = std::get<std::string>(file.header().values.find("general.architecture")->second);
    const auto figure = [&](std::string_view key, double standard) {
        return file.number(fmt::format("{}.rope.{}", architecture, key)).value_or(standard);
    };
    const auto rotated =
        static_cast<std::int64_t>(std::lround(spec.rotaryShare * static_cast<double>(spec.headDimension) / 2) * 2);
    const auto pairs = std::min(rotated, spec.headDimension / 2 * 2) / 2;
    Rotary rotary;
    rotary.neighbours = spec.family == "llama" || spec.family == "smollm3";
    for (std::int64_t i = 0; i < pairs; ++i)
        rotary.frequencies.push_back(std::pow(theta, -static_cast<double>(i) / static_cast<double>(pairs)));
    if (!scaled) return rotary;
    const double trained = figure("scaling.original_context_length", static_cast<double>(spec.contextLength));
    switch (spec.rotaryScaling) {
        case model::RotaryScaling::None:  // a factor without a kind is linear
        case model::RotaryScaling::Linear:
            if (!file.header().values.contains(architecture + ".rope.scaling.type") ||
                spec.rotaryScaling == model::RotaryScaling::Linear)
                for (auto& frequency : rotary.frequencies) frequency /= spec.rotaryFactor;
            break;
        case model::RotaryScaling::Yarn: {
            const auto bound = [&](double turns) {
                return static_cast<double>(pairs) * std::log(trained / (turns * 2 * std::numbers::pi)) /
                       std::log(theta);
            };
            const double low = std::max(0.0, std::floor(bound(figure("scaling.yarn_beta_fast", 32))));
            const double high =
                std::min(static_cast<double>(2 * pairs - 1), std::ceil(bound(figure("scaling.yarn_beta_slow", 1))));
            for (std::size_t i = 0; i < rotary.frequencies.size(); ++i)
                rotary.frequencies[i] =
                    yarnFrequency(rotary.frequencies[i], spec.rotaryFactor, static_cast<double>(i), low, high);
            rotary.magnitude = figure("scaling.attn_factor", 1) * (1 + 0.1 * std::log(spec.rotaryFactor));
            break;
        }
        case model::RotaryScaling::LongRope:
            rotary.magnitude = figure("scaling.attn_factor", 1);
            break;
        case model::RotaryScaling::Llama3:  // the file has the factors as a tensor
            break;
    }
    const auto* factors = spec.rotaryScaling != model::RotaryScaling::LongRope ? "rope_freqs.weight"
                          : static_cast<double>(context) > trained             ? "rope_factors_long.weight"
                                                                               : "rope_factors_short.weight";
    if (file.has(factors)) {
        ASSIGN(const auto divisors, file.vector(factors, pairs));
        for (std::size_t i = 0; i < divisors.size(); ++i) rotary.frequencies[i] /= static_cast<double>(divisors[i]);
    }
    return rotary;
}

// Models of this depth scale by the width over the number of heads, others by the head dimension.
double attentionScaleOf(const model::DecoderSpec& spec) {
    const bool is27b =
        (spec.family == "gemma2" && spec.layers == 46) || (spec.family == "gemma3_text" && spec.layers == 62);
    const auto dimension = is27b ? static_cast<double>(spec.width) / static_cast<double>(spec.heads)
                                 : static_cast<double>(spec.headDimension);
    return 1 / std::sqrt(dimension);
}

}  // namespace

Result<DecoderWeights> decoderWeights(std::shared_ptr<const GgufWeightFile> file, std::int64_t context) {
    const auto& spec = file->spec();
    if (std::ranges::find(kFamilies, std::string_view(spec.family)) == kFamilies.end())
        return fail(ErrorKind::Unsupported, file->path(), messages::familyNotComputed(spec.family));
    DecoderWeights weights;
    weights.spec = spec;
    ASSIGN(weights.embedding, file->matrix("token_embd.weight", spec.vocabulary, spec.width));
    weights.head = weights.embedding;
    if (file->has("output.weight")) {
        ASSIGN(weights.head, file->matrix("output.weight", spec.vocabulary, spec.width));
    }
    ASSIGN(weights.outputNorm, file->vector("output_norm.weight", spec.width));
    LayerReader reader(*file);
    for (std::int64_t i = 0; i < spec.layers; ++i) {
        ASSIGN(auto layer, reader.read(i));
        weights.layers.push_back(std::move(layer));
    }
    ASSIGN(weights.rotary, rotaryOf(*file, spec.rotaryTheta, true, context));
    if (spec.localRotaryTheta > 0) {
        ASSIGN(weights.localRotary, rotaryOf(*file, spec.localRotaryTheta, false, context));
    }
    if (spec.family.starts_with("gemma")) weights.embeddingScale = std::sqrt(static_cast<double>(spec.width));
    weights.attentionScale = attentionScaleOf(spec);
    weights.gate = spec.family == "gpt_oss"                 ? GateKind::ClampedSilu
                   : spec.gate == model::DecoderGate::GeGlu ? GateKind::GeluTanh
                                                            : GateKind::Silu;
    weights.normalisesExperts = spec.family != "qwen2_moe";
    weights.file = std::move(file);
    return weights;
}

}  // namespace steelyard::compute
