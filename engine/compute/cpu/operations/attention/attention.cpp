// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention (A. Vaswani et al., Attention Is All You Need, 2017): one sample, head and strip of
// queries at a time, so that the scores of a strip stay in the cache (as in T. Dao et al., FlashAttention, 2022, but
// with whole rows). Heads are distributed over threads; the products of a thread are own kernels with AVX2, else
// single-threaded BLAS. With S keys, P of [T, S]:
//   P = softmax(Q K^T / sqrt(D));  O = P V
//   dV = P^T dO;  dP = dO V^T;  dZ = P (dP - rowsum(dO O)) / sqrt(D);  dQ = dZ K;  dK = dZ^T Q
#include "engine/compute/cpu/operations/attention/attention.h"

#include <algorithm>
#include <vector>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/openblas.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kQueryStrip = 128, kOwnStrip = 48;  // queries; the second one for own kernels

using Rows = RowsOf<float>;

// C (+)= op(A) op(B) with any leading dimensions, on this thread.
struct SmallProduct {
    std::int64_t m = 0, n = 0, k = 0;
    bool transposeA = false, transposeB = false;
    float beta = 0;
};
enum class HeadProducts { Own, OpenBlas, OneDnn };  // own kernels need B as it is
void multiply(HeadProducts products, const SmallProduct& p, Rows a, Rows b, float* c, std::int64_t leadingC) {
    if (products == HeadProducts::Own) {
        kernels().f32Gemm.multiply({.m = p.m,
                                    .n = p.n,
                                    .k = p.k,
                                    .a = a.data,
                                    .rowStride = p.transposeA ? 1 : a.leading,
                                    .wordStride = p.transposeA ? a.leading : 1,
                                    .b = b.data,
                                    .leadingB = b.leading,
                                    .c = c,
                                    .leadingC = leadingC,
                                    .accumulate = p.beta > 0});
        return;
    }
    if (products == HeadProducts::OneDnn) {
        dnnl::error::wrap_c_api(dnnl_sgemm(p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.m, p.n, p.k, 1.0F,
                                           a.data, a.leading, b.data, b.leading, p.beta, c, leadingC),
                                "sgemm failed");
        return;
    }
    const auto blas = [](std::int64_t value) { return static_cast<blasint>(value); };
    openBlas()->sgemm(CblasRowMajor, p.transposeA ? CblasTrans : CblasNoTrans, p.transposeB ? CblasTrans : CblasNoTrans,
                      blas(p.m), blas(p.n), blas(p.k), 1.0F, a.data, blas(a.leading), b.data, blas(b.leading), p.beta,
                      c, blas(leadingC));
}

// A tensor of heads, or part of one: element d of a head's token t is at sample * tokens * row + t * row + offset +
// head
// * D + d.
struct HeadRows {
    Value value;
    std::int64_t row = 0, offset = 0;

    [[nodiscard]] float* at(const AttentionShape& s, std::int64_t sample, std::int64_t head) const {
        return value.as<float>() + sample * s.tokens * row + offset + head * s.width;
    }
    [[nodiscard]] Rows rows(const AttentionShape& s, std::int64_t sample, std::int64_t head) const {
        return {at(s, sample, head), row};
    }
};

struct AttentionValues {
    AttentionShape shape;
    std::int64_t group = 1;   // queries' heads for each head of keys and values
    std::int64_t window = 0;  // 0: none
    float scale = 1, cap = 0;
    HeadProducts products = HeadProducts::OpenBlas;
    Value x;  // Attention: [B, T, 3 F]
    HeadRows queries, keys, values, y;
    Value logSums, scratch;
    Value cachedKeys, cachedValues;  // [B, cached, F]
    HeadRows dy, dQueries, dKeys, dValues;

    [[nodiscard]] bool isOwn() const { return products == HeadProducts::Own; }
    [[nodiscard]] std::int64_t strip() const { return std::min(shape.tokens, isOwn() ? kOwnStrip : kQueryStrip); }
    // First key that a query sees.
    [[nodiscard]] std::int64_t from(std::int64_t token) const {
        return window > 0 ? std::max<std::int64_t>(0, token - window + 1) : 0;
    }
    // Scratch per thread in floats: two or three strips of scores; for own kernels, keys transposed and values copied
    // or transposed; with a cache, the keys and values of a head.
    [[nodiscard]] std::int64_t stripElements() const { return (cap > 0 ? 3 : 2) * strip() * shape.keys(); }
    [[nodiscard]] std::int64_t transposedElements() const { return isOwn() ? 2 * shape.keys() * shape.width : 0; }
    [[nodiscard]] std::int64_t scratchElements() const {
        return stripElements() + transposedElements() + (shape.cached > 0 ? 2 * shape.keys() * shape.width : 0);
    }
    [[nodiscard]] float& logSum(std::int64_t sample, std::int64_t head, std::int64_t token) const {
        return logSums.as<float>()[(sample * shape.heads + head) * shape.tokens + token];
    }
};

