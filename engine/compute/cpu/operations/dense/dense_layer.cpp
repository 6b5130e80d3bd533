// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cpu/operations/dense/dense_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/operations/pointwise.h"

namespace steelyard::compute::cpu {

using dnnl::inner_product_backward_data;
using dnnl::inner_product_backward_weights;
using dnnl::inner_product_forward;
using plan::Pass;

namespace {

constexpr double kTrialFlops = 4e9;
constexpr std::int64_t kTrialRows = 64;

// Finds the fastest way for each pass.
class DenseChooser {
public:
    DenseChooser(Compiler& compiler, const DenseShape& shape, const plan::Operation& op)
        : m_compiler(compiler), m_full(shape), m_shape(fewerRows(shape)), m_op(op) {}

    DenseMemory choose() {
        DenseMemory best;
        double bestSeconds = std::numeric_limits<double>::infinity();
        const auto& kernels = m_compiler.options().kernels;
        for (const bool blocked : {false, true}) {
            if (blocked && kernels == "openblas" && m_shape.kind == DataKind::f32) continue;
            if (blocked && m_compiler.isPlaced(m_op.parameters[0])) continue;  // a table that lies as rows
            if (blocked && !m_compiler.affordsAnywhere(convertedBytes())) continue;
            DenseMemory candidate;
            candidate.shape = m_full;
            candidate.blocked = blocked;
            const double seconds = chooseFor(candidate);
            candidate.packed = m_packs && candidate.forward == DenseWay::PackedGemm;
            if (seconds < bestSeconds) {
                bestSeconds = seconds;
                best = candidate;
            }
        }
        if (best.forward == DenseWay::InnerProduct || best.forward == DenseWay::InnerProductOfRows ||
            m_compiler.training())
            best.hint = DensePrimitives(m_compiler, m_full, best.blocked).forward();
        return best;
    }

private:
    // Enough rows to see a difference, few enough to keep compiling short.
    static DenseShape fewerRows(DenseShape shape) {
        const double flops = 2.0 * static_cast<double>(shape.features) * static_cast<double>(shape.units);
        const auto rows = std::max<std::int64_t>(static_cast<std::int64_t>(kTrialFlops / flops), kTrialRows);
        if (rows >= shape.rows) return shape;
        auto dims = dimsOf(shape.source);
        dims[0] = shape.rows = rows;
        shape.source = shape.isImage() ? channelDesc(dims, shape.kind, channelLayout(shape.source)->block)
                                       : plainDesc(dims, shape.kind);
        return shape;
    }

    // In blocked layouts of float32: the gradient, where it does not lie as the weights do that it is to change.
    // (Narrow types keep the weights as the gradient lies.)
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

    double chooseFor(DenseMemory& candidate) {
        double seconds = choosePass(Pass::Forward, candidate.blocked, candidate.forward);
        if (!m_compiler.training()) return seconds;
        const auto& operations = m_compiler.plan().operations;
        for (const auto& other : operations) {
            if (other.node != m_op.node) continue;
            if (other.pass == Pass::BackwardData)
                seconds += choosePass(Pass::BackwardData, candidate.blocked, candidate.data);
            if (other.pass == Pass::BackwardWeights)
                seconds += choosePass(Pass::BackwardWeights, candidate.blocked, candidate.weights);
        }
        return seconds;
    }

    [[nodiscard]] std::vector<DenseWay> waysOf(bool blocked) const {
        if (blocked) return {DenseWay::InnerProduct};
        const auto& kernels = m_compiler.options().kernels;
        const bool narrow = m_shape.kind != DataKind::f32;
        if (narrow && kernels == "auto") return {DenseWay::InnerProductOfRows, DenseWay::MatMul, DenseWay::PackedGemm};
        if (narrow) return {DenseWay::InnerProductOfRows, DenseWay::MatMul};
        if (kernels == "openblas") return {DenseWay::OpenBlas};
        if (kernels == "onednn") return {DenseWay::InnerProductOfRows, DenseWay::MatMul};
        return {DenseWay::InnerProductOfRows, DenseWay::MatMul, DenseWay::OpenBlas, DenseWay::PackedGemm};
    }

    double choosePass(Pass pass, bool blocked, DenseWay& way) {
        const auto ways = waysOf(blocked);
        std::vector<TrialMaker> trials;
        std::vector<DenseWay> tried;
        const auto collect = [&](bool anyScratch) {
            for (const auto one : ways) {
                if (!anyScratch && !m_compiler.affords(scratchOf(pass, blocked, one))) continue;
                auto trial = trialOf(pass, blocked, one);
                if (!trial) continue;
                trials.push_back(std::move(trial));
                tried.push_back(one);
            }
        };
        collect(false);
        if (trials.empty() && !blocked) collect(true);  // something must do
        if (trials.empty()) return std::numeric_limits<double>::infinity();
        const auto activation = m_shape.activation && pass == Pass::Forward ? toString(*m_shape.activation) : "";
        const auto key = fmt::format("dense {} {} {} {} {} {} {} {} {}{}", toString(pass), m_shape.product(pass).text(),
                                     blocked, m_shape.isImage(), m_shape.bias, activation, m_compiler.options().threads,
                                     m_compiler.options().kernels, listed(tried), m_packs ? " packed" : "");
        const auto choice = m_compiler.tuner().fastest(key, trials);
        way = tried[static_cast<std::size_t>(choice.index)];
        return choice.seconds;
    }

