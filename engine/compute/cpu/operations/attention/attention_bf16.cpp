// SPDX-License-Identifier: Apache-2.0
// Attention in bfloat16 (formulas: attention.cpp): scores, probabilities and sums are float32 and stay in the cache;
// factors are rounded to bfloat16 and packed in pairs for AVX-512 BF16 or AMX (kernels/kernels.h). Tensors are
// bfloat16, or float32 in int8 inference (decision 044).
#include <cstring>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/operations/attention/attention.h"

namespace steelyard::compute::cpu {
namespace {

std::int64_t even(std::int64_t n) {
    return (n + 1) / 2 * 2;
}

using Bf16Rows = RowsOf<BFloat16>;

struct Bf16Values {
    AttentionShape shape;
    Value x, y, logSums, scratch;
    Value cachedKeys, cachedValues;
    Value dy, dx;
    std::int64_t scratchElements = 0;

    [[nodiscard]] bool isFloat() const { return kindOf(x.desc) == DataKind::f32; }
    // Queries per strip: two strips of 1024 scores fit in 512 KiB.
    [[nodiscard]] std::int64_t strip() const { return std::min(shape.tokens, kernels().bf16Gemm.stripRows); }
};

// Divides a thread's scratch memory into cache-line-aligned pieces. Without memory it computes the size.
class Pieces {
public:
    explicit Pieces(float* memory) : m_memory(memory) {}
    float* floats(std::int64_t count) {
        auto* piece = m_memory == nullptr ? nullptr : m_memory + m_used;
        m_used += (count + 15) / 16 * 16;
        return piece;
    }
    std::uint32_t* words(std::int64_t count) { return reinterpret_cast<std::uint32_t*>(floats(count)); }
    BFloat16* bf16(std::int64_t count) { return reinterpret_cast<BFloat16*>(floats((count + 1) / 2)); }
    [[nodiscard]] std::int64_t used() const { return m_used; }

private:
    float* m_memory;
    std::int64_t m_used = 0;
};

struct ForwardPieces {
    explicit ForwardPieces(const Bf16Values& v, float* memory) {
        const auto& s = v.shape;
        Pieces pieces(memory);
        if (s.cached > 0 || v.isFloat()) keys = pieces.bf16(s.keys() * s.width);
        if (s.cached > 0) values = pieces.bf16(s.keys() * s.width);
        keyPairs = pieces.words(even(s.width) / 2 * s.keys());
        valuePairs = pieces.words(even(s.keys()) / 2 * s.width);
        queries = pieces.bf16(v.strip() * even(s.width));
        scores = pieces.floats(v.strip() * s.keys());
        weights = pieces.bf16(v.strip() * even(s.keys()));
        factors = pieces.floats(v.strip());
        out = pieces.floats(v.strip() * s.width);
        used = pieces.used();
    }
    BFloat16 *keys = nullptr, *values = nullptr;
    std::uint32_t *keyPairs, *valuePairs;
    BFloat16* queries;
    float* scores;
    BFloat16* weights;  // probabilities without their common factor
    float* factors;     // of the queries
    float* out;
    std::int64_t used;
};

struct BackwardPieces {
    explicit BackwardPieces(const Bf16Values& v, float* memory) {
        const auto& s = v.shape;
        const auto strip = v.strip(), pairs = even(strip) / 2;
        Pieces pieces(memory);
        keyPairs = pieces.words(even(s.width) / 2 * s.keys());
        valuePairs = pieces.words(even(s.width) / 2 * s.keys());
        keyRowPairs = pieces.words(even(s.keys()) / 2 * s.width);
        queries = pieces.bf16(strip * even(s.width));
        dOut = pieces.bf16(strip * even(s.width));
        queryPairs = pieces.words(pairs * s.width);
        dOutPairs = pieces.words(pairs * s.width);
        p = pieces.floats(strip * s.keys());
        dz = pieces.floats(strip * s.keys());
        pPairs = pieces.words(pairs * s.keys());
        dzPairs = pieces.words(pairs * s.keys());
        dzRows = pieces.bf16(strip * even(s.keys()));
        dKeys = pieces.floats(s.keys() * s.width);
        dValues = pieces.floats(s.keys() * s.width);
        dQueries = pieces.floats(strip * s.width);
        used = pieces.used();
    }
    std::uint32_t *keyPairs, *valuePairs, *keyRowPairs;
    BFloat16 *queries, *dOut;
    std::uint32_t *queryPairs, *dOutPairs;
    float *p, *dz;
    std::uint32_t *pPairs, *dzPairs;
    BFloat16* dzRows;
    float *dKeys, *dValues, *dQueries;
    std::int64_t used;
};

// Contiguous rows of a matrix, with an odd width zero-padded.
void copyRows(BFloat16* to, Bf16Rows from, std::int64_t rows, std::int64_t width) {
    const auto padded = even(width);
    for (std::int64_t r = 0; r < rows; ++r) {
        std::memcpy(to + r * padded, from.data + r * from.leading, static_cast<std::size_t>(width) * sizeof(BFloat16));
        if (padded > width) to[r * padded + width] = {};
    }
}

void storeRows(BFloat16* to, std::int64_t leading, const float* from, std::int64_t rows, std::int64_t width) {
    for (std::int64_t r = 0; r < rows; ++r) kernels().rowsBf16.fromF32(to + r * leading, from + r * width, width);
}

// Q (part 0), K (1) or V (2) of a head, from token `first` on, in float32 tensors.
RowsOf<float> floatRows(const Bf16Values& v, std::int64_t sample, std::int64_t head, std::int64_t part,
                        std::int64_t first = 0) {
    const auto leading = 3 * v.shape.features;
    return {v.x.as<float>() + v.shape.inputAt(sample, head, part) + first * leading, leading};
}

// Like copyRows(), rounded.
void roundRows(BFloat16* to, RowsOf<float> from, std::int64_t rows, std::int64_t width) {
    const auto padded = even(width);
    for (std::int64_t r = 0; r < rows; ++r) {
        kernels().rowsBf16.fromF32(to + r * padded, from.data + r * from.leading, width);
        if (padded > width) to[r * padded + width] = {};
    }
}

void pairKeysAndValues(const Bf16Values& v, std::int64_t sample, std::int64_t head, const ForwardPieces& pieces) {
    const auto& s = v.shape;
    const auto& product = kernels().bf16Gemm;
    if (v.isFloat()) {
        roundRows(pieces.keys, floatRows(v, sample, head, 1), s.keys(), s.width);
        product.pairColumns(pieces.keyPairs, pieces.keys, s.keys(), s.width, even(s.width));
        const auto values = floatRows(v, sample, head, 2);
        product.pairFloatRows(pieces.valuePairs, values.data, s.keys(), s.width, values.leading);
        return;
    }
    const auto keys = keysOf(v, sample, head, 1, pieces.keys), values = keysOf(v, sample, head, 2, pieces.values);
    product.pairColumns(pieces.keyPairs, keys.data, s.keys(), s.width, keys.leading);
    product.pairRows(pieces.valuePairs, values.data, s.keys(), s.width, values.leading);
}

void forwardBf16Head(const Bf16Values& v, std::int64_t sample, std::int64_t head, float* memory) {
    const auto& s = v.shape;
    const auto& product = kernels().bf16Gemm;
    const ForwardPieces pieces(v, memory);
    pairKeysAndValues(v, sample, head, pieces);
    for (std::int64_t first = 0; first < s.tokens; first += v.strip()) {
        const auto count = std::min(v.strip(), s.tokens - first);
        const auto seen = s.visible(first + count - 1), padded = even(seen);
        if (v.isFloat()) {
            roundRows(pieces.queries, floatRows(v, sample, head, 0, first), count, s.width);
        } else {
            const auto leading = 3 * s.features;
            copyRows(pieces.queries, {v.x.as<BFloat16>() + s.inputAt(sample, head, 0) + first * leading, leading},
                     count, s.width);
        }
        product.multiply({.m = count,
                          .n = seen,
                          .k = s.width,
                          .a = pieces.queries,
                          .rowStride = even(s.width),
                          .b = pieces.keyPairs,
                          .leadingB = s.keys(),
                          .c = pieces.scores,
                          .leadingC = seen});
        for (std::int64_t t = 0; t < count; ++t) {
            float logSum = 0;
            pieces.factors[t] = product.scoreWeights(pieces.weights + t * padded, pieces.scores + t * seen, s.scale(),
                                                     s.visible(first + t), seen, &logSum);
            if (v.logSums) v.logSums.as<float>()[(sample * s.heads + head) * s.tokens + first + t] = logSum;
            if (padded > seen) pieces.weights[t * padded + seen] = {};
        }
        const auto target = s.outputAt(sample, head) + first * s.features;
        auto* out = v.isFloat() ? v.y.as<float>() + target : pieces.out;
        const auto leading = v.isFloat() ? s.features : s.width;
        product.multiply({.m = count,
                          .n = s.width,
                          .k = seen,
                          .a = pieces.weights,
                          .rowStride = padded,
                          .b = pieces.valuePairs,
                          .leadingB = s.width,
                          .c = out,
                          .leadingC = leading});
        for (std::int64_t t = 0; t < count; ++t) kernels().update.scale(out + t * leading, pieces.factors[t], s.width);
        if (!v.isFloat()) storeRows(v.y.as<BFloat16>() + target, s.features, pieces.out, count, s.width);
    }
}

// A few queries, as in decoding: reads keys and values once, in place.
void forwardFewBf16(const Bf16Values& v, std::int64_t sample, std::int64_t head, float* memory) {
    const auto& s = v.shape;
    const auto& product = kernels().bf16Gemm;
    const ForwardPieces pieces(v, memory);
    const auto* x = v.x.as<BFloat16>();
    const auto rowOf = [&](std::int64_t part, std::int64_t t) -> const BFloat16* {
        if (t >= s.cached) return x + s.inputAt(sample, head, part) + (t - s.cached) * 3 * s.features;
        return (part == 1 ? v.cachedKeys : v.cachedValues).as<BFloat16>() + s.cacheAt(sample, head) + t * s.features;
    };
    for (std::int64_t token = 0; token < s.tokens; ++token) {
        const auto* query = x + s.inputAt(sample, head, 0) + token * 3 * s.features;
        const auto seen = s.visible(token);
        for (std::int64_t t = 0; t < seen; ++t) pieces.scores[t] = product.dot(query, rowOf(1, t), s.width);
        const auto logSum = kernels().sequence.scoreSoftmax(pieces.scores, s.scale(), seen, seen);
        if (v.logSums) v.logSums.as<float>()[(sample * s.heads + head) * s.tokens + token] = logSum;
        std::fill(pieces.out, pieces.out + s.width, 0.0F);
        for (std::int64_t t = 0; t < seen; ++t) product.addScaled(pieces.out, rowOf(2, t), pieces.scores[t], s.width);
        storeRows(v.y.as<BFloat16>() + s.outputAt(sample, head) + token * s.features, s.features, pieces.out, 1,
                  s.width);
    }
}

// A strip of queries: P and dZ in `pieces`, as floats and in pairs.
struct Strip {
    std::int64_t first = 0, count = 0, seen = 0;
    Bf16Rows queries, dOut, out;
};

void scoreGradients(const Bf16Values& v, const BackwardPieces& pieces, const Strip& strip, const float* logSums) {
    const auto& s = v.shape;
    const auto& product = kernels().bf16Gemm;
    const auto& kernel = kernels().sequence;
    const auto seen = strip.seen, padded = even(seen);
    copyRows(pieces.queries, strip.queries, strip.count, s.width);
    copyRows(pieces.dOut, strip.dOut, strip.count, s.width);
    Bf16Gemm scores{.m = strip.count,
                    .n = seen,
                    .k = s.width,
                    .a = pieces.queries,
                    .rowStride = even(s.width),
                    .b = pieces.keyPairs,
                    .leadingB = s.keys(),
                    .c = pieces.p,
                    .leadingC = seen};
    product.multiply(scores);
    scores.a = pieces.dOut;
    scores.b = pieces.valuePairs;
    scores.c = pieces.dz;
    product.multiply(scores);
    for (std::int64_t t = 0; t < strip.count; ++t) {
        auto* p = pieces.p + t * seen;
        auto* dz = pieces.dz + t * seen;
        kernel.scoreProbabilities(p, s.scale(), logSums[t], s.visible(strip.first + t), seen);
        const auto shared =
            product.dot(strip.dOut.data + t * strip.dOut.leading, strip.out.data + t * strip.out.leading, s.width);
        kernel.scoreGradient(dz, p, shared, s.scale(), seen);
        kernels().rowsBf16.fromF32(pieces.dzRows + t * padded, dz, seen);
        if (padded > seen) pieces.dzRows[t * padded + seen] = {};
    }
    product.pairFloatRows(pieces.pPairs, pieces.p, strip.count, seen, seen);
    product.pairFloatRows(pieces.dzPairs, pieces.dz, strip.count, seen, seen);
}

// dV += P^T dO, dK += dZ^T Q and, for these queries alone, dQ = dZ K.
void addGradients(const Bf16Values& v, const BackwardPieces& pieces, const Strip& strip) {
    const auto& s = v.shape;
    const auto& product = kernels().bf16Gemm;
    product.pairRows(pieces.queryPairs, strip.queries.data, strip.count, s.width, strip.queries.leading);
    product.pairRows(pieces.dOutPairs, strip.dOut.data, strip.count, s.width, strip.dOut.leading);
    Bf16Gemm sum{.m = strip.seen,
                 .n = s.width,
                 .k = strip.count,
                 .a = reinterpret_cast<const BFloat16*>(pieces.pPairs),
                 .rowStride = 2,
                 .wordStride = 2 * strip.seen,
                 .b = pieces.dOutPairs,
                 .leadingB = s.width,
                 .c = pieces.dValues,
                 .leadingC = s.width,
                 .accumulate = true};
    product.multiply(sum);
    sum.a = reinterpret_cast<const BFloat16*>(pieces.dzPairs);
    sum.b = pieces.queryPairs;
    sum.c = pieces.dKeys;
    product.multiply(sum);
    product.multiply({.m = strip.count,
                      .n = s.width,
                      .k = strip.seen,
                      .a = pieces.dzRows,
                      .rowStride = even(strip.seen),
                      .b = pieces.keyRowPairs,
                      .leadingB = s.width,
                      .c = pieces.dQueries,
                      .leadingC = s.width});
}

void backwardBf16Head(const Bf16Values& v, std::int64_t sample, std::int64_t head, float* memory) {
    const auto& s = v.shape;
    const auto& product = kernels().bf16Gemm;
    const BackwardPieces pieces(v, memory);
    const auto stride = 3 * s.features;
    const auto* x = v.x.as<BFloat16>();
    auto* dx = v.dx.as<BFloat16>();
    const auto* keys = x + s.inputAt(sample, head, 1);
    const auto out = s.outputAt(sample, head);
    product.pairColumns(pieces.keyPairs, keys, s.keys(), s.width, stride);
    product.pairColumns(pieces.valuePairs, x + s.inputAt(sample, head, 2), s.keys(), s.width, stride);
    product.pairRows(pieces.keyRowPairs, keys, s.keys(), s.width, stride);
    std::fill(pieces.dKeys, pieces.dKeys + s.keys() * s.width, 0.0F);
    std::fill(pieces.dValues, pieces.dValues + s.keys() * s.width, 0.0F);
    Strip strip;
    for (; strip.first < s.tokens; strip.first += v.strip()) {
        strip.count = std::min(v.strip(), s.tokens - strip.first);
        strip.seen = s.visible(strip.first + strip.count - 1);
        const auto query = s.inputAt(sample, head, 0) + strip.first * stride;
        strip.queries = {x + query, stride};
        strip.dOut = {v.dy.as<BFloat16>() + out + strip.first * s.features, s.features};
        strip.out = {v.y.as<BFloat16>() + out + strip.first * s.features, s.features};
        scoreGradients(v, pieces, strip, v.logSums.as<float>() + (sample * s.heads + head) * s.tokens + strip.first);
        addGradients(v, pieces, strip);
        storeRows(dx + query, stride, pieces.dQueries, strip.count, s.width);
    }
    storeRows(dx + s.inputAt(sample, head, 1), stride, pieces.dKeys, s.keys(), s.width);
    storeRows(dx + s.inputAt(sample, head, 2), stride, pieces.dValues, s.keys(), s.width);
}

Value threadScratch(Compiler& compiler, const Bf16Values& v) {
    return compiler.scratch(compiler.options().threads * v.scratchElements * static_cast<std::int64_t>(sizeof(float)));
}

}  // namespace

void emitBf16AttentionForward(Compiler& compiler, const plan::Operation& op) {
    Bf16Values v;
    v.shape = attentionShape(op, compiler.tensor(op.inputs[0]).dims);
    v.x = compiler.plainValue(op.inputs[0]);
    v.y = compiler.define(op.output, compiler.plainDescOf(op.output));
    if (!op.saved.empty()) v.logSums = compiler.define(op.saved[0], compiler.plainDescOf(op.saved[0]));
    if (!op.states.empty()) {
        v.cachedKeys = compiler.plainValue(op.states[0]);
        v.cachedValues = compiler.plainValue(op.states[1]);
    }
    v.scratchElements = ForwardPieces(v, nullptr).used;
    v.scratch = threadScratch(compiler, v);
    const auto run = v.shape.tokens < kFewQueries ? forwardFewBf16 : forwardBf16Head;
    compiler.task("native:attention", {v.x, v.y, v.logSums, v.scratch, v.cachedKeys, v.cachedValues},
                  [v, run](const StepState&) {
                      forEachHead(v.shape, v.scratch, v.scratchElements,
                                  [&](auto sample, auto head, auto* room) { run(v, sample, head, room); });
                  });
}

void emitBf16AttentionBackward(Compiler& compiler, const plan::Operation& op) {
    Bf16Values v;
    v.shape = attentionShape(op, compiler.tensor(op.inputs[0]).dims);
    v.x = compiler.plainValue(op.inputs[0]);
    v.y = compiler.plainValue(op.output);
    v.dy = compiler.plainValue(op.outputGradient);
    v.logSums = compiler.value(op.saved[0]);
    const auto target = compiler.inputGradient(op, 0, compiler.plainDescOf(op.inputGradients[0]));
    v.dx = target.value;
    v.scratchElements = BackwardPieces(v, nullptr).used;
    v.scratch = threadScratch(compiler, v);
    compiler.task("native:attention_gradient", {v.x, v.y, v.dy, v.dx, v.logSums, v.scratch}, [v](const StepState&) {
        forEachHead(v.shape, v.scratch, v.scratchElements,
                    [&](auto sample, auto head, auto* room) { backwardBf16Head(v, sample, head, room); });
    });
    compiler.finishGradient(target);
}

}  // namespace steelyard::compute::cpu
