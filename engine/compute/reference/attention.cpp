// SPDX-License-Identifier: Apache-2.0
// Multi-head scaled dot-product attention (A. Vaswani et al., Attention Is All You Need, 2017), forward and backward,
// one sample and head at a time. D features per head, S keys: the cached ones, then the T new ones.
//   P = softmax(Q K^T / sqrt(D));  O = P V
//   dV = P^T dO;  dP = dO V^T;  dZ = P (dP - rowsum(dO O));  dQ = dZ K / sqrt(D);  dK = dZ^T Q / sqrt(D)
#include <cmath>
#include <limits>

#include "engine/compute/reference/step_run.h"

namespace steelyard::compute::reference {
namespace {

struct Head {
    Index tokens = 0, features = 0, heads = 0, cached = 0;  // T, F over all heads
    Index width = 0;                                        // D
    bool causal = false;
    Index sample = 0, head = 0;

    [[nodiscard]] Index keys() const { return cached + tokens; }
    [[nodiscard]] double scale() const { return 1 / std::sqrt(static_cast<double>(width)); }
    [[nodiscard]] Index visibleKeys(Index token) const { return causal ? cached + token + 1 : keys(); }
    // Offset of Q (part 0), K (1) or V (2) of this head and its first token in [B, T, 3 F].
    [[nodiscard]] Index inputAt(Index part) const {
        return sample * tokens * 3 * features + part * features + head * width;
    }
    [[nodiscard]] Index outputAt() const { return sample * tokens * features + head * width; }
    [[nodiscard]] Index logSumsAt() const { return (sample * heads + head) * tokens; }
};

template <typename Work>
void forEachHead(const StepRun& run, const Operation& op, const Work& work) {
    const auto& layer = std::get<model::Attention>(op.layer);
    const auto& dims = run.dims(op.inputs[0]);
    Head h{dims[1], dims[2] / 3, layer.heads, layer.cachedTokens, dims[2] / 3 / layer.heads, layer.causal};
    for (h.sample = 0; h.sample < dims[0]; ++h.sample)
        for (h.head = 0; h.head < h.heads; ++h.head) work(h);
}

// Keys (state 0) or values (state 1) of a head, [S, D]: the cache's, then the new tokens'.
std::vector<float> gathered(StepRun& run, const Operation& op, const Head& h, std::size_t state) {
    std::vector<float> rows;
    rows.reserve(static_cast<std::size_t>(h.keys() * h.width));
    const auto append = [&](std::span<const float> from, Index at) {
        const auto row = from.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(h.width));
        rows.insert(rows.end(), row.begin(), row.end());
    };
    for (Index t = 0; t < h.cached; ++t)
        append(run.tensors.floats(op.states[state]), (h.sample * h.cached + t) * h.features + h.head * h.width);
    for (Index t = 0; t < h.tokens; ++t)
        append(run.input(op), h.inputAt(static_cast<Index>(state) + 1) + t * 3 * h.features);
    return rows;
}

// Softmax of row t of the scores, in place; masked keys become zero. Returns log sum exp.
double normalise(const Head& h, Index t, std::span<float> row) {
    const auto visible = static_cast<std::size_t>(h.visibleKeys(t));
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < visible; ++k) largest = std::max(largest, static_cast<double>(row[k]) * h.scale());
    double sum = 0;
    for (std::size_t k = 0; k < visible; ++k) sum += std::exp(static_cast<double>(row[k]) * h.scale() - largest);
    const double total = largest + std::log(sum);
    for (std::size_t k = 0; k < row.size(); ++k)
        row[k] = k < visible ? static_cast<float>(std::exp(static_cast<double>(row[k]) * h.scale() - total)) : 0.0F;
    return total;
}

// P, [T, S]; the logarithms of the sums are stored in `logSums` if it is not empty.
std::vector<float> probabilities(StepRun& run, const Operation& op, const Head& h, std::span<const float> keys,
                                 std::span<float> logSums) {
    std::vector<float> p(static_cast<std::size_t>(h.tokens * h.keys()));
    run.addProduct({.rows = h.tokens,
                    .columns = h.keys(),
                    .depth = h.width,
                    .a = run.input(op).data() + h.inputAt(0),
                    .aRow = 3 * h.features,
                    .aColumn = 1,
                    .b = keys.data(),
                    .bRow = 1,
                    .bColumn = h.width,
                    .c = p.data(),
                    .cRow = h.keys()});
    for (Index t = 0; t < h.tokens; ++t) {
        const auto row =
            std::span(p).subspan(static_cast<std::size_t>(t * h.keys()), static_cast<std::size_t>(h.keys()));
        const double total = normalise(h, t, row);
        if (!logSums.empty()) logSums[static_cast<std::size_t>(h.logSumsAt() + t)] = static_cast<float>(total);
    }
    return p;
}