// A B^T for all keys or values B of a head, transposed once where own kernels need it.
class ProductsWithKeys {
public:
    ProductsWithKeys(const AttentionValues& v, Rows rows, float* memory) : m_v(v), m_rows(rows), m_transposed(memory) {
        if (v.isOwn()) kernels().f32Gemm.transpose(memory, rows.data, v.shape.keys(), v.shape.width, rows.leading);
    }
    // Of `count` rows of A with `seen` keys from `begin` on.
    void multiply(Rows a, std::int64_t count, std::int64_t begin, std::int64_t seen, float* c) const {
        const auto keys = m_v.isOwn() ? Rows{m_transposed + begin, m_v.shape.keys()}
                                      : Rows{m_rows.data + begin * m_rows.leading, m_rows.leading};
        cpu::multiply(m_v.products, {count, seen, m_v.shape.width, false, !m_v.isOwn(), 0}, a, keys, c, seen);
    }

private:
    const AttentionValues& m_v;
    Rows m_rows;
    float* m_transposed;
};

// The rows one after another: in their tensor they are far apart and share few sets of the L1 cache.
Rows together(const AttentionShape& s, Rows rows, float* memory) {
    for (std::int64_t k = 0; k < s.keys(); ++k)
        std::copy_n(rows.data + k * rows.leading, s.width, memory + k * s.width);
    return {memory, s.width};
}

void forwardHead(const AttentionValues& v, std::int64_t sample, std::int64_t head, float* scratch) {
    const auto& s = v.shape;
    const auto& kernel = kernels().sequence;
    auto* scores = scratch;
    auto* memory = scratch + v.stripElements() + v.transposedElements();
    const bool cached = s.cached > 0;
    const auto keys = cached ? keysOf(v, sample, head, 1, memory) : v.keys.rows(s, sample, head / v.group);
    auto values =
        cached ? keysOf(v, sample, head, 2, memory + s.keys() * s.width) : v.values.rows(s, sample, head / v.group);
    const auto queries = v.queries.rows(s, sample, head);
    auto* transposed = scratch + v.stripElements();
    const ProductsWithKeys scoresOf(v, keys, transposed);
    if (v.isOwn() && !cached) values = together(s, values, transposed + s.keys() * s.width);
    auto* out = v.y.at(s, sample, head);
    for (std::int64_t first = 0; first < s.tokens; first += v.strip()) {
        const auto count = std::min(v.strip(), s.tokens - first);
        const auto begin = v.from(first), seen = s.visible(first + count - 1) - begin;
        const Rows seenValues{values.data + begin * values.leading, values.leading};
        scoresOf.multiply({queries.data + first * queries.leading, queries.leading}, count, begin, seen, scores);
        for (std::int64_t t = 0; t < count; ++t) {
            auto* row = scores + t * seen;
            const auto hidden = v.from(first + t) - begin;  // keys before the window
            if (v.cap > 0) kernel.capScores(row, v.scale, v.cap, seen);
            std::fill(row, row + hidden, 0.0F);
            const auto logSum = kernel.scoreSoftmax(row + hidden, v.cap > 0 ? 1 : v.scale,
                                                    s.visible(first + t) - begin - hidden, seen - hidden);
            if (v.logSums) v.logSum(sample, head, first + t) = logSum;
        }
        multiply(v.products, {count, s.width, seen, false, false, 0}, {scores, seen}, seenValues, out + first * v.y.row,
                 v.y.row);
    }
}

