// SPDX-License-Identifier: Apache-2.0
// Dense layers: y = x W^T + b over the last dimension. The layout of the weights and the library are chosen by trying.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/compute/cpu/emitters.h"
#include "engine/compute/cpu/folding.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/layout.h"
#include "engine/compute/cpu/pointwise.h"
#include "engine/compute/cpu/products.h"

namespace steelyard::compute::cpu {
namespace {

using dnnl::inner_product_backward_data;
using dnnl::inner_product_backward_weights;
using dnnl::inner_product_forward;
using plan::Pass;

constexpr double kTrialFlops = 4e9;
constexpr std::int64_t kTrialRows = 64;

// InnerProduct: weights in the library's blocked layout; the others: weights as rows of features.
enum class Way { InnerProduct, InnerProductOfRows, MatMul, OpenBlas };

struct DenseShape {
    std::int64_t rows = 0, features = 0, units = 0;  // features as they lie, with padded channels
    Desc source;                                     // [rows, features], or a flattened image as it lies
    bool bias = false;
    DataKind kind = DataKind::f32;
    std::optional<model::ActivationKind> activation;

    [[nodiscard]] bool isImage() const { return dimsOf(source).size() == 4; }
    [[nodiscard]] Desc sourceRows() const { return plainDesc(Dims{rows, features}, kind); }
    [[nodiscard]] Desc target() const { return plainDesc(Dims{rows, units}, kind); }
    [[nodiscard]] Desc weightRows(DataKind weightKind) const { return plainDesc(Dims{units, features}, weightKind); }
    [[nodiscard]] Desc biasDesc() const { return bias ? plainDesc(Dims{units}, DataKind::f32) : Desc(); }
    // The rows of weights, described so that a flattened image's features are in the Plan's order.
    [[nodiscard]] Desc storedRows(DataKind weightKind) const;
    [[nodiscard]] Desc anyWeights(DataKind weightKind) const {
        auto dims = dimsOf(source);
        dims[0] = units;
        return anyDesc(dims, weightKind);
    }
    [[nodiscard]] Product product(Pass pass) const;
};

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

struct DenseMemory {
    DenseShape shape;
    bool blocked = false;
    Way forward = Way::InnerProduct, data = Way::InnerProduct, weights = Way::InnerProduct;
    bool fusedUpdate = false;
    std::optional<inner_product_forward::primitive_desc> hint;  // of the chosen layout
};

// Makes the primitives of one layer in one layout of its weights.
class DensePrimitives {
public:
    DensePrimitives(Compiler& compiler, const DenseShape& shape, bool blocked)
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
    [[nodiscard]] dnnl::matmul::primitive_desc matMul(Pass pass) const {
        MatMulExtras extras;
        if (pass == Pass::Forward) extras = {m_shape.biasDesc(), m_shape.activation};
        return describeMatMul(m_compiler.engine(), m_shape.product(pass), extras);
    }
    [[nodiscard]] Desc source() const { return m_blocked ? m_shape.source : m_shape.sourceRows(); }

private:
    [[nodiscard]] Desc weights(DataKind kind) const {
        return m_blocked ? m_shape.anyWeights(kind) : m_shape.weightRows(kind);
    }

    Compiler& m_compiler;
    const DenseShape& m_shape;
    bool m_blocked;
};

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
            DenseMemory candidate;
            candidate.shape = m_full;
            candidate.blocked = blocked;
            const double seconds = chooseFor(candidate);
            if (seconds < bestSeconds) {
                bestSeconds = seconds;
                best = candidate;
            }
        }
        if (best.forward == Way::InnerProduct || best.forward == Way::InnerProductOfRows || m_compiler.training())
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

    [[nodiscard]] std::vector<Way> waysOf(bool blocked) const {
        if (blocked) return {Way::InnerProduct};
        const auto& kernels = m_compiler.options().kernels;
        if (m_shape.kind != DataKind::f32) return {Way::InnerProductOfRows, Way::MatMul};
        if (kernels == "openblas") return {Way::OpenBlas};
        if (kernels == "onednn") return {Way::InnerProductOfRows, Way::MatMul};
        return {Way::InnerProductOfRows, Way::MatMul, Way::OpenBlas};
    }

