// SPDX-License-Identifier: Apache-2.0
#include "engine/model/array/array_layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/messages/model.h"
#include "engine/core/overloaded.h"

namespace steelyard::model {
namespace {

constexpr double kMostArrayElements = 0x1p44;

double elementsOf(const Shape& shape) {
    double count = 1;
    for (auto extent : shape) count *= static_cast<double>(extent);
    return count;
}

std::string text(const Shape& shape) {
    return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, " x "));
}

Failure bad(Message why) {
    return fail(ErrorKind::InvalidArgument, "array operation", std::move(why));
}

Result<void> needInputs(const std::vector<Shape>& inputs, std::size_t least, std::size_t most) {
    if (inputs.size() >= least && inputs.size() <= most) return {};
    return bad(messages::operandCount(least, most, inputs.size()));
}

bool isAxis(std::int64_t axis, const Shape& shape) {
    return axis >= 0 && axis < static_cast<std::int64_t>(shape.size());
}

std::size_t operandCount(MapKind kind) {
    if (kind == MapKind::Where) return 3;
    return kind < MapKind::Add ? 1 : 2;
}

Result<Shape> mapShape(const Map& map, const std::vector<Shape>& inputs) {
    const bool any =
        map.kind == MapKind::Add || map.kind == MapKind::Max || map.kind == MapKind::Min || map.kind == MapKind::Mean;
    const auto operands = operandCount(map.kind);
    TRY(needInputs(inputs, any ? 1 : operands, any ? 1000 : operands));
    return broadcastShape(inputs);
}

Result<Shape> rearrangeShape(const Rearrange& l, const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 1, 1));
    if (l.extents.size() != l.strides.size() || elementsOf(l.extents) != elementsOf(l.shape))
        return bad(messages::stridesDoNotMatch());
    if (elementsOf(l.shape) == 0) return l.shape;
    std::int64_t low = l.offset, high = l.offset;
    for (std::size_t i = 0; i < l.extents.size(); ++i) {
        const auto reach = (l.extents[i] - 1) * l.strides[i];
        (reach < 0 ? low : high) += reach;
    }
    if (low < 0 || static_cast<double>(high) >= elementsOf(inputs[0])) return bad(messages::readsBeyondInput());
    return l.shape;
}

Result<Shape> padShape(const PadArray& l, const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 1, 1));
    auto shape = inputs[0];
    if (l.before.size() != shape.size() || l.after.size() != shape.size()) return bad(messages::twoWidths());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (l.mode == PadMode::Reflect && (l.before[i] >= shape[i] || l.after[i] >= shape[i]) &&
            (l.before[i] > 0 || l.after[i] > 0))
            return bad(messages::reflectsTooMuch());
        if (l.mode != PadMode::Constant && shape[i] == 0 && l.before[i] + l.after[i] > 0)
            return bad(messages::nothingToRepeat());
        shape[i] += l.before[i] + l.after[i];
        if (shape[i] < 0) return bad(messages::cutsTooMuch());
    }
    return shape;
}

Result<Shape> joinShape(const JoinArrays& l, const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 1, 100'000));
    auto shape = inputs[0];
    if (!isAxis(l.axis, shape)) return bad(messages::axisOutOfRange());
    const auto axis = static_cast<std::size_t>(l.axis);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        auto other = inputs[i];
        if (other.size() != shape.size()) return bad(messages::shapesDoNotMatch(text(other), text(shape)));
        const auto extent = other[axis];
        other[axis] = shape[axis];
        if (other != shape) return bad(messages::shapesDoNotMatch(text(inputs[i]), text(inputs[0])));
        shape[axis] += extent;
    }
    return shape;
}

Result<Shape> reduceShape(const Reduce& l, const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 1, 1));
    Shape shape;
    for (auto axis : l.axes)
        if (!isAxis(axis, inputs[0])) return bad(messages::axisOutOfRange());
    for (std::size_t i = 0; i < inputs[0].size(); ++i) {
        const bool reduced = std::find(l.axes.begin(), l.axes.end(), static_cast<std::int64_t>(i)) != l.axes.end();
        if (!reduced) shape.push_back(inputs[0][i]);
        if (reduced && l.keepDimensions) shape.push_back(1);
    }
    return shape;
}

