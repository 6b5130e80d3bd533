// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/gemm/gemm.h"

#include <fmt/format.h>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/packed_gemm.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/openblas.h"
#include "engine/compute/cpu/operations/pointwise.h"
#include "engine/compute/cpu/tuning/implementation.h"

namespace steelyard::compute::cpu {
namespace {

Desc operand(std::int64_t rows, std::int64_t columns, bool transposed, DataKind kind) {
    return transposed ? Desc({rows, columns}, kind, Dims{1, rows}) : Desc({rows, columns}, kind, Dims{columns, 1});
}

}  // namespace

std::string Product::text() const {
    return fmt::format("{}x{}x{}{}{} {}{}", m, n, k, transposeA ? "t" : "n", transposeB ? "t" : "n",
                       static_cast<int>(kind), static_cast<int>(result));
}

void blasProduct(BlasLibrary library, const Product& p, float alpha, const float* a, const float* b, float beta,
                 float* c, const LeadingSizes& leading) {
    const auto leadingA = leading.a > 0 ? leading.a : p.transposeA ? p.m : p.k;
    const auto leadingB = leading.b > 0 ? leading.b : p.transposeB ? p.k : p.n;
    const auto leadingC = leading.c > 0 ? leading.c : p.n;
    if (library == BlasLibrary::OpenBlas) {
        const auto blas = [](std::int64_t value) { return static_cast<blasint>(value); };
        openBlas()->sgemm(CblasRowMajor, p.transposeA ? CblasTrans : CblasNoTrans,
                          p.transposeB ? CblasTrans : CblasNoTrans, blas(p.m), blas(p.n), blas(p.k), alpha, a,
                          blas(leadingA), b, blas(leadingB), beta, c, blas(leadingC));
        return;
    }
    dnnl::error::wrap_c_api(dnnl_sgemm(p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.m, p.n, p.k, alpha, a,
                                       leadingA, b, leadingB, beta, c, leadingC),
                            "sgemm failed");
}

dnnl::matmul::primitive_desc describeMatMul(const dnnl::engine& engine, const Product& p, const MatMulExtras& extras) {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    if (extras.activation) {
        const auto kind = eltwiseKind(*extras.activation);
        dnnl::post_ops after;
        appendActivation(after, kind.algorithm, kind.alpha, kind.beta);
        attributes.set_post_ops(after);
    }
    const auto a = operand(p.m, p.k, p.transposeA, p.kind);
    const auto b = extras.packs ? anyDesc(Dims{p.k, p.n}, p.kind) : operand(p.k, p.n, p.transposeB, p.kind);
    const auto c = operand(p.m, p.n, false, p.result);
    if (extras.bias.get_size() == 0) return describe<dnnl::matmul>(engine, attributes, a, b, c);
    return describe<dnnl::matmul>(engine, attributes, a, b, plainDesc(Dims{1, p.n}, kindOf(extras.bias)), c);
}

namespace {

TrialMaker matMulTrial(const dnnl::engine& engine, const dnnl::matmul::primitive_desc& desc) {
    return [engine, desc] {
        return primitiveTrial(
            dnnl::matmul(desc), engine,
            {{DNNL_ARG_SRC, desc.src_desc()}, {DNNL_ARG_WEIGHTS, desc.weights_desc()}, {DNNL_ARG_DST, desc.dst_desc()}},
            desc.scratchpad_desc());
    };
}

// In trial order. The ids are stored (Implementation::id).
std::vector<Implementation> candidatesOf(Compiler& compiler, const Product& p) {
    const auto& kernels = compiler.options().kernels;
    const auto& engine = compiler.engine();
    const bool isF32 = p.kind == DataKind::f32;
    const auto blas = [&](char id, BlasLibrary library) {
        Implementation candidate{.id = id, .trial = blasTrial(engine, library, p)};
        candidate.emit = [=](Compiler& c, const Operands& o) { emitBlasProduct(c, library, p, o.a, o.b, o.c); };
        return candidate;
    };
    if (isF32 && kernels == "openblas") return {blas('2', BlasLibrary::OpenBlas)};
    std::vector<Implementation> candidates;
    const auto desc = describeMatMul(engine, p, {});
    if (!isF32 || !isReference(desc.impl_info_str())) {
        Implementation candidate{.id = '0', .trial = matMulTrial(engine, desc)};
        candidate.emit = [desc](Compiler& c, const Operands& o) {
            c.primitive(dnnl::matmul(desc), desc,
                        {{DNNL_ARG_SRC, o.a.viewed(desc.src_desc())},
                         {DNNL_ARG_WEIGHTS, o.b.viewed(desc.weights_desc())},
                         {DNNL_ARG_DST, o.c.viewed(desc.dst_desc())}});
        };
        candidates.push_back(std::move(candidate));
    }
    if (isF32) candidates.push_back(blas('1', BlasLibrary::OneDnn));
    if (isF32 && kernels == "auto") candidates.push_back(blas('2', BlasLibrary::OpenBlas));
    const auto packed = fitting(compiler, {p, compiler.options().threads});
    if (kernels == "auto" && packed.runsHere()) {
        Implementation candidate{.id = '3', .scratchBytes = packed.scratchBytes(), .trial = packed.trial(engine)};
        candidate.emit = [packed](Compiler& c, const Operands& o) { emitPackedGemm(c, packed, o.a, o.b, {}, o.c); };
        candidates.push_back(std::move(candidate));
    }
    return candidates;
}

}  // namespace

TrialMaker blasTrial(const dnnl::engine& engine, BlasLibrary library, const Product& product, bool coldB) {
    return [=]() -> Trial {
        const auto memory = [&](std::int64_t elements) {
            return trialMemory(plainDesc(Dims{elements}, DataKind::f32), engine);
        };
        const auto b = memory(product.k * product.n);
        return {[product, library, a = memory(product.m * product.k), b, c = memory(product.m * product.n)] {
                    const auto floats = [](const dnnl::memory& m) { return static_cast<float*>(m.get_data_handle()); };
                    blasProduct(library, product, 1, floats(a), floats(b), 0, floats(c));
                },
                coldB ? std::vector{b} : std::vector<dnnl::memory>()};
    };
}

void emitBlasProduct(Compiler& compiler, BlasLibrary library, const Product& product, const Value& a, const Value& b,
                     const Value& c) {
    compiler.task(library == BlasLibrary::OneDnn ? "onednn:sgemm" : "openblas:sgemm", {a, b, c}, [=](const StepState&) {
        blasProduct(library, product, 1, a.as<float>(), b.as<float>(), 0, c.as<float>());
    });
}

void emitProduct(Compiler& compiler, const Product& product, const Value& a, const Value& b, const Value& c) {
    auto candidates = affordable(compiler, candidatesOf(compiler, product));
    const auto key = fmt::format("product {} {} {} {}", product.text(), compiler.options().threads,
                                 compiler.options().kernels, idsOf(candidates));
    const auto chosen = candidates.size() == 1 ? std::move(candidates.front())
                                               : fastest(compiler.tuner(), key, std::move(candidates)).implementation;
    chosen.emit(compiler, {.a = a, .b = b, .c = c});
}

void emitBiasAndActivation(Compiler& compiler, const Value& target, std::int64_t rows, std::int64_t columns,
                           const Value& bias, std::optional<model::ActivationKind> activation) {
    const bool relu = activation == model::ActivationKind::Relu;
    if (bias) {
        withElementType(target.desc, [&]<class T>(T) {
            compiler.task("native:bias", {target, bias}, [=](const StepState&) {
                parallelRows(rows, columns, [&](std::int64_t begin, std::int64_t end) {
                    kernels().pointwise<T>().addBias(target.as<T>() + begin * columns, bias.as<float>(), relu,
                                                     end - begin, columns);
                });
            });
        });
    }
    if (!activation || (relu && bias)) return;
    const auto kind = eltwiseKind(*activation);
    const auto description =
        describeEltwise(compiler.engine(), compiler.attributes(), dnnl::prop_kind::forward_inference, kind.algorithm,
                        target.desc, kind.alpha, kind.beta);
    compiler.primitive(dnnl::eltwise_forward(description), description,
                       {{DNNL_ARG_SRC, target}, {DNNL_ARG_DST, target}});
}

void emitColumnSums(Compiler& compiler, const Value& x, std::int64_t rows, std::int64_t columns, const Value& sums) {
    withElementType(x.desc, [&]<class T>(T) {
        compiler.task("native:column_sums", {x, sums}, [=](const StepState&) {
            const auto serial = std::max<std::int64_t>(1, kSerialElements / std::max<std::int64_t>(1, rows));
            parallelRanges(
                columns,
                [&](std::int64_t begin, std::int64_t end) {
                    kernels().pointwise<T>().columnSums(sums.as<float>() + begin, x.as<T>() + begin, rows, columns,
                                                        end - begin, false);
                },
                serial);
        });
    });
}

}  // namespace steelyard::compute::cpu
