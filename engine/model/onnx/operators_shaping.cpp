// SPDX-License-Identifier: Apache-2.0
// Operators that move data or derive it from sizes: everything related to shapes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/model/onnx/importer.h"

#include "engine/core/messages/onnx.h"
#include "engine/model/array/strides.h"

namespace steelyard::model::onnx {
namespace {

using Wholes = std::vector<std::int64_t>;

constexpr double kMostMade = 0x1p44;

Result<void> reshape(const NodeContext& node) {
    ASSIGN(auto shape, node.wholes(1));
    const auto& from = node.shape();
    const bool keepsZero = node.whole("allowzero", 0) == 0;
    std::int64_t known = 1, open = -1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 0 && keepsZero) {
            if (i >= from.size()) return node.invalid(messages::noSuchDimension());
            shape[i] = from[i];
        }
        if (shape[i] == -1) {
            if (open >= 0) return node.invalid(messages::twoOpenDimensions());
            open = static_cast<std::int64_t>(i);
        } else if (shape[i] < 0 || __builtin_mul_overflow(known, shape[i], &known)) {
            return node.invalid(messages::badShape());
        }
    }
    if (shape.size() > 8) return node.unsupported(messages::tooManyDimensions());
    if (open >= 0) shape[static_cast<std::size_t>(open)] = known == 0 ? 0 : elements(from) / known;
    return node.setResult(node.reshaped(node.in(0), std::move(shape)));
}

// The axes are an attribute, in later opsets an input.
Result<std::optional<Wholes>> axesOf(const NodeContext& node, std::size_t input, std::int64_t rank) {
    Wholes axes;
    if (node.has(input)) {
        ASSIGN(axes, node.wholes(input));
    } else if (node.node().find("axes") != nullptr) {
        axes = node.list("axes");
    } else {
        return std::optional<Wholes>();
    }
    ASSIGN(axes, node.axes(axes, rank));
    std::sort(axes.begin(), axes.end());
    if (std::adjacent_find(axes.begin(), axes.end()) != axes.end()) return node.invalid(messages::axisTwice());
    return std::optional(axes);
}

Result<void> squeeze(const NodeContext& node) {
    ASSIGN(const auto axes, axesOf(node, 1, node.rank()));
    Shape shape;
    for (std::int64_t i = 0; i < node.rank(); ++i) {
        const auto extent = node.shape()[static_cast<std::size_t>(i)];
        const bool gone = axes ? std::binary_search(axes->begin(), axes->end(), i) : extent == 1;
        if (gone && extent != 1) return node.invalid(messages::notSqueezable(i + 1, extent));
        if (!gone) shape.push_back(extent);
    }
    return node.setResult(node.reshaped(node.in(0), std::move(shape)));
}

Result<void> unsqueeze(const NodeContext& node) {
    const auto added = node.has(1) ? elements(node.shape(1)) : static_cast<std::int64_t>(node.list("axes").size());
    if (node.rank() + added > 8) return node.unsupported(messages::tooManyDimensions());
    ASSIGN(const auto axes, axesOf(node, 1, node.rank() + added));
    if (!axes) return node.invalid(messages::axesMissing());
    auto shape = node.shape();
    for (auto axis : *axes) shape.insert(shape.begin() + axis, 1);
    return node.setResult(node.reshaped(node.in(0), std::move(shape)));
}

Result<void> flatten(const NodeContext& node) {
    const auto rank = node.rank();
    auto axis = node.whole("axis", 1);
    if (axis < 0) axis += rank;
    if (axis < 0 || axis > rank) return node.invalid(messages::noSuchAxis());
    const auto& from = node.shape();
    const auto first = elements(Shape(from.begin(), from.begin() + axis));
    return node.setResult(node.reshaped(node.in(0), {first, elements(Shape(from.begin() + axis, from.end()))}));
}

Result<void> transpose(const NodeContext& node) {
    auto order = node.list("perm");
    if (order.empty())
        for (auto i = node.rank(); i-- > 0;) order.push_back(i);
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i)
        if (sorted[i] != static_cast<std::int64_t>(i)) return node.invalid(messages::notAPermutation());
    if (static_cast<std::int64_t>(order.size()) != node.rank()) return node.invalid(messages::notAPermutation());
    return node.setResult(node.transposed(node.in(0), order));
}

