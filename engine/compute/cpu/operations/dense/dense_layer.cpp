// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/operations/dense/dense_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/packed_gemm.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {

using dnnl::inner_product_backward_data;
using dnnl::inner_product_backward_weights;
using dnnl::inner_product_forward;
using plan::Pass;

namespace {

constexpr double kDenseTrialFlops = 4e9;
constexpr std::int64_t kTrialRows = 64;

// InnerProduct: weights in the library's blocked layout; PackedGemm and PackedMatMul: packed, if they are constant;
// others: weights as rows of features. The numbers are stored (Implementation::id).
enum class DenseAlgorithm { InnerProduct, InnerProductOfRows, MatMul, OpenBlas, PackedGemm, PackedMatMul };

// Creates the library's primitives of one layer for one layout of its weights. Each function throws dnnl::error if the
// library has no such primitive.
class DensePrimitives {
public:
    DensePrimitives(const Compiler& compiler, const DenseShape& shape, bool blocked)
        : m_compiler(compiler), m_shape(shape), m_blocked(blocked) {}

    [[nodiscard]] inner_product_forward::primitive_desc forward() const {
        auto attributes = m_compiler.attributes();
        if (m_shape.activation) {
            const auto kind = eltwiseKind(*m_shape.activation);
            dnnl::post_ops after;
            appendActivation(after, kind.algorithm, kind.alpha, kind.beta);
            attributes.set_post_ops(after);
        }
        const auto propagation =
            m_compiler.training() ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
        return describe<inner_product_forward>(m_compiler.engine(), attributes, propagation, source(),
                                               weights(m_shape.kind), m_shape.biasDesc(), m_shape.target());
    }
    [[nodiscard]] inner_product_backward_data::primitive_desc backwardData() const {
        return describeBackward<inner_product_backward_data>(m_compiler.engine(), m_compiler.attributes(), forward(),
                                                             source(), weights(m_shape.kind), m_shape.target());
    }
    [[nodiscard]] inner_product_backward_weights::primitive_desc backwardWeights() const {
        return describeBackward<inner_product_backward_weights>(m_compiler.engine(), m_compiler.attributes(), forward(),
                                                                source(), weights(DataKind::f32), m_shape.biasDesc(),
                                                                m_shape.target());
    }
    // packs: forward, with weights in the library's layout.
    [[nodiscard]] dnnl::matmul::primitive_desc matMul(Pass pass, bool packs = false) const {
        MatMulExtras extras;
        if (pass == Pass::Forward) extras = {m_shape.biasDesc(), m_shape.activation, packs};
        return describeMatMul(m_compiler.engine(), m_shape.product(pass), extras);
    }
    [[nodiscard]] Desc source() const { return m_blocked ? m_shape.source : m_shape.sourceRows(); }

private:
    [[nodiscard]] Desc weights(DataKind kind) const {
        return m_blocked ? m_shape.anyWeights(kind) : m_shape.weightRows(kind);
    }

