// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention (A. Vaswani and others, Attention Is All You Need, 2017): one sample, head and strip of
// queries after the other, so that the scores of a strip stay in the cache (as in T. Dao and others, FlashAttention,
// 2022, but with whole rows). The heads are shared among the threads; each calls the BLAS on its own. With S keys, P of
// [T, S]:
//   P = softmax(Q K^T / sqrt(D));  O = P V
//   dV = P^T dO;  dP = dO V^T;  dZ = P (dP - rowsum(dO O)) / sqrt(D);  dQ = dZ K;  dK = dZ^T Q
#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "engine/compute/cpu/emitters.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/layout.h"
#include "engine/compute/cpu/pointwise.h"
#include "engine/compute/cpu/products.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kStrip = 128;  // queries

// Rows of a matrix within a larger one.
struct Rows {
    const float* data = nullptr;
    std::int64_t leading = 0;
};

struct AttentionShape {
    std::int64_t batch = 0, tokens = 0, features = 0, heads = 0, cached = 0, width = 0;  // width: D
    bool causal = false;
    BlasLibrary library = BlasLibrary::OpenBlas;

    [[nodiscard]] std::int64_t keys() const { return cached + tokens; }
    [[nodiscard]] float scale() const { return 1.0F / std::sqrt(static_cast<float>(width)); }
    [[nodiscard]] std::int64_t visible(std::int64_t token) const { return causal ? cached + token + 1 : keys(); }
    [[nodiscard]] std::int64_t strip() const { return std::min(tokens, kStrip); }
    // Where Q (0), K (1) or V (2) of a head begins in [B, T, 3 F], and the head in [B, T, F].
    [[nodiscard]] std::int64_t inputAt(std::int64_t sample, std::int64_t head, std::int64_t part) const {
        return sample * tokens * 3 * features + part * features + head * width;
    }
    [[nodiscard]] std::int64_t outputAt(std::int64_t sample, std::int64_t head) const {
        return sample * tokens * features + head * width;
    }
    // Scratch of one thread, in floats: two strips of scores, and with a cache the keys and values of a head.
    [[nodiscard]] std::int64_t scratchElements() const {
        return 2 * strip() * keys() + (cached > 0 ? 2 * keys() * width : 0);
    }
};

AttentionShape shapeOf(const Compiler& compiler, const plan::Operation& op, const model::Shape& input) {
    const auto& layer = std::get<model::Attention>(op.layer);
    AttentionShape shape;
    shape.batch = input[0];
    shape.tokens = input[1];
    shape.features = input[2] / 3;
    shape.heads = layer.heads;
    shape.cached = layer.cachedTokens;
    shape.width = shape.features / layer.heads;
    shape.causal = layer.causal;
    if (compiler.options().kernels == "onednn") shape.library = BlasLibrary::OneDnn;
    return shape;
}

// C (+)= alpha op(A) op(B) with leading dimensions of their own, on this thread alone.
struct SmallProduct {
    std::int64_t m = 0, n = 0, k = 0;
    bool transposeA = false, transposeB = false;
    float beta = 0;
};
void multiply(BlasLibrary library, const SmallProduct& p, Rows a, Rows b, float* c, std::int64_t leadingC) {
    if (library == BlasLibrary::OneDnn) {
        dnnl::error::wrap_c_api(dnnl_sgemm(p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.m, p.n, p.k, 1.0F,
                                           a.data, a.leading, b.data, b.leading, p.beta, c, leadingC),
                                "sgemm failed");
        return;
    }
    const auto narrow = [](std::int64_t value) { return static_cast<blasint>(value); };
    cblas_sgemm(CblasRowMajor, p.transposeA ? CblasTrans : CblasNoTrans, p.transposeB ? CblasTrans : CblasNoTrans,
                narrow(p.m), narrow(p.n), narrow(p.k), 1.0F, a.data, narrow(a.leading), b.data, narrow(b.leading),
                p.beta, c, narrow(leadingC));
}

struct AttentionValues {
    AttentionShape shape;
    Value x, y, logSums, scratch;    // x: [B, T, 3 F] as float32
    Value cachedKeys, cachedValues;  // [B, cached, F]
    Value dy, dx;
};