Result<void> slice(const NodeContext& node) {
    Wholes starts = node.list("starts"), ends = node.list("ends"), axes = node.list("axes"), steps;
    if (node.opset() >= 10) {
        if (!node.has(1) || !node.has(2)) return node.invalid(messages::boundsMissing());
        ASSIGN(starts, node.wholes(1));
        ASSIGN(ends, node.wholes(2));
        axes.clear();
        if (node.has(3)) {
            ASSIGN(axes, node.wholes(3));
        }
        if (node.has(4)) {
            ASSIGN(steps, node.wholes(4));
        }
    }
    if (axes.empty()) {
        axes.resize(starts.size());
        std::iota(axes.begin(), axes.end(), std::int64_t{0});
    }
    if (steps.empty()) steps.assign(starts.size(), 1);
    if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size())
        return node.invalid(messages::boundsDoNotMatch());
    auto value = node.in(0);
    for (std::size_t i = 0; i < starts.size(); ++i) {
        ASSIGN(const auto axis, node.axis(axes[i], node.rank()));
        const auto extent = node.shape()[static_cast<std::size_t>(axis)];
        const auto step = steps[i];
        if (step == 0 || step < -(std::int64_t{1} << 40)) return node.invalid(messages::badStep());
        const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? extent : extent - 1;
        const auto bounded = [&](std::int64_t at) {
            if (at < -extent) return step > 0 ? std::int64_t{0} : std::int64_t{-1};
            return std::clamp<std::int64_t>(at < 0 ? at + extent : at, low, high);
        };
        const auto start = bounded(starts[i]), end = bounded(ends[i]);
        const auto span = step > 0 ? end - start : start - end;
        const auto stride = step > 0 ? std::min(step, std::max<std::int64_t>(1, extent)) : step;
        const auto count = span <= 0 ? 0 : (span - 1) / std::abs(step) + 1;
        ASSIGN(value, node.sliced(value, axis, start, count <= 1 ? 1 : stride, count));
    }
    node.set(0, std::move(value));
    return {};
}

Result<void> split(const NodeContext& node) {
    ASSIGN(const auto axis, node.axis(node.whole("axis", 0), node.rank()));
    const auto extent = node.shape()[static_cast<std::size_t>(axis)];
    auto sizes = node.list("split");
    if (node.has(1)) {
        ASSIGN(sizes, node.wholes(1));
    }
    const auto outputs = static_cast<std::int64_t>(node.node().outputs.size());
    if (sizes.empty()) {
        const auto parts = node.whole("num_outputs", outputs);
        if (parts < 1 || parts > (std::int64_t{1} << 40)) return node.invalid(messages::noOutputs());
        const auto each = (extent + parts - 1) / parts;
        for (std::int64_t i = 0; i < outputs; ++i)
            sizes.push_back(std::clamp<std::int64_t>(extent - i * each, 0, each));
    }
    std::int64_t start = 0;
    for (std::size_t i = 0; i < node.node().outputs.size() && i < sizes.size(); ++i) {
        if (sizes[i] < 0 || sizes[i] > extent - start) return node.invalid(messages::partsTooLarge());
        if (node.uses(i)) {
            ASSIGN(auto part, node.sliced(node.in(0), axis, start, 1, sizes[i]));
            node.set(i, std::move(part));
        }
        start += sizes[i];
    }
    return {};
}

Result<void> concat(const NodeContext& node) {
    std::vector<Value> parts;
    for (std::size_t i = 0; i < node.inputs(); ++i) {
        if (!node.has(i)) continue;
        const auto& part = node.in(i);
        // Empty parts are skipped if there are others.
        if (elements(part.shape) == 0 && node.inputs() > 1 && part.shape.size() == 1) continue;
        parts.push_back(part);
    }
    if (parts.empty()) {
        node.set(0, node.in(0));
        return {};
    }
    const auto rank = static_cast<std::int64_t>(parts[0].shape.size());
    ASSIGN(const auto axis, node.axis(node.whole("axis", 1), rank));
    if (parts.size() == 1) {
        node.set(0, parts[0]);
        return {};
    }
    bool channels = axis == 1 && rank == 4;
    for (const auto& part : parts) channels = channels && !part.isKnown() && isFloat(part);
    if (!channels) return node.setResult(node.apply(JoinArrays{axis}, parts));
    std::vector<Shape> shapes;
    for (const auto& part : parts) shapes.push_back(part.shape);
    auto shape = arrayShape(JoinArrays{axis}, shapes);
    if (!shape) return node.invalid(shape.error().detail);
    return node.setResult(node.layer(Concat{}, parts, {}, *shape));
}

