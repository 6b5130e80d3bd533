// SPDX-License-Identifier: Apache-2.0
// Quantised files: QuantizeLinear and DequantizeLinear around floating-point operators ("QDQ"), and integer operators,
// which are expanded into these. They are computed as defined (dequantise, compute, quantise); weights and biases
// remain in the file as integers and are scaled when read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/model/onnx/importer.h"

#include "engine/core/messages/onnx.h"

namespace steelyard::model::onnx {
namespace {

struct Range {
    double low = 0, high = 255;
};
std::optional<Range> integerRange(ElementType type) {
    switch (type) {
        case ElementType::Uint8:
            return Range{0, 255};
        case ElementType::Int8:
            return Range{-128, 127};
        case ElementType::Uint16:
            return Range{0, 65535};
        case ElementType::Int16:
            return Range{-32768, 32767};
        case ElementType::Undefined:
        case ElementType::Float:
        case ElementType::Int32:
        case ElementType::Int64:
        case ElementType::String:
        case ElementType::Bool:
        case ElementType::Float16:
        case ElementType::Double:
        case ElementType::Uint32:
        case ElementType::Uint64:
        case ElementType::Complex64:
        case ElementType::Complex128:
        case ElementType::BFloat16:
            break;
    }
    return std::nullopt;
}

// Scale and zero point of a tensor, or along an axis, in a shape that broadcasts with the tensor's.
struct Steps {
    Value scale;
    std::optional<Value> zero;  // absent if known to be zero
    std::int64_t count = 1;     // number of scales
    std::int64_t inner = 1;     // elements of the tensor per entry of the axis
};

Result<Steps> stepsOf(const NodeContext& node) {
    const auto& x = node.in(0);
    if (node.whole("block_size", 0) != 0) return node.unsupported(messages::blockedScales());
    Steps steps{node.in(1), {}};
    if (!isFloat(steps.scale)) return node.unsupported(messages::type(toString(steps.scale.type)));
    if (node.has(2)) {
        steps.zero = node.in(2);
        if (elements(steps.zero->shape) != elements(steps.scale.shape))
            return node.invalid(messages::scalesDoNotMatch());
    }
    auto broadcast = Shape{};
    steps.count = elements(steps.scale.shape);
    if (steps.scale.shape.size() > 1 || steps.count < 1) return node.invalid(messages::scalesDoNotMatch());
    if (steps.count > 1) {
        ASSIGN(const auto axis, node.axis(node.whole("axis", 1), node.rank()));
        const auto at = static_cast<std::size_t>(axis);
        if (x.shape[at] != steps.count) return node.invalid(messages::scalesDoNotMatch());
        broadcast.assign(x.shape.size() - at, 1);
        broadcast.front() = steps.count;
        steps.inner = elements(Shape(x.shape.begin() + axis + 1, x.shape.end()));
    }
    ASSIGN(steps.scale, node.reshaped(steps.scale, broadcast));
    steps.scale.isWeight = false;
    if (!steps.zero) return steps;
    ASSIGN(steps.zero, node.reshaped(*steps.zero, broadcast));
    if (steps.zero->isKnown()) {
        ASSIGN(const auto zeros, node.numbers(2));
        if (std::ranges::all_of(zeros, [](double zero) { return zero == 0; })) steps.zero.reset();
    }
    return steps;
}

// The symmetric grid that covers the levels of the file's one, exactly if the zero point is in their middle or the
// lowest of them; absent if it has several steps or more than 8 bits.
Result<std::optional<ByteGrid>> byteGrid(const NodeContext& node, const Steps& steps, ElementType type) {
    constexpr double kMiddle = 128;  // -128 becomes -127
    if ((type != ElementType::Int8 && type != ElementType::Uint8) || steps.count != 1 || !steps.scale.isKnown() ||
        (steps.zero && !steps.zero->isKnown()))
        return std::optional<ByteGrid>();
    ASSIGN(const auto scales, node.numbers(1));
    double zero = 0;
    if (steps.zero) {
        ASSIGN(const auto zeros, node.numbers(2));
        zero = zeros.front();
    }
    const auto low = integerRange(type)->low - zero, high = integerRange(type)->high - zero;
    const auto levels = low == 0 ? high : std::max(-low, high) == kMiddle ? kMiddle - 1 : std::max(-low, high);
    ByteGrid grid{low != 0, static_cast<float>(levels * scales.front())};
    if (!std::isfinite(grid.range) || grid.range <= 0) return std::optional<ByteGrid>();
    return std::optional(grid);
}

// The zero point as a floating value.
Result<Value> floating(const NodeContext& node, const Value& integers, ElementType type) {
    return node.apply(Map{MapKind::Identity}, {integers}, type);
}

// In 8 bits: x itself, without the values that an unsigned grid cuts off. Values above the range saturate where they
// are stored in bytes or read by a product.
Result<void> leaveReal(const NodeContext& node, const ByteGrid& grid) {
    auto x = node.in(0);
    if (!grid.isSigned && !node.isNeverNegative(0)) {
        const auto type = x.type;
        ASSIGN(x, node.layer(Activation{ActivationKind::Relu}, {x}, {}, x.shape));
        x.type = type;
    }
    node.declare(x, grid);
    node.set(0, std::move(x));
    return {};
}

// saturate(round(x / scale) + zero)
Result<void> quantise(const NodeContext& node) {
    const auto& x = node.in(0);
    auto type = node.has(2) ? node.in(2).type : static_cast<ElementType>(node.whole("output_dtype", 0));
    if (type == ElementType::Undefined) type = ElementType::Uint8;
    const auto range = integerRange(type);
    if (!range) return node.unsupported(messages::type(toString(type)));
    if (!isFloat(x)) return node.unsupported(messages::type(toString(x.type)));
    ASSIGN(const auto steps, stepsOf(node));
    if (!x.isKnown()) node.noteQuantised();
    if (!x.isKnown() && node.isReadInBytes()) {
        ASSIGN(const auto grid, byteGrid(node, steps, type));
        if (grid) return leaveReal(node, *grid);
    }
    ASSIGN(auto levels, node.apply(Map{MapKind::Div}, {x, steps.scale}, x.type));
    ASSIGN(levels, node.apply(Map{MapKind::Round}, {levels}));
    if (steps.zero) {
        ASSIGN(const auto zero, floating(node, *steps.zero, x.type));
        ASSIGN(levels, node.apply(Map{MapKind::Add}, {levels, zero}));
    }
    ASSIGN(levels, node.apply(Map{MapKind::Clip, range->low, range->high}, {levels}));
    ASSIGN(auto result, node.apply(Map{MapKind::Truncate}, {levels}, type));
    result.levels = levels.node;
    result.isWeight = x.isWeight;
    node.set(0, std::move(result));
    return {};
}

// Of constant integers, by constant scales and zero points.
Result<std::shared_ptr<const StoredGrid>> storedGrid(const NodeContext& node, const Steps& steps) {
    StoredGrid grid;
    ASSIGN(grid.scales, node.numbers(1));
    grid.zeros.assign(grid.scales.size(), 0);
    if (steps.zero) {
        ASSIGN(grid.zeros, node.numbers(2));
    }
    grid.inner = std::max<std::int64_t>(1, steps.inner);
    const auto type = node.in(0).type;
    const double middle = type == ElementType::Uint8 ? 128 : 0;
    grid.inEightBits = (type == ElementType::Int8 || type == ElementType::Uint8) &&
                       std::ranges::all_of(grid.zeros, [&](double zero) { return zero == middle; });
    return std::make_shared<const StoredGrid>(std::move(grid));
}

// (x - zero) scale
Result<void> dequantise(const NodeContext& node) {
    const auto& x = node.in(0);
    const auto type = node.in(1).type;
    if (isFloat(x) && !node.inEightBits()) return node.unsupported(messages::type(toString(x.type)));
    ASSIGN(const auto steps, stepsOf(node));
    if (isFloat(x)) {  // left as it was by leaveReal
        auto result = x;
        result.type = type;
        node.set(0, std::move(result));
        return {};
    }
    std::shared_ptr<const StoredGrid> grid;
    if (x.isKnown() && steps.scale.isKnown() && (!steps.zero || steps.zero->isKnown())) {
        ASSIGN(grid, storedGrid(node, steps));
    }
    if (x.tensor != nullptr && grid != nullptr) {
        auto result = x;
        result.type = type;
        result.grid = result.steps = grid;
        result.isWeight = true;
        node.set(0, std::move(result));
        return {};
    }
    auto value = x;
    if (x.levels >= 0) {
        value.node = x.levels;
        value.type = type;
        value.levels = -1;
    } else {
        ASSIGN(value, floating(node, x, type));
    }
    if (steps.zero) {
        ASSIGN(const auto zero, floating(node, *steps.zero, type));
        ASSIGN(value, node.apply(Map{MapKind::Sub}, {value, zero}));
    }
    ASSIGN(auto result, node.apply(Map{MapKind::Mul}, {value, steps.scale}, type));
    result.isWeight = x.isWeight;
    if (result.isKnown()) result.steps = grid;
    if (node.inEightBits() && !result.isKnown()) {
        ASSIGN(const auto bytes, byteGrid(node, steps, x.type));
        if (bytes) node.declare(result, *bytes);
    }
    node.set(0, std::move(result));
    return {};
}

// One operator expanded into a graph.
class Expansion {
public:
    explicit Expansion(const NodeContext& node) : m_node(node) {}