    const Compiler& m_compiler;
    const DenseShape& m_shape;
    bool m_blocked;
};

// The packed gemm of a pass, with the largest affordable scratch memory. packed: forward, the weights are already
// packed.
PackedGemm packedGemm(const Compiler& compiler, const DenseShape& shape, Pass pass, bool packed) {
    PackedGemm gemm{shape.product(pass), compiler.options().threads};
    gemm.packed = packed && pass == Pass::Forward;
    if (pass == Pass::Forward && shape.activation) gemm.activation = *shape.activation;
    return fitting(compiler, gemm);
}

// The operands as matrices of a product: images as rows.
Operands matrices(const DenseShape& shape, Pass pass, Operands operands) {
    auto& data = pass == Pass::Forward ? operands.a : pass == Pass::BackwardData ? operands.c : operands.b;
    data = data.viewed(shape.sourceRows());
    return operands;
}

void emitInnerProduct(Compiler& compiler, const DenseShape& shape, bool blocked, Pass pass, const Operands& given) {
    const DensePrimitives primitives(compiler, shape, blocked);
    const auto o = blocked ? given : matrices(shape, pass, given);
    const auto withBias = [&](Compiler::Arguments arguments, int name) {
        if (o.bias) arguments.emplace_back(name, o.bias);
        return arguments;
    };
    if (pass == Pass::Forward) {
        const auto desc = primitives.forward();
        compiler.primitive(
            inner_product_forward(desc), desc,
            withBias({{DNNL_ARG_SRC, o.a}, {DNNL_ARG_WEIGHTS, o.b}, {DNNL_ARG_DST, o.c}}, DNNL_ARG_BIAS));
    } else if (pass == Pass::BackwardData) {
        const auto desc = primitives.backwardData();
        compiler.primitive(
            inner_product_backward_data(desc), desc,
            {{DNNL_ARG_DIFF_DST, o.a}, {DNNL_ARG_WEIGHTS, o.b}, {DNNL_ARG_DIFF_SRC, o.c.viewed(desc.diff_src_desc())}});
    } else {
        const auto desc = primitives.backwardWeights();
        compiler.primitive(inner_product_backward_weights(desc), desc,
                           withBias({{DNNL_ARG_SRC, o.b},
                                     {DNNL_ARG_DIFF_DST, o.a},
                                     {DNNL_ARG_DIFF_WEIGHTS, o.c.viewed(desc.diff_weights_desc())}},
                                    DNNL_ARG_DIFF_BIAS));
    }
}

void emitMatMulPrimitive(Compiler& compiler, const DenseShape& shape, Pass pass, bool packs, const Operands& given) {
    const auto o = matrices(shape, pass, given);
    const auto desc = DensePrimitives(compiler, shape, false).matMul(pass, packs);
    Compiler::Arguments arguments{{DNNL_ARG_SRC, o.a.viewed(desc.src_desc())},
                                  {DNNL_ARG_WEIGHTS, o.b.viewed(desc.weights_desc())},
                                  {DNNL_ARG_DST, o.c.viewed(desc.dst_desc())}};
    if (pass == Pass::Forward && o.bias)
        arguments.emplace_back(DNNL_ARG_BIAS, o.bias.viewed(plainDesc(Dims{1, shape.units}, DataKind::f32)));
    compiler.primitive(dnnl::matmul(desc), desc, std::move(arguments));
}

// The emit function of an algorithm. In the weight gradient only the inner product sums the bias gradient itself.
std::function<void(Compiler&, const Operands&)> emitterOf(DenseAlgorithm algorithm, const DenseShape& shape, Pass pass,
                                                          bool packs) {
    const auto withBiasGradient = [shape, pass](auto emit) {
        return [=](Compiler& compiler, const Operands& operands) {
            emit(compiler, operands);
            if (pass == Pass::BackwardWeights && operands.bias)
                emitColumnSums(compiler, operands.a, shape.rows, shape.units, operands.bias);
        };
    };
    switch (algorithm) {
        case DenseAlgorithm::InnerProduct:
        case DenseAlgorithm::InnerProductOfRows:
            return [=](Compiler& compiler, const Operands& operands) {
                emitInnerProduct(compiler, shape, algorithm == DenseAlgorithm::InnerProduct, pass, operands);
            };
        case DenseAlgorithm::MatMul:
        case DenseAlgorithm::PackedMatMul:
            return withBiasGradient([=](Compiler& compiler, const Operands& operands) {
                emitMatMulPrimitive(compiler, shape, pass, algorithm == DenseAlgorithm::PackedMatMul, operands);
            });
        case DenseAlgorithm::OpenBlas:
            return withBiasGradient([=](Compiler& compiler, const Operands& operands) {
                const auto o = matrices(shape, pass, operands);
                emitBlasProduct(compiler, BlasLibrary::OpenBlas, shape.product(pass), o.a, o.b, o.c);
                if (pass == Pass::Forward)
                    emitBiasAndActivation(compiler, o.c, shape.rows, shape.units, o.bias, shape.activation);
            });
        case DenseAlgorithm::PackedGemm:
            return withBiasGradient([=](Compiler& compiler, const Operands& operands) {
                const auto o = matrices(shape, pass, operands);
                const auto bias = pass == Pass::Forward ? o.bias : Value();
                emitPackedGemm(compiler, packedGemm(compiler, shape, pass, packs), o.a, o.b, bias, o.c);
            });
    }
    return {};
}

// Lists the candidates of each pass and chooses the fastest, for both layouts of the weights.
class DenseChooser {
public:
    DenseChooser(Compiler& compiler, const DenseShape& shape, const plan::Operation& op)
        : m_compiler(compiler), m_full(shape), m_shape(fewerRows(shape)), m_op(op) {}