    // An index chosen among some ways says nothing about another list.
    static std::string listed(const std::vector<DenseWay>& ways) {
        std::string text;
        for (const auto way : ways) text += static_cast<char>('0' + static_cast<int>(way));
        return text;
    }

    // Of all rows, in bytes; 0 where there is no such primitive.
    std::int64_t scratchOf(Pass pass, bool blocked, DenseWay way) {
        try {
            const DensePrimitives primitives(m_compiler, m_full, blocked);
            if (way == DenseWay::OpenBlas) return 0;
            if (way == DenseWay::PackedGemm) return packedGemm(m_compiler, m_full, pass, m_packs).scratchBytes();
            if (way == DenseWay::MatMul) return bytesOf(primitives.matMul(pass).scratchpad_desc());
            if (pass == Pass::BackwardData) return bytesOf(primitives.backwardData().scratchpad_desc());
            if (pass == Pass::BackwardWeights) return bytesOf(primitives.backwardWeights().scratchpad_desc());
            return bytesOf(primitives.forward().scratchpad_desc());
        } catch (const dnnl::error&) {
            return 0;
        }
    }

    // Nothing when the library has no, or only a reference, implementation.
    TrialMaker trialOf(Pass pass, bool blocked, DenseWay way) {
        try {
            const DensePrimitives primitives(m_compiler, m_shape, blocked);
            switch (way) {
                case DenseWay::InnerProduct:
                case DenseWay::InnerProductOfRows:
                    return innerProductTrial(primitives, pass);
                case DenseWay::MatMul:
                    return matMulTrial(primitives.matMul(pass), pass);
                case DenseWay::OpenBlas:
                    return blasTrial(m_compiler.engine(), BlasLibrary::OpenBlas, m_shape.product(pass));
                case DenseWay::PackedGemm:
                    return ownTrial(packedGemm(m_compiler, m_shape, pass, m_packs));
            }
        } catch (const dnnl::error&) {
            return {};
        }
        return {};
    }

    template <class Primitive, class PrimitiveDesc>
    TrialMaker primitiveTrialOf(const PrimitiveDesc& desc, std::vector<std::pair<int, Desc>> arguments) {
        if (isReference(desc.impl_info_str())) return {};
        return [desc, arguments = std::move(arguments), engine = m_compiler.engine()] {
            return primitiveTrial(Primitive(desc), engine, arguments, desc.scratchpad_desc());
        };
    }

    TrialMaker innerProductTrial(const DensePrimitives& primitives, Pass pass) {
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

    TrialMaker matMulTrial(const dnnl::matmul::primitive_desc& desc, Pass pass) {
        std::vector<std::pair<int, Desc>> arguments{
            {DNNL_ARG_SRC, desc.src_desc()}, {DNNL_ARG_WEIGHTS, desc.weights_desc()}, {DNNL_ARG_DST, desc.dst_desc()}};
        if (pass == Pass::Forward && m_shape.bias)
            arguments.emplace_back(DNNL_ARG_BIAS, plainDesc(Dims{1, m_shape.units}, DataKind::f32));
        return primitiveTrialOf<dnnl::matmul>(desc, std::move(arguments));
    }

    [[nodiscard]] TrialMaker ownTrial(const PackedGemm& gemm) const {
        return gemm.runsHere() ? gemm.trial(m_compiler.engine()) : TrialMaker();
    }

    // Weights that nobody else reads in another way, and nothing changes.
    [[nodiscard]] bool packs() const {
        return !m_compiler.training() && !m_full.isImage() && !m_compiler.isPlaced(m_op.parameters[0]);
    }

    Compiler& m_compiler;
    const DenseShape& m_full;
    const DenseShape m_shape;  // what is tried
    const plan::Operation& m_op;
    const bool m_packs = packs();
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
        default:
            return {rows, units, features, false, true, kind, kind};
    }
}

inner_product_forward::primitive_desc DensePrimitives::forward() const {
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

inner_product_backward_data::primitive_desc DensePrimitives::backwardData() const {
    return describeBackward<inner_product_backward_data>(m_compiler.engine(), m_compiler.attributes(), forward(),
                                                         source(), weights(m_shape.kind), m_shape.target());
}

inner_product_backward_weights::primitive_desc DensePrimitives::backwardWeights() const {
    return describeBackward<inner_product_backward_weights>(m_compiler.engine(), m_compiler.attributes(), forward(),
                                                            source(), weights(DataKind::f32), m_shape.biasDesc(),
                                                            m_shape.target());
}

dnnl::matmul::primitive_desc DensePrimitives::matMul(Pass pass) const {
    MatMulExtras extras;
    if (pass == Pass::Forward) extras = {m_shape.biasDesc(), m_shape.activation};
    return describeMatMul(m_compiler.engine(), m_shape.product(pass), extras);
}

PackedGemm packedGemm(const Compiler& compiler, const DenseShape& shape, Pass pass, bool packed) {
    PackedGemm gemm{shape.product(pass), compiler.options().threads};
    gemm.packed = packed && pass == Pass::Forward;
    if (pass == Pass::Forward && shape.activation) gemm.activation = activationOf(*shape.activation);
    return fitting(compiler, gemm);
}

DenseMemory chooseDense(Compiler& compiler, const DenseShape& shape, const plan::Operation& op) {
    return DenseChooser(compiler, shape, op).choose();
}

}  // namespace steelyard::compute::cpu
