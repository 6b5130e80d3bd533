// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "engine/model/onnx/importer.h"

#include "engine/core/messages/onnx.h"

namespace steelyard::model::onnx {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Result<void> map(const NodeContext& node, Map operation, std::vector<Value> operands,
                 std::optional<ElementType> type = {}) {
    ASSIGN(auto result, node.apply(operation, operands, type));
    node.set(0, std::move(result));
    return {};
}

std::vector<Value> operandsOf(const NodeContext& node) {
    std::vector<Value> operands;
    for (std::size_t i = 0; i < node.inputs(); ++i)
        if (node.has(i)) operands.push_back(node.in(i));
    return operands;
}

Translate simple(MapKind kind) {
    return [kind](const NodeContext& node) { return map(node, {kind}, {node.in(0)}); };
}
// With the attributes alpha and beta.
Translate shaped(MapKind kind, double alpha, double beta = 0) {
    return [=](const NodeContext& node) {
        return map(node, {kind, node.real("alpha", alpha), node.real("beta", beta)}, {node.in(0)});
    };
}
Translate several(MapKind kind) {
    return [kind](const NodeContext& node) { return map(node, {kind}, operandsOf(node)); };
}
Translate compared(MapKind kind) {
    return [kind](const NodeContext& node) { return map(node, {kind}, {node.in(0), node.in(1)}, ElementType::Bool); };
}

// A layer of layer.h for a value of the network, otherwise evaluated immediately.
Translate activation(ActivationKind kind, MapKind known) {
    return [=](const NodeContext& node) -> Result<void> {
        const auto& x = node.in(0);
        if (x.isKnown() || !isFloat(x) || x.shape.empty()) return map(node, {known}, {x});
        ASSIGN(auto result, node.layer(Activation{kind}, {x}, {}, x.shape));
        node.set(0, std::move(result));
        return {};
    };
}

Result<void> add(const NodeContext& node) {
    const auto operands = operandsOf(node);
    bool same = operands.size() > 1;
    for (const auto& operand : operands)
        same = same && !operand.isKnown() && isFloat(operand) && operand.shape == operands[0].shape &&
               operand.shape.size() > 1;
    if (!same) return map(node, {MapKind::Add}, operands);
    ASSIGN(auto result, node.layer(Add{}, operands, {}, operands[0].shape));
    node.set(0, std::move(result));
    return {};
}

Result<void> divide(const NodeContext& node) {
    return map(node, {isFloat(node.in(0)) ? MapKind::Div : MapKind::IntegerDiv}, {node.in(0), node.in(1)});
}

Result<void> power(const NodeContext& node) {
    const auto& exponent = node.in(1);
    if (exponent.isKnown() && elements(exponent.shape) == 1 && isFloat(node.in(0)) && !node.in(0).isKnown() &&
        exponent.shape.size() <= node.in(0).shape.size()) {
        ASSIGN(const auto value, node.numbers(1));
        if (value.front() == 2) return map(node, {MapKind::Mul}, {node.in(0), node.in(0)});
        if (value.front() == 0.5) return map(node, {MapKind::Sqrt}, {node.in(0)});
    }
    return map(node, {MapKind::Pow}, {node.in(0), exponent});
}

Result<void> clip(const NodeContext& node) {
    double low = node.real("min", -kInfinity), high = node.real("max", kInfinity);
    auto x = node.in(0);
    const bool knownLow = !node.has(1) || node.in(1).isKnown(), knownHigh = !node.has(2) || node.in(2).isKnown();
    if (node.has(1) && knownLow) {
        ASSIGN(const auto values, node.numbers(1));
        if (values.size() != 1) return node.invalid(messages::boundNotScalar());
        low = values.front();
    }
    if (node.has(2) && knownHigh) {
        ASSIGN(const auto values, node.numbers(2));
        if (values.size() != 1) return node.invalid(messages::boundNotScalar());
        high = values.front();
    }
    if (!knownLow) {
        ASSIGN(x, node.apply(Map{MapKind::Max}, {x, node.in(1)}));
    }
    if (!knownHigh) {
        ASSIGN(x, node.apply(Map{MapKind::Min}, {x, node.in(2)}));
    }
    if (low == 0 && high == 6 && !x.isKnown() && isFloat(x) && !x.shape.empty()) {
        ASSIGN(x, node.layer(Activation{ActivationKind::Relu6}, {x}, {}, x.shape));
    } else if (low != -kInfinity || high != kInfinity) {
        ASSIGN(x, node.apply(Map{MapKind::Clip, low, high}, {x}));
    }
    node.set(0, std::move(x));
    return {};
}

Result<void> castTo(const NodeContext& node, ElementType type) {
    const auto& x = node.in(0);
    if (bytesOf(type) == 0) return node.unsupported(messages::castTo(toString(type)));
    if (type == ElementType::Bool) return map(node, {MapKind::ToBool}, {x}, type);
    if (isFloat(x) == isFloating(type)) {  // the width is irrelevant here
        auto same = x;
        same.type = type;
        if (x.isKnown()) return map(node, {MapKind::Identity}, {x}, type);
        node.set(0, std::move(same));
        return {};
    }
    return map(node, {isFloat(x) ? MapKind::Truncate : MapKind::Identity}, {x}, type);
}

Result<void> identity(const NodeContext& node) {
    node.set(0, node.in(0));
    return {};
}

Result<void> dropout(const NodeContext& node) {
    if (node.has(2)) {
        ASSIGN(const auto training, node.numbers(2));
        auto rate = std::vector<double>{0.5};
        if (node.has(1)) {
            ASSIGN(rate, node.numbers(1));
        }
        const bool drops = !rate.empty() && rate.front() != 0;
        if (drops && !training.empty() && training.front() != 0) return node.unsupported(messages::trainingMode());
    }
    Value mask;  // everything is kept
    mask.shape = node.shape();
    mask.type = ElementType::Bool;
    mask.uniform = 1;
    node.set(1, std::move(mask));
    return identity(node);
}

Result<void> gelu(const NodeContext& node) {
    return node.text("approximate", "none") == "tanh" ? activation(ActivationKind::GeluTanh, MapKind::GeluTanh)(node)
                                                      : activation(ActivationKind::Gelu, MapKind::Gelu)(node);
}

}  // namespace

