// SPDX-License-Identifier: Apache-2.0
// Multi-head scaled dot-product attention and grouped attention, the fastest of three implementations: fused native
// kernels (without a cache, heads of up to 128, each with keys of its own, no window and no cap) on tensor cores
// (16-bit types) or on CUDA cores, or batched products around native softmax kernels, for which Q, K and V are first
// split into [B, heads, tokens, width]; the queries of the heads that share keys are then one matrix. Formulas:
// engine/compute/reference/attention.cpp and decoder_layers.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {
namespace {

struct Sizes {
    std::int64_t batch = 0, tokens = 0, heads = 1, kvHeads = 1, width = 0, cached = 0;
    bool causal = false;
    double scale = 1;  // of the scores
    std::int64_t window = 0;
    double cap = 0;

    [[nodiscard]] std::int64_t keys() const { return cached + tokens; }
    [[nodiscard]] std::int64_t matrices() const { return batch * heads; }
    // Rows of scores with the same keys.
    [[nodiscard]] std::int64_t queries() const { return heads / kvHeads * tokens; }
    [[nodiscard]] kernels::AttentionRows rows() const {
        return {matrices(), tokens, keys(), static_cast<float>(scale), causal, window, static_cast<float>(cap)};
    }
};

Sizes sizesOf(const Compiler& compiler, const plan::Operation& op) {
    const auto& in = compiler.dims(op.inputs[0]);
    Sizes s{.batch = in[0], .tokens = in[1]};
    if (const auto* grouped = std::get_if<model::GroupedAttention>(&op.layer)) {
        s.heads = grouped->heads, s.kvHeads = grouped->kvHeads, s.width = in[2] / s.heads;
        s.causal = grouped->causal, s.window = grouped->window, s.cap = grouped->softCap;
        s.scale = grouped->scale;
    } else {
        const auto& layer = std::get<model::Attention>(op.layer);
        s.heads = s.kvHeads = layer.heads, s.width = in[2] / 3 / s.heads;
        s.causal = layer.causal, s.cached = layer.cachedTokens;
        s.scale = 0;
    }
    if (!(s.scale > 0)) s.scale = 1 / std::sqrt(static_cast<double>(s.width));
    return s;
}

// Heads side by side in a tensor [B, T, pitch]: queries, keys, values, the output, or the gradient of one.
struct Heads {
    Value value;
    std::int64_t count = 0, pitch = 0;
    bool accumulate = false;  // gradients
};

class Emitter {
public:
    Emitter(Compiler& compiler, const plan::Operation& op)
        : m_compiler(compiler), m_op(op), m_s(sizesOf(compiler, op)) {}

    [[nodiscard]] bool canFuse() const {
        return m_s.cached == 0 && m_s.width <= kernels::kMostFusedWidth && m_s.heads == m_s.kvHeads &&
               m_s.window == 0 && m_s.cap == 0 && writesTogether() && m_compiler.kernels() != "cublas";
    }
    [[nodiscard]] bool mustFuse() const { return canFuse() && m_compiler.kernels() == "own"; }
    [[nodiscard]] bool fitsTensorCores(int blockRows) const {
        return canFuse() && kernels::tensorAttentionFits(m_compiler.type(), shape(), blockRows);
    }
    [[nodiscard]] TuningKey key() const {
        return fmt::format("attention {} {} x {} heads {} of {} pitch {} causal {} type {} tf32 {} add {}",
                           static_cast<int>(m_op.pass), m_s.batch, m_s.tokens, m_s.heads, m_s.width, shape().inputPitch,
                           m_s.causal, static_cast<int>(m_compiler.type()), m_compiler.tf32(),
                           !m_op.accumulate.empty() && m_op.accumulate[0]);
    }