    DenseChoice choose() {
        DenseChoice best;
        best.shape = m_full;  // if nothing can be tried, the library's error tells why
        best.forward = candidateOf(Pass::Forward, DenseAlgorithm::InnerProductOfRows);
        double bestSeconds = std::numeric_limits<double>::infinity();
        const auto& kernels = m_compiler.options().kernels;
        for (const bool blocked : {false, true}) {
            if (blocked && kernels == "openblas" && m_shape.kind == DataKind::f32) continue;
            if (blocked && m_compiler.isPlaced(m_op.parameters[0])) continue;  // a table stored as rows
            if (blocked && !m_compiler.affordsAnywhere(convertedBytes())) continue;
            DenseChoice choice;
            choice.shape = m_full;
            choice.blocked = blocked;
            const double seconds = chooseFor(choice);
            choice.packed = m_packs && (choice.forward.id == idOf(DenseAlgorithm::PackedGemm) ||
                                        choice.forward.id == idOf(DenseAlgorithm::PackedMatMul));
            if (seconds < bestSeconds) {
                bestSeconds = seconds;
                best = choice;
            }
        }
        if (best.blocked && m_compiler.training() && m_full.kind != DataKind::f32)
            best.master = DensePrimitives(m_compiler, m_full, true).backwardWeights().diff_weights_desc();
        return best;
    }

private:
    static char idOf(DenseAlgorithm algorithm) { return static_cast<char>('0' + static_cast<int>(algorithm)); }

    // Enough rows for a meaningful trial, few enough to keep compiling short.
    static DenseShape fewerRows(DenseShape shape) {
        const double flops = 2.0 * static_cast<double>(shape.features) * static_cast<double>(shape.units);
        const auto rows = std::max<std::int64_t>(static_cast<std::int64_t>(kDenseTrialFlops / flops), kTrialRows);
        if (rows >= shape.rows) return shape;
        auto dims = dimsOf(shape.source);
        dims[0] = shape.rows = rows;
        shape.source = shape.isImage() ? channelDesc(dims, shape.kind, channelLayout(shape.source)->block)
                                       : plainDesc(dims, shape.kind);
        return shape;
    }

    // For blocked float32 layouts: bytes of the gradient if its layout differs from the weights'. (In bf16 the weights
    // have the gradient's layout.)
    [[nodiscard]] std::int64_t convertedBytes() const {
        if (!m_compiler.training() || m_full.kind != DataKind::f32) return 0;
        try {
            const DensePrimitives primitives(m_compiler, m_full, true);
            const auto gradient = primitives.backwardWeights().diff_weights_desc();
            return gradient == primitives.forward().weights_desc() ? 0 : bytesOf(gradient);
        } catch (const dnnl::error&) {
            return 0;
        }
    }

    double chooseFor(DenseChoice& choice) {
        double seconds = choosePass(Pass::Forward, choice.blocked, choice.forward);
        if (!m_compiler.training()) return seconds;
        const auto& operations = m_compiler.plan().operations;
        for (const auto& other : operations) {
            if (other.node != m_op.node) continue;
            if (other.pass == Pass::BackwardData)
                seconds += choosePass(Pass::BackwardData, choice.blocked, choice.data);
            if (other.pass == Pass::BackwardWeights)
                seconds += choosePass(Pass::BackwardWeights, choice.blocked, choice.weights);
        }
        return seconds;
    }

    [[nodiscard]] std::vector<DenseAlgorithm> algorithmsOf(bool blocked) const {
        using A = DenseAlgorithm;
        if (blocked) return {A::InnerProduct};
        const auto& kernels = m_compiler.options().kernels;
        const bool isF32 = m_shape.kind == DataKind::f32;
        if (isF32 && kernels == "openblas") return {A::OpenBlas};
        std::vector<A> algorithms{A::InnerProductOfRows, A::MatMul};
        if (m_packs) algorithms.push_back(A::PackedMatMul);
        if (isF32 && kernels == "auto") algorithms.push_back(A::OpenBlas);
        if (kernels == "auto") algorithms.push_back(A::PackedGemm);
        return algorithms;
    }

