// SPDX-License-Identifier: Apache-2.0
// Files that are already quantised: QuantizeLinear and DequantizeLinear around operators that compute on numbers
// ("QDQ"). They are computed as they are defined, dequantise, compute, quantise; weights and biases stay in the file as
// integers and are scaled when they are read.
#include <fmt/format.h>

#include <algorithm>

#include "engine/model/onnx/importer.h"

#include "engine/core/messages/onnx.h"

namespace steelyard::model::onnx {
namespace {

struct Range {
    double low = 0, high = 255;
};
std::optional<Range> rangeOf(ElementType type) {
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

// Scale and zero point of one tensor, or of the entries of an axis, in a shape that broadcasts with the tensor's.
struct Steps {
    Value scale;
    std::optional<Value> zero;  // absent where it is known to be zero
    std::int64_t count = 1;     // of scales
    std::int64_t inner = 1;     // elements of the tensor behind one entry of the axis
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

// The zero point as a floating value.
Result<Value> floating(const NodeContext& node, const Value& integers, ElementType type) {
    return node.apply(Map{MapKind::Identity}, {integers}, type);
}

// saturate(round(x / scale) + zero)
Result<void> quantise(const NodeContext& node) {
    const auto& x = node.in(0);
    auto type = node.has(2) ? node.in(2).type : static_cast<ElementType>(node.whole("output_dtype", 0));
    if (type == ElementType::Undefined) type = ElementType::Uint8;
    const auto range = rangeOf(type);
    if (!range) return node.unsupported(messages::type(toString(type)));
    if (!isFloat(x)) return node.unsupported(messages::type(toString(x.type)));
    ASSIGN(const auto steps, stepsOf(node));
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

// (x - zero) scale
Result<void> dequantise(const NodeContext& node) {
    const auto& x = node.in(0);
    const auto type = node.in(1).type;
    if (isFloat(x)) return node.unsupported(messages::type(toString(x.type)));
    ASSIGN(const auto steps, stepsOf(node));
    if (x.tensor != nullptr && steps.scale.isKnown() && (!steps.zero || steps.zero->isKnown())) {
        StoredGrid grid;
        ASSIGN(grid.scales, node.numbers(1));
        grid.zeros.assign(grid.scales.size(), 0);
        if (steps.zero) {
            ASSIGN(grid.zeros, node.numbers(2));
        }
        grid.inner = std::max<std::int64_t>(1, steps.inner);
        auto result = x;
        result.type = type;
        result.grid = std::make_shared<const StoredGrid>(std::move(grid));
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
    node.set(0, std::move(result));
    return {};
}

}  // namespace

void addQuantised(Operators& operators) {
    operators["QuantizeLinear"] = {2, quantise};
    operators["DequantizeLinear"] = {2, dequantise};
}

}  // namespace steelyard::model::onnx