Result<Shape> lookUpShape(const LookUp& l, const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 2, 2));
    const auto& data = inputs[0];
    const auto& indices = inputs[1];
    if (l.kind == LookUpKind::Nd) {
        const auto batch = l.batchDimensions;
        if (indices.empty() || batch < 0 || batch >= static_cast<std::int64_t>(indices.size()) ||
            batch + indices.back() > static_cast<std::int64_t>(data.size()))
            return bad(messages::indicesDoNotSelect(text(indices), text(data)));
        for (std::int64_t i = 0; i < batch; ++i)
            if (data[static_cast<std::size_t>(i)] != indices[static_cast<std::size_t>(i)])
                return bad(messages::batchDimensionsDiffer());
        Shape shape(indices.begin(), indices.end() - 1);
        shape.insert(shape.end(), data.begin() + batch + indices.back(), data.end());
        return shape;
    }
    if (!isAxis(l.axis, data)) return bad(messages::axisOutOfRange());
    if (l.kind == LookUpKind::Elements) {
        if (indices.size() != data.size()) return bad(messages::ranksDiffer());
        for (std::size_t i = 0; i < data.size(); ++i)
            if (static_cast<std::int64_t>(i) != l.axis && indices[i] > data[i])
                return bad(messages::indicesBeyondShape(text(indices), text(data)));
        return indices;
    }
    Shape shape(data.begin(), data.begin() + l.axis);
    shape.insert(shape.end(), indices.begin(), indices.end());
    shape.insert(shape.end(), data.begin() + l.axis + 1, data.end());
    return shape;
}

Result<Shape> scatterShape(const Scatter& l, const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 3, 3));
    const auto& data = inputs[0];
    const auto& indices = inputs[1];
    const auto& updates = inputs[2];
    if (l.kind == ScatterKind::Elements) {
        if (!isAxis(l.axis, data) || indices.size() != data.size() || indices != updates)
            return bad(messages::scatterMismatch());
        for (std::size_t i = 0; i < data.size(); ++i)
            if (static_cast<std::int64_t>(i) != l.axis && indices[i] > data[i])
                return bad(messages::indicesBeyondData());
        return data;
    }
    if (indices.empty() || indices.back() > static_cast<std::int64_t>(data.size()))
        return bad(messages::indicesDoNotMatch());
    Shape expected(indices.begin(), indices.end() - 1);
    expected.insert(expected.end(), data.begin() + indices.back(), data.end());
    if (expected != updates) return bad(messages::updatesShape(text(updates), text(expected)));
    return data;
}

Result<Shape> matrixShape(const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 2, 2));
    auto a = inputs[0], b = inputs[1];
    if (a.empty() || b.empty()) return bad(messages::noScalars());
    const bool row = a.size() == 1, column = b.size() == 1;
    if (row) a.insert(a.begin(), 1);
    if (column) b.push_back(1);
    if (a.back() != b[b.size() - 2]) return bad(messages::matricesDoNotMatch(text(inputs[0]), text(inputs[1])));
    ASSIGN(auto shape, broadcastShape({Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2)}));
    if (!row) shape.push_back(a[a.size() - 2]);
    if (!column) shape.push_back(b.back());
    return shape;
}

Result<Shape> attendShape(const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 3, 1000));
    const auto& q = inputs[0];
    const auto& k = inputs[1];
    const auto& v = inputs[2];
    if (q.size() < 2 || k.size() != q.size() || v.size() != q.size()) return bad(messages::ranksDiffer());
    const auto rank = q.size();
    if (q[rank - 1] != k[rank - 2] || !std::equal(q.begin(), q.end() - 2, k.begin()))
        return bad(messages::matricesDoNotMatch(text(q), text(k)));
    if (k[rank - 1] != v[rank - 2] || !std::equal(k.begin(), k.end() - 2, v.begin()))
        return bad(messages::matricesDoNotMatch(text(k), text(v)));
    auto scores = q;
    scores.back() = k.back();
    for (std::size_t i = 3; i < inputs.size(); ++i) {
        ASSIGN(const auto both, broadcastShape({scores, inputs[i]}));
        if (both != scores) return bad(messages::shapesDoNotMatch(text(inputs[i]), text(scores)));
    }
    auto shape = q;
    shape.back() = v.back();
    return shape;
}

