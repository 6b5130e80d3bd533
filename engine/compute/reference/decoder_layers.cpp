// SPDX-License-Identifier: Apache-2.0
// Layers of language models, forward and backward.
//   RMS norm (B. Zhang, R. Sennrich, Root Mean Square Layer Normalization, 2019), over N values, r = 1 / sqrt(mean(x^2)
//   + epsilon):  y = scale x r;  dx = r (g - x r mean(g x r)) with g = scale dy
//   Rotary embedding (J. Su et al., RoFormer, 2021): pair (a, b) becomes (a cos - b sin, a sin + b cos); the gradient
//   is rotated back. Grouped attention (J. Ainslie et al., GQA, 2023): head h reads the keys and values of head h /
//   (heads / kvHeads). z = scale q k, with a soft cap z' = c tanh(z / c), dz = dz' (1 - (z' / c)^2); the rest as in
//   attention.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/compute/reference/step_run.h"

namespace steelyard::compute::reference {
namespace {

void rmsNormForward(StepRun& run, const Operation& op) {
    const auto x = run.input(op);
    const auto y = run.output(op);
    const auto scale = run.parameter(op, 0);
    const double epsilon = std::get<model::RmsNorm>(op.layer).epsilon;
    for (std::size_t row = 0; row < y.size() / scale.size(); ++row) {
        const auto first = row * scale.size();
        double squares = 0;
        for (std::size_t f = 0; f < scale.size(); ++f)
            squares += static_cast<double>(x[first + f]) * static_cast<double>(x[first + f]);
        const double inverse = 1 / std::sqrt(squares / static_cast<double>(scale.size()) + epsilon);
        for (std::size_t f = 0; f < scale.size(); ++f)
            y[first + f] =
                static_cast<float>(static_cast<double>(scale[f]) * static_cast<double>(x[first + f]) * inverse);
        if (!op.saved.empty()) run.saved(op)[row] = static_cast<float>(inverse);
    }
}

void rmsNormBackward(StepRun& run, const Operation& op) {
    const auto x = run.input(op);
    const auto dy = run.outputGradient(op);
    const auto dx = run.inputGradient(op);
    const auto scale = run.parameter(op, 0);
    const auto features = scale.size();
    auto& sums = run.scratch.sums;
    sums.assign(features, 0.0);
    for (std::size_t row = 0; row < dy.size() / features; ++row) {
        const auto first = row * features;
        const auto inverse = static_cast<double>(run.saved(op)[row]);
        double weighted = 0;  // sum of g x r
        for (std::size_t f = 0; f < features; ++f) {
            const double normal = static_cast<double>(x[first + f]) * inverse;
            sums[f] += static_cast<double>(dy[first + f]) * normal;
            weighted += static_cast<double>(scale[f]) * static_cast<double>(dy[first + f]) * normal;
        }
        if (dx.empty()) continue;
        for (std::size_t f = 0; f < features; ++f) {
            const double normal = static_cast<double>(x[first + f]) * inverse;
            const double g = static_cast<double>(scale[f]) * static_cast<double>(dy[first + f]);
            dx[first + f] += static_cast<float>(inverse * (g - normal * weighted / static_cast<double>(features)));
        }
    }
    const auto dScale = run.parameterGradient(op, 0);  // none if frozen
    for (std::size_t f = 0; f < dScale.size(); ++f) dScale[f] += static_cast<float>(sums[f]);
}

struct AttentionHead {
    Index tokens = 0, width = 0, queryRow = 0, keyRow = 0;  // row: elements from token to token
    std::size_t queries = 0, keys = 0, logSums = 0;         // offsets of the first token
    bool causal = true;
    Index window = 0;
    double scale = 1, cap = 0;

