// SPDX-License-Identifier: Apache-2.0
// Products, normalisations and softmax.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/model/onnx/importer.h"

#include "engine/core/messages/onnx.h"

namespace steelyard::model::onnx {
namespace {

// y = x W^T + b as a dense layer; the matrix is [K, N] in the file, or [N, K] if `rows`.
Result<Value> dense(const NodeContext& node, const Value& x, const Value& matrix, bool rows, const Value* bias,
                    double alpha = 1, double beta = 1) {
    const auto units = matrix.shape[rows ? 0 : 1], features = matrix.shape[rows ? 1 : 0];
    if (x.shape.empty() || x.shape.back() != features)
        return node.invalid(messages::shapesDoNotMatch(model::toString(x.shape), model::toString(matrix.shape)));
    const Init init{InitKind::GlorotUniform, 0, features, units};
    std::vector<NodeContext::Stored> parameters{{&matrix, "weight", {units, features}, init, !rows, alpha}};
    if (bias != nullptr) parameters.push_back({bias, "bias", {units}, Init{InitKind::Constant, 0, 1, 1}, false, beta});
    auto shape = x.shape;
    shape.back() = units;
    auto input = x;
    if (x.shape.size() == 1 || x.shape.size() > 3) {
        ASSIGN(input, node.reshaped(x, {elements(x.shape) / features, features}));
    }
    auto result = input.shape;
    result.back() = units;
    ASSIGN(const auto y, node.layer(Dense{units, bias != nullptr}, {input}, parameters, std::move(result)));
    return node.reshaped(y, std::move(shape));
}

Result<void> matrixProduct(const NodeContext& node) {
    const auto& a = node.in(0);
    const auto& b = node.in(1);
    if (!a.isKnown() && b.isKnown() && isFloat(a) && b.shape.size() == 2 && !a.shape.empty())
        return node.setResult(dense(node, a, b, false, nullptr));
    return node.setResult(node.apply(MatrixProduct{}, {a, b}));
}

Result<void> gemm(const NodeContext& node) {
    const double alpha = node.real("alpha", 1), beta = node.real("beta", 1);
    const bool transA = node.whole("transA", 0) != 0, transB = node.whole("transB", 0) != 0;
    auto a = node.in(0), b = node.in(1);
    if (node.rank(0) != 2 || node.rank(1) != 2) return node.invalid(messages::twoMatrices());
    if (transA) {
        ASSIGN(a, node.transposed(a, {1, 0}));
    }
    const Value* c = node.has(2) ? &node.in(2) : nullptr;
    if (!a.isKnown() && b.isKnown() && isFloat(a)) {
        const auto units = b.shape[transB ? 0 : 1];
        const bool plainBias = c != nullptr && c->isKnown() && elements(c->shape) == units && !c->shape.empty() &&
                               c->shape.back() == units;
        ASSIGN(auto y, dense(node, a, b, transB, plainBias ? c : nullptr, alpha, beta));
        if (c == nullptr || plainBias) return node.setResult(y);
        auto addend = *c;
        if (beta != 1) {
            ASSIGN(addend, node.apply(Map{MapKind::Scale, beta, 0}, {addend}));
        }
        return node.setResult(node.apply(Map{MapKind::Add}, {y, addend}));
    }
    if (transB) {
        ASSIGN(b, node.transposed(b, {1, 0}));
    }
    ASSIGN(auto y, node.apply(MatrixProduct{}, {a, b}));
    if (alpha != 1) {
        ASSIGN(y, node.apply(Map{MapKind::Scale, alpha, 0}, {y}));
    }
    if (c == nullptr || beta == 0) return node.setResult(y);
    auto addend = *c;
    if (beta != 1) {
        ASSIGN(addend, node.apply(Map{MapKind::Scale, beta, 0}, {addend}));
    }
    return node.setResult(node.apply(Map{MapKind::Add}, {y, addend}));
}

// Einstein summation of one or two operands without ellipses or repeated letters in one operand.
class Einsum {
public:
    explicit Einsum(const NodeContext& node) : m_node(node) {}