// Number of windows over one dimension; an extra window from roundUp starts inside the image or its leading padding.
Result<std::int64_t> windows(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                             std::int64_t before, std::int64_t after, bool roundUp) {
    if (kernel < 1 || stride < 1 || dilation < 1 || before < 0 || after < 0) return bad(messages::windowTooSmall());
    const auto slack = in + before + after - ((kernel - 1) * dilation + 1);
    if (slack < 0) return bad(messages::kernelTooLarge(kernel, in));
    auto count = slack / stride + 1;
    if (roundUp && slack % stride != 0 && count * stride < in + before) ++count;
    return count;
}

bool spatialListsFit(std::size_t spatial, const std::vector<const Shape*>& lists) {
    return std::all_of(lists.begin(), lists.end(), [&](const Shape* list) { return list->size() == spatial; });
}

Result<Shape> convolveShape(const ConvolveNd& l, const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 2, 3));
    const auto& x = inputs[0];
    const auto& w = inputs[1];
    if (x.size() < 3 || w.size() != x.size()) return bad(messages::convolutionOperands());
    const auto spatial = x.size() - 2;
    if (!spatialListsFit(spatial, {&l.kernel, &l.stride, &l.dilation, &l.before, &l.after}) || l.groups < 1)
        return bad(messages::attributesRank());
    if (!std::equal(l.kernel.begin(), l.kernel.end(), w.begin() + 2)) return bad(messages::kernelDiffers());
    const auto channels = x[1];
    if (channels % l.groups != 0 || w[l.transposed ? 0 : 1] != (l.transposed ? channels : channels / l.groups) ||
        (!l.transposed && w[0] % l.groups != 0))
        return bad(messages::weightDoesNotFit(text(w), l.groups, text(x)));
    Shape shape{x[0], l.transposed ? w[1] * l.groups : w[0]};
    for (std::size_t i = 0; i < spatial; ++i) {
        if (l.transposed) {
            if (l.before[i] < 0 || l.after[i] < 0) return bad(messages::negativePadding());
            const auto more = l.outputPadding.empty() ? 0 : l.outputPadding[i];
            const auto extent =
                (x[i + 2] - 1) * l.stride[i] + more + (l.kernel[i] - 1) * l.dilation[i] + 1 - l.before[i] - l.after[i];
            if (extent < 1 || l.stride[i] < 1 || l.dilation[i] < 1) return bad(messages::emptyResult());
            shape.push_back(extent);
            continue;
        }
        ASSIGN(const auto count,
               windows(x[i + 2], l.kernel[i], l.stride[i], l.dilation[i], l.before[i], l.after[i], false));
        shape.push_back(count);
    }
    if (inputs.size() == 3 && inputs[2] != Shape{shape[1]}) return bad(messages::biasDoesNotMatch());
    return shape;
}

Result<Shape> poolShape(const PoolNd& l, const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 1, 1));
    const auto& x = inputs[0];
    if (x.size() < 3 || !spatialListsFit(x.size() - 2, {&l.kernel, &l.stride, &l.dilation, &l.before, &l.after}))
        return bad(messages::attributesRank());
    Shape shape{x[0], x[1]};
    for (std::size_t i = 0; i + 2 < x.size(); ++i) {
        ASSIGN(const auto count,
               windows(x[i + 2], l.kernel[i], l.stride[i], l.dilation[i], l.before[i], l.after[i], l.roundUp));
        shape.push_back(count);
    }
    return shape;
}

Result<Shape> recurrentShape(const RecurrentPass& l, const std::vector<Shape>& inputs) {
    const auto optional = static_cast<std::size_t>(l.hasBias + l.hasLengths + l.hasHidden + l.hasCell + l.hasPeepholes);
    TRY(needInputs(inputs, 3 + optional, 3 + optional));
    const auto& x = inputs[0];
    const std::int64_t directions = l.direction == PassDirection::Bidirectional ? 2 : 1;
    const std::int64_t gates = l.cell == PassCell::Lstm ? 4 : l.cell == PassCell::Gru ? 3 : 1;
    if (x.size() != 3 || l.units < 1) return bad(messages::takesSequence());
    if (inputs[1] != Shape{directions, gates * l.units, x[2]} ||
        inputs[2] != Shape{directions, gates * l.units, l.units})
        return bad(messages::recurrentWeights(text(inputs[1]), text(inputs[2]), l.units, text(x)));
    std::size_t next = 3;
    const auto expect = [&](bool present, const Shape& shape) { return !present || inputs[next++] == shape; };
    if (!expect(l.hasBias, {directions, 2 * gates * l.units}) || !expect(l.hasLengths, {x[1]}) ||
        !expect(l.hasHidden, {directions, x[1], l.units}) || !expect(l.hasCell, {directions, x[1], l.units}) ||
        !expect(l.hasPeepholes, {directions, 3 * l.units}))
        return bad(messages::operandDoesNotFit());
    return Shape{(x[0] + (l.cell == PassCell::Lstm ? 2 : 1)) * directions * x[1] * l.units};
}