Result<Value> expanded(const NodeContext& node, const Value& value, const Shape& shape) {
    auto both = broadcastShape({value.shape, shape});
    if (!both) return node.invalid(both.error().detail);
    if (*both == value.shape) return value;
    Rearrange move;
    move.shape = move.extents = *both;
    move.strides.assign(both->size(), 0);
    const auto own = rowMajorStrides(value.shape);
    const auto lead = both->size() - value.shape.size();
    for (std::size_t i = 0; i < value.shape.size(); ++i) move.strides[lead + i] = value.shape[i] == 1 ? 0 : own[i];
    return node.apply(std::move(move), {value});
}

Result<void> expand(const NodeContext& node) {
    ASSIGN(const auto shape, node.wholes(1));
    for (auto extent : shape)
        if (extent < 0) return node.invalid(messages::badShape());
    return node.setResult(expanded(node, node.in(0), shape));
}

Result<void> tile(const NodeContext& node) {
    ASSIGN(const auto repeats, node.wholes(1));
    if (static_cast<std::int64_t>(repeats.size()) != node.rank()) return node.invalid(messages::repeatsRank());
    const auto& from = node.shape();
    const auto strides = rowMajorStrides(from);
    Rearrange move;
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::int64_t extent = 0;
        if (repeats[i] < 0 || __builtin_mul_overflow(repeats[i], from[i], &extent))
            return node.invalid(messages::badRepeats());
        move.extents.insert(move.extents.end(), {repeats[i], from[i]});
        move.strides.insert(move.strides.end(), {0, strides[i]});
        move.shape.push_back(extent);
    }
    if (move.shape == from) return node.setResult(node.in(0));
    return node.setResult(node.apply(std::move(move), {node.in(0)}));
}

// Reshape, transpose, reshape as one operation.
Result<void> moved(const NodeContext& node, const Shape& view, const Wholes& order, Shape shape) {
    const auto strides = rowMajorStrides(view);
    Rearrange move;
    for (auto from : order) {
        move.extents.push_back(view[static_cast<std::size_t>(from)]);
        move.strides.push_back(strides[static_cast<std::size_t>(from)]);
    }
    move.shape = std::move(shape);
    return node.setResult(node.apply(std::move(move), {node.in(0)}));
}

Result<void> depthToSpace(const NodeContext& node) {
    const auto block = node.whole("blocksize", 0);
    const auto& x = node.shape();
    if (x.size() != 4 || block < 1 || block > 4096 || x[1] % (block * block) != 0)
        return node.invalid(messages::channelBlocks());
    const auto channels = x[1] / (block * block);
    const Shape shape{x[0], channels, x[2] * block, x[3] * block};
    if (node.text("mode", "DCR") == "CRD")
        return moved(node, {x[0], channels, block, block, x[2], x[3]}, {0, 1, 4, 2, 5, 3}, shape);
    return moved(node, {x[0], block, block, channels, x[2], x[3]}, {0, 3, 4, 1, 5, 2}, shape);
}

Result<void> spaceToDepth(const NodeContext& node) {
    const auto block = node.whole("blocksize", 0);
    const auto& x = node.shape();
    if (x.size() != 4 || block < 1 || block > 4096 || x[2] % block != 0 || x[3] % block != 0)
        return node.invalid(messages::imageBlocks());
    return moved(node, {x[0], x[1], x[2] / block, block, x[3] / block, block}, {0, 3, 5, 1, 2, 4},
                 {x[0], x[1] * block * block, x[2] / block, x[3] / block});
}