    double choosePass(Pass pass, bool blocked, Implementation& chosen) {
        std::vector<Implementation> all;
        for (const auto algorithm : algorithmsOf(blocked)) all.push_back(candidateOf(pass, algorithm));
        auto candidates = affordable(m_compiler, all);
        if (candidates.empty() && !blocked) {  // at least one is needed
            for (auto& candidate : all) candidate.scratchBytes = 0;
            candidates = affordable(m_compiler, std::move(all));
        }
        if (candidates.empty()) return std::numeric_limits<double>::infinity();
        const auto activation = m_shape.activation && pass == Pass::Forward ? toString(*m_shape.activation) : "";
        const auto key = fmt::format("dense {} {} {} {} {} {} {} {} {}{}", toString(pass), m_shape.product(pass).text(),
                                     blocked, m_shape.isImage(), m_shape.bias, activation, m_compiler.options().threads,
                                     m_compiler.options().kernels, idsOf(candidates), m_packs ? " packed" : "") +
                         (m_cold ? " cold" : "");
        auto choice = fastest(m_compiler.tuner(), key, std::move(candidates));
        chosen = std::move(choice.implementation);
        return choice.seconds;
    }

    Implementation candidateOf(Pass pass, DenseAlgorithm algorithm) const {
        Implementation candidate{.id = idOf(algorithm)};
        candidate.weights = m_full.storedRows(pass == Pass::BackwardWeights ? DataKind::f32 : m_full.kind);
        candidate.emit = emitterOf(algorithm, m_full, pass, m_packs);
        try {
            setSizes(candidate, pass, algorithm);
        } catch (const dnnl::error&) {
            // No primitive for all rows implies none for fewer.
        }
        try {
            candidate.trial = trialOf(pass, algorithm);
        } catch (const dnnl::error&) {
            candidate.trial = {};
        }
        return candidate;
    }

    // Scratch memory and weight layout for all rows.
    void setSizes(Implementation& candidate, Pass pass, DenseAlgorithm algorithm) const {
        const bool blocked = algorithm == DenseAlgorithm::InnerProduct;
        const DensePrimitives primitives(m_compiler, m_full, blocked);
        const auto take = [&](const auto& desc, const Desc& weights) {
            candidate.scratchBytes = bytesOf(desc.scratchpad_desc());
            if (blocked) candidate.weights = weights;
        };
        switch (algorithm) {
            case DenseAlgorithm::InnerProduct:
            case DenseAlgorithm::InnerProductOfRows:
                if (pass == Pass::BackwardData) {
                    const auto desc = primitives.backwardData();
                    take(desc, desc.weights_desc());
                } else if (pass == Pass::BackwardWeights) {
                    const auto desc = primitives.backwardWeights();
                    take(desc, desc.diff_weights_desc());
                } else {
                    const auto desc = primitives.forward();
                    take(desc, desc.weights_desc());
                }
                break;
            case DenseAlgorithm::MatMul:
                candidate.scratchBytes = bytesOf(primitives.matMul(pass).scratchpad_desc());
                break;
            case DenseAlgorithm::PackedMatMul: {
                const auto desc = primitives.matMul(pass, true);
                candidate.scratchBytes = bytesOf(desc.scratchpad_desc());
                candidate.weights = desc.weights_desc().permute_axes({1, 0});
                break;
            }
            case DenseAlgorithm::OpenBlas:
                break;
            case DenseAlgorithm::PackedGemm: {
                const auto gemm = packedGemm(m_compiler, m_full, pass, m_packs);
                candidate.scratchBytes = gemm.scratchBytes();
                if (gemm.packed) candidate.weights = gemm.packedDesc();
                break;
            }
        }
    }

    // With fewer rows. Empty if the library has none or only a reference implementation.
    [[nodiscard]] TrialMaker trialOf(Pass pass, DenseAlgorithm algorithm) const {
        const DensePrimitives primitives(m_compiler, m_shape, algorithm == DenseAlgorithm::InnerProduct);
        switch (algorithm) {
            case DenseAlgorithm::InnerProduct:
            case DenseAlgorithm::InnerProductOfRows:
                return innerProductTrial(primitives, pass);
            case DenseAlgorithm::MatMul:
            case DenseAlgorithm::PackedMatMul:
                return matMulTrial(primitives.matMul(pass, algorithm == DenseAlgorithm::PackedMatMul), pass);
            case DenseAlgorithm::OpenBlas:
                return blasTrial(m_compiler.engine(), BlasLibrary::OpenBlas, m_shape.product(pass), m_cold);
            case DenseAlgorithm::PackedGemm: {
                const auto gemm = packedGemm(m_compiler, m_shape, pass, m_packs);
                return gemm.runsHere() ? gemm.trial(m_compiler.engine(), m_cold) : TrialMaker();
            }
        }
        return {};
    }

