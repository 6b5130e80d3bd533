// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/gemm/gemm.h"

#include <cblas.h>
#include <fmt/format.h>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/packed_gemm.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/operations/pointwise.h"

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
                 float* c) {
    const auto leadingA = p.transposeA ? p.m : p.k;
    const auto leadingB = p.transposeB ? p.k : p.n;
    if (library == BlasLibrary::OpenBlas) {
        const auto narrow = [](std::int64_t value) { return static_cast<blasint>(value); };
        cblas_sgemm(CblasRowMajor, p.transposeA ? CblasTrans : CblasNoTrans, p.transposeB ? CblasTrans : CblasNoTrans,
                    narrow(p.m), narrow(p.n), narrow(p.k), alpha, a, narrow(leadingA), b, narrow(leadingB), beta, c,
                    narrow(p.n));
        return;
    }
    dnnl::error::wrap_c_api(dnnl_sgemm(p.transposeA ? 'T' : 'N', p.transposeB ? 'T' : 'N', p.m, p.n, p.k, alpha, a,
                                       leadingA, b, leadingB, beta, c, p.n),
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
    const auto b = operand(p.k, p.n, p.transposeB, p.kind);
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

enum class ProductWay { MatMul, OneDnnCall, OpenBlas, Own };

ProductWay fastestWay(Compiler& compiler, const Product& p, const dnnl::matmul::primitive_desc& desc,
                      const PackedGemm& own) {
    const auto& kernels = compiler.options().kernels;
    const bool narrow = p.kind != DataKind::f32;
    if (!narrow && kernels == "openblas") return ProductWay::OpenBlas;
    std::vector<TrialMaker> trials;
    std::vector<ProductWay> ways;
    const auto add = [&](ProductWay way, TrialMaker trial) {
        ways.push_back(way);
        trials.push_back(std::move(trial));
    };
    if (narrow || !isReference(desc.impl_info_str())) add(ProductWay::MatMul, matMulTrial(compiler.engine(), desc));
    if (!narrow) add(ProductWay::OneDnnCall, blasTrial(compiler.engine(), BlasLibrary::OneDnn, p));
    if (!narrow && kernels == "auto") add(ProductWay::OpenBlas, blasTrial(compiler.engine(), BlasLibrary::OpenBlas, p));
    if (kernels == "auto" && own.runsHere() && compiler.affords(own.scratchBytes()))
        add(ProductWay::Own, own.trial(compiler.engine()));
    if (ways.size() == 1) return ways.front();
    std::string listed;
    for (const auto way : ways) listed += static_cast<char>('0' + static_cast<int>(way));
    const auto key = fmt::format("product {} {} {} {}", p.text(), compiler.options().threads, kernels, listed);
    return ways[static_cast<std::size_t>(compiler.tuner().fastest(key, trials).index)];
}

}  // namespace

TrialMaker blasTrial(const dnnl::engine& engine, BlasLibrary library, const Product& product) {
    return [=]() -> Trial {
        const auto memory = [&](std::int64_t elements) {
            return trialMemory(plainDesc(Dims{elements}, DataKind::f32), engine);
        };
        return [product, library, a = memory(product.m * product.k), b = memory(product.k * product.n),
                c = memory(product.m * product.n)] {
            blasProduct(library, product, 1, static_cast<const float*>(a.get_data_handle()),
                        static_cast<const float*>(b.get_data_handle()), 0, static_cast<float*>(c.get_data_handle()));
        };
    };
}

void emitProduct(Compiler& compiler, const Product& product, const Value& a, const Value& b, const Value& c) {
    const auto desc = describeMatMul(compiler.engine(), product, {});
    const auto own = fitting(compiler, {product, compiler.options().threads});
    const auto way = fastestWay(compiler, product, desc, own);
    if (way == ProductWay::MatMul) {
        compiler.primitive(dnnl::matmul(desc), desc,
                           {{DNNL_ARG_SRC, a.viewed(desc.src_desc())},
                            {DNNL_ARG_WEIGHTS, b.viewed(desc.weights_desc())},
                            {DNNL_ARG_DST, c.viewed(desc.dst_desc())}});
        return;
    }
    if (way == ProductWay::Own) {
        emitPackedGemm(compiler, own, a, b, {}, c);
        return;
    }
    const auto library = way == ProductWay::OneDnnCall ? BlasLibrary::OneDnn : BlasLibrary::OpenBlas;
    compiler.task(library == BlasLibrary::OneDnn ? "onednn:sgemm" : "openblas:sgemm", {a, b, c}, [=](const StepState&) {
        blasProduct(library, product, 1, a.as<float>(), b.as<float>(), 0, c.as<float>());
    });
}

void emitBiasAndActivation(Compiler& compiler, const Value& target, std::int64_t rows, std::int64_t columns,
                           const Value& bias, std::optional<model::ActivationKind> activation) {
    const bool relu = activation == model::ActivationKind::Relu;
    if (bias) {
        withElementType(target.desc, [&]<class T>(T) {
            compiler.task("own:bias", {target, bias}, [=](const StepState&) {
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
        compiler.task("own:column_sums", {x, sums}, [=](const StepState&) {
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
