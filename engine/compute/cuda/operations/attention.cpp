// SPDX-License-Identifier: Apache-2.0
// Multi-head scaled dot-product attention, the fastest of three implementations: fused native kernels (without a cache,
// heads of up to 128) on tensor cores (16-bit types) or on CUDA cores, or batched products around native softmax
// kernels, for which Q, K and V are first split into [B, heads, tokens, width]. Formulas:
// engine/compute/reference/attention.cpp.
#include <fmt/format.h>

#include <cmath>

#include "engine/compute/cuda/compile/emitters.h"

namespace steelyard::compute::cuda {
namespace {

struct Sizes {
    std::int64_t batch = 0, tokens = 0, features = 0, heads = 1, width = 0, cached = 0;
    bool causal = false;

    [[nodiscard]] std::int64_t keys() const { return cached + tokens; }
    [[nodiscard]] std::int64_t matrices() const { return batch * heads; }
    [[nodiscard]] kernels::AttentionRows rows() const {
        return {matrices(), tokens, keys(), static_cast<float>(1 / std::sqrt(static_cast<double>(width))), causal};
    }
    // Tokens of [B, T, pitch], placed at `firstKey` of `places`.
    [[nodiscard]] kernels::HeadLayout layout(std::int64_t pitch, std::int64_t places, std::int64_t firstKey) const {
        return {batch, tokens, heads, width, pitch, places, firstKey};
    }
};

Sizes sizesOf(const Compiler& compiler, const plan::Operation& op) {
    const auto& layer = std::get<model::Attention>(op.layer);
    const auto& in = compiler.dims(op.inputs[0]);
    const auto features = in[2] / 3;
    return {in[0], in[1], features, layer.heads, features / layer.heads, layer.cachedTokens, layer.causal};
}

class Emitter {
public:
    Emitter(Compiler& compiler, const plan::Operation& op)
        : m_compiler(compiler), m_op(op), m_s(sizesOf(compiler, op)) {}

    [[nodiscard]] bool canFuse() const {
        return m_s.cached == 0 && m_s.width <= kernels::kMostFusedWidth && m_compiler.kernels() != "cublas";
    }
    [[nodiscard]] bool mustFuse() const { return canFuse() && m_compiler.kernels() == "own"; }
    [[nodiscard]] bool fitsTensorCores(int blockRows) const {
        return canFuse() && kernels::tensorAttentionFits(m_compiler.type(), shape(), blockRows);
    }
    [[nodiscard]] TuningKey key() const {
        return fmt::format("attention {} {} x {} heads {} of {} causal {} type {} tf32 {} add {}",
                           static_cast<int>(m_op.pass), m_s.batch, m_s.tokens, m_s.heads, m_s.width, m_s.causal,
                           static_cast<int>(m_compiler.type()), m_compiler.tf32(),
                           !m_op.accumulate.empty() && m_op.accumulate[0]);
    }

    // tensorRows: rows per block on tensor cores; 0: CUDA cores.
    Result<void> fusedForward(int tensorRows) {
        const auto x = m_compiler.value(m_op.inputs[0]), y = m_compiler.value(m_op.output);
        const auto logSums = m_compiler.valueOf(m_op.saved, 0);
        const auto part = m_s.features * m_compiler.typeBytes();
        m_compiler.kernel(
            fusedName(tensorRows), {x, y, logSums}, [=, type = m_compiler.type(), shape = shape()](Stream stream) {
                const void *q = x.data(), *k = x.at(part).data(), *v = x.at(2 * part).data();
                auto* sums = logSums.as<float>();
                if (tensorRows > 0)
                    return kernels::tensorAttentionForward(stream, type, shape, tensorRows, q, k, v, y.data(), sums);
                return kernels::fusedAttentionForward(stream, type, shape, q, k, v, y.data(), sums);
            });
        return {};
    }

