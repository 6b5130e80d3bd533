// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention (A. Vaswani et al., Attention Is All You Need, 2017): one sample, head and strip of
// queries at a time, so that the scores of a strip stay in the cache (as in T. Dao et al., FlashAttention, 2022, but
// with whole rows). Heads are distributed over threads; each thread calls single-threaded BLAS. With S keys, P of [T,
// S]:
//   P = softmax(Q K^T / sqrt(D));  O = P V
//   dV = P^T dO;  dP = dO V^T;  dZ = P (dP - rowsum(dO O)) / sqrt(D);  dQ = dZ K;  dK = dZ^T Q
#include "engine/compute/cpu/operations/attention/attention.h"

#include <algorithm>

#include "engine/compute/cpu/compile/emitters.h"
#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/gemm.h"
#include "engine/compute/cpu/openblas.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {
namespace {

constexpr std::int64_t kStrip = 128;  // queries

using Rows = RowsOf<float>;

// C (+)= op(A) op(B) with any leading dimensions, on this thread.
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
    const auto blas = [](std::int64_t value) { return static_cast<blasint>(value); };
    openBlas()->sgemm(CblasRowMajor, p.transposeA ? CblasTrans : CblasNoTrans, p.transposeB ? CblasTrans : CblasNoTrans,
                      blas(p.m), blas(p.n), blas(p.k), 1.0F, a.data, blas(a.leading), b.data, blas(b.leading), p.beta,
                      c, blas(leadingC));
}

struct AttentionValues {
    AttentionShape shape;
    BlasLibrary library = BlasLibrary::OpenBlas;
    Value x, y, logSums, scratch;    // x: [B, T, 3 F] as float32
    Value cachedKeys, cachedValues;  // [B, cached, F]
    Value dy, dx;

    [[nodiscard]] std::int64_t strip() const { return std::min(shape.tokens, kStrip); }
    // Scratch per thread in floats: two strips of scores, and with a cache the keys and values of a head.
    [[nodiscard]] std::int64_t scratchElements() const {
        return 2 * strip() * shape.keys() + (shape.cached > 0 ? 2 * shape.keys() * shape.width : 0);
    }
};

AttentionValues valuesOf(const Compiler& compiler, const plan::Operation& op) {
    AttentionValues values;
    values.shape = attentionShape(op, compiler.tensor(op.inputs[0]).dims);
    if (compiler.options().kernels == "onednn") values.library = BlasLibrary::OneDnn;
    return values;
}

void forwardHead(const AttentionValues& v, std::int64_t sample, std::int64_t head, float* scratch) {
    const auto& s = v.shape;
    const auto& kernel = kernels().sequence;
    auto* scores = scratch;
    auto* memory = scratch + 2 * v.strip() * s.keys();
    const auto keys = keysOf(v, sample, head, 1, memory);
    const auto values = keysOf(v, sample, head, 2, memory + s.keys() * s.width);
    for (std::int64_t first = 0; first < s.tokens; first += v.strip()) {
        const auto count = std::min(v.strip(), s.tokens - first);
        const auto seen = s.visible(first + count - 1);
        const Rows queries{v.x.as<float>() + s.inputAt(sample, head, 0) + first * 3 * s.features, 3 * s.features};
        multiply(v.library, {count, seen, s.width, false, true, 0}, queries, keys, scores, seen);
        for (std::int64_t t = 0; t < count; ++t) {
            const auto logSum = kernel.scoreSoftmax(scores + t * seen, s.scale(), s.visible(first + t), seen);
            if (v.logSums) v.logSums.as<float>()[(sample * s.heads + head) * s.tokens + first + t] = logSum;
        }
        multiply(v.library, {count, s.width, seen, false, false, 0}, {scores, seen}, values,
                 v.y.as<float>() + s.outputAt(sample, head) + first * s.features, s.features);
    }
}