    // The node's input; empty if absent.
    [[nodiscard]] std::string in(std::size_t i) const { return m_node.has(i) ? m_node.node().inputs[i] : ""; }
    // Adds a node with one result, and returns it.
    std::string add(const char* kind, std::vector<std::string> inputs, std::vector<Attribute> attributes = {},
                    std::string result = {}) {
        Node part;
        part.name = m_node.node().name;
        part.kind = kind;
        part.inputs = std::move(inputs);
        part.attributes = std::move(attributes);
        part.outputs = {result.empty() ? freshName() : std::move(result)};
        m_graph.nodes.push_back(std::move(part));
        return m_graph.nodes.back().outputs.front();
    }
    // The node's result, under its own name, by which its readers are found.
    std::string quantised(const std::string& value, std::size_t scale, std::size_t zero) {
        return add("QuantizeLinear", {value, in(scale), in(zero)}, {}, m_node.node().outputs.front());
    }
    std::string constant(float value) {
        Attribute attribute;
        attribute.name = "value_float";
        attribute.real = value;
        return add("Constant", {}, {attribute});
    }
    static Attribute whole(const char* name, std::int64_t value) {
        Attribute attribute;
        attribute.name = name;
        attribute.whole = value;
        return attribute;
    }
    // Inputs of the node: the integers, and their zero point if any.
    std::string dequantised(std::size_t value, const std::string& scale, std::optional<std::size_t> zero,
                            std::int64_t axis) {
        return add("DequantizeLinear", {in(value), scale, zero ? in(*zero) : ""}, {whole("axis", axis)});
    }
    // Integers minus their zero point, or minus that of their entry along the axis.
    std::string centred(std::size_t value, std::size_t zero, std::int64_t axis) {
        const auto points = m_node.has(zero) ? elements(m_node.shape(zero)) : 1;
        const auto extents = m_node.shape(value);
        if (points == 1 || !std::ranges::count(extents, points)) return dequantised(value, constant(1), zero, axis);
        Attribute ones;
        ones.name = "value_floats";
        ones.reals.assign(static_cast<std::size_t>(points), 1);
        return dequantised(value, add("Constant", {}, {ones}), zero, axis);
    }
    Result<void> run(const std::vector<std::string>& results) {
        for (const auto& result : results) {
            ValueInfo output;
            output.name = result;
            m_graph.outputs.push_back(std::move(output));
        }
        return inlineBranch(m_node, m_graph);
    }

private:
    // A name not used by the node's inputs: names in a branch hide outer ones.
    std::string freshName() {
        const auto& taken = m_node.node().inputs;
        std::string name;
        do {
            name = fmt::format("part {}", m_parts++);
        } while (std::ranges::find(taken, name) != taken.end());
        return name;
    }

