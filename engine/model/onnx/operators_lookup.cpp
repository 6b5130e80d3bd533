// SPDX-License-Identifier: Apache-2.0
// Look-ups by index, reductions, and operators derived from them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/model/onnx/importer.h"

#include "engine/core/messages/onnx.h"

namespace steelyard::model::onnx {
namespace {

// Constant indices. Column `place` of the last dimension, or all of them.
Result<void> checkIndices(const NodeContext& node, std::size_t input, std::int64_t extent, std::size_t place = 0,
                          std::size_t columns = 1) {
    if (!node.in(input).isKnown()) return {};
    ASSIGN(const auto indices, node.wholes(input));
    for (std::size_t i = place; i < indices.size(); i += columns)
        if (indices[i] < -extent || indices[i] >= extent) return node.invalid(messages::indexOutOfRange());
    return {};
}

// Indices [.., depth] into the dimensions of `data` starting at `first`.
Result<void> checkTuples(const NodeContext& node, std::size_t input, const Shape& data, std::size_t first) {
    const auto& shape = node.shape(input);
    if (shape.empty() || shape.back() < 0) return {};
    const auto depth = static_cast<std::size_t>(shape.back());
    for (std::size_t d = 0; d < depth && first + d < data.size(); ++d)
        TRY(checkIndices(node, input, data[first + d], d, depth));
    return {};
}

Result<void> gather(const NodeContext& node) {
    ASSIGN(const auto axis, node.axis(node.whole("axis", 0), node.rank()));
    const auto& data = node.in(0);
    const auto& indices = node.in(1);
    const auto extent = data.shape[static_cast<std::size_t>(axis)];
    // One row of a network value is a slice.
    if (!data.isKnown() && indices.isKnown() && elements(indices.shape) == 1) {
        ASSIGN(const auto at, node.wholes(1));
        const auto index = at.front() < 0 ? at.front() + extent : at.front();
        if (index < 0 || index >= extent) return node.invalid(messages::indexOutOfRange());
        ASSIGN(const auto row, node.sliced(data, axis, index, 1, 1));
        Shape shape(data.shape.begin(), data.shape.begin() + axis);
        shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
        shape.insert(shape.end(), data.shape.begin() + axis + 1, data.shape.end());
        return node.setResult(node.reshaped(row, std::move(shape)));
    }
    TRY(checkIndices(node, 1, extent));
    // Backends check the ids of an embedding when they are written, so these must be inputs.
    if (axis == 0 && data.shape.size() == 2 && data.isWeight && node.isMovedInput(1) && indices.shape.size() == 2) {
        const Embedding layer{data.shape[0], data.shape[1], false};
        NodeContext::Stored table{&data, "table", data.shape, Init{InitKind::Uniform, 0.05, 1, 1}};
        auto shape = indices.shape;
        shape.push_back(layer.units);
        return node.setResult(node.layer(layer, {indices}, {table}, std::move(shape)));
    }
    return node.setResult(node.apply(LookUp{LookUpKind::Axis, axis, 0}, {data, indices}));
}

Result<void> gatherElements(const NodeContext& node) {
    ASSIGN(const auto axis, node.axis(node.whole("axis", 0), node.rank()));
    TRY(checkIndices(node, 1, node.shape()[static_cast<std::size_t>(axis)]));
    return node.setResult(node.apply(LookUp{LookUpKind::Elements, axis, 0}, {node.in(0), node.in(1)}));
}

Result<void> gatherNd(const NodeContext& node) {
    TRY(checkTuples(node, 1, node.shape(),
                    static_cast<std::size_t>(std::max<std::int64_t>(0, node.whole("batch_dims", 0)))));
    return node.setResult(node.apply(LookUp{LookUpKind::Nd, 0, node.whole("batch_dims", 0)}, {node.in(0), node.in(1)}));
}

Result<void> scatter(const NodeContext& node, ScatterKind kind) {
    Scatter layer{kind, 0, ScatterReduction::None};
    if (kind == ScatterKind::Elements) {
        ASSIGN(layer.axis, node.axis(node.whole("axis", 0), node.rank()));
        TRY(checkIndices(node, 1, node.shape()[static_cast<std::size_t>(layer.axis)]));
    } else {
        TRY(checkTuples(node, 1, node.shape(), 0));
    }
    const auto reduction = node.text("reduction", "none");
    if (reduction == "add") layer.reduction = ScatterReduction::Add;
    if (reduction == "mul") layer.reduction = ScatterReduction::Mul;
    if (reduction == "max") layer.reduction = ScatterReduction::Max;
    if (reduction == "min") layer.reduction = ScatterReduction::Min;
    return node.setResult(node.apply(layer, {node.in(0), node.in(1), node.in(2)}));
}

Translate reduction(ReduceKind kind, std::int64_t axesAreInputFrom) {
    return [=](const NodeContext& node) -> Result<void> {
        Reduce layer{kind, node.list("axes"), node.whole("keepdims", 1) != 0, false};
        if (node.opset() >= axesAreInputFrom && node.has(1)) {
            ASSIGN(layer.axes, node.wholes(1));
        }
        if (layer.axes.empty() && node.whole("noop_with_empty_axes", 0) != 0) {
            // Elementwise: every sum has a single term.
            const auto& x = node.in(0);
            if (kind == ReduceKind::L1 || kind == ReduceKind::L2)
                return node.setResult(node.apply(Map{MapKind::Abs}, {x}));
            if (kind == ReduceKind::SumSquare) return node.setResult(node.apply(Map{MapKind::Mul}, {x, x}));
            if (kind == ReduceKind::LogSum) return node.setResult(node.apply(Map{MapKind::Log}, {x}));
            return node.setResult(x);
        }
        ASSIGN(layer.axes, node.axes(layer.axes, node.rank()));
        if (layer.axes.empty()) {
            layer.axes.resize(node.shape().size());
            std::iota(layer.axes.begin(), layer.axes.end(), std::int64_t{0});
        }
        return node.setResult(node.apply(std::move(layer), {node.in(0)}));
    };
}

Translate best(ReduceKind kind) {
    return [=](const NodeContext& node) -> Result<void> {
        ASSIGN(const auto axis, node.axis(node.whole("axis", 0), node.rank()));
        const Reduce layer{kind, {axis}, node.whole("keepdims", 1) != 0, node.whole("select_last_index", 0) != 0};
        return node.setResult(node.apply(layer, {node.in(0)}, ElementType::Int64));
    };
}

Result<void> cumulativeSum(const NodeContext& node) {
    ASSIGN(const auto axes, node.wholes(1));
    if (axes.size() != 1) return node.invalid(messages::oneAxis());
    ASSIGN(const auto axis, node.axis(axes.front(), node.rank()));
    return node.setResult(
        node.apply(CumulativeSum{axis, node.whole("exclusive", 0) != 0, node.whole("reverse", 0) != 0}, {node.in(0)}));
}

// 1 where a counter along the new axis equals the index.
Result<Value> hot(const NodeContext& node, const Value& indices, std::int64_t depth, std::int64_t axis) {
    auto shape = indices.shape;
    shape.insert(shape.begin() + axis, 1);
    ASSIGN(const auto column, node.reshaped(indices, shape));
    Shape counterShape(shape.size(), 1);
    counterShape[static_cast<std::size_t>(axis)] = depth;
    std::vector<double> counter(static_cast<std::size_t>(depth));
    std::iota(counter.begin(), counter.end(), 0.0);
    return node.apply(Map{MapKind::Equal}, {column, knownValue(counterShape, ElementType::Int64, std::move(counter))},
                      ElementType::Bool);
}

Result<void> oneHot(const NodeContext& node) {
    ASSIGN(const auto depths, node.wholes(1));
    if (depths.size() != 1 || depths.front() < 1 || depths.front() > (1 << 24))
        return node.invalid(messages::badDepth());
    const auto depth = depths.front();
    ASSIGN(const auto axis, node.axis(node.whole("axis", -1), node.rank() + 1));
    const auto type = ElementType::Int64;
    const auto number = [&](double v) { return knownValue({}, type, {v}); };
    auto indices = node.in(0);
    if (isFloat(indices)) {
        ASSIGN(indices, node.apply(Map{MapKind::Truncate}, {indices}, type));
    }
    ASSIGN(const auto negative, node.apply(Map{MapKind::Less}, {indices, number(0)}, ElementType::Bool));
    ASSIGN(const auto later, node.apply(Map{MapKind::Add}, {indices, number(static_cast<double>(depth))}, type));
    ASSIGN(const auto counted, node.apply(Map{MapKind::Where}, {negative, later, indices}, type));
    ASSIGN(const auto chosen, hot(node, counted, depth, axis));
    if (node.shape(2) != Shape{2}) return node.invalid(messages::twoValues());
    ASSIGN(const auto off, node.sliced(node.in(2), 0, 0, 1, 1));
    ASSIGN(const auto on, node.sliced(node.in(2), 0, 1, 1, 1));
    return node.setResult(node.apply(Map{MapKind::Where}, {chosen, on, off}, node.in(2).type));
}

Result<void> nonZero(const NodeContext& node) {
    if (!node.in(0).isKnown()) return node.unsupported(messages::sizeDependsOnValues());
    ASSIGN(const auto values, node.numbers(0));
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0) places.push_back(i);
    const auto& shape = node.shape();
    std::vector<double> indices(places.size() * shape.size());
    for (std::size_t p = 0; p < places.size(); ++p) {
        auto rest = static_cast<std::int64_t>(places[p]);
        for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d])
            indices[d * places.size() + p] = static_cast<double>(rest % shape[d]);
    }
    node.set(0, knownValue({static_cast<std::int64_t>(shape.size()), static_cast<std::int64_t>(places.size())},
                           ElementType::Int64, std::move(indices)));
    return {};
}

}  // namespace