    Result<void> fusedBackward(int tensorRows) {
        const auto x = m_compiler.value(m_op.inputs[0]), dx = m_compiler.value(m_op.inputGradients[0]);
        const auto dy = m_compiler.value(m_op.outputGradient), logSums = m_compiler.value(m_op.saved[0]);
        const auto y = tensorRows > 0 ? m_compiler.value(m_op.output) : Value{};
        const auto rowSums = m_compiler.scratch(m_s.matrices() * m_s.tokens * 4);
        const auto part = m_s.features * m_compiler.typeBytes();
        m_compiler.kernel(fusedName(tensorRows), {x, y, dx, dy, logSums, rowSums},
                          [=, type = m_compiler.type(), shape = shape(), add = m_op.accumulate[0]](Stream stream) {
                              kernels::AttentionGradients g;
                              g.q = x.data(), g.k = x.at(part).data(), g.v = x.at(2 * part).data();
                              g.logSums = logSums.as<const float>();
                              g.output = y.data(), g.dOutput = dy.data();
                              g.dQ = dx.data(), g.dK = dx.at(part).data(), g.dV = dx.at(2 * part).data();
                              g.accumulate = add;
                              g.rowSums = rowSums.as<float>();
                              if (tensorRows > 0)
                                  return kernels::tensorAttentionBackward(stream, type, shape, tensorRows, g);
                              return kernels::fusedAttentionBackward(stream, type, shape, g);
                          });
        return {};
    }

    Result<void> forward() {
        const auto query = partOf(0), keys = withCache(1), values = withCache(2);
        const auto scores = m_compiler.scratch(scoreBytes());
        if (auto ok = scoresOf(query, keys, scores); !ok) return ok;
        const auto logSums = m_compiler.valueOf(m_op.saved, 0);
        m_compiler.kernel("native:attention_softmax", {scores, logSums},
                          [=, type = m_compiler.type(), rows = m_s.rows()](Stream stream) {
                              return kernels::attentionSoftmax(stream, type, rows, scores.data(), scores.data(),
                                                               logSums.as<float>());
                          });
        const auto heads = m_compiler.scratch(m_s.matrices() * m_s.tokens * m_s.width * m_compiler.typeBytes());
        auto p = product(m_s.tokens, m_s.width, m_s.keys());
        if (auto ok = m_compiler.call(p, {scores, values, heads}); !ok) return ok;
        merge(heads, m_compiler.value(m_op.output), m_s.features, false);
        return {};
    }

    // Training has no cache, so the keys are the tokens.
    Result<void> backward() {
        const auto query = partOf(0), keys = partOf(1), values = partOf(2);
        const auto dy = split(m_compiler.value(m_op.outputGradient), m_s.layout(m_s.features, m_s.tokens, 0),
                              scratchHeads(m_s.tokens));
        const auto probabilities = m_compiler.scratch(scoreBytes());
        if (auto ok = scoresOf(query, keys, probabilities); !ok) return ok;
        const auto logSums = m_compiler.value(m_op.saved[0]);
        m_compiler.kernel("native:attention_softmax", {probabilities, logSums},
                          [=, type = m_compiler.type(), rows = m_s.rows()](Stream stream) {
                              return kernels::attentionProbabilities(stream, type, rows, probabilities.data(),
                                                                     logSums.as<const float>(), probabilities.data());
                          });
        auto toValues = product(m_s.tokens, m_s.width, m_s.tokens);
        toValues.transposeA = true;
        if (auto ok = partGradient(toValues, probabilities, dy, 2); !ok) return ok;
        const auto dScores = m_compiler.scratch(scoreBytes());
        auto toScores = product(m_s.tokens, m_s.tokens, m_s.width);
        toScores.transposeB = true;
        if (auto ok = m_compiler.call(strided(toScores), {dy, values, dScores}); !ok) return ok;
        m_compiler.kernel("native:attention_softmax", {probabilities, dScores},
                          [=, type = m_compiler.type(), rows = m_s.rows()](Stream stream) {
                              return kernels::attentionSoftmaxBackward(stream, type, rows, probabilities.data(),
                                                                       dScores.data(), dScores.data());
                          });
        if (auto ok = partGradient(product(m_s.tokens, m_s.width, m_s.tokens), dScores, keys, 0); !ok) return ok;
        auto toKeys = product(m_s.tokens, m_s.width, m_s.tokens);
        toKeys.transposeA = true;
        return partGradient(toKeys, dScores, query, 1);
    }

private:
    static const char* fusedName(int tensorRows) {
        return tensorRows > 0 ? "native:attention_tensor" : "native:attention";
    }
    [[nodiscard]] kernels::AttentionShape shape() const {
        return {m_s.batch,        m_s.tokens,   m_s.heads,        m_s.width,
                3 * m_s.features, m_s.features, m_s.rows().scale, m_s.causal};
    }
    [[nodiscard]] std::int64_t scoreBytes() const {
        return m_s.matrices() * m_s.tokens * m_s.keys() * m_compiler.typeBytes();
    }
    [[nodiscard]] Value scratchHeads(std::int64_t places) {
        return m_compiler.scratch(m_s.matrices() * places * m_s.width * m_compiler.typeBytes());
    }