void addElementwise(Operators& operators) {
    using K = MapKind;
    const std::pair<const char*, K> unary[] = {{"Neg", K::Neg},
                                               {"Abs", K::Abs},
                                               {"Exp", K::Exp},
                                               {"Log", K::Log},
                                               {"Sqrt", K::Sqrt},
                                               {"Erf", K::Erf},
                                               {"Floor", K::Floor},
                                               {"Ceil", K::Ceil},
                                               {"Round", K::Round},
                                               {"Sign", K::Sign},
                                               {"Sin", K::Sin},
                                               {"Cos", K::Cos},
                                               {"Tan", K::Tan},
                                               {"Asin", K::Asin},
                                               {"Acos", K::Acos},
                                               {"Atan", K::Atan},
                                               {"Sinh", K::Sinh},
                                               {"Cosh", K::Cosh},
                                               {"Asinh", K::Asinh},
                                               {"Acosh", K::Acosh},
                                               {"Atanh", K::Atanh},
                                               {"Mish", K::Mish},
                                               {"Reciprocal", K::Reciprocal},
                                               {"Softplus", K::Softplus},
                                               {"Softsign", K::Softsign},
                                               {"HardSwish", K::HardSwish}};
    for (const auto& [name, kind] : unary) operators[name] = {1, simple(kind)};
    operators["Relu"] = {1, activation(ActivationKind::Relu, K::Relu)};
    operators["Sigmoid"] = {1, activation(ActivationKind::Sigmoid, K::Sigmoid)};
    operators["Tanh"] = {1, activation(ActivationKind::Tanh, K::Tanh)};
    operators["Gelu"] = {1, gelu};
    operators["Elu"] = {1, shaped(K::Elu, 1)};
    operators["Celu"] = {1, shaped(K::Celu, 1)};
    operators["LeakyRelu"] = {1, shaped(K::LeakyRelu, 0.01)};
    operators["ThresholdedRelu"] = {1, shaped(K::ThresholdedRelu, 1)};
    operators["HardSigmoid"] = {1, shaped(K::HardSigmoid, 0.2, 0.5)};
    operators["Selu"] = {1, [](const NodeContext& node) {
                             return map(node,
                                        {K::Selu, node.real("alpha", 1.67326319217681884765625),
                                         node.real("gamma", 1.05070102214813232421875)},
                                        {node.in(0)});
                         }};
    operators["Shrink"] = {
        1, [](const NodeContext& node) {
            return map(node, {K::Shrink, node.real("lambd", 0.5), node.real("bias", 0)}, {node.in(0)});
        }};
    operators["IsNaN"] = {
        1, [](const NodeContext& node) { return map(node, {K::IsNaN}, {node.in(0)}, ElementType::Bool); }};
    operators["IsInf"] = {1, [](const NodeContext& node) {
                              return map(node,
                                         {K::IsInf, static_cast<double>(node.whole("detect_negative", 1)),
                                          static_cast<double>(node.whole("detect_positive", 1))},
                                         {node.in(0)}, ElementType::Bool);
                          }};
    operators["Not"] = {1,
                        [](const NodeContext& node) { return map(node, {K::Not}, {node.in(0)}, ElementType::Bool); }};
    operators["Add"] = {2, add};
    operators["Sum"] = {1, add};
    operators["Sub"] = {2, several(K::Sub)};
    operators["Mul"] = {2, several(K::Mul)};
    operators["Div"] = {2, divide};
    operators["Pow"] = {2, power};
    operators["Max"] = {1, several(K::Max)};
    operators["Min"] = {1, several(K::Min)};
    operators["Mean"] = {1, several(K::Mean)};
    operators["PRelu"] = {2, several(K::PRelu)};
    operators["Mod"] = {2, [](const NodeContext& node) {
                            return map(node, {node.whole("fmod", 0) != 0 ? K::Fmod : K::Mod}, {node.in(0), node.in(1)});
                        }};
    const std::pair<const char*, K> logic[] = {{"And", K::And},         {"Or", K::Or},
                                               {"Xor", K::Xor},         {"Equal", K::Equal},
                                               {"Less", K::Less},       {"LessOrEqual", K::LessOrEqual},
                                               {"Greater", K::Greater}, {"GreaterOrEqual", K::GreaterOrEqual}};
    for (const auto& [name, kind] : logic) operators[name] = {2, compared(kind)};
    operators["Where"] = {3, [](const NodeContext& node) {
                              return map(node, {K::Where}, {node.in(0), node.in(1), node.in(2)}, node.in(1).type);
                          }};
    operators["Clip"] = {1, clip};
    operators["Cast"] = {
        1, [](const NodeContext& node) { return castTo(node, static_cast<ElementType>(node.whole("to", 0))); }};
    operators["CastLike"] = {2, [](const NodeContext& node) { return castTo(node, node.in(1).type); }};
    operators["Identity"] = {1, identity};
    operators["Dropout"] = {1, dropout};
}

}  // namespace steelyard::model::onnx