    Result<void> run() {
        auto equation = m_node.text("equation", "");
        equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
        const auto arrow = equation.find("->");
        const auto left = equation.substr(0, arrow);
        const auto comma = left.find(',');
        std::vector<std::string> terms{left.substr(0, comma)};
        if (comma != std::string::npos) terms.push_back(left.substr(comma + 1));
        if (terms.size() != m_node.inputs() || left.find('.') != std::string::npos ||
            terms.back().find(',') != std::string::npos)
            return m_node.unsupported(messages::equation(equation));
        std::string out = arrow == std::string::npos ? implicitOutput(left) : equation.substr(arrow + 2);
        std::vector<Value> operands;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            auto letters = terms[i];
            std::sort(letters.begin(), letters.end());
            if (std::adjacent_find(letters.begin(), letters.end()) != letters.end())
                return m_node.unsupported(messages::equation(equation));
            if (static_cast<std::int64_t>(terms[i].size()) != m_node.rank(i))
                return m_node.invalid(messages::equationMismatch(equation));
            for (std::size_t d = 0; d < terms[i].size(); ++d)
                if (!m_extents.emplace(terms[i][d], m_node.shape(i)[d]).second &&
                    m_extents[terms[i][d]] != m_node.shape(i)[d])
                    return m_node.invalid(messages::operandsDoNotMatch());
            ASSIGN(auto operand, summed(m_node.in(i), terms[i], out + (terms.size() == 2 ? terms[1 - i] : "")));
            operands.push_back(std::move(operand));
        }
        for (char letter : out)
            if (!m_extents.contains(letter)) return m_node.invalid(messages::unknownLetter());
        if (terms.size() == 1) return m_node.setResult(ordered(operands[0], terms[0], out));
        return product(operands, terms, out);
    }

private:
    static std::string implicitOutput(std::string left) {
        std::sort(left.begin(), left.end());
        std::string out;
        for (char letter : left)
            if (letter != ',' && std::count(left.begin(), left.end(), letter) == 1) out += letter;
        return out;
    }
    // Sums over letters that occur in one operand only.
    Result<Value> summed(const Value& value, std::string& term, const std::string& kept) {
        std::vector<std::int64_t> axes;
        std::string rest;
        for (std::size_t d = 0; d < term.size(); ++d) {
            if (kept.find(term[d]) == std::string::npos) {
                axes.push_back(static_cast<std::int64_t>(d));
            } else {
                rest += term[d];
            }
        }
        if (axes.empty()) return value;
        term = rest;
        return m_node.apply(Reduce{ReduceKind::Sum, axes, false, false}, {value});
    }
    Result<Value> ordered(const Value& value, const std::string& from, const std::string& to) {
        std::vector<std::int64_t> order;
        for (char letter : to) order.push_back(static_cast<std::int64_t>(from.find(letter)));
        return m_node.transposed(value, order);
    }
    [[nodiscard]] std::int64_t count(const std::string& letters) const {
        std::int64_t product = 1;
        for (char letter : letters) product *= m_extents.at(letter);
        return product;
    }
    Result<void> product(const std::vector<Value>& operands, const std::vector<std::string>& terms,
                         const std::string& out) {
        std::string batch, rows, columns, inner;
        for (char letter : terms[0]) {
            const bool shared = terms[1].find(letter) != std::string::npos;
            const bool kept = out.find(letter) != std::string::npos;
            (shared ? (kept ? batch : inner) : rows) += letter;
        }
        for (char letter : terms[1])
            if (terms[0].find(letter) == std::string::npos) columns += letter;
        ASSIGN(auto a, ordered(operands[0], terms[0], batch + rows + inner));
        ASSIGN(auto b, ordered(operands[1], terms[1], batch + inner + columns));
        ASSIGN(a, m_node.reshaped(a, {count(batch), count(rows), count(inner)}));
        ASSIGN(b, m_node.reshaped(b, {count(batch), count(inner), count(columns)}));
        ASSIGN(auto c, m_node.apply(MatrixProduct{}, {a, b}));
        Shape shape;
        for (char letter : batch + rows + columns) shape.push_back(m_extents.at(letter));
        ASSIGN(c, m_node.reshaped(c, shape));
        return m_node.setResult(ordered(c, batch + rows + columns, out));
    }