// Adds to the gradients of keys and values, except that the first to see a key without a group or window writes them.
void backwardHead(const AttentionValues& v, std::int64_t sample, std::int64_t head, float* scratch) {
    const auto& s = v.shape;
    const auto& kernel = kernels().sequence;
    const bool adds = v.group > 1 || v.window > 0;
    const auto queries = v.queries.rows(s, sample, head);
    const auto keys = v.keys.rows(s, sample, head / v.group), values = v.values.rows(s, sample, head / v.group);
    auto* dKeys = v.dKeys.at(s, sample, head / v.group);
    auto* dValues = v.dValues.at(s, sample, head / v.group);
    const auto keyRow = v.dKeys.row, valueRow = v.dValues.row;
    auto* transposed = scratch + v.stripElements();
    const ProductsWithKeys scoresOf(v, keys, transposed);
    const ProductsWithKeys withValues(v, values, transposed + s.keys() * s.width);
    for (std::int64_t first = 0; first < s.tokens; first += v.strip()) {
        const auto count = std::min(v.strip(), s.tokens - first);
        const auto begin = v.from(first), seen = s.visible(first + count - 1) - begin;
        auto* p = scratch;
        auto* dz = scratch + count * seen;
        auto* capped = dz + count * seen;
        const Rows stripQueries{queries.data + first * queries.leading, queries.leading};
        const Rows seenKeys{keys.data + begin * keys.leading, keys.leading};
        const Rows dOut{v.dy.at(s, sample, head) + first * v.dy.row, v.dy.row};
        const auto* out = v.y.at(s, sample, head) + first * v.y.row;
        scoresOf.multiply(stripQueries, count, begin, seen, p);
        if (v.cap > 0) {
            kernel.capScores(p, v.scale, v.cap, count * seen);
            std::copy(p, p + count * seen, capped);
        }
        for (std::int64_t t = 0; t < count; ++t) {
            const auto hidden = v.from(first + t) - begin;
            std::fill(p + t * seen, p + t * seen + hidden, 0.0F);
            kernel.scoreProbabilities(p + t * seen + hidden, v.cap > 0 ? 1 : v.scale, v.logSum(sample, head, first + t),
                                      s.visible(first + t) - begin - hidden, seen - hidden);
        }
        // With a causal mask, later strips see more keys; the gradients of keys first seen by a strip are not written
        // yet.
        const float known = adds || first > 0 ? 1.0F : 0.0F;
        if (!adds && s.causal && first > 0) {
            for (auto k = s.visible(first - 1); k < seen; ++k) {
                std::fill(dKeys + k * keyRow, dKeys + k * keyRow + s.width, 0.0F);
                std::fill(dValues + k * valueRow, dValues + k * valueRow + s.width, 0.0F);
            }
        }
        multiply(v.products, {seen, s.width, count, true, false, known}, {p, seen}, dOut, dValues + begin * valueRow,
                 valueRow);
        withValues.multiply(dOut, count, begin, seen, dz);
        for (std::int64_t t = 0; t < count; ++t) {
            const auto shared = kernel.dot(dOut.data + t * dOut.leading, out + t * v.y.row, s.width);
            kernel.scoreGradient(dz + t * seen, p + t * seen, shared, v.scale, seen);
        }
        if (v.cap > 0) kernel.cappedGradient(dz, capped, v.cap, count * seen);
        multiply(v.products, {count, s.width, seen, false, false, 0}, {dz, seen}, seenKeys,
                 v.dQueries.at(s, sample, head) + first * v.dQueries.row, v.dQueries.row);
        multiply(v.products, {seen, s.width, count, true, false, known}, {dz, seen}, stripQueries,
                 dKeys + begin * keyRow, keyRow);
    }
}

// All heads that share keys and values, in order.
void backwardGroup(const AttentionValues& v, std::int64_t sample, std::int64_t group, float* scratch) {
    const auto& s = v.shape;
    if (v.group > 1 || v.window > 0)
        for (std::int64_t t = 0; t < s.tokens; ++t)
            for (const auto* target : {&v.dKeys, &v.dValues}) {
                auto* row = target->at(s, sample, group) + t * target->row;
                std::fill(row, row + s.width, 0.0F);
            }
    for (std::int64_t head = 0; head < v.group; ++head) backwardHead(v, sample, group * v.group + head, scratch);
}

Value headScratch(Compiler& compiler, const AttentionValues& v) {
    return compiler.scratch(compiler.options().threads * v.scratchElements() *
                            static_cast<std::int64_t>(sizeof(float)));
}

HeadProducts productsOf(const Compiler& compiler, const AttentionShape& shape) {
    const auto& wanted = compiler.options().kernels;
    if (wanted == "onednn") return HeadProducts::OneDnn;
    const bool isOwn = wanted != "openblas" && kernels().f32Gemm.multiply != nullptr && shape.tokens >= kFewQueries;
    return isOwn ? HeadProducts::Own : HeadProducts::OpenBlas;
}

