// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/decoder_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/messages/model.h"

namespace steelyard::model {
namespace {

constexpr double kDeviation = 0.02;  // of the initial weights, as in the published training code
// Original context of the models whose rotary embedding is scaled in the way of Llama 3.1 to 3.3.
constexpr std::int64_t kLlama3Context = 8192;

// Families whose layers are in the usual order.
constexpr std::array<std::string_view, 8> kFamilies{"llama", "mistral", "qwen2",       "qwen3",
                                                    "phi3",  "gemma2",  "gemma3_text", "gpt2"};

// The first part of the model without a layer.
std::optional<Message> missingPart(const DecoderSpec& spec, bool adapts) {
    if (spec.isLatent()) return messages::partLatentAttention();
    if (spec.hasExperts()) return messages::partExperts();
    if (spec.attentionSinks) return messages::partSinks();
    if (std::ranges::find(kFamilies, std::string_view(spec.family)) == kFamilies.end())
        return messages::partFamily(spec.family);
    if (spec.rotaryScaling == RotaryScaling::Yarn || spec.rotaryScaling == RotaryScaling::LongRope)
        return messages::partRotary(std::string(toString(spec.rotaryScaling)));
    if (adapts && spec.fusedQkv) return messages::partFusedAdapters();
    if (adapts && spec.norm == DecoderNorm::LayerNorm) return messages::partFrozenNorm();
    return std::nullopt;
}

class DecoderBuilder {
public:
    DecoderBuilder(const DecoderSpec& spec, const DecoderGraphOptions& options)
        : m_spec(spec), m_options(options), m_graph(options.name.empty() ? spec.id : options.name) {
        m_graph.weightInit(InitKind::Normal, kDeviation);
    }

    Result<Graph> build() && {
        const auto ids = m_graph.ids(m_options.tokens, m_spec.vocabulary);
        m_graph.freeze(adapts());
        const auto embedded = m_graph.add(Embedding{m_spec.vocabulary, m_spec.width, false}, {ids}, "embedding");
        auto x = embedded;
        if (m_spec.family.starts_with("gemma"))
            x = m_graph.add(Scale{std::sqrt(static_cast<double>(m_spec.width))}, {x}, "embedding_scale");
        if (m_spec.learnedPositions)
            x = m_graph.add(PositionEmbedding{.positions = m_spec.contextLength}, {x}, "positions");
        for (m_layer = 0; m_layer < m_spec.layers; ++m_layer) x = addLayer(x);
        m_graph.freeze(adapts());
        x = norm(x, "output_norm");
        x = m_spec.tiedEmbeddings ? m_graph.tiedDense(x, embedded, "head")
                                  : m_graph.add(Dense{m_spec.vocabulary, false}, {x}, "head");
        if (m_spec.logitSoftCap > 0) x = m_graph.add(Scale{1, m_spec.logitSoftCap}, {x}, "logit_cap");
        m_graph.head(x);
        return std::move(m_graph).build();
    }

private:
    [[nodiscard]] bool adapts() const { return m_options.rank > 0; }
    [[nodiscard]] std::string named(std::string_view part) const { return fmt::format("layer_{}.{}", m_layer, part); }
    [[nodiscard]] bool isGlobal() const {
        return m_spec.window == 0 || (m_spec.globalEvery > 0 && (m_layer + 1) % m_spec.globalEvery == 0);
    }

    NodeId norm(NodeId x, std::string name) {
        if (m_spec.norm == DecoderNorm::LayerNorm)
            return m_graph.add(LayerNorm{m_spec.normEpsilon}, {x}, std::move(name));
        return m_graph.add(RmsNorm{.epsilon = m_spec.normEpsilon}, {x}, std::move(name));
    }

    // A matrix, with an adapter beside it.
    NodeId linear(NodeId x, std::int64_t units, bool bias, std::string_view part, bool adapted) {
        const auto base = m_graph.add(Dense{units, bias}, {x}, named(part));
        if (!adapts() || !adapted) return base;
        m_graph.freeze(false);
        m_graph.weightInit(InitKind::HeNormal);
        const auto down = m_graph.add(Dense{m_options.rank, false}, {x}, named(part) + ".down");
        m_graph.weightInit(InitKind::Constant, 0);  // the model is unchanged at first
        const auto up = m_graph.add(Dense{units, false}, {down}, named(part) + ".up");
        m_graph.weightInit(InitKind::Normal, kDeviation);
        m_graph.freeze(true);
        const double factor = m_options.alpha / static_cast<double>(m_options.rank);
        const auto change = m_graph.add(Scale{factor}, {up}, named(part) + ".scale");
        return m_graph.add(Add{}, {base, change}, named(part) + ".adapted");
    }

