// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/language/reference_decoder.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "engine/model/decoder/weight_blocks.h"

namespace steelyard::compute {
namespace {

using Rows = std::vector<float>;  // per token, contiguous

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

std::span<float> row(Rows& rows, std::int64_t index, std::int64_t length) {
    return std::span(rows).subspan(at(index * length), at(length));
}
std::span<const float> row(const Rows& rows, std::int64_t index, std::int64_t length) {
    return std::span(rows).subspan(at(index * length), at(length));
}

// Several partial sums, to hide latency.
double dot(std::span<const float> a, std::span<const float> b) {
    double sums[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= a.size(); i += 8)
        for (std::size_t j = 0; j < 8; ++j) sums[j] += static_cast<double>(a[i + j]) * static_cast<double>(b[i + j]);
    for (; i < a.size(); ++i) sums[0] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

// y[t, r] = sum over c of matrix[r, c] x[t, c]
Rows product(const model::StoredMatrix& matrix, const Rows& x, std::int64_t which = 0) {
    const auto tokens = static_cast<std::int64_t>(x.size()) / matrix.columns;
    Rows y(at(tokens * matrix.rows));
    std::vector<float> weights(at(matrix.columns));
    for (std::int64_t r = 0; r < matrix.rows; ++r) {
        model::dequantise(matrix.type, matrix.row(r, which), weights);
        for (std::int64_t t = 0; t < tokens; ++t)
            y[at(t * matrix.rows + r)] = static_cast<float>(dot(weights, row(x, t, matrix.columns)));
    }
    return y;
}

void addBias(Rows& x, std::span<const float> bias) {
    if (bias.empty()) return;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += bias[i % bias.size()];
}

void add(Rows& x, const Rows& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
}

// x / sqrt(mean of squares + epsilon) scale (B. Zhang, R. Sennrich, Root Mean Square Layer Normalization, 2019), over
// groups of `scale.size()` elements.
void normalise(Rows& x, const std::vector<float>& scale, double epsilon) {
    if (scale.empty()) return;
    const auto length = static_cast<std::int64_t>(scale.size());
    for (std::int64_t r = 0; r < static_cast<std::int64_t>(x.size()) / length; ++r) {
        const auto values = row(x, r, length);
        const double factor = 1 / std::sqrt(dot(values, values) / static_cast<double>(length) + epsilon);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(static_cast<double>(values[i]) * factor * static_cast<double>(scale[i]));
    }
}

// Rotates `heads` heads in each row; row t is at position first + t.
void rotate(Rows& x, const Rotary& rotary, std::int64_t heads, std::int64_t head, std::int64_t first) {
    const auto pairs = rotary.frequencies.size();
    for (std::int64_t r = 0; r < static_cast<std::int64_t>(x.size()) / head; ++r) {
        const auto values = row(x, r, head);
        const auto position = static_cast<double>(first + r / heads);
        for (std::size_t i = 0; i < pairs; ++i) {
            auto& a = values[rotary.neighbours ? 2 * i : i];
            auto& b = values[rotary.neighbours ? 2 * i + 1 : i + pairs];
            const double angle = position * rotary.frequencies[i];
            const double cosine = std::cos(angle) * rotary.magnitude, sine = std::sin(angle) * rotary.magnitude;
            const auto x0 = static_cast<double>(a), x1 = static_cast<double>(b);
            a = static_cast<float>(x0 * cosine - x1 * sine);
            b = static_cast<float>(x0 * sine + x1 * cosine);
        }
    }
}

double silu(double x) {
    return x / (1 + std::exp(-x));
}

double gated(GateKind kind, double gate, double up) {
    switch (kind) {
        case GateKind::Silu:
            return silu(gate) * up;
        case GateKind::GeluTanh: {
            const double inner = std::sqrt(2 / std::numbers::pi) * (gate + 0.044715 * gate * gate * gate);
            return 0.5 * gate * (1 + std::tanh(inner)) * up;
        }
        case GateKind::ClampedSilu: {
            const double g = std::min(gate, 7.0), u = std::clamp(up, -7.0, 7.0);
            return g / (1 + std::exp(-1.702 * g)) * (u + 1);
        }
    }
    return 0;
}

double capped(double x, double cap) {
    return cap > 0 ? cap * std::tanh(x / cap) : x;
}

// Normalises logits to weights; an extra logit (attention sink) takes part without a weight.
void softmax(std::vector<double>& x, const float* extra) {
    double highest = *std::ranges::max_element(x);
    if (extra != nullptr) highest = std::max(highest, static_cast<double>(*extra));
    double sum = extra != nullptr ? std::exp(static_cast<double>(*extra) - highest) : 0;
    for (auto& value : x) sum += value = std::exp(value - highest);
    for (auto& value : x) value /= sum;
}

class ReferenceDecoder final : public LanguageDecoder {
public:
    ReferenceDecoder(DecoderWeights weights, std::int64_t context)
        : m_weights(std::move(weights)), m_spec(m_weights.spec), m_context(context) {
        m_keys.resize(m_weights.layers.size());
        m_values.resize(m_weights.layers.size());
    }
    std::int64_t vocabulary() const override { return m_spec.vocabulary; }
    std::int64_t context() const override { return m_context; }

protected:
    Result<std::span<const float>> process(std::span<const std::int32_t> tokens) override {
        Rows x(tokens.size() * at(m_spec.width));
        for (std::size_t t = 0; t < tokens.size(); ++t)
            model::dequantise(m_weights.embedding.type, m_weights.embedding.row(tokens[t]),
                              row(x, static_cast<std::int64_t>(t), m_spec.width));
        for (auto& value : x) value *= static_cast<float>(m_weights.embeddingScale);
        for (std::size_t i = 0; i < m_weights.layers.size(); ++i) {
            const auto& layer = m_weights.layers[i];
            auto part = x;
            normalise(part, layer.attentionNorm, m_spec.normEpsilon);
            part = attention(i, part);
            normalise(part, layer.attentionPostNorm, m_spec.normEpsilon);
            add(x, part);
            part = x;
            normalise(part, layer.feedForwardNorm, m_spec.normEpsilon);
            part = layer.router ? experts(layer, part) : feedForward(layer.feedForward, part);
            normalise(part, layer.feedForwardPostNorm, m_spec.normEpsilon);
            add(x, part);
        }
        x.erase(x.begin(), x.end() - m_spec.width);
        normalise(x, m_weights.outputNorm, m_spec.normEpsilon);
        m_logits = product(m_weights.head, x);
        for (auto& value : m_logits)
            value = static_cast<float>(capped(static_cast<double>(value), m_spec.logitSoftCap));
        return std::span<const float>(m_logits);
    }

    Result<void> repeat(std::int64_t positions) override {
        const auto length = at(m_spec.kvHeads * m_spec.headDimension);
        for (auto* cache : {&m_keys, &m_values})
            for (auto& rows : *cache) {
                const auto known = at(position()) * length;
                rows.resize(at(positions) * length);
                for (auto i = known; i < rows.size(); ++i) rows[i] = rows[i - known];
            }
        return {};
    }

private:
    Rows attention(std::size_t index, const Rows& x) {
        const auto& layer = m_weights.layers[index];
        const auto head = m_spec.headDimension, heads = m_spec.heads, kvHeads = m_spec.kvHeads;
        auto queries = product(layer.query, x), keys = product(layer.key, x), values = product(layer.value, x);
        addBias(queries, layer.queryBias);
        addBias(keys, layer.keyBias);
        addBias(values, layer.valueBias);
        normalise(queries, layer.queryNorm, m_spec.normEpsilon);
        normalise(keys, layer.keyNorm, m_spec.normEpsilon);
        const auto& rotary = layer.localRotary ? m_weights.localRotary : m_weights.rotary;
        if (layer.rotates) {
            rotate(queries, rotary, heads, head, position());
            rotate(keys, rotary, kvHeads, head, position());
        }
        auto& allKeys = m_keys[index];
        auto& allValues = m_values[index];
        allKeys.resize(at(position() * kvHeads * head));
        allValues.resize(allKeys.size());
        allKeys.insert(allKeys.end(), keys.begin(), keys.end());
        allValues.insert(allValues.end(), values.begin(), values.end());

        Rows mixed(queries.size());
        for (std::int64_t r = 0; r < static_cast<std::int64_t>(queries.size()) / head; ++r) {
            const auto here = position() + r / heads, h = r % heads;
            const auto first = layer.window > 0 ? std::max<std::int64_t>(0, here - layer.window + 1) : 0;
            const auto kvHead = h / (heads / kvHeads);
            std::vector<double> scores(at(here - first + 1));
            for (std::size_t i = 0; i < scores.size(); ++i) {
                const auto key = (first + static_cast<std::int64_t>(i)) * kvHeads + kvHead;
                scores[i] = capped(dot(row(queries, r, head), row(allKeys, key, head)) * m_weights.attentionScale,
                                   m_spec.attentionSoftCap);
            }
            softmax(scores, layer.sinks.empty() ? nullptr : &layer.sinks[at(h)]);
            for (std::int64_t d = 0; d < head; ++d) {
                double sum = 0;
                for (std::size_t i = 0; i < scores.size(); ++i) {
                    const auto value = (first + static_cast<std::int64_t>(i)) * kvHeads + kvHead;
                    sum += scores[i] * static_cast<double>(allValues[at(value * head + d)]);
                }
                mixed[at(r * head + d)] = static_cast<float>(sum);
            }
        }
        auto y = product(layer.output, mixed);
        addBias(y, layer.outputBias);
        return y;
    }

    // `which`: expert index, or 0.
    Rows feedForward(const FeedForwardWeights& weights, const Rows& x, std::int64_t which = 0) const {
        const auto biasOf = [&](const std::vector<float>& bias, std::int64_t length) {
            return bias.empty() ? std::span<const float>() : row(bias, which, length);
        };
        auto gate = product(weights.gate, x, which);
        const auto inner = weights.gate.rows;
        addBias(gate, biasOf(weights.gateBias, inner));
        auto up = product(weights.up, x, which);
        addBias(up, biasOf(weights.upBias, inner));
        for (std::size_t i = 0; i < gate.size(); ++i)
            gate[i] =
                static_cast<float>(gated(m_weights.gate, static_cast<double>(gate[i]), static_cast<double>(up[i])));
        auto y = product(weights.down, gate, which);
        addBias(y, biasOf(weights.downBias, m_spec.width));
        return y;
    }

    // Each token is processed by the experts with the largest router logits.
    Rows experts(const LayerWeights& layer, const Rows& x) const {
        auto logits = product(layer.router, x);
        addBias(logits, layer.routerBias);
        Rows y(x.size(), 0);
        for (std::int64_t t = 0; t < static_cast<std::int64_t>(x.size()) / m_spec.width; ++t) {
            const auto own = row(x, t, m_spec.width);
            const Rows input(own.begin(), own.end());
            const auto votes = row(logits, t, m_spec.experts);
            std::vector<double> shares(votes.begin(), votes.end());
            softmax(shares, nullptr);
            std::vector<std::int64_t> order(shares.size());
            std::iota(order.begin(), order.end(), 0);
            std::ranges::stable_sort(order, [&](auto a, auto b) { return shares[at(a)] > shares[at(b)]; });
            order.resize(at(m_spec.activeExperts));
            double sum = 0;
            for (const auto expert : order) sum += shares[at(expert)];
            const auto target = row(y, t, m_spec.width);
            const auto accumulate = [&](const Rows& output, double share) {
                for (std::size_t i = 0; i < output.size(); ++i)
                    target[i] += static_cast<float>(share * static_cast<double>(output[i]));
            };
            for (const auto expert : order)
                accumulate(feedForward(layer.feedForward, input, expert),
                           m_weights.normalisesExperts ? shares[at(expert)] / sum : shares[at(expert)]);
            if (layer.shared.gate)
                accumulate(feedForward(layer.shared, input),
                           layer.sharedGate.empty() ? 1 : 1 / (1 + std::exp(-dot(layer.sharedGate, input))));
        }
        return y;
    }

    DecoderWeights m_weights;
    const model::DecoderSpec& m_spec;
    std::int64_t m_context;
    std::vector<Rows> m_keys, m_values;  // per layer: [position, kvHeads, head]
    Rows m_logits;
};

}  // namespace

std::unique_ptr<LanguageDecoder> makeReferenceDecoder(DecoderWeights weights, std::int64_t context) {
    return std::make_unique<ReferenceDecoder>(std::move(weights), context);
}

}  // namespace steelyard::compute