void emitForwardTask(Compiler& compiler, AttentionValues v) {
    v.scratch = headScratch(compiler, v);
    compiler.task(
        v.isOwn() ? "native:attention" : "native:attention + sgemm",
        {v.queries.value, v.keys.value, v.values.value, v.y.value, v.logSums, v.scratch, v.cachedKeys, v.cachedValues},
        [v](const StepState&) {
            forEachHead(v.shape, v.scratch, v.scratchElements(),
                        [&](auto sample, auto head, auto* memory) { forwardHead(v, sample, head, memory); });
        });
}

void emitBackwardTask(Compiler& compiler, AttentionValues v) {
    v.scratch = headScratch(compiler, v);
    compiler.task(v.isOwn() ? "native:attention_gradient" : "native:attention_gradient + sgemm",
                  {v.queries.value, v.keys.value, v.values.value, v.y.value, v.dy.value, v.dQueries.value,
                   v.dKeys.value, v.dValues.value, v.logSums, v.scratch},
                  [v](const StepState&) {
                      auto groups = v.shape;
                      groups.heads /= v.group;
                      forEachHead(groups, v.scratch, v.scratchElements(), [&](auto sample, auto group, auto* memory) {
                          backwardGroup(v, sample, group, memory);
                      });
                  });
}

AttentionValues valuesOf(const Compiler& compiler, const plan::Operation& op) {
    AttentionValues v;
    v.shape = attentionShape(op, compiler.tensor(op.inputs[0]).dims);
    v.scale = v.shape.scale();
    v.products = productsOf(compiler, v.shape);
    return v;
}

// Parts of [B, T, 3 F].
void setParts(HeadRows& queries, HeadRows& keys, HeadRows& values, const Value& x, std::int64_t features) {
    queries = {x, 3 * features, 0};
    keys = {x, 3 * features, features};
    values = {x, 3 * features, 2 * features};
}

void emitAttentionForward(Compiler& compiler, const plan::Operation& op) {
    auto v = valuesOf(compiler, op);
    v.x = compiler.plainValue(op.inputs[0]);
    setParts(v.queries, v.keys, v.values, v.x, v.shape.features);
    v.y = {compiler.define(op.output, compiler.plainDescOf(op.output)), v.shape.features};
    if (!op.saved.empty()) v.logSums = compiler.define(op.saved[0], compiler.plainDescOf(op.saved[0]));
    if (!op.states.empty()) {
        v.cachedKeys = compiler.plainValue(op.states[0]);
        v.cachedValues = compiler.plainValue(op.states[1]);
    }
    emitForwardTask(compiler, v);
}

void emitAttentionBackward(Compiler& compiler, const plan::Operation& op) {
    auto v = valuesOf(compiler, op);
    v.x = compiler.plainValue(op.inputs[0]);
    setParts(v.queries, v.keys, v.values, v.x, v.shape.features);
    v.y = {compiler.plainValue(op.output), v.shape.features};
    v.dy = {compiler.plainValue(op.outputGradient), v.shape.features};
    v.logSums = compiler.value(op.saved[0]);
    const auto target = compiler.inputGradient(op, 0, compiler.plainDescOf(op.inputGradients[0]));
    setParts(v.dQueries, v.dKeys, v.dValues, target.value, v.shape.features);
    emitBackwardTask(compiler, v);
    compiler.finishGradient(target);
}

// Separate queries, keys and values, computed in float32: bfloat16 tensors are converted.
class GroupedEmitter {
public:
    GroupedEmitter(Compiler& compiler, const plan::Operation& op) : m_compiler(compiler), m_op(op) {
        const auto& layer = std::get<model::GroupedAttention>(op.layer);
        const auto& dims = compiler.tensor(op.inputs[0]).dims;
        m_values.shape = {.batch = dims[0],
                          .tokens = dims[1],
                          .features = dims[2],
                          .heads = layer.heads,
                          .width = dims[2] / layer.heads,
                          .causal = layer.causal};
        m_values.group = layer.heads / layer.kvHeads;
        m_values.window = layer.window;
        m_values.scale = layer.scale > 0 ? static_cast<float>(layer.scale) : m_values.shape.scale();
        m_values.cap = static_cast<float>(layer.softCap);
        m_values.products = productsOf(compiler, m_values.shape);
        m_values.queries = read(op.inputs[0]);
        m_values.keys = read(op.inputs[1]);
        m_values.values = read(op.inputs[2]);
    }