void backwardHead(const AttentionValues& v, std::int64_t sample, std::int64_t head, float* scratch) {
    const auto& s = v.shape;
    const auto& kernel = kernels().sequence;
    const auto stride = 3 * s.features;
    const auto* x = v.x.as<float>();
    const Rows keys{x + s.inputAt(sample, head, 1), stride}, values{x + s.inputAt(sample, head, 2), stride};
    auto* dx = v.dx.as<float>();
    auto* dKeys = dx + s.inputAt(sample, head, 1);
    auto* dValues = dx + s.inputAt(sample, head, 2);
    for (std::int64_t first = 0; first < s.tokens; first += v.strip()) {
        const auto count = std::min(v.strip(), s.tokens - first);
        const auto seen = s.visible(first + count - 1);
        auto* p = scratch;
        auto* dz = scratch + count * seen;
        const Rows queries{x + s.inputAt(sample, head, 0) + first * stride, stride};
        const Rows dOut{v.dy.as<float>() + s.outputAt(sample, head) + first * s.features, s.features};
        const auto* out = v.y.as<float>() + s.outputAt(sample, head) + first * s.features;
        multiply(v.library, {count, seen, s.width, false, true, 0}, queries, keys, p, seen);
        for (std::int64_t t = 0; t < count; ++t)
            kernel.scoreProbabilities(p + t * seen, s.scale(),
                                      v.logSums.as<float>()[(sample * s.heads + head) * s.tokens + first + t],
                                      s.visible(first + t), seen);
        // With a causal mask, later strips see more keys; the gradients of keys first seen by a strip are not written
        // yet.
        const float known = first == 0 ? 0.0F : 1.0F;
        if (s.causal && first > 0) {
            for (auto k = s.visible(first - 1); k < seen; ++k) {
                std::fill(dKeys + k * stride, dKeys + k * stride + s.width, 0.0F);
                std::fill(dValues + k * stride, dValues + k * stride + s.width, 0.0F);
            }
        }
        multiply(v.library, {seen, s.width, count, true, false, known}, {p, seen}, dOut, dValues, stride);
        multiply(v.library, {count, seen, s.width, false, true, 0}, dOut, values, dz, seen);
        for (std::int64_t t = 0; t < count; ++t) {
            const auto shared = kernel.dot(dOut.data + t * s.features, out + t * s.features, s.width);
            kernel.scoreGradient(dz + t * seen, p + t * seen, shared, s.scale(), seen);
        }
        multiply(v.library, {count, s.width, seen, false, false, 0}, {dz, seen}, keys,
                 dx + s.inputAt(sample, head, 0) + first * stride, stride);
        multiply(v.library, {seen, s.width, count, true, false, known}, {dz, seen}, queries, dKeys, stride);
    }
}

Value headScratch(Compiler& compiler, const AttentionValues& v) {
    return compiler.scratch(compiler.options().threads * v.scratchElements() *
                            static_cast<std::int64_t>(sizeof(float)));
}

void emitForward(Compiler& compiler, const plan::Operation& op) {
    auto v = valuesOf(compiler, op);
    v.x = compiler.plainValue(op.inputs[0]);
    v.y = compiler.define(op.output, compiler.plainDescOf(op.output));
    if (!op.saved.empty()) v.logSums = compiler.define(op.saved[0], compiler.plainDescOf(op.saved[0]));
    if (!op.states.empty()) {
        v.cachedKeys = compiler.plainValue(op.states[0]);
        v.cachedValues = compiler.plainValue(op.states[1]);
    }
    v.scratch = headScratch(compiler, v);
    compiler.task("native:attention + sgemm", {v.x, v.y, v.logSums, v.scratch, v.cachedKeys, v.cachedValues},
                  [v](const StepState&) {
                      forEachHead(v.shape, v.scratch, v.scratchElements(),
                                  [&](auto sample, auto head, auto* memory) { forwardHead(v, sample, head, memory); });
                  });
}

void emitBackward(Compiler& compiler, const plan::Operation& op) {
    auto v = valuesOf(compiler, op);
    v.x = compiler.plainValue(op.inputs[0]);
    v.y = compiler.plainValue(op.output);
    v.dy = compiler.plainValue(op.outputGradient);
    v.logSums = compiler.value(op.saved[0]);
    const auto target = compiler.inputGradient(op, 0, compiler.plainDescOf(op.inputGradients[0]));
    v.dx = target.value;
    v.scratch = headScratch(compiler, v);
    compiler.task("native:attention_gradient + sgemm", {v.x, v.y, v.dy, v.dx, v.logSums, v.scratch},
                  [v](const StepState&) {
                      forEachHead(v.shape, v.scratch, v.scratchElements(),
                                  [&](auto sample, auto head, auto* memory) { backwardHead(v, sample, head, memory); });
                  });
    compiler.finishGradient(target);
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
    const bool isBf16 = compiler.plan().options.precision == plan::Precision::Bf16;
    if (op.pass == plan::Pass::Forward) {
        (isBf16 ? emitBf16AttentionForward : emitForward)(compiler, op);
    } else {
        (isBf16 ? emitBf16AttentionBackward : emitBackward)(compiler, op);
    }
    return {};
}

}  // namespace steelyard::compute::cpu