    // tensorRows: rows per block on tensor cores; 0: CUDA cores.
    Result<void> fusedForward(int tensorRows) {
        const auto q = input(0).value, k = input(1).value, v = input(2).value, y = output().value;
        const auto logSums = m_compiler.valueOf(m_op.saved, 0);
        m_compiler.kernel(fusedName(tensorRows), {q, k, v, y, logSums},
                          [=, type = m_compiler.type(), shape = shape()](Stream stream) {
                              auto* sums = logSums.as<float>();
                              if (tensorRows > 0)
                                  return kernels::tensorAttentionForward(stream, type, shape, tensorRows, q.data(),
                                                                         k.data(), v.data(), y.data(), sums);
                              return kernels::fusedAttentionForward(stream, type, shape, q.data(), k.data(), v.data(),
                                                                    y.data(), sums);
                          });
        return {};
    }

    Result<void> fusedBackward(int tensorRows) {
        const auto q = input(0).value, k = input(1).value, v = input(2).value;
        const auto dQ = gradient(0).value, dK = gradient(1).value, dV = gradient(2).value;
        const auto dy = m_compiler.value(m_op.outputGradient), logSums = m_compiler.value(m_op.saved[0]);
        const auto y = tensorRows > 0 ? m_compiler.value(m_op.output) : Value{};
        const auto rowSums = m_compiler.scratch(m_s.matrices() * m_s.tokens * 4);
        m_compiler.kernel(fusedName(tensorRows), {q, k, v, y, dQ, dK, dV, dy, logSums, rowSums},
                          [=, type = m_compiler.type(), shape = shape(), add = gradient(0).accumulate](Stream stream) {
                              kernels::AttentionGradients g;
                              g.q = q.data(), g.k = k.data(), g.v = v.data();
                              g.logSums = logSums.as<const float>();
                              g.output = y.data(), g.dOutput = dy.data();
                              g.dQ = dQ.data(), g.dK = dK.data(), g.dV = dV.data();
                              g.accumulate = add;
                              g.rowSums = rowSums.as<float>();
                              if (tensorRows > 0)
                                  return kernels::tensorAttentionBackward(stream, type, shape, tensorRows, g);
                              return kernels::fusedAttentionBackward(stream, type, shape, g);
                          });
        return {};
    }

    Result<void> forward() {
        const auto query = split(input(0)), keys = withCache(1), values = withCache(2);
        const auto scores = m_compiler.scratch(scoreBytes());
        if (auto ok = scoresOf(query, keys, scores); !ok) return ok;
        const auto logSums = m_compiler.valueOf(m_op.saved, 0);
        m_compiler.kernel("native:attention_softmax", {scores, logSums},
                          [=, type = m_compiler.type(), rows = m_s.rows()](Stream stream) {
                              return kernels::attentionSoftmax(stream, type, rows, scores.data(), scores.data(),
                                                               logSums.as<float>());
                          });
        const auto heads = scratchHeads(m_s.heads, m_s.tokens);
        if (auto ok = m_compiler.call(product(m_s.queries(), m_s.width, m_s.keys()), {scores, values, heads}); !ok)
            return ok;
        merge(heads, output());
        return {};
    }