    NodeId rotated(NodeId x, std::string_view part) {
        if (m_spec.learnedPositions) return x;
        const bool local = !isGlobal() && m_spec.localRotaryTheta > 0;
        const auto head = static_cast<double>(m_spec.headDimension);
        RotaryEmbedding layer{.headWidth = m_spec.headDimension,
                              .rotated = static_cast<std::int64_t>(std::lround(m_spec.rotaryShare * head / 2)) * 2,
                              .theta = local ? m_spec.localRotaryTheta : m_spec.rotaryTheta,
                              .neighbours = m_options.neighbours};
        if (!local && m_spec.rotaryScaling != RotaryScaling::None) layer.factor = m_spec.rotaryFactor;
        if (!local && m_spec.rotaryScaling == RotaryScaling::Llama3) layer.llama3Context = kLlama3Context;
        return m_graph.add(layer, {x}, named(part));
    }

    NodeId headNorm(NodeId x, std::string_view part) {
        if (m_spec.qkNorm == QkNorm::None) return x;
        const auto group = m_spec.qkNorm == QkNorm::PerHead ? m_spec.headDimension : 0;
        return m_graph.add(RmsNorm{m_spec.normEpsilon, group}, {x}, named(part));
    }

    NodeId attention(NodeId x) {
        const auto head = m_spec.headDimension, width = m_spec.heads * head, keyWidth = m_spec.kvHeads * head;
        const bool all = m_options.targets == LoraTargets::AllLinear;
        auto queries = headNorm(linear(x, width, m_spec.qkvBias, "query", true), "query_norm");
        auto keys = headNorm(linear(x, keyWidth, m_spec.qkvBias, "key", all), "key_norm");
        const auto values = linear(x, keyWidth, m_spec.qkvBias, "value", true);
        queries = rotated(queries, "query_rotary");
        keys = rotated(keys, "key_rotary");
        GroupedAttention layer{.heads = m_spec.heads,
                               .kvHeads = m_spec.kvHeads,
                               .window = isGlobal() ? 0 : m_spec.window,
                               .softCap = m_spec.attentionSoftCap};
        // The 27-billion models scale by the width over the number of heads.
        if ((m_spec.family == "gemma2" && m_spec.layers == 46) ||
            (m_spec.family == "gemma3_text" && m_spec.layers == 62))
            layer.scale = 1 / std::sqrt(static_cast<double>(m_spec.width) / static_cast<double>(m_spec.heads));
        const auto mixed = m_graph.add(layer, {queries, keys, values}, named("attention"));
        return linear(mixed, m_spec.width, m_spec.outputBias, "attention_output", all);
    }

    NodeId feedForward(NodeId x) {
        const bool all = m_options.targets == LoraTargets::AllLinear, bias = m_spec.feedForwardBias;
        const auto up = linear(x, m_spec.feedForward, bias, "up", all);
        if (m_spec.gate == DecoderGate::None) {
            const auto y = m_graph.add(Activation{ActivationKind::GeluTanh}, {up}, named("activation"));
            return linear(y, m_spec.width, bias, "down", all);
        }
        const auto gate = linear(x, m_spec.feedForward, bias, "gate", all);
        const auto kind = m_spec.gate == DecoderGate::GeGlu ? ActivationKind::GeluTanh : ActivationKind::Swish;
        const auto y = m_graph.add(GatedActivation{kind}, {gate, up}, named("activation"));
        return linear(y, m_spec.width, bias, "down", all);
    }

    NodeId addLayer(NodeId x) {
        const bool four = m_spec.normsPerLayer == 4;
        auto part = attention(norm(x, named("attention_norm")));
        if (four) part = norm(part, named("attention_post_norm"));
        x = m_graph.add(Add{}, {part, x}, named("attention_sum"));
        part = feedForward(norm(x, named("feed_forward_norm")));
        if (four) part = norm(part, named("feed_forward_post_norm"));
        return m_graph.add(Add{}, {part, x}, named("feed_forward_sum"));
    }

    const DecoderSpec& m_spec;
    const DecoderGraphOptions& m_options;
    GraphBuilder m_graph;
    std::int64_t m_layer = 0;
};

}  // namespace

Result<Graph> decoderGraph(const DecoderSpec& spec, const DecoderGraphOptions& options) {
    TRY(checkSpec(spec, spec.id));
    if (auto part = missingPart(spec, options.rank > 0))
        return fail(ErrorKind::Unsupported, spec.id, messages::noTrainingOf(std::move(*part)));
    const auto range = [&](std::string_view name, std::int64_t value, std::int64_t least, std::int64_t most) {
        if (value >= least && value <= most) return Result<void>{};
        return Result<void>(
            fail(ErrorKind::InvalidArgument, spec.id,
                 messages::wrongOptionValue(name, messages::rangeOfNumbers(least, most), std::to_string(value))));
    };
    constexpr std::int64_t kMostTokens = 1 << 20;
    TRY(range("tokens", options.tokens, 1, spec.learnedPositions ? spec.contextLength : kMostTokens));
    TRY(range("rank", options.rank, 0, spec.width));
    return DecoderBuilder(spec, options).build();
}

}  // namespace steelyard::model