    const NodeContext& m_node;
    std::map<char, std::int64_t> m_extents;
};

Translate softmax(bool logarithm) {
    return [=](const NodeContext& node) -> Result<void> {
        const auto& x = node.in(0);
        if (node.opset() >= 13) {
            ASSIGN(const auto axis, node.axis(node.whole("axis", -1), node.rank()));
            return node.setResult(node.apply(SoftmaxAlong{axis, logarithm}, {x}));
        }
        // Over all dimensions from the axis on.
        ASSIGN(const auto axis, node.axis(node.whole("axis", 1), node.rank()));
        const auto rows = elements(Shape(x.shape.begin(), x.shape.begin() + axis));
        ASSIGN(const auto matrix, node.reshaped(x, {rows, elements(x.shape) / std::max<std::int64_t>(1, rows)}));
        ASSIGN(const auto y, node.apply(SoftmaxAlong{1, logarithm}, {matrix}));
        return node.setResult(node.reshaped(y, x.shape));
    };
}

Result<void> hardmax(const NodeContext& node) {
    const auto& x = node.in(0);
    ASSIGN(const auto axis, node.axis(node.whole("axis", node.opset() >= 13 ? -1 : 1), node.rank()));
    auto value = x;
    auto along = axis;
    if (node.opset() < 13) {
        const auto rows = elements(Shape(x.shape.begin(), x.shape.begin() + axis));
        ASSIGN(value, node.reshaped(x, {rows, elements(x.shape) / std::max<std::int64_t>(1, rows)}));
        along = 1;
    }
    ASSIGN(const auto best, node.apply(Reduce{ReduceKind::ArgMax, {along}, true, false}, {value}, ElementType::Int64));
    const auto depth = value.shape[static_cast<std::size_t>(along)];
    Shape shape(value.shape.size(), 1);
    shape[static_cast<std::size_t>(along)] = depth;
    std::vector<double> counter(static_cast<std::size_t>(depth));
    std::iota(counter.begin(), counter.end(), 0.0);
    ASSIGN(const auto hot,
           node.apply(Map{MapKind::Equal}, {best, knownValue(shape, ElementType::Int64, counter)}, ElementType::Bool));
    ASSIGN(const auto y, node.apply(Map{MapKind::Identity}, {hot}, x.type));
    return node.setResult(node.reshaped(y, x.shape));
}

Result<void> batchNormalisation(const NodeContext& node) {
    const auto& x = node.in(0);
    if (node.whole("training_mode", 0) != 0) return node.unsupported(messages::trainingMode());
    if (x.shape.size() < 2) return node.invalid(messages::needsChannels());
    const auto channels = x.shape[1];
    for (std::size_t i = 1; i < 5; ++i) {
        if (!node.in(i).isKnown()) return node.unsupported(messages::parametersNotConstant());
        if (node.shape(i) != Shape{channels}) return node.invalid(messages::parametersDoNotMatch());
    }
    const BatchNorm layer{node.real("epsilon", 1e-5), 1 - node.real("momentum", 0.9)};
    const auto stored = [&](std::size_t i, const char* name, double start, bool trainable) {
        NodeContext::Stored result{&node.in(i), name, {channels}, Init{InitKind::Constant, start, 1, 1}};
        result.trainable = trainable;
        result.drawnSmall = true;
        return result;
    };
    const std::vector<NodeContext::Stored> parameters{stored(1, "scale", 1, true), stored(2, "offset", 0, true),
                                                      stored(3, "running_mean", 0, false),
                                                      stored(4, "running_variance", 1, false)};
    Value input = x;
    if (x.shape.size() != 2 && x.shape.size() != 4) {
        const auto pixels = elements(Shape(x.shape.begin() + 2, x.shape.end()));
        ASSIGN(input, node.reshaped(x, {x.shape[0], channels, pixels, 1}));
    }
    ASSIGN(const auto y, node.layer(layer, {input}, parameters, input.shape));
    return node.setResult(node.reshaped(y, x.shape));
}

// The mean, and the reciprocal of the standard deviation, over the dimensions from `axis` on.
Result<void> setMoments(const NodeContext& node, std::int64_t axis, double epsilon) {
    if (!node.uses(1) && !node.uses(2)) return {};
    Reduce average{ReduceKind::Mean, {}, true, false};
    for (auto i = axis; i < node.rank(); ++i) average.axes.push_back(i);
    ASSIGN(auto mean, node.apply(average, {node.in(0)}));
    ASSIGN(const auto centred, node.apply(Map{MapKind::Sub}, {node.in(0), mean}));
    ASSIGN(const auto squares, node.apply(Map{MapKind::Mul}, {centred, centred}));
    ASSIGN(const auto variance, node.apply(average, {squares}));
    ASSIGN(const auto shifted, node.apply(Map{MapKind::Scale, 1, epsilon}, {variance}));
    ASSIGN(const auto deviation, node.apply(Map{MapKind::Sqrt}, {shifted}));
    ASSIGN(auto inverse, node.apply(Map{MapKind::Reciprocal}, {deviation}));
    node.set(1, std::move(mean));
    node.set(2, std::move(inverse));
    return {};
}

Result<void> layerNormalisation(const NodeContext& node) {
    const auto& x = node.in(0);
    const auto& scale = node.in(1);
    ASSIGN(const auto axis, node.axis(node.whole("axis", -1), node.rank()));
    const double epsilon = node.real("epsilon", 1e-5);
    TRY(setMoments(node, axis, epsilon));
    const bool last = axis == node.rank() - 1 && !x.isKnown() && scale.isKnown() && node.has(2) && node.in(2).isKnown();
    if (last && x.shape.size() > 1 && scale.shape == Shape{x.shape.back()} && node.shape(2) == scale.shape) {
        const std::vector<NodeContext::Stored> parameters{
            {&scale, "scale", scale.shape, Init{InitKind::Constant, 1, 1, 1}},
            {&node.in(2), "offset", scale.shape, Init{InitKind::Constant, 0, 1, 1}}};
        return node.setResult(node.layer(LayerNorm{epsilon}, {x}, parameters, x.shape));
    }
    Normalise layer;
    layer.kind = NormaliseKind::Layer;
    layer.axis = axis;
    layer.epsilon = epsilon;
    std::vector<Value> operands{x, scale};
    if (node.has(2)) operands.push_back(node.in(2));
    return node.setResult(node.apply(std::move(layer), operands));
}

Result<void> normalisation(const NodeContext& node, Normalise layer, std::size_t operands) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < operands && node.has(i); ++i) values.push_back(node.in(i));
    return node.setResult(node.apply(std::move(layer), values));
}