    // Training has no cache, so the keys are the tokens. The gradients in the order of the inputs: one may add to
    // another.
    Result<void> backward() {
        const auto query = split(input(0)), keys = split(input(1)), values = split(input(2));
        const auto dy = split({m_compiler.value(m_op.outputGradient), m_s.heads, m_s.heads * m_s.width});
        const auto scores = m_compiler.scratch(scoreBytes());
        if (auto ok = scoresOf(query, keys, scores); !ok) return ok;
        // A cap's derivative is computed from the scores.
        const auto probabilities = m_s.cap > 0 ? m_compiler.scratch(scoreBytes()) : scores;
        const auto logSums = m_compiler.value(m_op.saved[0]);
        m_compiler.kernel("native:attention_softmax", {scores, probabilities, logSums},
                          [=, type = m_compiler.type(), rows = m_s.rows()](Stream stream) {
                              return kernels::attentionProbabilities(stream, type, rows, scores.data(),
                                                                     logSums.as<const float>(), probabilities.data());
                          });
        const auto dScores = m_compiler.scratch(scoreBytes());
        auto toScores = product(m_s.queries(), m_s.tokens, m_s.width);
        toScores.transposeB = true;
        if (auto ok = m_compiler.call(strided(toScores), {dy, values, dScores}); !ok) return ok;
        m_compiler.kernel("native:attention_softmax", {scores, probabilities, dScores},
                          [=, type = m_compiler.type(), rows = m_s.rows()](Stream stream) {
                              return kernels::attentionSoftmaxBackward(stream, type, rows, scores.data(),
                                                                       probabilities.data(), dScores.data(),
                                                                       dScores.data());
                          });
        const auto toQueries = product(m_s.queries(), m_s.width, m_s.tokens);
        auto toKeys = product(m_s.tokens, m_s.width, m_s.queries());
        toKeys.transposeA = true;
        if (auto ok = partGradient(toQueries, dScores, keys, gradient(0)); !ok) return ok;
        if (auto ok = partGradient(toKeys, dScores, query, gradient(1)); !ok) return ok;
        return partGradient(toKeys, probabilities, dy, gradient(2));
    }

private:
    static const char* fusedName(int tensorRows) {
        return tensorRows > 0 ? "native:attention_tensor" : "native:attention";
    }
    [[nodiscard]] bool isGrouped() const { return std::holds_alternative<model::GroupedAttention>(m_op.layer); }
    [[nodiscard]] std::int64_t features() const { return m_s.heads * m_s.width; }
    // Whether the fused kernels can write the gradients: all of them, each to its own memory, or all in addition.
    [[nodiscard]] bool writesTogether() const {
        const auto& to = m_op.inputGradients;
        const auto& add = m_op.accumulate;
        const bool distinct = to.size() < 3 || (to[0] != to[1] && to[0] != to[2] && to[1] != to[2]);
        return distinct && std::find(to.begin(), to.end(), kNoTensor) == to.end() &&
               std::equal(add.begin() + (add.empty() ? 0 : 1), add.end(), add.begin());
    }
    [[nodiscard]] kernels::AttentionShape shape() const {
        return {m_s.batch,  m_s.tokens,       m_s.heads, m_s.width, isGrouped() ? features() : 3 * features(),
                features(), m_s.rows().scale, m_s.causal};
    }
    [[nodiscard]] std::int64_t scoreBytes() const {
        return m_s.matrices() * m_s.tokens * m_s.keys() * m_compiler.typeBytes();
    }
    [[nodiscard]] Value scratchHeads(std::int64_t heads, std::int64_t places) {
        return m_compiler.scratch(m_s.batch * heads * places * m_s.width * m_compiler.typeBytes());
    }

    // Q (0), K (1) or V (2) of the new tokens: a third of one tensor, or a tensor.
    [[nodiscard]] Heads part(const std::vector<TensorId>& tensors, std::size_t i) const {
        if (!isGrouped())
            return {m_compiler.value(tensors[0]).at(static_cast<std::int64_t>(i) * features() * m_compiler.typeBytes()),
                    m_s.heads, 3 * features()};
        const auto count = i == 0 ? m_s.heads : m_s.kvHeads;
        return {m_compiler.value(tensors[i]), count, count * m_s.width};
    }
    [[nodiscard]] Heads input(std::size_t i) const { return part(m_op.inputs, i); }
    // Its value is empty if it is not wanted.
    [[nodiscard]] Heads gradient(std::size_t i) const {
        auto heads = part(m_op.inputGradients, i);
        heads.accumulate = m_op.accumulate[isGrouped() ? i : 0];
        return heads;
    }
    [[nodiscard]] Heads output() const { return {m_compiler.value(m_op.output), m_s.heads, features()}; }