    [[nodiscard]] Index from(Index token) const { return window > 0 ? std::max<Index>(0, token - window + 1) : 0; }
    [[nodiscard]] Index until(Index token) const { return causal ? token + 1 : tokens; }
    [[nodiscard]] std::size_t query(Index token) const { return queries + static_cast<std::size_t>(token * queryRow); }
    [[nodiscard]] std::size_t key(Index token) const { return keys + static_cast<std::size_t>(token * keyRow); }
};

template <typename Work>
void forEachGroupedHead(const StepRun& run, const Operation& op, const Work& work) {
    const auto& layer = std::get<model::GroupedAttention>(op.layer);
    const auto& dims = run.dims(op.inputs[0]);
    AttentionHead h;
    h.tokens = dims[1];
    h.width = dims[2] / layer.heads;
    h.queryRow = dims[2];
    h.keyRow = h.width * layer.kvHeads;
    h.causal = layer.causal;
    h.window = layer.window;
    h.scale = layer.scale > 0 ? layer.scale : 1 / std::sqrt(static_cast<double>(h.width));
    h.cap = layer.softCap;
    for (Index sample = 0; sample < dims[0]; ++sample)
        for (Index head = 0; head < layer.heads; ++head) {
            const auto group = head / (layer.heads / layer.kvHeads);
            h.queries = static_cast<std::size_t>(sample * h.tokens * h.queryRow + head * h.width);
            h.keys = static_cast<std::size_t>(sample * h.tokens * h.keyRow + group * h.width);
            h.logSums = static_cast<std::size_t>((sample * layer.heads + head) * h.tokens);
            work(h);
        }
}

double dotOf(std::span<const float> a, std::size_t atA, std::span<const float> b, std::size_t atB, Index count) {
    double sum = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        sum += static_cast<double>(a[atA + i]) * static_cast<double>(b[atB + i]);
    return sum;
}

// Scores of a token with the keys it sees, capped.
std::vector<double> scoresOf(const AttentionHead& h, std::span<const float> q, std::span<const float> k, Index token) {
    std::vector<double> scores;
    for (auto key = h.from(token); key < h.until(token); ++key) {
        const double z = h.scale * dotOf(q, h.query(token), k, h.key(key), h.width);
        scores.push_back(h.cap > 0 ? h.cap * std::tanh(z / h.cap) : z);
    }
    return scores;
}

void groupedForward(StepRun& run, const Operation& op) {
    const auto q = run.input(op, 0), k = run.input(op, 1), v = run.input(op, 2);
    const auto y = run.output(op);
    forEachGroupedHead(run, op, [&](const AttentionHead& h) {
        for (Index t = 0; t < h.tokens; ++t) {
            auto weights = scoresOf(h, q, k, t);
            const double largest = *std::max_element(weights.begin(), weights.end());
            double sum = 0;
            for (const double z : weights) sum += std::exp(z - largest);
            const double total = largest + std::log(sum);
            if (!op.saved.empty()) run.saved(op)[h.logSums + static_cast<std::size_t>(t)] = static_cast<float>(total);
            for (auto& z : weights) z = std::exp(z - total);
            for (Index d = 0; d < h.width; ++d) {
                double value = 0;
                for (std::size_t s = 0; s < weights.size(); ++s)
                    value +=
                        weights[s] *
                        static_cast<double>(v[h.key(h.from(t) + static_cast<Index>(s)) + static_cast<std::size_t>(d)]);
                y[h.query(t) + static_cast<std::size_t>(d)] = static_cast<float>(value);
            }
        }
    });
}

void groupedBackward(StepRun& run, const Operation& op) {
    const auto q = run.input(op, 0), k = run.input(op, 1), v = run.input(op, 2);
    const auto y = run.output(op);
    const auto dy = run.outputGradient(op);
    std::array<std::span<float>, 3> results;
    std::array<std::vector<double>, 3> sums;  // of all heads that share a key
    for (std::size_t i = 0; i < 3; ++i) {
        results[i] = run.inputGradient(op, i);
        sums[i].assign(run.input(op, i).size(), 0.0);
    }
    forEachGroupedHead(run, op, [&](const AttentionHead& h) {
        for (Index t = 0; t < h.tokens; ++t) {
            const auto scores = scoresOf(h, q, k, t);
            const auto total = static_cast<double>(run.saved(op)[h.logSums + static_cast<std::size_t>(t)]);
            const double shared = dotOf(dy, h.query(t), y, h.query(t), h.width);
            for (std::size_t s = 0; s < scores.size(); ++s) {
                const auto key = h.key(h.from(t) + static_cast<Index>(s));
                const double p = std::exp(scores[s] - total);
                double dz = p * (dotOf(dy, h.query(t), v, key, h.width) - shared) * h.scale;
                if (h.cap > 0) dz *= 1 - scores[s] / h.cap * (scores[s] / h.cap);
                for (std::size_t d = 0; d < static_cast<std::size_t>(h.width); ++d) {
                    sums[0][h.query(t) + d] += dz * static_cast<double>(k[key + d]);
                    sums[1][key + d] += dz * static_cast<double>(q[h.query(t) + d]);
                    sums[2][key + d] += p * static_cast<double>(dy[h.query(t) + d]);
                }
            }
        }
    });
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < results[i].size(); ++j) results[i][j] += static_cast<float>(sums[i][j]);
}

}  // namespace