Result<void> pad(const NodeContext& node) {
    auto widths = node.list(node.node().find("paddings") != nullptr ? "paddings" : "pads");
    PadArray layer;
    layer.value = node.real("value", 0);
    if (node.opset() >= 11) {
        if (!node.has(1)) return node.invalid(messages::padsMissing());
        ASSIGN(widths, node.wholes(1));
        if (node.has(2)) {
            ASSIGN(const auto value, node.numbers(2));
            if (value.size() != 1) return node.invalid(messages::padValue());
            layer.value = value.front();
        }
    }
    const auto mode = node.text("mode", "constant");
    if (mode == "edge") layer.mode = PadMode::Edge;
    if (mode == "reflect") layer.mode = PadMode::Reflect;
    if (mode == "wrap") layer.mode = PadMode::Wrap;
    Wholes axes(node.shape().size());
    std::iota(axes.begin(), axes.end(), std::int64_t{0});
    if (node.has(3)) {
        ASSIGN(axes, node.wholes(3));
        ASSIGN(axes, node.axes(axes, node.rank()));
    }
    if (widths.size() != 2 * axes.size()) return node.invalid(messages::padsRank());
    layer.before.assign(node.shape().size(), 0);
    layer.after = layer.before;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        layer.before[static_cast<std::size_t>(axes[i])] = widths[i];
        layer.after[static_cast<std::size_t>(axes[i])] = widths[axes.size() + i];
        if (std::abs(widths[i]) > (std::int64_t{1} << 40) ||
            std::abs(widths[axes.size() + i]) > (std::int64_t{1} << 40))
            return node.invalid(messages::badPads());
    }
    if (std::all_of(widths.begin(), widths.end(), [](auto width) { return width == 0; }))
        return node.setResult(node.in(0));
    return node.setResult(node.apply(std::move(layer), {node.in(0)}));
}

Result<void> shapeOf(const NodeContext& node) {
    const auto rank = node.rank();
    const auto bounded = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank); };
    const auto start = bounded(node.whole("start", 0)), end = bounded(node.whole("end", rank));
    std::vector<double> extents;
    for (auto i = start; i < end; ++i)
        extents.push_back(static_cast<double>(node.shape()[static_cast<std::size_t>(i)]));
    const auto count = static_cast<std::int64_t>(extents.size());
    node.set(0, knownValue({count}, ElementType::Int64, std::move(extents)));
    return {};
}

Result<void> sizeOf(const NodeContext& node) {
    node.set(0, knownValue({}, ElementType::Int64, {static_cast<double>(elements(node.shape()))}));
    return {};
}

Result<void> constantNode(const NodeContext& node) {
    for (const auto& attribute : node.node().attributes) {
        if (attribute.tensor) {
            Value value;
            value.shape = attribute.tensor->shape;
            value.type = attribute.tensor->type;
            value.tensor = &*attribute.tensor;
            value.isWeight = isFloating(value.type) && elements(value.shape) > 1;
            if (bytesOf(value.type) == 0) return node.unsupported(messages::type(toString(value.type)));
            node.set(0, std::move(value));
            return {};
        }
        if (attribute.name == "value_float" && attribute.real)
            return node.set(0, knownValue({}, ElementType::Float, {static_cast<double>(*attribute.real)})),
                   Result<void>();
        if (attribute.name == "value_int" && attribute.whole)
            return node.set(0, knownValue({}, ElementType::Int64, {static_cast<double>(*attribute.whole)})),
                   Result<void>();
        if (attribute.name == "value_floats") {
            const auto count = static_cast<std::int64_t>(attribute.reals.size());
            node.set(0, knownValue({count}, ElementType::Float, {attribute.reals.begin(), attribute.reals.end()}));
            return {};
        }
        if (attribute.name == "value_ints") {
            const auto count = static_cast<std::int64_t>(attribute.wholes.size());
            node.set(0, knownValue({count}, ElementType::Int64, {attribute.wholes.begin(), attribute.wholes.end()}));
            return {};
        }
    }
    return node.unsupported(messages::constantWithoutTensor());
}