    [[nodiscard]] kernels::HeadLayout layout(const Heads& heads) const {
        return {m_s.batch, m_s.tokens, heads.count, m_s.width, heads.pitch, m_s.tokens, 0};
    }
    Value split(Value from, const kernels::HeadLayout& layout, Value to) {
        m_compiler.kernel("native:split_heads", {from, to}, [=, type = m_compiler.type()](Stream stream) {
            return kernels::splitHeads(stream, type, layout, from.data(), to.data());
        });
        return to;
    }
    Value split(const Heads& from) { return split(from.value, layout(from), scratchHeads(from.count, m_s.tokens)); }
    // Keys (1) or values (2), after those of the cache.
    Value withCache(std::size_t i) {
        const auto from = input(i);
        if (m_s.cached == 0) return split(from);
        const auto to = scratchHeads(from.count, m_s.keys());
        auto places = layout(from);
        places.keys = m_s.keys();
        auto before = places;
        before.tokens = m_s.cached, before.pitch = features();
        places.firstKey = m_s.cached;
        split(m_compiler.value(m_op.states[i - 1]), before, to);
        return split(from.value, places, to);
    }
    void merge(Value heads, const Heads& to) {
        m_compiler.kernel(
            "native:merge_heads", {heads, to.value}, [=, type = m_compiler.type(), layout = layout(to)](Stream stream) {
                return kernels::mergeHeads(stream, type, layout, heads.data(), to.value.data(), to.accumulate);
            });
    }

    [[nodiscard]] MatrixProduct product(std::int64_t rows, std::int64_t columns, std::int64_t depth) const {
        MatrixProduct p;
        p.rows = rows, p.columns = columns, p.depth = depth;
        p.operandType = p.resultType = m_compiler.type();
        p.tf32 = m_compiler.tf32();
        p.batch = m_s.batch * m_s.kvHeads;
        return strided(p);
    }
    // Contiguous dense matrices.
    [[nodiscard]] static MatrixProduct strided(MatrixProduct p) {
        p.aStride = p.transposeA ? p.rows : p.depth;
        p.bStride = p.transposeB ? p.depth : p.columns;
        p.cStride = p.columns;
        p.aBatchStride = p.rows * p.depth;
        p.bBatchStride = p.columns * p.depth;
        p.cBatchStride = p.rows * p.columns;
        return p;
    }
    Result<void> scoresOf(Value query, Value keys, Value scores) {
        auto p = product(m_s.queries(), m_s.keys(), m_s.width);
        p.transposeB = true;
        return m_compiler.call(strided(p), {query, keys, scores});
    }
    // A product whose result is the gradient of an input, or of a third of it.
    Result<void> partGradient(const MatrixProduct& p, Value a, Value b, const Heads& to) {
        if (!to.value) return {};
        const auto heads = scratchHeads(to.count, m_s.tokens);
        if (auto ok = m_compiler.call(strided(p), {a, b, heads}); !ok) return ok;
        merge(heads, to);
        return {};
    }

    Compiler& m_compiler;
    const plan::Operation& m_op;
    Sizes m_s;
};

}  // namespace

Result<void> emitAttention(Compiler& compiler, const plan::Operation& op) {
    Emitter emitter(compiler, op);
    const bool forward = op.pass == plan::Pass::Forward;
    std::vector<Compiler::Implementation> candidates;
    const auto fused = [&emitter, forward](int tensorRows) {
        return [&emitter, forward, tensorRows] {
            return forward ? emitter.fusedForward(tensorRows) : emitter.fusedBackward(tensorRows);
        };
    };
    for (const int rows : kernels::kTensorBlockRows)
        if (emitter.fitsTensorCores(rows)) candidates.push_back({fmt::format("tensor {}", rows), fused(rows)});
    if (emitter.canFuse()) candidates.push_back({"fused", fused(0)});
    if (!emitter.mustFuse())
        candidates.push_back({"products", [&] { return forward ? emitter.forward() : emitter.backward(); }});
    return compiler.fastest(emitter.key(), candidates);
}

Result<void> emitGroupedAttention(Compiler& compiler, const plan::Operation& op) {
    return emitAttention(compiler, op);
}

}  // namespace steelyard::compute::cuda