void attentionForward(StepRun& run, const Operation& op) {
    const auto y = run.output(op);
    std::fill(y.begin(), y.end(), 0.0F);
    forEachHead(run, op, [&](const Head& h) {
        const auto p = probabilities(run, op, h, gathered(run, op, h, 0), run.saved(op));
        const auto values = gathered(run, op, h, 1);
        run.addProduct({.rows = h.tokens,
                        .columns = h.width,
                        .depth = h.keys(),
                        .a = p.data(),
                        .aRow = h.keys(),
                        .aColumn = 1,
                        .b = values.data(),
                        .bRow = h.width,
                        .bColumn = 1,
                        .c = y.data() + h.outputAt(),
                        .cRow = h.features});
    });
}

// dZ / sqrt(D), [T, S], from dP.
void toScoreGradients(StepRun& run, const Operation& op, const Head& h, std::span<const float> p,
                      std::span<float> gradients) {
    for (Index t = 0; t < h.tokens; ++t) {
        double shared = 0;
        for (Index d = 0; d < h.width; ++d) {
            const auto at = static_cast<std::size_t>(h.outputAt() + t * h.features + d);
            shared += static_cast<double>(run.outputGradient(op)[at]) * static_cast<double>(run.output(op)[at]);
        }
        for (Index k = 0; k < h.keys(); ++k) {
            auto& g = gradients[static_cast<std::size_t>(t * h.keys() + k)];
            const auto weight = static_cast<double>(p[static_cast<std::size_t>(t * h.keys() + k)]);
            g = static_cast<float>(weight * (static_cast<double>(g) - shared) * h.scale());
        }
    }
}

// Training has no cache, so the keys are the T new tokens.
void attentionBackward(StepRun& run, const Operation& op) {
    const auto dx = run.inputGradient(op);
    const auto dy = run.outputGradient(op);
    forEachHead(run, op, [&](const Head& h) {
        const auto keys = gathered(run, op, h, 0);
        const auto values = gathered(run, op, h, 1);
        const auto p = probabilities(run, op, h, keys, {});
        const Index wide = 3 * h.features;
        run.addProduct({.rows = h.keys(),
                        .columns = h.width,
                        .depth = h.tokens,
                        .a = p.data(),
                        .aRow = 1,
                        .aColumn = h.keys(),
                        .b = dy.data() + h.outputAt(),
                        .bRow = h.features,
                        .bColumn = 1,
                        .c = dx.data() + h.inputAt(2),
                        .cRow = wide});
        std::vector<float> scores(p.size());
        run.addProduct({.rows = h.tokens,
                        .columns = h.keys(),
                        .depth = h.width,
                        .a = dy.data() + h.outputAt(),
                        .aRow = h.features,
                        .aColumn = 1,
                        .b = values.data(),
                        .bRow = 1,
                        .bColumn = h.width,
                        .c = scores.data(),
                        .cRow = h.keys()});
        toScoreGradients(run, op, h, p, scores);
        run.addProduct({.rows = h.tokens,
                        .columns = h.width,
                        .depth = h.keys(),
                        .a = scores.data(),
                        .aRow = h.keys(),
                        .aColumn = 1,
                        .b = keys.data(),
                        .bRow = h.width,
                        .bColumn = 1,
                        .c = dx.data() + h.inputAt(0),
                        .cRow = wide});
        run.addProduct({.rows = h.keys(),
                        .columns = h.width,
                        .depth = h.tokens,
                        .a = scores.data(),
                        .aRow = 1,
                        .aColumn = h.keys(),
                        .b = run.input(op).data() + h.inputAt(0),
                        .bRow = wide,
                        .bColumn = 1,
                        .c = dx.data() + h.inputAt(1),
                        .cRow = wide});
    });
}

}  // namespace

void runAttention(StepRun& run, const Operation& op) {
    return op.pass == plan::Pass::Forward ? attentionForward(run, op) : attentionBackward(run, op);
}

}  // namespace steelyard::compute::reference