    Value split(Value from, const kernels::HeadLayout& layout, Value to) {
        m_compiler.kernel("native:split_heads", {from, to}, [=, type = m_compiler.type()](Stream stream) {
            return kernels::splitHeads(stream, type, layout, from.data(), to.data());
        });
        return to;
    }
    // Q (0), K (1) or V (2) of the new tokens, in `to` from `firstKey` on.
    Value partOf(std::int64_t part, Value to, std::int64_t places, std::int64_t firstKey) {
        const auto x = m_compiler.value(m_op.inputs[0]).at(part * m_s.features * m_compiler.typeBytes());
        return split(x, m_s.layout(3 * m_s.features, places, firstKey), to);
    }
    Value partOf(std::int64_t part) { return partOf(part, scratchHeads(m_s.tokens), m_s.tokens, 0); }
    Value withCache(std::int64_t part) {
        const auto to = scratchHeads(m_s.keys());
        if (m_s.cached > 0) {
            auto layout = m_s.layout(m_s.features, m_s.keys(), 0);
            layout.tokens = m_s.cached;
            split(m_compiler.value(m_op.states[static_cast<std::size_t>(part - 1)]), layout, to);
        }
        return partOf(part, to, m_s.keys(), m_s.cached);
    }
    void merge(Value heads, Value to, std::int64_t pitch, bool accumulate) {
        const auto layout = m_s.layout(pitch, m_s.tokens, 0);
        m_compiler.kernel("native:merge_heads", {heads, to}, [=, type = m_compiler.type()](Stream stream) {
            return kernels::mergeHeads(stream, type, layout, heads.data(), to.data(), accumulate);
        });
    }

    [[nodiscard]] MatrixProduct product(std::int64_t rows, std::int64_t columns, std::int64_t depth) const {
        MatrixProduct p;
        p.rows = rows, p.columns = columns, p.depth = depth;
        p.operandType = p.resultType = m_compiler.type();
        p.tf32 = m_compiler.tf32();
        p.batch = m_s.matrices();
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
        auto p = product(m_s.tokens, m_s.keys(), m_s.width);
        p.transposeB = true;
        return m_compiler.call(strided(p), {query, keys, scores});
    }
    // A product whose result is a third of the input's gradient.
    Result<void> partGradient(const MatrixProduct& p, Value a, Value b, std::int64_t part) {
        const auto heads = scratchHeads(m_s.tokens);
        if (auto ok = m_compiler.call(strided(p), {a, b, heads}); !ok) return ok;
        merge(heads, m_compiler.value(m_op.inputGradients[0]).at(part * m_s.features * m_compiler.typeBytes()),
              3 * m_s.features, m_op.accumulate[0]);
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

}  // namespace steelyard::compute::cuda