// Calls work(sample, head, scratch of the thread) for all heads.
template <class Work>
void forEachHead(const AttentionValues& v, const Work& work) {
    const auto& s = v.shape;
    const auto run = [&](std::int64_t begin, std::int64_t end) {
        auto* scratch = v.scratch.as<float>() + omp_get_thread_num() * s.scratchElements();
        for (auto i = begin; i < end; ++i) work(i / s.heads, i % s.heads, scratch);
    };
    parallelRanges(s.batch * s.heads, run, 1, 1);
}

// Keys (part 1) or values (part 2) of a head: as they lie, or copied behind those of the cache.
Rows keysOf(const AttentionValues& v, std::int64_t sample, std::int64_t head, std::int64_t part, float* room) {
    const auto& s = v.shape;
    const Rows fresh{v.x.as<float>() + s.inputAt(sample, head, part), 3 * s.features};
    if (s.cached == 0) return fresh;
    const auto* cache = (part == 1 ? v.cachedKeys : v.cachedValues).as<float>();
    for (std::int64_t t = 0; t < s.keys(); ++t) {
        const auto* row = t < s.cached ? cache + (sample * s.cached + t) * s.features + head * s.width
                                       : fresh.data + (t - s.cached) * fresh.leading;
        std::copy(row, row + s.width, room + t * s.width);
    }
    return {room, s.width};
}

void forwardHead(const AttentionValues& v, std::int64_t sample, std::int64_t head, float* scratch) {
    const auto& s = v.shape;
    const auto& kernel = kernels().sequence;
    auto* scores = scratch;
    auto* room = scratch + 2 * s.strip() * s.keys();
    const auto keys = keysOf(v, sample, head, 1, room);
    const auto values = keysOf(v, sample, head, 2, room + s.keys() * s.width);
    for (std::int64_t first = 0; first < s.tokens; first += s.strip()) {
        const auto count = std::min(s.strip(), s.tokens - first);
        const auto seen = s.visible(first + count - 1);
        const Rows queries{v.x.as<float>() + s.inputAt(sample, head, 0) + first * 3 * s.features, 3 * s.features};
        multiply(s.library, {count, seen, s.width, false, true, 0}, queries, keys, scores, seen);
        for (std::int64_t t = 0; t < count; ++t) {
            const auto logSum = kernel.scoreSoftmax(scores + t * seen, s.scale(), s.visible(first + t), seen);
            if (v.logSums) v.logSums.as<float>()[(sample * s.heads + head) * s.tokens + first + t] = logSum;
        }
        multiply(s.library, {count, s.width, seen, false, false, 0}, {scores, seen}, values,
                 v.y.as<float>() + s.outputAt(sample, head) + first * s.features, s.features);
    }
}

void backwardHead(const AttentionValues& v, std::int64_t sample, std::int64_t head, float* scratch) {
    const auto& s = v.shape;
    const auto& kernel = kernels().sequence;
    const auto wide = 3 * s.features;
    const auto* x = v.x.as<float>();
    const Rows keys{x + s.inputAt(sample, head, 1), wide}, values{x + s.inputAt(sample, head, 2), wide};
    auto* dx = v.dx.as<float>();
    auto* dKeys = dx + s.inputAt(sample, head, 1);
    auto* dValues = dx + s.inputAt(sample, head, 2);
    for (std::int64_t first = 0; first < s.tokens; first += s.strip()) {
        const auto count = std::min(s.strip(), s.tokens - first);
        const auto seen = s.visible(first + count - 1);
        auto* p = scratch;
        auto* dz = scratch + count * seen;
        const Rows queries{x + s.inputAt(sample, head, 0) + first * wide, wide};
        const Rows dOut{v.dy.as<float>() + s.outputAt(sample, head) + first * s.features, s.features};
        const auto* out = v.y.as<float>() + s.outputAt(sample, head) + first * s.features;
        multiply(s.library, {count, seen, s.width, false, true, 0}, queries, keys, p, seen);
        for (std::int64_t t = 0; t < count; ++t)
            kernel.scoreProbabilities(p + t * seen, s.scale(),
                                      v.logSums.as<float>()[(sample * s.heads + head) * s.tokens + first + t],
                                      s.visible(first + t), seen);
        // Later strips see more keys when causal; what they are the first to see is not written yet.
        const float known = first == 0 ? 0.0F : 1.0F;
        if (s.causal && first > 0) {
            for (auto k = s.visible(first - 1); k < seen; ++k) {
                std::fill(dKeys + k * wide, dKeys + k * wide + s.width, 0.0F);
                std::fill(dValues + k * wide, dValues + k * wide + s.width, 0.0F);
            }
        }
        multiply(s.library, {seen, s.width, count, true, false, known}, {p, seen}, dOut, dValues, wide);
        multiply(s.library, {count, seen, s.width, false, true, 0}, dOut, values, dz, seen);
        for (std::int64_t t = 0; t < count; ++t) {
            const auto shared = kernel.dot(dOut.data + t * s.features, out + t * s.features, s.width);
            kernel.scoreGradient(dz + t * seen, p + t * seen, shared, s.scale(), seen);
        }
        multiply(s.library, {count, s.width, seen, false, false, 0}, {dz, seen}, keys,
                 dx + s.inputAt(sample, head, 0) + first * wide, wide);
        multiply(s.library, {seen, s.width, count, true, false, known}, {dz, seen}, queries, dKeys, wide);
    }
}