Result<void> groupNormalisation(const NodeContext& node) {
    Normalise layer;
    layer.kind = NormaliseKind::Group;
    layer.groups = node.whole("num_groups", 1);
    layer.epsilon = node.real("epsilon", 1e-5);
    if (node.rank() < 2 || layer.groups < 1 || node.shape()[1] % layer.groups != 0)
        return node.invalid(messages::channelGroups());
    std::vector<Value> values{node.in(0)};
    const auto channels = node.shape()[1];
    for (std::size_t i = 1; i < 3; ++i) {
        auto value = node.in(i);
        if (value.shape == Shape{layer.groups} && layer.groups != channels) {  // before opset 21: one per group
            Rearrange spread;
            spread.extents = {layer.groups, channels / layer.groups};
            spread.strides = {1, 0};
            spread.shape = {channels};
            ASSIGN(value, node.apply(std::move(spread), {value}));
        }
        values.push_back(std::move(value));
    }
    return node.setResult(node.apply(std::move(layer), values));
}

Result<void> lengthNormalisation(const NodeContext& node) {
    Normalise layer;
    layer.kind = NormaliseKind::Lp;
    ASSIGN(layer.axis, node.axis(node.whole("axis", -1), node.rank()));
    layer.power = static_cast<double>(node.whole("p", 2));
    return normalisation(node, std::move(layer), 1);
}

Result<void> meanVariance(const NodeContext& node) {
    Normalise layer;
    layer.kind = NormaliseKind::MeanVariance;
    layer.epsilon = 1e-9;
    auto axes = node.list("axes");
    if (axes.empty()) axes = {0, 2, 3};
    ASSIGN(layer.axes, node.axes(axes, node.rank()));
    return normalisation(node, std::move(layer), 1);
}

}  // namespace

void addMatrices(Operators& operators) {
    operators["MatMul"] = {2, matrixProduct};
    operators["Gemm"] = {2, gemm};
    operators["Einsum"] = {1, [](const NodeContext& node) { return Einsum(node).run(); }};
    operators["Softmax"] = {1, softmax(false)};
    operators["LogSoftmax"] = {1, softmax(true)};
    operators["Hardmax"] = {1, hardmax};
    operators["BatchNormalization"] = {5, batchNormalisation};
    operators["LayerNormalization"] = {2, layerNormalisation};
    operators["GroupNormalization"] = {3, groupNormalisation};
    operators["LpNormalization"] = {1, lengthNormalisation};
    operators["MeanVarianceNormalization"] = {1, meanVariance};
    operators["InstanceNormalization"] = {3, [](const NodeContext& node) {
                                              Normalise layer;
                                              layer.epsilon = node.real("epsilon", 1e-5);
                                              return normalisation(node, std::move(layer), 3);
                                          }};
    operators["LRN"] = {1, [](const NodeContext& node) {
                            Normalise layer;
                            layer.kind = NormaliseKind::LocalResponse;
                            layer.size = node.whole("size", 1);
                            layer.alpha = node.real("alpha", 1e-4);
                            layer.beta = node.real("beta", 0.75);
                            layer.bias = node.real("bias", 1);
                            return normalisation(node, std::move(layer), 1);
                        }};
}

}  // namespace steelyard::model::onnx