    const NodeContext& m_node;
    Graph m_graph;
    int m_parts = 0;
};

// For an operand of MatMul, the axis at this distance from the last one.
std::int64_t matrixAxis(const NodeContext& node, std::size_t i, std::int64_t fromEnd) {
    return std::max<std::int64_t>(0, node.rank(i) - 1 - fromEnd);
}

Attribute toType(ElementType type) {
    return Expansion::whole("to", static_cast<std::int64_t>(type));
}

Result<void> quantisedConvolution(const NodeContext& node) {
    Expansion parts(node);
    std::vector<std::string> operands{parts.dequantised(0, parts.in(1), 2, 1), parts.dequantised(3, parts.in(4), 5, 0)};
    if (node.has(8)) operands.push_back(parts.dequantised(8, parts.add("Mul", {parts.in(1), parts.in(4)}), {}, 0));
    const auto y = parts.add("Conv", std::move(operands), node.node().attributes);
    return parts.run({parts.quantised(y, 6, 7)});
}

Result<void> quantisedProduct(const NodeContext& node) {
    Expansion parts(node);
    const auto y = parts.add("MatMul", {parts.dequantised(0, parts.in(1), 2, matrixAxis(node, 0, 1)),
                                        parts.dequantised(3, parts.in(4), 5, matrixAxis(node, 3, 0))});
    return parts.run({parts.quantised(y, 6, 7)});
}

Result<void> integerConvolution(const NodeContext& node) {
    Expansion parts(node);
    const auto y = parts.add("Conv", {parts.centred(0, 2, 1), parts.centred(1, 3, 0)}, node.node().attributes);
    return parts.run({parts.add("Cast", {y}, {toType(ElementType::Int32)})});
}

Result<void> integerProduct(const NodeContext& node) {
    Expansion parts(node);
    const auto y =
        parts.add("MatMul", {parts.centred(0, 2, matrixAxis(node, 0, 1)), parts.centred(1, 3, matrixAxis(node, 1, 0))});
    return parts.run({parts.add("Cast", {y}, {toType(ElementType::Int32)})});
}

// From the range of the values, extended to include 0.
Result<void> quantiseByRange(const NodeContext& node) {
    Expansion parts(node);
    const auto zero = parts.constant(0), most = parts.constant(255);
    const auto flat = Expansion::whole("keepdims", 0);
    const auto low = parts.add("Min", {parts.add("ReduceMin", {parts.in(0)}, {flat}), zero});
    const auto high = parts.add("Max", {parts.add("ReduceMax", {parts.in(0)}, {flat}), zero});
    const auto scale = parts.add("Div", {parts.add("Sub", {high, low}), most});
    const auto exact = parts.add("Div", {parts.add("Sub", {zero, low}), scale});
    const auto rounded = parts.add("Clip", {parts.add("Round", {exact}), zero, most});
    const auto point = parts.add("Cast", {rounded}, {toType(ElementType::Uint8)});
    return parts.run({parts.add("QuantizeLinear", {parts.in(0), scale, point}), scale, point});
}

}  // namespace

void addQuantised(Operators& operators) {
    operators["QuantizeLinear"] = {2, quantise};
    operators["DequantizeLinear"] = {2, dequantise};
    operators["DynamicQuantizeLinear"] = {1, quantiseByRange};
    operators["QLinearConv"] = {8, quantisedConvolution};
    operators["QLinearMatMul"] = {8, quantisedProduct};
    operators["ConvInteger"] = {2, integerConvolution};
    operators["MatMulInteger"] = {2, integerProduct};
}

}  // namespace steelyard::model::onnx