Result<Shape> normaliseShape(const Normalise& l, const std::vector<Shape>& inputs) {
    TRY(needInputs(inputs, 1, 3));
    const auto& x = inputs[0];
    switch (l.kind) {
        case NormaliseKind::Instance:
        case NormaliseKind::Group:
            if (x.size() < 2 || l.groups < 1 || x[1] % l.groups != 0) return bad(messages::takesChannels());
            for (std::size_t i = 1; i < inputs.size(); ++i)
                if (inputs[i] != Shape{x[1]}) return bad(messages::scaleChannels());
            return x;
        case NormaliseKind::LocalResponse:
            if (x.size() < 2 || l.size < 1) return bad(messages::takesChannels());
            return x;
        case NormaliseKind::MeanVariance:
            for (auto axis : l.axes)
                if (!isAxis(axis, x)) return bad(messages::axisOutOfRange());
            return x;
        default:
            if (!isAxis(l.axis, x)) return bad(messages::axisOutOfRange());
            for (std::size_t i = 1; i < inputs.size(); ++i) {
                ASSIGN(const auto both, broadcastShape({x, inputs[i]}));
                if (both != x) return bad(messages::scaleDoesNotMatch());
            }
            return x;
    }
}

}  // namespace

std::string_view toString(MapKind kind) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(MapKind::Where) + 1> names{"identity",
                                                                                               "neg",
                                                                                               "abs",
                                                                                               "exp",
                                                                                               "log",
                                                                                               "sqrt",
                                                                                               "reciprocal",
                                                                                               "erf",
                                                                                               "floor",
                                                                                               "ceil",
                                                                                               "round",
                                                                                               "sign",
                                                                                               "sin",
                                                                                               "cos",
                                                                                               "tan",
                                                                                               "asin",
                                                                                               "acos",
                                                                                               "atan",
                                                                                               "sinh",
                                                                                               "cosh",
                                                                                               "asinh",
                                                                                               "acosh",
                                                                                               "atanh",
                                                                                               "tanh",
                                                                                               "sigmoid",
                                                                                               "relu",
                                                                                               "gelu",
                                                                                               "gelu_tanh",
                                                                                               "softplus",
                                                                                               "softsign",
                                                                                               "elu",
                                                                                               "selu",
                                                                                               "celu",
                                                                                               "leaky_relu",
                                                                                               "thresholded_relu",
                                                                                               "hard_sigmoid",
                                                                                               "hard_swish",
                                                                                               "mish",
                                                                                               "shrink",
                                                                                               "clip",
                                                                                               "scale",
                                                                                               "truncate",
                                                                                               "to_bool",
                                                                                               "not",
                                                                                               "is_nan",
                                                                                               "is_inf",
                                                                                               "add",
                                                                                               "sub",
                                                                                               "mul",
                                                                                               "div",
                                                                                               "integer_div",
                                                                                               "pow",
                                                                                               "max",
                                                                                               "min",
                                                                                               "mean",
                                                                                               "prelu",
                                                                                               "mod",
                                                                                               "fmod",
                                                                                               "and",
                                                                                               "or",
                                                                                               "xor",
                                                                                               "equal",
                                                                                               "less",
                                                                                               "less_or_equal",
                                                                                               "greater",
                                                                                               "greater_or_equal",
                                                                                               "where"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view arrayKindName(const ArrayOperation& operation) {
    if (const auto* map = std::get_if<Map>(&operation)) return toString(map->kind);
    constexpr std::array<std::string_view, std::variant_size_v<ArrayOperation>> names{
        "map",      "rearrange",   "pad",  "join",   "reduce",    "look_up",   "scatter",        "matmul",
        "softmax",  "convolution", "pool", "resize", "normalise", "recurrent", "cumulative_sum", "triangle",
        "attention"};
    return names[operation.index()];
}

Result<Shape> broadcastShape(const std::vector<Shape>& inputs) {
    std::size_t rank = 0;
    for (const auto& shape : inputs) rank = std::max(rank, shape.size());
    Shape result(rank, 1);
    for (const auto& shape : inputs) {
        const auto lead = rank - shape.size();
        for (std::size_t i = 0; i < shape.size(); ++i) {
            auto& extent = result[lead + i];
            if (shape[i] == extent || shape[i] == 1) continue;
            if (extent != 1) return bad(messages::cannotBroadcast(text(inputs[0]), text(shape)));
            extent = shape[i];
        }
    }
    return result;
}

Result<Shape> arrayShape(const ArrayOperation& operation, const std::vector<Shape>& inputs) {
    auto shape = std::visit(Overloaded{
                                [&](const Map& l) { return mapShape(l, inputs); },
                                [&](const Rearrange& l) { return rearrangeShape(l, inputs); },
                                [&](const PadArray& l) { return padShape(l, inputs); },
                                [&](const JoinArrays& l) { return joinShape(l, inputs); },
                                [&](const Reduce& l) { return reduceShape(l, inputs); },
                                [&](const LookUp& l) { return lookUpShape(l, inputs); },
                                [&](const Scatter& l) { return scatterShape(l, inputs); },
                                [&](const MatrixProduct&) { return matrixShape(inputs); },
                                [&](const AttendArrays&) { return attendShape(inputs); },
                                [&](const SoftmaxAlong& l) -> Result<Shape> {
                                    TRY(needInputs(inputs, 1, 1));
                                    if (!isAxis(l.axis, inputs[0])) return bad(messages::axisOutOfRange());
                                    return inputs[0];
                                },
                                [&](const ConvolveNd& l) { return convolveShape(l, inputs); },
                                [&](const PoolNd& l) { return poolShape(l, inputs); },
                                [&](const ResizeArray& l) -> Result<Shape> {
                                    TRY(needInputs(inputs, 1, 1));
                                    if (l.shape.size() != inputs[0].size() || l.scales.size() != inputs[0].size())
                                        return bad(messages::sizePerDimension());
                                    return l.shape;
                                },
                                [&](const Normalise& l) { return normaliseShape(l, inputs); },
                                [&](const RecurrentPass& l) { return recurrentShape(l, inputs); },
                                [&](const CumulativeSum& l) -> Result<Shape> {
                                    TRY(needInputs(inputs, 1, 1));
                                    if (!isAxis(l.axis, inputs[0])) return bad(messages::axisOutOfRange());
                                    return inputs[0];
                                },
                                [&](const Triangle&) -> Result<Shape> {
                                    TRY(needInputs(inputs, 1, 1));
                                    if (inputs[0].size() < 2) return bad(messages::twoDimensions());
                                    return inputs[0];
                                },
                            },
                            operation);
    if (shape && elementsOf(*shape) > kMostArrayElements) return bad(messages::arrayTooLarge(text(*shape)));
    return shape;
}

double arrayMacs(const ArrayOperation& operation, const std::vector<Shape>& inputs, const Shape& output) {
    if (std::holds_alternative<MatrixProduct>(operation))
        return elementsOf(output) * static_cast<double>(inputs[0].back());
    if (std::holds_alternative<AttendArrays>(operation)) {  // both products
        const double scores = elementsOf(inputs[0]) * static_cast<double>(inputs[1].back());
        return scores + elementsOf(output) * static_cast<double>(inputs[1].back());
    }
    if (const auto* convolution = std::get_if<ConvolveNd>(&operation)) {
        const double taps = elementsOf(convolution->kernel);
        const auto perGroup = static_cast<double>(inputs[0][1] / convolution->groups);
        return convolution->transposed ? elementsOf(inputs[0]) * taps * static_cast<double>(inputs[1][1])
                                       : elementsOf(output) * taps * perGroup;
    }
    if (std::holds_alternative<RecurrentPass>(operation)) {
        const auto rows = static_cast<double>(inputs[0][0]) * static_cast<double>(inputs[0][1]);
        return rows * (elementsOf(inputs[1]) + elementsOf(inputs[2]));
    }
    return 0;
}

}  // namespace steelyard::model
