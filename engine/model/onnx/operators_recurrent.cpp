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

std::int64_t gatesOf(PassCell cell) {
    return cell == PassCell::Lstm ? 4 : cell == PassCell::Gru ? 3 : 1;
}

// Activations that the file lists although they are the defaults are not listed in the layer.
void leaveOutDefaults(RecurrentPass& layer) {
    std::vector<MapKind> usual{MapKind::Sigmoid, MapKind::Tanh, MapKind::Tanh};
    if (layer.cell == PassCell::Gru) usual.pop_back();
    if (layer.cell == PassCell::Rnn) usual = {MapKind::Tanh};
    for (std::size_t i = 0; i < layer.activations.size(); ++i)
        if (layer.activations[i] != usual[i % usual.size()]) return;
    layer.activations.clear();
}

// A constant with this value everywhere.
Result<bool> isConstant(const NodeContext& node, std::size_t input, double wanted) {
    const auto& value = node.in(input);
    if (!value.isKnown()) return false;
    if (value.uniform) return *value.uniform == wanted;
    ASSIGN(const auto values, node.numbers(input));
    return std::all_of(values.begin(), values.end(), [&](double v) { return v == wanted; });
}

// Whether the layer of layer.h computes the same: weights are constants, one bias per gate, no states from outside and
// no last cell.
Result<bool> isRecurrentLayer(const NodeContext& node, const RecurrentPass& layer) {
    if (layer.direction == PassDirection::Reverse || layer.hasLengths || layer.hasHidden || layer.hasCell ||
        layer.hasPeepholes || layer.inputForget || layer.clip != 0 || !layer.activations.empty() || node.uses(2))
        return false;
    if (layer.cell == PassCell::Gru && !layer.linearBeforeReset) return false;
    if (!layer.hasBias) return false;  // the layer has trainable ones
    for (std::size_t i = 1; i < 4; ++i)
        if (!node.in(i).isKnown() || !isFloat(node.in(i))) return false;
    const std::int64_t directions = layer.direction == PassDirection::Bidirectional ? 2 : 1;
    const auto width = gatesOf(layer.cell) * layer.units;
    const Shape inputs{directions, width, node.shape(0)[2]}, states{directions, width, layer.units};
    if (node.shape(1) != inputs || node.shape(2) != states || node.shape(3) != Shape{directions, 2 * width})
        return false;  // reported by the array operation
    ASSIGN(const auto biases, node.numbers(3));
    for (std::size_t i = 0; i < biases.size(); ++i)
        if (static_cast<std::int64_t>(i) / width % 2 == 1 && biases[i] != 0) return false;
    return true;
}

// x: [T, B, F], or [B, T, F] if batchFirst.
Result<void> recurrentLayer(const NodeContext& node, const RecurrentPass& pass, bool batchFirst) {
    Recurrent layer;
    layer.cell = pass.cell == PassCell::Lstm  ? RecurrentCell::Lstm
                 : pass.cell == PassCell::Gru ? RecurrentCell::Gru
                                              : RecurrentCell::Rnn;
    layer.units = pass.units;
    layer.bidirectional = pass.direction == PassDirection::Bidirectional;
    layer.returnSequence = node.uses(0);
    auto x = node.in(0);
    if (!batchFirst) {
        ASSIGN(x, node.transposed(x, {1, 0, 2}));
    }
    const auto batch = x.shape[0], steps = x.shape[1], features = x.shape[2], units = layer.units;
    const std::int64_t directions = layer.bidirectional ? 2 : 1, gates = gateCount(layer.cell);
    // Positions of the layer's gates among ONNX's: i f c o in i o f c.
    std::vector<std::int64_t> order{0, 2, 3, 1};
    if (pass.cell != PassCell::Lstm) order = {0, 1, 2};
    order.resize(static_cast<std::size_t>(gates));
    const auto specs = parametersOf(layer, {{steps, features}});
    std::vector<NodeContext::Stored> parameters;
    for (const auto& spec : specs) {
        const auto which = parameters.size() % 3, direction = parameters.size() / 3;
        NodeContext::Stored stored{&node.in(which + 1), spec.name, spec.shape, spec.init};
        const auto all = elements(stored.value->shape) / directions;
        const auto one = elements(spec.shape) / gates;
        for (auto gate : order) stored.blocks.push_back(static_cast<std::int64_t>(direction) * all + gate * one);
        parameters.push_back(std::move(stored));
    }
    const auto width = directions * units;
    const auto shape = layer.returnSequence ? Shape{batch, steps, width} : Shape{batch, width};
    ASSIGN(const auto y, node.layer(layer, {x}, parameters, shape));
    if (node.uses(0)) {
        ASSIGN(auto all, node.reshaped(y, {batch, steps, directions, units}));
        if (!batchFirst) {
            ASSIGN(all, node.transposed(all, {1, 2, 0, 3}));
        }
        node.set(0, std::move(all));
    }
    if (!node.uses(1)) return {};
    auto last = y;
    if (layer.returnSequence) {  // the last step forward, and the first in time backward
        std::vector<Value> ends;
        for (std::int64_t d = 0; d < directions; ++d) {
            ASSIGN(const auto step, node.sliced(y, 1, d == 0 ? steps - 1 : 0, 1, 1));
            ASSIGN(auto end, node.sliced(step, 2, d * units, 1, units));
            ends.push_back(std::move(end));
        }
        last = ends[0];
        if (directions > 1) {
            ASSIGN(last, node.apply(JoinArrays{1}, ends));
        }
    }
    ASSIGN(last, node.reshaped(last, {batch, directions, units}));
    if (!batchFirst) {
        ASSIGN(last, node.transposed(last, {1, 0, 2}));
    }
    node.set(1, std::move(last));
    return {};
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
    leaveOutDefaults(layer);
    const bool batchFirst = node.whole("layout", 0) != 0;
    // Optional operands; states of zero are none.
    const auto given = [&](std::size_t i, bool isState, bool& flag) -> Result<void> {
        flag = node.has(i);
        if (!flag || !isState) return {};
        ASSIGN(const bool isZero, isConstant(node, i, 0));
        flag = !isZero;
        return {};
    };
    TRY(given(3, false, layer.hasBias));
    TRY(given(4, false, layer.hasLengths));
    TRY(given(5, true, layer.hasHidden));
    if (cell == PassCell::Lstm) {
        TRY(given(6, true, layer.hasCell));
        TRY(given(7, false, layer.hasPeepholes));
    }
    ASSIGN(const bool isLayer, isRecurrentLayer(node, layer));
    if (isLayer) return recurrentLayer(node, layer, batchFirst);

    auto x = node.in(0);
    if (batchFirst) {
        ASSIGN(x, node.transposed(x, {1, 0, 2}));
    }
    std::vector<Value> operands{x, node.in(1), node.in(2)};
    const auto add = [&](std::size_t i, bool isState, bool flag) -> Result<void> {
        if (!flag) return {};
        auto value = node.in(i);
        if (isState && batchFirst) {
            ASSIGN(value, node.transposed(value, {1, 0, 2}));
        }
        operands.push_back(std::move(value));
        return {};
    };
    TRY(add(3, false, layer.hasBias));
    TRY(add(4, false, layer.hasLengths));
    TRY(add(5, true, layer.hasHidden));
    TRY(add(6, true, layer.hasCell));
    TRY(add(7, false, layer.hasPeepholes));
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