    void forward() {
        const auto y = m_compiler.define(m_op.output, m_compiler.plainDescOf(m_op.output));
        if (!m_op.saved.empty())
            m_values.logSums = m_compiler.define(m_op.saved[0], m_compiler.plainDescOf(m_op.saved[0]));
        m_values.y = {inFloat(y), m_values.shape.features};
        emitForwardTask(m_compiler, m_values);
        if (kindOf(y.desc) != DataKind::f32) m_compiler.convert(m_values.y.value, y);
    }

    void backward() {
        m_values.y = read(m_op.output);
        m_values.dy = read(m_op.outputGradient);
        m_values.logSums = m_compiler.value(m_op.saved[0]);
        HeadRows* results[] = {&m_values.dQueries, &m_values.dKeys, &m_values.dValues};
        std::vector<GradientTarget> targets;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto desc = m_compiler.plainDescOf(m_op.inputs[i]);
            targets.push_back(m_op.inputGradients[i] == kNoTensor ? GradientTarget{kNoTensor, m_compiler.scratch(desc)}
                                                                  : m_compiler.inputGradient(m_op, i, desc));
            *results[i] = {inFloat(targets[i].value), m_compiler.tensor(m_op.inputs[i]).dims[2]};
        }
        emitBackwardTask(m_compiler, m_values);
        for (std::size_t i = 0; i < 3; ++i) {
            if (kindOf(targets[i].value.desc) != DataKind::f32) m_compiler.convert(results[i]->value, targets[i].value);
            m_compiler.finishGradient(targets[i]);
        }
    }

private:
    [[nodiscard]] HeadRows read(TensorId id) const {
        const auto value = m_compiler.plainValue(id);
        const auto& dims = m_compiler.tensor(id).dims;
        if (kindOf(value.desc) == DataKind::f32) return {value, dims[2]};
        return {m_compiler.converted(value, plainDesc(Dims(dims.begin(), dims.end()), DataKind::f32)), dims[2]};
    }
    // Where a result is computed.
    [[nodiscard]] Value inFloat(const Value& target) const {
        if (kindOf(target.desc) == DataKind::f32) return target;
        return m_compiler.scratch(plainDesc(dimsOf(target.desc), DataKind::f32));
    }

    Compiler& m_compiler;
    const plan::Operation& m_op;
    AttentionValues m_values;
};

// Whether an int8 network multiplies bfloat16 here, which takes about half the time of float32 with AMX (decision 044).
bool roundsToBf16(const Compiler& compiler, const plan::Operation& op) {
    const auto& wanted = compiler.options().kernels;
    const auto shape = attentionShape(op, compiler.tensor(op.inputs[0]).dims);
    return hasBfloat16Products() && wanted != "openblas" && wanted != "onednn" && shape.cached == 0 &&
           shape.tokens >= kFewQueries;
}

}  // namespace

AttentionShape attentionShape(const plan::Operation& op, const model::Shape& input) {
    const auto& layer = std::get<model::Attention>(op.layer);
    AttentionShape shape;
    shape.batch = input[0];
    shape.tokens = input[1];
    shape.features = input[2] / 3;
    shape.heads = layer.heads;
    shape.cached = layer.cachedTokens;
    shape.width = shape.features / layer.heads;
    shape.causal = layer.causal;
    return shape;
}

Result<void> emitAttention(Compiler& compiler, const plan::Operation& op) {
    const auto precision = compiler.plan().options.precision;
    const bool isBf16 =
        precision == plan::Precision::Bf16 || (precision == plan::Precision::Int8 && roundsToBf16(compiler, op));
    if (op.pass == plan::Pass::Forward) {
        (isBf16 ? emitBf16AttentionForward : emitAttentionForward)(compiler, op);
    } else {
        (isBf16 ? emitBf16AttentionBackward : emitAttentionBackward)(compiler, op);
    }
    return {};
}

Result<void> emitGroupedAttention(Compiler& compiler, const plan::Operation& op) {
    GroupedEmitter emitter(compiler, op);
    if (op.pass == plan::Pass::Forward) {
        emitter.forward();
    } else {
        emitter.backward();
    }
    return {};
}

}  // namespace steelyard::compute::cpu
