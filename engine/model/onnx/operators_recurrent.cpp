// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "engine/model/onnx/importer.h"

#include "engine/core/messages/onnx.h"

namespace steelyard::model::onnx {
namespace {

Result<MapKind> activationKind(const NodeContext& node, std::string name) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::pair<const char*, MapKind> known[] = {
        {"sigmoid", MapKind::Sigmoid},     {"tanh", MapKind::Tanh},
        {"relu", MapKind::Relu},           {"hardsigmoid", MapKind::HardSigmoid},
        {"softsign", MapKind::Softsign},   {"softplus", MapKind::Softplus},
        {"leakyrelu", MapKind::LeakyRelu}, {"elu", MapKind::Elu}};
    for (const auto& [text, kind] : known)
        if (name == text) return kind;
    return node.unsupported(messages::activation(name));
}

// Splits the combined result into [T, D, B, H], [D, B, H], [D, B, H].
Result<Value> part(const NodeContext& node, const Value& whole, std::int64_t first, Shape shape) {
    ASSIGN(const auto piece, node.sliced(whole, 0, first, 1, elements(shape)));
    return node.reshaped(piece, std::move(shape));
}

Result<void> recurrent(const NodeContext& node, PassCell cell) {
    RecurrentPass layer;
    layer.cell = cell;
    const auto direction = node.text("direction", "forward");
    if (direction == "reverse") layer.direction = PassDirection::Reverse;
    if (direction == "bidirectional") layer.direction = PassDirection::Bidirectional;
    if (node.rank(0) != 3 || node.rank(2) != 3) return node.invalid(messages::recurrentOperands());
    layer.units = node.whole("hidden_size", node.shape(2)[2]);
    if (layer.units < 1 || layer.units > (1 << 24)) return node.invalid(messages::badHiddenSize());
    layer.linearBeforeReset = node.whole("linear_before_reset", 0) != 0;
    layer.inputForget = node.whole("input_forget", 0) != 0;
    layer.clip = node.real("clip", 0);
    if (const auto* names = node.node().find("activations"); names != nullptr) {
        const bool parameters = node.node().find("activation_alpha") != nullptr;
        for (const auto& name : names->texts) {
            ASSIGN(const auto kind, activationKind(node, name));
            if (parameters && kind != MapKind::Sigmoid && kind != MapKind::Tanh && kind != MapKind::Relu)
                return node.unsupported(messages::activationParameters());
            layer.activations.push_back(kind);
        }
    }
    const bool batchFirst = node.whole("layout", 0) != 0;
    auto x = node.in(0);
    if (batchFirst) {
        ASSIGN(x, node.transposed(x, {1, 0, 2}));
    }
    std::vector<Value> operands{x, node.in(1), node.in(2)};
    const auto optional = [&](std::size_t i, bool& flag, bool isState) -> Result<void> {
        flag = node.has(i);
        if (!flag) return {};
        auto value = node.in(i);
        if (isState && batchFirst) {
            ASSIGN(value, node.transposed(value, {1, 0, 2}));
        }
        operands.push_back(std::move(value));
        return {};
    };
    TRY(optional(3, layer.hasBias, false));
    TRY(optional(4, layer.hasLengths, false));
    TRY(optional(5, layer.hasHidden, true));
    if (cell == PassCell::Lstm) {
        TRY(optional(6, layer.hasCell, true));
        TRY(optional(7, layer.hasPeepholes, false));
    }
    const std::int64_t directions = layer.direction == PassDirection::Bidirectional ? 2 : 1;
    const auto steps = x.shape[0], batch = x.shape[1], units = layer.units;
    ASSIGN(const auto whole, node.apply(std::move(layer), operands));
    const auto states = directions * batch * units;
    if (node.uses(0)) {
        ASSIGN(auto all, part(node, whole, 0, {steps, directions, batch, units}));
        if (batchFirst) {
            ASSIGN(all, node.transposed(all, {2, 0, 1, 3}));
        }
        node.set(0, std::move(all));
    }
    for (std::size_t i = 1; i < 3; ++i) {
        if (!node.uses(i) || (i == 2 && cell != PassCell::Lstm)) continue;
        ASSIGN(auto state, part(node, whole, steps * states + (static_cast<std::int64_t>(i) - 1) * states,
                                {directions, batch, units}));
        if (batchFirst) {
            ASSIGN(state, node.transposed(state, {1, 0, 2}));
        }
        node.set(i, std::move(state));
    }
    return {};
}

}  // namespace

void addRecurrent(Operators& operators) {
    operators["LSTM"] = {3, [](const NodeContext& node) { return recurrent(node, PassCell::Lstm); }};
    operators["GRU"] = {3, [](const NodeContext& node) { return recurrent(node, PassCell::Gru); }};
    operators["RNN"] = {3, [](const NodeContext& node) { return recurrent(node, PassCell::Rnn); }};
}

}  // namespace steelyard::model::onnx