void runRmsNorm(StepRun& run, const Operation& op) {
    return op.pass == plan::Pass::Forward ? rmsNormForward(run, op) : rmsNormBackward(run, op);
}

void runRotaryEmbedding(StepRun& run, const Operation& op) {
    const auto& layer = std::get<model::RotaryEmbedding>(op.layer);
    const bool forward = op.pass == plan::Pass::Forward;
    const auto from = forward ? run.input(op) : run.outputGradient(op);
    const auto to = forward ? run.output(op) : run.inputGradient(op);
    const auto& dims = run.dims(forward ? op.output : op.outputGradient);
    const auto frequencies = model::rotaryFrequencies(layer);
    const auto pairs = frequencies.size(), head = static_cast<std::size_t>(layer.headWidth);
    if (forward) std::copy(from.begin(), from.end(), to.begin());
    if (!forward)
        for (std::size_t i = 0; i < to.size(); ++i)
            if (i % head >= 2 * pairs) to[i] += from[i];
    for (std::size_t first = 0; first < to.size(); first += head) {
        const auto token = static_cast<Index>(first) / dims[2] % dims[1];
        for (std::size_t i = 0; i < pairs; ++i) {
            const auto a = first + (layer.neighbours ? 2 * i : i), b = layer.neighbours ? a + 1 : a + pairs;
            const double angle = (forward ? 1 : -1) * static_cast<double>(token) * frequencies[i];
            const auto x0 = static_cast<double>(from[a]), x1 = static_cast<double>(from[b]);
            const double y0 = x0 * std::cos(angle) - x1 * std::sin(angle);
            const double y1 = x0 * std::sin(angle) + x1 * std::cos(angle);
            to[a] = static_cast<float>(forward ? y0 : static_cast<double>(to[a]) + y0);
            to[b] = static_cast<float>(forward ? y1 : static_cast<double>(to[b]) + y1);
        }
    }
}

void runGroupedAttention(StepRun& run, const Operation& op) {
    return op.pass == plan::Pass::Forward ? groupedForward(run, op) : groupedBackward(run, op);
}

// y = c tanh(factor x / c):  dx = dy factor (1 - (y / c)^2)
void runScale(StepRun& run, const Operation& op) {
    const auto& layer = std::get<model::Scale>(op.layer);
    const auto y = run.output(op);
    if (op.pass == plan::Pass::Forward) {
        const auto x = run.input(op);
        for (std::size_t i = 0; i < y.size(); ++i) {
            const double z = layer.factor * static_cast<double>(x[i]);
            y[i] = static_cast<float>(layer.cap > 0 ? layer.cap * std::tanh(z / layer.cap) : z);
        }
        return;
    }
    const auto dy = run.outputGradient(op);
    const auto dx = run.inputGradient(op);
    for (std::size_t i = 0; i < dx.size(); ++i) {
        const double part = layer.cap > 0 ? static_cast<double>(y[i]) / layer.cap : 0;
        dx[i] += static_cast<float>(static_cast<double>(dy[i]) * layer.factor * (1 - part * part));
    }
}

}  // namespace steelyard::compute::reference