    template <class Primitive, class PrimitiveDesc>
    [[nodiscard]] TrialMaker primitiveTrialOf(const PrimitiveDesc& desc,
                                              std::vector<std::pair<int, Desc>> arguments) const {
        if (isReference(desc.impl_info_str())) return {};
        const auto cold = m_cold ? std::vector<int>{DNNL_ARG_WEIGHTS} : std::vector<int>();
        return [desc, arguments = std::move(arguments), engine = m_compiler.engine(), cold] {
            return primitiveTrial(Primitive(desc), engine, arguments, desc.scratchpad_desc(), cold);
        };
    }

    [[nodiscard]] TrialMaker innerProductTrial(const DensePrimitives& primitives, Pass pass) const {
        const auto withBias = [&](std::vector<std::pair<int, Desc>> arguments, int name) {
            if (m_shape.bias) arguments.emplace_back(name, m_shape.biasDesc());
            return arguments;
        };
        if (pass == Pass::BackwardData) {
            const auto desc = primitives.backwardData();
            return primitiveTrialOf<inner_product_backward_data>(desc, {{DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
                                                                        {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                                                                        {DNNL_ARG_DIFF_SRC, desc.diff_src_desc()}});
        }
        if (pass == Pass::BackwardWeights) {
            const auto desc = primitives.backwardWeights();
            return primitiveTrialOf<inner_product_backward_weights>(
                desc, withBias({{DNNL_ARG_DIFF_DST, desc.diff_dst_desc()},
                                {DNNL_ARG_SRC, desc.src_desc()},
                                {DNNL_ARG_DIFF_WEIGHTS, desc.diff_weights_desc()}},
                               DNNL_ARG_DIFF_BIAS));
        }
        const auto desc = primitives.forward();
        return primitiveTrialOf<inner_product_forward>(desc, withBias({{DNNL_ARG_SRC, desc.src_desc()},
                                                                       {DNNL_ARG_WEIGHTS, desc.weights_desc()},
                                                                       {DNNL_ARG_DST, desc.dst_desc()}},
                                                                      DNNL_ARG_BIAS));
    }

    [[nodiscard]] TrialMaker matMulTrial(const dnnl::matmul::primitive_desc& desc, Pass pass) const {
        std::vector<std::pair<int, Desc>> arguments{
            {DNNL_ARG_SRC, desc.src_desc()}, {DNNL_ARG_WEIGHTS, desc.weights_desc()}, {DNNL_ARG_DST, desc.dst_desc()}};
        if (pass == Pass::Forward && m_shape.bias)
            arguments.emplace_back(DNNL_ARG_BIAS, plainDesc(Dims{1, m_shape.units}, DataKind::f32));
        return primitiveTrialOf<dnnl::matmul>(desc, std::move(arguments));
    }

    // Constant weights that no other operation reads in another layout.
    [[nodiscard]] bool packs() const {
        return !m_compiler.training() && !m_full.isImage() && !m_compiler.isPlaced(m_op.parameters[0]);
    }

    Compiler& m_compiler;
    const DenseShape& m_full;
    const DenseShape m_shape;  // shape for trials
    const plan::Operation& m_op;
    const bool m_packs = packs(), m_cold = m_shape.rows == m_full.rows && m_compiler.weightsAreCold();
};

}  // namespace

Desc DenseShape::storedRows(DataKind weightKind) const {
    if (!isImage()) return weightRows(weightKind);
    auto dims = dimsOf(source);
    dims[0] = units;
    return channelDesc(dims, weightKind, channelLayout(source)->block);
}

Product DenseShape::product(Pass pass) const {
    switch (pass) {
        case Pass::BackwardData:
            return {rows, features, units, false, false, kind, kind};
        case Pass::BackwardWeights:
            return {units, features, rows, true, false, kind, DataKind::f32};
        case Pass::Forward:
        case Pass::Backward:
        case Pass::Update:
            break;
    }
    return {rows, units, features, false, true, kind, kind};
}

DenseChoice chooseDense(Compiler& compiler, const DenseShape& shape, const plan::Operation& op) {
    return DenseChooser(compiler, shape, op).choose();
}

}  // namespace steelyard::compute::cpu