Desc floatDesc(const Compiler& compiler, TensorId id) {
    return plainDesc(compiler.tensor(id).dims, model::DataType::Float32);
}

// The tensor in float32; a copy when activations are bfloat16.
Value inFloat(Compiler& compiler, TensorId id) {
    (void)compiler.plainValue(id);
    return compiler.valueAs(id, floatDesc(compiler, id));
}

Value headScratch(Compiler& compiler, const AttentionShape& shape) {
    return compiler.scratch(compiler.options().threads * shape.scratchElements() *
                            static_cast<std::int64_t>(sizeof(float)));
}

void emitForward(Compiler& compiler, const plan::Operation& op) {
    AttentionValues v;
    v.shape = shapeOf(compiler, op, compiler.tensor(op.inputs[0]).dims);
    v.x = inFloat(compiler, op.inputs[0]);
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output));
    const bool converts = kindOf(y.desc) != DataKind::f32;
    v.y = converts ? compiler.scratch(floatDesc(compiler, op.output)) : y;
    if (!op.saved.empty()) v.logSums = compiler.define(op.saved[0], compiler.plainDescOf(op.saved[0]));
    if (!op.states.empty()) {
        v.cachedKeys = inFloat(compiler, op.states[0]);
        v.cachedValues = inFloat(compiler, op.states[1]);
    }
    v.scratch = headScratch(compiler, v.shape);
    compiler.task("own:attention + sgemm", {v.x, v.y, v.logSums, v.scratch, v.cachedKeys, v.cachedValues},
                  [v](const StepState&) {
                      forEachHead(v, [&](auto sample, auto head, auto* room) { forwardHead(v, sample, head, room); });
                  });
    if (converts) compiler.convert(v.y, y);
}

void emitBackward(Compiler& compiler, const plan::Operation& op) {
    AttentionValues v;
    v.shape = shapeOf(compiler, op, compiler.tensor(op.inputs[0]).dims);
    v.x = inFloat(compiler, op.inputs[0]);
    v.y = inFloat(compiler, op.output);
    v.dy = inFloat(compiler, op.outputGradient);
    v.logSums = compiler.value(op.saved[0]);
    const auto target = compiler.inputGradient(op, 0, compiler.plainDescOf(op.inputGradients[0]));
    const bool converts = kindOf(target.value.desc) != DataKind::f32;
    v.dx = converts ? compiler.scratch(floatDesc(compiler, op.inputGradients[0])) : target.value;
    v.scratch = headScratch(compiler, v.shape);
    compiler.task("own:attention_gradient + sgemm", {v.x, v.y, v.dy, v.dx, v.logSums, v.scratch},
                  [v](const StepState&) {
                      forEachHead(v, [&](auto sample, auto head, auto* room) { backwardHead(v, sample, head, room); });
                  });
    if (converts) compiler.convert(v.dx, target.value);
    compiler.finishGradient(target);
}

}  // namespace

Result<void> emitAttention(Compiler& compiler, const plan::Operation& op) {
    if (op.pass == plan::Pass::Forward) {
        emitForward(compiler, op);
    } else {
        emitBackward(compiler, op);
    }
    return {};
}

}  // namespace steelyard::compute::cpu