void addLookUps(Operators& operators) {
    using K = ReduceKind;
    operators["Gather"] = {2, gather};
    operators["GatherElements"] = {2, gatherElements};
    operators["GatherND"] = {2, gatherNd};
    operators["ScatterElements"] = {3, [](const NodeContext& node) { return scatter(node, ScatterKind::Elements); }};
    operators["Scatter"] = {3, [](const NodeContext& node) { return scatter(node, ScatterKind::Elements); }};
    operators["ScatterND"] = {3, [](const NodeContext& node) { return scatter(node, ScatterKind::Nd); }};
    operators["ReduceSum"] = {1, reduction(K::Sum, 13)};
    operators["ReduceMean"] = {1, reduction(K::Mean, 18)};
    operators["ReduceMax"] = {1, reduction(K::Max, 18)};
    operators["ReduceMin"] = {1, reduction(K::Min, 18)};
    operators["ReduceProd"] = {1, reduction(K::Prod, 18)};
    operators["ReduceL1"] = {1, reduction(K::L1, 18)};
    operators["ReduceL2"] = {1, reduction(K::L2, 18)};
    operators["ReduceSumSquare"] = {1, reduction(K::SumSquare, 18)};
    operators["ReduceLogSum"] = {1, reduction(K::LogSum, 18)};
    operators["ReduceLogSumExp"] = {1, reduction(K::LogSumExp, 18)};
    operators["ArgMax"] = {1, best(K::ArgMax)};
    operators["ArgMin"] = {1, best(K::ArgMin)};
    operators["CumSum"] = {2, cumulativeSum};
    operators["OneHot"] = {3, oneHot};
    operators["NonZero"] = {1, nonZero};
}

}  // namespace steelyard::model::onnx