    double choosePass(Pass pass, bool blocked, Way& way) {
        const auto ways = waysOf(blocked);
        std::vector<TrialMaker> trials;
        std::vector<Way> tried;
        const auto collect = [&](bool anyScratch) {
            for (const auto one : ways) {
                if (!anyScratch && !m_compiler.affords(0, scratchOf(pass, blocked, one))) continue;
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
        const auto key = fmt::format("dense {} {} {} {} {} {} {} {} {}", toString(pass), m_shape.product(pass).text(),
                                     blocked, m_shape.isImage(), m_shape.bias, activation, m_compiler.options().threads,
                                     m_compiler.options().kernels, listed(tried));
        const auto choice = m_compiler.tuner().fastest(key, trials);
        way = tried[static_cast<std::size_t>(choice.index)];
        return choice.seconds;
    }

    // An index chosen among some ways says nothing about another list.
    static std::string listed(const std::vector<Way>& ways) {
        std::string text;
        for (const auto way : ways) text += static_cast<char>('0' + static_cast<int>(way));
        return text;
    }

    // Of all rows, in bytes; 0 where there is no such primitive.
    std::int64_t scratchOf(Pass pass, bool blocked, Way way) {
        try {
            const DensePrimitives primitives(m_compiler, m_full, blocked);
            if (way == Way::OpenBlas) return 0;
            if (way == Way::MatMul) return bytesOf(primitives.matMul(pass).scratchpad_desc());
            if (pass == Pass::BackwardData) return bytesOf(primitives.backwardData().scratchpad_desc());
            if (pass == Pass::BackwardWeights) return bytesOf(primitives.backwardWeights().scratchpad_desc());
            return bytesOf(primitives.forward().scratchpad_desc());
        } catch (const dnnl::error&) {
            return 0;
        }
    }

    // Nothing when the library has no, or only a reference, implementation.
    TrialMaker trialOf(Pass pass, bool blocked, Way way) {
        try {
            const DensePrimitives primitives(m_compiler, m_shape, blocked);
            switch (way) {
                case Way::InnerProduct:
                case Way::InnerProductOfRows:
                    return innerProductTrial(primitives, pass);
                case Way::MatMul:
                    return matMulTrial(primitives.matMul(pass), pass);
                case Way::OpenBlas:
                    return blasTrial(m_compiler.engine(), BlasLibrary::OpenBlas, m_shape.product(pass));
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

    Compiler& m_compiler;
    const DenseShape& m_full;
    const DenseShape m_shape;  // what is tried
    const plan::Operation& m_op;
};

// A flattened image is read as it lies, and the weights are laid out to match; all else as rows of features.
Value sourceOf(Compiler& compiler, const plan::Operation& op, DenseShape& shape) {
    auto x = compiler.value(op.inputs[0]);
    if (dimsOf(x.desc).size() == 4 && channelLayout(x.desc)) {
        shape.source = x.desc;
        shape.features = channelLayout(x.desc)->size() / shape.rows;
        return x;
    }
    x = compiler.plainValue(op.inputs[0]);
    shape.source = x.desc = plainDesc(Dims{shape.rows, shape.features}, kindOf(x.desc));
    return x;
}

DenseShape shapeOf(const Compiler& compiler, const plan::Operation& op) {
    DenseShape shape;
    const auto& weights = compiler.tensor(op.parameters[0]).dims;
    shape.units = weights[0];
    shape.features = weights[1];
    shape.rows = compiler.tensor(op.output).elements() / shape.units;
    shape.bias = op.parameters.size() > 1 || !compiler.fusion().normalisation.empty();
    shape.kind = dataKind(compiler.tensor(op.output).type);
    shape.activation = compiler.fusion().activation;
    return shape;
}

// The weights as this way reads them.
Value weightsOf(Compiler& compiler, const DenseMemory& memory, TensorId id) {
    if (memory.blocked) {
        if (compiler.training() && memory.shape.kind != DataKind::f32)
            compiler.placeMaster(id,
                                 DensePrimitives(compiler, memory.shape, true).backwardWeights().diff_weights_desc());
        return compiler.weight(id, memory.hint->weights_desc());
    }
    return compiler.weight(id, memory.shape.storedRows(memory.shape.kind))
        .viewed(memory.shape.weightRows(memory.shape.kind));
}

Result<void> emitForward(Compiler& compiler, const plan::Operation& op) {
    auto shape = shapeOf(compiler, op);
    const auto x = sourceOf(compiler, op, shape);
    const auto memory = DenseChooser(compiler, shape, op).choose();
    Value weights, bias;
    if (compiler.fusion().normalisation.empty()) {
        weights = weightsOf(compiler, memory, op.parameters[0]);
        if (shape.bias) bias = compiler.weight(op.parameters[1], shape.biasDesc());
    } else {
        auto dims = dimsOf(shape.source);
        dims[0] = shape.units;
        const auto layout = memory.blocked ? memory.hint->weights_desc() : shape.storedRows(shape.kind);
        const auto folded = foldNormalisation(compiler, op, dims, layout);
        weights = memory.blocked ? folded.weights : folded.weights.viewed(shape.weightRows(shape.kind));
        bias = folded.bias;
    }
    const auto y = compiler.define(op.output, compiler.plainDescOf(op.output)).viewed(shape.target());
    const auto rows = x.viewed(shape.sourceRows());
    if (memory.forward == Way::OpenBlas) {
        const auto product = shape.product(Pass::Forward);
        compiler.task("openblas:sgemm", {rows, weights, y}, [=](const StepState&) {
            blasProduct(BlasLibrary::OpenBlas, product, 1, rows.as<float>(), weights.as<float>(), 0, y.as<float>());
        });
        emitBiasAndActivation(compiler, y, shape.rows, shape.units, bias, shape.activation);
    } else if (memory.forward == Way::MatMul) {
        const auto desc = DensePrimitives(compiler, shape, false).matMul(Pass::Forward);
        Compiler::Arguments arguments{{DNNL_ARG_SRC, rows.viewed(desc.src_desc())},
                                      {DNNL_ARG_WEIGHTS, weights.viewed(desc.weights_desc())},
                                      {DNNL_ARG_DST, y}};
        if (bias) arguments.emplace_back(DNNL_ARG_BIAS, bias.viewed(plainDesc(Dims{1, shape.units}, DataKind::f32)));
        compiler.primitive(dnnl::matmul(desc), desc, std::move(arguments));
    } else {
        const auto& desc = *memory.hint;
        Compiler::Arguments arguments{
            {DNNL_ARG_SRC, memory.blocked ? x : rows}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, y}};
        if (bias) arguments.emplace_back(DNNL_ARG_BIAS, bias);
        compiler.primitive(inner_product_forward(desc), desc, std::move(arguments));
    }
    compiler.remember(op.node, memory);
    return {};
}

Result<void> emitBackwardData(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<DenseMemory>(op.node);
    const auto& shape = memory.shape;
    const auto dy = compiler.plainValue(op.outputGradient).viewed(shape.target());
    const auto weights = weightsOf(compiler, memory, op.parameters[0]);
    const auto target =
        compiler.inputGradient(op, 0, shape.isImage() ? shape.source : compiler.plainDescOf(op.inputGradients[0]));
    const auto dx = target.value.viewed(shape.sourceRows());
    if (memory.data == Way::OpenBlas) {
        const auto product = shape.product(Pass::BackwardData);
        compiler.task("openblas:sgemm", {dy, weights, dx}, [=](const StepState&) {
            blasProduct(BlasLibrary::OpenBlas, product, 1, dy.as<float>(), weights.as<float>(), 0, dx.as<float>());
        });
    } else if (memory.data == Way::MatMul) {
        const auto desc = DensePrimitives(compiler, shape, false).matMul(Pass::BackwardData);
        compiler.primitive(
            dnnl::matmul(desc), desc,
            {{DNNL_ARG_SRC, dy}, {DNNL_ARG_WEIGHTS, weights.viewed(desc.weights_desc())}, {DNNL_ARG_DST, dx}});
    } else {
        const auto desc = DensePrimitives(compiler, shape, memory.blocked).backwardData();
        const auto stored = memory.blocked ? compiler.weight(op.parameters[0], desc.weights_desc()) : weights;
        compiler.primitive(inner_product_backward_data(desc), desc,
                           {{DNNL_ARG_DIFF_DST, dy},
                            {DNNL_ARG_WEIGHTS, stored},
                            {DNNL_ARG_DIFF_SRC, target.value.viewed(desc.diff_src_desc())}});
    }
    compiler.finishGradient(target);
    return {};
}

Result<void> emitBackwardWeights(Compiler& compiler, const plan::Operation& op) {
    const auto& memory = compiler.recall<DenseMemory>(op.node);
    const auto& shape = memory.shape;
    const auto source = compiler.valueAs(op.inputs[0], shape.source);
    const auto rows = source.viewed(shape.sourceRows());
    const auto dy = compiler.plainValue(op.outputGradient).viewed(shape.target());
    GradientTarget bias;
    if (shape.bias) bias = compiler.parameterGradient(op, 1, shape.biasDesc());
    GradientTarget weights;
    if (memory.weights == Way::InnerProduct || memory.weights == Way::InnerProductOfRows) {
        const auto desc = DensePrimitives(compiler, shape, memory.blocked).backwardWeights();
        weights = compiler.parameterGradient(
            op, 0, memory.blocked ? desc.diff_weights_desc() : shape.storedRows(DataKind::f32));
        Compiler::Arguments arguments{{DNNL_ARG_SRC, memory.blocked ? source : rows},
                                      {DNNL_ARG_DIFF_DST, dy},
                                      {DNNL_ARG_DIFF_WEIGHTS, weights.value.viewed(desc.diff_weights_desc())}};
        if (shape.bias) arguments.emplace_back(DNNL_ARG_DIFF_BIAS, bias.value);
        compiler.primitive(inner_product_backward_weights(desc), desc, std::move(arguments));
    } else {
        weights = compiler.parameterGradient(op, 0, shape.storedRows(DataKind::f32));
        const auto dw = weights.value;
        const auto product = shape.product(Pass::BackwardWeights);
        if (memory.weights == Way::OpenBlas) {
            compiler.task("openblas:sgemm", {dy, rows, dw}, [=](const StepState&) {
                blasProduct(BlasLibrary::OpenBlas, product, 1, dy.as<float>(), rows.as<float>(), 0, dw.as<float>());
            });
        } else {
            const auto desc = DensePrimitives(compiler, shape, false).matMul(Pass::BackwardWeights);
            compiler.primitive(dnnl::matmul(desc), desc,
                               {{DNNL_ARG_SRC, dy.viewed(desc.src_desc())},
                                {DNNL_ARG_WEIGHTS, rows.viewed(desc.weights_desc())},
                                {DNNL_ARG_DST, dw.viewed(desc.dst_desc())}});
        }
        if (shape.bias) emitColumnSums(compiler, dy, shape.rows, shape.units, bias.value);
    }
    compiler.finishGradient(weights);
    compiler.finishGradient(bias);
    return {};
}

}  // namespace

Result<void> emitMatMul(Compiler& compiler, const plan::Operation& op) {
    switch (op.pass) {
        case Pass::BackwardData:
            return emitBackwardData(compiler, op);
        case Pass::BackwardWeights:
            return emitBackwardWeights(compiler, op);
        default:
            return emitForward(compiler, op);
    }
}

}  // namespace steelyard::compute::cpu