Result<void> constantOfShape(const NodeContext& node) {
    ASSIGN(const auto shape, node.wholes(0));
    Value value;
    value.shape = shape;
    value.uniform = 0;
    double count = 1;
    for (auto extent : shape) {
        if (extent < 0) return node.invalid(messages::badShape());
        count *= static_cast<double>(extent);
    }
    if (count > kMostMade || shape.size() > 8) return node.invalid(messages::badShape());
    if (const auto* attribute = node.node().find("value"); attribute != nullptr && attribute->tensor) {
        ASSIGN(const auto values, tensorValues(*attribute->tensor, {}));
        if (values.size() != 1) return node.invalid(messages::valueNotScalar());
        value.uniform = values.front();
        value.type = attribute->tensor->type;
    }
    value.isWeight = isFloat(value) && count > 1;
    node.set(0, std::move(value));
    return {};
}

Result<void> range(const NodeContext& node) {
    ASSIGN(const auto start, node.numbers(0));
    ASSIGN(const auto limit, node.numbers(1));
    ASSIGN(const auto delta, node.numbers(2));
    if (start.size() != 1 || limit.size() != 1 || delta.size() != 1 || delta[0] == 0)
        return node.invalid(messages::badRange());
    const double count = std::max(0.0, std::ceil((limit[0] - start[0]) / delta[0]));
    if (!(count <= 0x1p24)) return node.invalid(messages::badRange());
    std::vector<double> values;
    for (double i = 0; i < count; ++i) values.push_back(start[0] + i * delta[0]);
    const auto length = static_cast<std::int64_t>(values.size());
    node.set(0, knownValue({length}, node.in(0).type, std::move(values)));
    return {};
}

Result<void> eyeLike(const NodeContext& node) {
    if (node.rank() != 2 || elements(node.shape()) > (1 << 24)) return node.invalid(messages::aMatrix());
    const auto type = static_cast<ElementType>(node.whole("dtype", static_cast<std::int64_t>(node.in(0).type)));
    const auto shift = std::clamp<std::int64_t>(node.whole("k", 0), -(1 << 24), 1 << 24);
    std::vector<double> values(static_cast<std::size_t>(elements(node.shape())), 0);
    for (std::int64_t r = 0; r < node.shape()[0]; ++r)
        if (r + shift >= 0 && r + shift < node.shape()[1])
            values[static_cast<std::size_t>(r * node.shape()[1] + r + shift)] = 1;
    node.set(0, knownValue(node.shape(), type, std::move(values)));
    return {};
}

Result<void> triangle(const NodeContext& node) {
    Triangle layer{node.whole("upper", 1) != 0, 0};
    if (node.has(1)) {
        ASSIGN(const auto diagonal, node.wholes(1));
        if (diagonal.size() != 1) return node.invalid(messages::oneDiagonal());
        layer.diagonal = std::clamp<std::int64_t>(diagonal.front(), -(std::int64_t{1} << 40), std::int64_t{1} << 40);
    }
    return node.setResult(node.apply(layer, {node.in(0)}));
}

Result<void> choose(const NodeContext& node) {
    if (!node.in(0).isKnown()) return node.unsupported(messages::conditionNotConstant());
    ASSIGN(const auto condition, node.numbers(0));
    const auto* branch =
        node.node().find(condition.size() == 1 && condition.front() != 0 ? "then_branch" : "else_branch");
    if (branch == nullptr || branch->graph == nullptr) return node.invalid(messages::branchMissing());
    return inlineBranch(node, *branch->graph);
}

}  // namespace

void addShaping(Operators& operators) {
    operators["Reshape"] = {2, reshape};
    operators["Squeeze"] = {1, squeeze};
    operators["Unsqueeze"] = {1, unsqueeze};
    operators["Flatten"] = {1, flatten};
    operators["Transpose"] = {1, transpose};
    operators["Slice"] = {1, slice};
    operators["Split"] = {1, split};
    operators["Concat"] = {1, concat};
    operators["Expand"] = {2, expand};
    operators["Tile"] = {2, tile};
    operators["DepthToSpace"] = {1, depthToSpace};
    operators["SpaceToDepth"] = {1, spaceToDepth};
    operators["Pad"] = {1, pad};
    operators["Shape"] = {1, shapeOf};
    operators["Size"] = {1, sizeOf};
    operators["Constant"] = {0, constantNode};
    operators["ConstantOfShape"] = {1, constantOfShape};
    operators["Range"] = {3, range};
    operators["EyeLike"] = {1, eyeLike};
    operators["Trilu"] = {1, triangle};
    operators["If"] = {1, choose};
}

}  // namespace steelyard::model::onnx
