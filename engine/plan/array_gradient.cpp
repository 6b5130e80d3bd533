// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/array_gradient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "engine/model/array/array_gradient.h"
#include "engine/model/array/strides.h"
#include "engine/plan/operation_cost.h"
#include "engine/plan/recurrent_gradient.h"

namespace steelyard::plan {

using model::MapKind;
using model::rowMajorStrides;
using model::Shape;

namespace {

std::vector<std::int64_t> allAxesFrom(std::int64_t first, std::size_t rank) {
    std::vector<std::int64_t> axes;
    for (auto axis = first; axis < static_cast<std::int64_t>(rank); ++axis) axes.push_back(axis);
    return axes;
}

}  // namespace

// Gradient rules, one overload per kind. y = f(x), g is the gradient of y.
class ArrayGradient::Rules {
public:
    Rules(ArrayGradient& to, const Operation& forward, TensorId gradient, const std::vector<bool>& wanted)
        : m_to(to), m_forward(forward), m_g(gradient), m_wanted(wanted), m_result(forward.inputs.size(), kNoTensor) {}

    std::vector<TensorId> apply() {
        std::visit(*this, std::get<model::ArrayLayer>(m_forward.layer).operation);
        return std::move(m_result);
    }

    // ---- element-wise

    void operator()(const model::Map& map) {
        const auto count = m_forward.inputs.size();
        for (std::size_t k = 0; k < count; ++k)
            if (m_wanted[k]) give(k, summedTo(mapTerm(map, k), dims(x(k))));
    }

    // ---- data movement

    void operator()(const model::Rearrange& l) { give(0, placed(l, m_g, dims(x()))); }

    void operator()(const model::PadArray& l) {
        auto cut = l;
        for (auto& width : cut.before) width = -width;
        for (auto& width : cut.after) width = -width;
        cut.value = 0;
        give(0, emit(cut, {m_g}));
    }

    void operator()(const model::JoinArrays& l) {
        const auto axis = static_cast<std::size_t>(l.axis);
        const auto& whole = dims(m_g);
        const auto strides = rowMajorStrides(whole);
        std::int64_t start = 0;
        for (std::size_t k = 0; k < m_forward.inputs.size(); ++k) {
            const auto& part = dims(x(k));
            if (m_wanted[k]) give(k, emit(model::Rearrange{part, strides, start * strides[axis], part}, {m_g}));
            start += part[axis];
        }
    }

    void operator()(const model::LookUp& l) {
        const auto zero = emit(model::Map{MapKind::Scale, 0, 0}, {x()});
        if (l.kind == model::LookUpKind::Elements)
            return give(0, emit(model::Scatter{model::ScatterKind::Elements, l.axis, model::ScatterReduction::Add},
                                {zero, x(1), m_g}));
        auto indices = x(1), updates = m_g;
        if (l.kind == model::LookUpKind::Axis) {  // each index selects a slice of the first axis
            auto shape = dims(indices);
            auto slices = shape;
            shape.push_back(1);
            const auto table = dims(x());
            slices.insert(slices.end(), table.begin() + 1, table.end());
            indices = m_to.reshaped(indices, shape);
            updates = m_to.reshaped(updates, slices);
        }
        give(0,
             emit(model::Scatter{model::ScatterKind::Nd, 0, model::ScatterReduction::Add}, {zero, indices, updates}));
    }

    void operator()(const model::Scatter& /*never asked for*/) {}

    void operator()(const model::ResizeArray& l) {
        if (model::repeatsElements(l, dims(x()), l.shape)) return sumBlocks(l);
        // Linear, one dimension at a time: the resized unit vectors are the rows of its matrix.
        const auto whole = dims(x());
        auto g = m_g;
        for (std::size_t d = 0; d < whole.size(); ++d) {
            const auto from = whole[d], to = l.shape[d];
            if (from == to && l.scales[d] == 1) continue;
            const Shape square{from, from};
            const auto ones = linear(emit(model::Rearrange{square, {0, 0}, 0, square}, {x()}), 0, 1);
            const auto vectors = emit(model::Triangle{false, 0}, {emit(model::Triangle{true, 0}, {ones})});
            auto line = l;
            line.scales = {1, l.scales[d]};
            line.shape = {from, to};
            const auto matrix = emit(line, {vectors});
            auto shape = dims(g);
            const auto outer = std::accumulate(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(d),
                                               std::int64_t{1}, std::multiplies<>());
            const auto inner = model::elementCount(shape) / outer / to;
            g = inner == 1 ? product(m_to.reshaped(g, {outer, to}), transposed(matrix))
                           : product(matrix, m_to.reshaped(g, {outer, to, inner}));
            shape[d] = from;
            g = m_to.reshaped(g, shape);
        }
        give(0, g);
    }
    // Each element was repeated an integer number of times.
    void sumBlocks(const model::ResizeArray& l) {
        Shape blocks;
        std::vector<std::int64_t> axes;
        for (std::size_t d = 0; d < l.shape.size(); ++d) {
            const auto extent = dims(x())[d];
            blocks.push_back(extent);
            axes.push_back(static_cast<std::int64_t>(blocks.size()));
            blocks.push_back(l.shape[d] / extent);
        }
        const auto sum = emit(model::Reduce{model::ReduceKind::Sum, axes, false}, {m_to.reshaped(m_g, blocks)});
        give(0, m_to.reshaped(sum, dims(x())));
    }

    void operator()(const model::CumulativeSum& l) {
        auto back = l;
        back.reverse = !l.reverse;
        give(0, emit(back, {m_g}));
    }

    void operator()(const model::Triangle& l) { give(0, emit(l, {m_g})); }

    // ---- reductions along axes

    void operator()(const model::Reduce& l) {
        auto kept = dims(x());
        double count = 1;
        for (auto axis : l.axes) {
            count *= static_cast<double>(kept[static_cast<std::size_t>(axis)]);
            kept[static_cast<std::size_t>(axis)] = 1;
        }
        const auto g = m_to.reshaped(m_g, kept), y = m_to.reshaped(m_forward.output, kept);
        using K = model::ReduceKind;
        switch (l.kind) {
            case K::Sum:
                return give(0, spread(g));
            case K::Mean:
                return give(0, spread(scale(g, 1 / count)));
            case K::SumSquare:
                return give(0, mul(x(), scale(g, 2)));
            case K::L2:
                return give(0, mul(x(), div(g, y)));
            case K::L1:
                return give(0, mul(map(MapKind::Sign, x()), g));
            case K::LogSumExp:
                return give(0, mul(map(MapKind::Exp, sub(x(), y)), g));
            case K::Max:
            case K::Min: {  // shared equally by all extreme elements
                const auto same = map(MapKind::Equal, {x(), y});
                const auto many = emit(model::Reduce{K::Sum, l.axes, true}, {same});
                return give(0, mul(same, div(g, many)));
            }
            default:
                return;
        }
    }

    void operator()(const model::SoftmaxAlong& l) {
        const auto y = m_forward.output;
        const std::vector<std::int64_t> axes{l.axis};
        if (l.logarithm) return give(0, sub(m_g, mul(map(MapKind::Exp, y), sumOver(m_g, axes))));
        give(0, softmaxTerm(y, m_g, axes));
    }

    void operator()(const model::Normalise& l) {
        if (l.kind == model::NormaliseKind::LocalResponse) return give(0, responseTerm(l));
        // Rows: elements with a common mean and deviation. n = (x - mean) / deviation.
        const auto& whole = dims(x());
        const auto elements = model::elementCount(whole);
        std::int64_t rows = 1;
        if (l.kind == model::NormaliseKind::Instance) rows = whole[0] * whole[1];
        if (l.kind == model::NormaliseKind::Group) rows = whole[0] * l.groups;
        if (l.kind == model::NormaliseKind::Layer || l.kind == model::NormaliseKind::RootMeanSquare)
            rows = std::accumulate(whole.begin(), whole.begin() + l.axis, std::int64_t{1}, std::multiplies<>());
        const Shape flat{rows, elements / rows};
        const bool centred = l.kind != model::NormaliseKind::RootMeanSquare;

        auto centre = m_to.reshaped(x(), flat);
        if (centred) centre = sub(centre, mean(centre));
        const auto variance = mean(mul(centre, centre));
        const auto deviation = map(MapKind::Sqrt, emit(model::Map{MapKind::Scale, 1, l.epsilon}, {variance}));
        const auto n = div(centre, deviation);

        // The scale as the forward operation applies it: per channel, or over the last dimensions.
        const bool byChannel = l.kind == model::NormaliseKind::Instance || l.kind == model::NormaliseKind::Group;
        const auto vectorShape = [&](TensorId vector) {
            if (!byChannel) return dims(vector);
            Shape shape(whole.size() - 1, 1);
            shape[0] = whole[1];
            return shape;
        };
        auto inner = m_g;
        if (m_forward.inputs.size() > 1) {
            const auto shape = vectorShape(x(1));
            inner = mul(m_g, m_to.reshaped(x(1), shape));
            if (m_wanted[1]) give(1, m_to.reshaped(summedTo(mul(m_g, m_to.reshaped(n, whole)), shape), dims(x(1))));
        }
        if (m_forward.inputs.size() > 2 && m_wanted[2])
            give(2, m_to.reshaped(summedTo(m_g, vectorShape(x(2))), dims(x(2))));
        if (!m_wanted[0]) return;
        inner = m_to.reshaped(inner, flat);
        auto rest = sub(inner, mul(n, mean(mul(inner, n))));
        if (centred) rest = sub(rest, mean(inner));
        give(0, m_to.reshaped(div(rest, deviation), whole));
    }

    // ---- matrix products

    void operator()(const model::MatrixProduct& /*no attributes*/) {
        auto a = x(0), b = x(1), g = m_g;
        auto shapeA = dims(a), shapeB = dims(b), shapeG = dims(g);
        // Vectors are matrices with one row or column. (A product of two vectors has dims {1} in the Plan.)
        const bool row = shapeA.size() == 1, column = shapeB.size() == 1;
        if (row && column) shapeG.clear();
        if (row) {
            shapeA.insert(shapeA.begin(), 1);
            shapeG.insert(column ? shapeG.end() : shapeG.end() - 1, 1);
        }
        if (column) {
            shapeB.push_back(1);
            shapeG.push_back(1);
        }
        a = m_to.reshaped(a, shapeA);
        b = m_to.reshaped(b, shapeB);
        g = m_to.reshaped(g, shapeG);
        if (m_wanted[0]) give(0, m_to.reshaped(summedTo(product(g, transposed(b)), shapeA), dims(x(0))));
        if (m_wanted[1]) give(1, m_to.reshaped(summedTo(product(transposed(a), g), shapeB), dims(x(1))));
    }

    // Recomputes the scores.
    void operator()(const model::AttendArrays& l) {
        const auto q = x(0), k = x(1), v = x(2);
        auto scores = scale(product(q, k), l.scale);
        for (std::size_t mask = 3; mask < m_forward.inputs.size(); ++mask)
            scores = map(MapKind::Add, {scores, x(mask)});
        const auto last = static_cast<std::int64_t>(dims(scores).size()) - 1;
        const auto p = emit(model::SoftmaxAlong{last}, {scores});
        if (m_wanted[2]) give(2, product(transposed(p), m_g));
        const auto gradientOfScores = softmaxTerm(p, product(m_g, transposed(v)), {last});
        for (std::size_t mask = 3; mask < m_forward.inputs.size(); ++mask)
            if (m_wanted[mask]) give(mask, summedTo(gradientOfScores, dims(x(mask))));
        const auto scaled = scale(gradientOfScores, l.scale);
        if (m_wanted[0]) give(0, product(scaled, transposed(k)));
        if (m_wanted[1]) give(1, product(transposed(q), scaled));
    }

    void operator()(const model::ConvolveNd& l) {
        const auto& in = dims(x(0));
        const auto& out = dims(m_g);
        const auto spatial = in.size() - 2;
        if (m_wanted[0]) {
            // The inverse: a convolution for a transposed one. Elements outside all windows get zeros.
            auto back = l;
            back.transposed = !l.transposed;
            back.outputPadding.clear();
            if (!l.transposed) {
                back.outputPadding.resize(spatial);
                for (std::size_t d = 0; d < spatial; ++d) {
                    const auto reached = (out[d + 2] - 1) * l.stride[d] + (l.kernel[d] - 1) * l.dilation[d] + 1 -
                                         l.before[d] - l.after[d];
                    back.outputPadding[d] = in[d + 2] - reached;
                }
            }
            give(0, emit(back, {m_g, x(1)}));
        }
        if (m_wanted[1]) {
            // Channels and samples are swapped: the gradient slides over the input.
            const auto moving = l.transposed ? x(0) : m_g, under = l.transposed ? m_g : x(0);
            auto slide = l;
            slide.transposed = false;
            slide.outputPadding.clear();
            const auto window = dims(moving);
            slide.kernel.assign(window.begin() + 2, window.end());
            slide.stride = l.dilation;
            slide.dilation = l.stride;
            auto gradient = emit(slide, {exchanged(under), exchanged(moving)});
            // Taps beyond the kernel: positions that the stride left over.
            model::PadArray cut;
            cut.before.assign(spatial + 2, 0);
            cut.after = cut.before;
            for (std::size_t d = 0; d < spatial; ++d) cut.after[d + 2] = l.kernel[d] - dims(gradient)[d + 2];
            if (cut.after != cut.before) gradient = emit(cut, {gradient});
            give(1, exchanged(gradient));
        }
        if (m_forward.inputs.size() > 2 && m_wanted[2]) {
            auto axes = allAxesFrom(2, in.size());
            axes.insert(axes.begin(), 0);
            give(2, m_to.reshaped(sumOver(m_g, axes), dims(x(2))));
        }
    }

    // One tap of the window at a time: reads its elements of the padded input, and adds their gradient there. For the
    // maximum, equal maxima share the gradient.
    void operator()(const model::PoolNd& l) {
        const auto whole = dims(x()), out = dims(m_g);
        const auto spatial = l.kernel.size();
        model::PadArray pad{model::PadMode::Constant, Shape(whole.size(), 0), Shape(whole.size(), 0),
                            -std::numeric_limits<double>::infinity()};
        auto padded = whole;
        for (std::size_t d = 0; d < spatial; ++d) {
            const auto reached = (out[d + 2] - 1) * l.stride[d] + (l.kernel[d] - 1) * l.dilation[d] + 1;
            pad.before[d + 2] = l.before[d];
            pad.after[d + 2] = reached - whole[d + 2] - l.before[d];
            padded[d + 2] = reached;
        }
        const auto taps = tapsOf(l, padded, out);
        std::vector<TensorId> shares(taps.size());
        if (l.kind == model::WindowKind::Max) {
            const auto values = padded == whole ? x() : emit(pad, {x()});
            for (std::size_t t = 0; t < taps.size(); ++t)
                shares[t] = map(MapKind::Equal, {emit(taps[t], {values}), m_forward.output});
            const auto share = div(m_g, shares.size() > 1 ? map(MapKind::Add, shares) : shares[0]);
            for (auto& one : shares) one = mul(one, share);
        } else {
            std::fill(shares.begin(), shares.end(), scale(m_g, 1 / static_cast<double>(taps.size())));
        }
        for (std::size_t t = 0; t < taps.size(); ++t) shares[t] = placed(taps[t], shares[t], padded);
        const auto gradient = shares.size() > 1 ? map(MapKind::Add, shares) : shares[0];
        for (auto& width : pad.before) width = -width;
        for (auto& width : pad.after) width = -width;
        pad.value = 0;
        give(0, padded == whole ? gradient : emit(pad, {gradient}));
    }
    void operator()(const model::RecurrentPass& l) {
        m_result = RecurrentGradient(m_to, m_forward, l, m_g, m_wanted).contributions();
    }

private:
    [[nodiscard]] TensorId x(std::size_t k = 0) const { return m_forward.inputs[k]; }
    [[nodiscard]] Shape dims(TensorId id) const { return m_to.m_plan.tensor(id).dims; }
    void give(std::size_t k, TensorId id) { m_result[k] = id; }

    TensorId emit(const model::ArrayOperation& operation, std::vector<TensorId> inputs) {
        return m_to.emit(operation, std::move(inputs));
    }
    TensorId map(MapKind kind, TensorId a) { return emit(model::Map{kind}, {a}); }
    TensorId map(MapKind kind, std::vector<TensorId> inputs) { return emit(model::Map{kind}, std::move(inputs)); }
    TensorId mul(TensorId a, TensorId b) { return map(MapKind::Mul, {a, b}); }
    TensorId div(TensorId a, TensorId b) { return map(MapKind::Div, {a, b}); }
    TensorId sub(TensorId a, TensorId b) { return map(MapKind::Sub, {a, b}); }
    TensorId linear(TensorId a, double factor, double constant) {
        return emit(model::Map{MapKind::Scale, factor, constant}, {a});
    }
    TensorId scale(TensorId a, double factor) { return factor == 1 ? a : linear(a, factor, 0); }
    TensorId square(TensorId a) { return mul(a, a); }
    TensorId product(TensorId a, TensorId b) { return emit(model::MatrixProduct{}, {a, b}); }
    // Keeps the dimensions. Adjacent axes are summed together, for which backends have fast loops; ascending.
    TensorId sumOver(TensorId a, std::vector<std::int64_t> axes) {
        while (!axes.empty()) {
            auto first = axes.end() - 1;
            while (first != axes.begin() && *(first - 1) + 1 == *first) --first;
            a = emit(model::Reduce{model::ReduceKind::Sum, {first, axes.end()}, true}, {a});
            axes.erase(first, axes.end());
        }
        return a;
    }
    // Of each row of a matrix.
    TensorId mean(TensorId a) { return emit(model::Reduce{model::ReduceKind::Mean, {1}, true}, {a}); }
    // 1 where a > 0, else 0.
    TensorId isPositive(TensorId a) { return map(MapKind::Relu, map(MapKind::Sign, a)); }

    TensorId softmaxTerm(TensorId y, TensorId g, const std::vector<std::int64_t>& axes) {
        return mul(y, sub(g, sumOver(mul(g, y), axes)));
    }

    // Swaps the two axes.
    TensorId swapped(TensorId a, std::size_t one, std::size_t other) {
        auto shape = dims(a);
        auto strides = rowMajorStrides(shape);
        std::swap(shape[one], shape[other]);
        std::swap(strides[one], strides[other]);
        return emit(model::Rearrange{shape, strides, 0, shape}, {a});
    }
    TensorId transposed(TensorId a) { return swapped(a, dims(a).size() - 2, dims(a).size() - 1); }
    TensorId exchanged(TensorId a) { return swapped(a, 0, 1); }

    // y = x D^-beta, D = bias + alpha / size W(x^2), W the sum over the window of channels.
    TensorId responseTerm(const model::Normalise& l) {
        const auto before = (l.size - 1) / 2, after = l.size - 1 - before;
        const double factor = l.alpha / static_cast<double>(l.size);
        const auto d = linear(windowSum(square(x()), before, after), factor, l.bias);
        const auto power = map(MapKind::Exp, linear(map(MapKind::Log, d), -l.beta, 0));
        const auto through = windowSum(div(mul(m_g, m_forward.output), d), after, before);
        return sub(mul(m_g, power), mul(x(), scale(through, 2 * factor * l.beta)));
    }
    // Of channels c - before to c + after.
    TensorId windowSum(TensorId a, std::int64_t before, std::int64_t after) {
        std::vector<TensorId> shifted;
        const auto rank = dims(a).size();
        for (auto offset = -before; offset <= after; ++offset) {
            model::PadArray move{model::PadMode::Constant, Shape(rank, 0), Shape(rank, 0), 0};
            move.before[1] = -offset;
            move.after[1] = offset;
            shifted.push_back(offset == 0 ? a : emit(move, {a}));
        }
        return shifted.size() > 1 ? map(MapKind::Add, shifted) : shifted[0];
    }

    // The elements of `padded` that each tap of a window reads, for all windows.
    static std::vector<model::Rearrange> tapsOf(const model::PoolNd& l, const Shape& padded, const Shape& out) {
        const auto whole = rowMajorStrides(padded);
        auto strides = whole;
        for (std::size_t d = 0; d < l.kernel.size(); ++d) strides[d + 2] *= l.stride[d];
        std::vector<model::Rearrange> taps;
        for (std::int64_t t = 0; t < model::elementCount(l.kernel); ++t) {
            std::int64_t offset = 0, rest = t;
            for (std::size_t d = l.kernel.size(); d-- > 0;) {
                offset += rest % l.kernel[d] * l.dilation[d] * whole[d + 2];
                rest /= l.kernel[d];
            }
            taps.push_back({out, strides, offset, out});
        }
        return taps;
    }

    // Broadcasts to the input's shape.
    TensorId spread(TensorId a) {
        const auto& from = dims(a);
        const auto& to = dims(x());
        if (from == to) return a;
        auto strides = rowMajorStrides(from);
        for (std::size_t d = 0; d < from.size(); ++d)
            if (from[d] == 1) strides[d] = 0;
        return emit(model::Rearrange{to, strides, 0, to}, {a});
    }

    // Reverses a broadcast from `shape` by summation.
    TensorId summedTo(TensorId a, const Shape& shape) {
        const auto from = dims(a);
        if (from == shape) return a;
        const auto added = from.size() - shape.size();
        std::vector<std::int64_t> axes;
        for (std::size_t d = 0; d < from.size(); ++d)
            if (d < added || (shape[d - added] == 1 && from[d] != 1)) axes.push_back(static_cast<std::int64_t>(d));
        if (!axes.empty()) a = sumOver(a, axes);
        return m_to.reshaped(a, shape);
    }

    // dL/d(operand k) of an element-wise function, in the shape of the result.
    TensorId mapTerm(const model::Map& l, std::size_t k) {
        const auto y = m_forward.output;
        const auto a = x(0);
        const auto other = [&] { return x(1 - k); };
        using std::numbers::inv_sqrtpi;
        using std::numbers::sqrt2;
        switch (l.kind) {
            case MapKind::Identity:
            case MapKind::Add:
                return m_g;
            case MapKind::Neg:
                return map(MapKind::Neg, m_g);
            case MapKind::Abs:
                return mul(m_g, map(MapKind::Sign, a));
            case MapKind::Exp:
                return mul(m_g, y);
            case MapKind::Log:
                return div(m_g, a);
            case MapKind::Sqrt:
                return div(scale(m_g, 0.5), y);
            case MapKind::Reciprocal:
                return map(MapKind::Neg, mul(m_g, square(y)));
            case MapKind::Erf:
                return mul(m_g, scale(map(MapKind::Exp, map(MapKind::Neg, square(a))), 2 * inv_sqrtpi));
            case MapKind::Sin:
                return mul(m_g, map(MapKind::Cos, a));
            case MapKind::Cos:
                return map(MapKind::Neg, mul(m_g, map(MapKind::Sin, a)));
            case MapKind::Tan:
                return mul(m_g, linear(square(y), 1, 1));
            case MapKind::Atan:
                return div(m_g, linear(square(a), 1, 1));
            case MapKind::Sinh:
                return mul(m_g, map(MapKind::Cosh, a));
            case MapKind::Cosh:
                return mul(m_g, map(MapKind::Sinh, a));
            case MapKind::Tanh:
                return mul(m_g, linear(square(y), -1, 1));
            case MapKind::Sigmoid:
                return mul(m_g, mul(y, linear(y, -1, 1)));
            case MapKind::Relu:
                return mul(m_g, isPositive(a));
            case MapKind::Gelu: {
                const auto below = linear(map(MapKind::Erf, scale(a, 1 / sqrt2)), 0.5, 0.5);
                const auto density = scale(map(MapKind::Exp, scale(square(a), -0.5)), inv_sqrtpi / sqrt2);
                return mul(m_g, map(MapKind::Add, {below, mul(a, density)}));
            }
            case MapKind::GeluTanh: {
                constexpr double kCubic = 0.044715;
                const double factor = sqrt2 * inv_sqrtpi;
                const auto t = map(MapKind::Tanh, mul(a, linear(square(a), factor * kCubic, factor)));
                const auto slope = linear(square(a), 3 * factor * kCubic, factor);
                const auto second = scale(mul(a, mul(linear(square(t), -1, 1), slope)), 0.5);
                return mul(m_g, map(MapKind::Add, {linear(t, 0.5, 0.5), second}));
            }
            case MapKind::Softplus:
                return mul(m_g, map(MapKind::Sigmoid, a));
            case MapKind::Softsign:
                return div(m_g, square(linear(map(MapKind::Abs, a), 1, 1)));
            case MapKind::Elu: {  // 1 above zero, y + alpha below
                const auto above = isPositive(a);
                return mul(m_g, map(MapKind::Add, {above, mul(linear(above, -1, 1), linear(y, 1, l.alpha))}));
            }
            case MapKind::LeakyRelu:
                return mul(m_g, linear(isPositive(a), 1 - l.alpha, l.alpha));
            case MapKind::HardSigmoid:
                return mul(m_g, scale(between(y, 0, 1), l.alpha));
            case MapKind::HardSwish: {  // y = x h, h = clip(x / 6 + 1/2, 0, 1)
                const auto h = emit(model::Map{MapKind::Clip, 0, 1}, {linear(a, 1.0 / 6, 0.5)});
                return mul(m_g, map(MapKind::Add, {h, scale(mul(a, between(h, 0, 1)), 1.0 / 6)}));
            }
            case MapKind::Clip:
                return mul(m_g, between(a, l.alpha, l.beta));
            case MapKind::Scale:
                return scale(m_g, l.alpha);
            case MapKind::Sub:
                return k == 0 ? m_g : map(MapKind::Neg, m_g);
            case MapKind::Mul:
                return mul(m_g, other());
            case MapKind::Div:
                return k == 0 ? div(m_g, x(1)) : map(MapKind::Neg, div(mul(m_g, y), x(1)));
            case MapKind::Pow:
                return mul(m_g, mul(x(1), map(MapKind::Pow, {a, linear(x(1), 1, -1)})));
            case MapKind::Max:
                if (m_forward.inputs.size() == 1) return m_g;
                return mul(m_g, map(k == 0 ? MapKind::GreaterOrEqual : MapKind::Less, {x(0), x(1)}));
            case MapKind::Min:
                if (m_forward.inputs.size() == 1) return m_g;
                return mul(m_g, map(k == 0 ? MapKind::LessOrEqual : MapKind::Greater, {x(0), x(1)}));
            case MapKind::Mean:
                return scale(m_g, 1 / static_cast<double>(m_forward.inputs.size()));
            case MapKind::PRelu: {
                const auto above = isPositive(a);
                if (k == 1) return mul(m_g, sub(a, map(MapKind::Relu, a)));
                return mul(m_g, map(MapKind::Add, {above, mul(linear(above, -1, 1), x(1))}));
            }
            case MapKind::Where:
                return mul(m_g, map(k == 1 ? MapKind::ToBool : MapKind::Not, x(0)));
            default:
                return m_g;  // unreachable: rejected by model::hasGradient()
        }
    }

    // 1 where low < a < high, else 0; an infinite bound always holds.
    TensorId between(TensorId a, double low, double high) {
        TensorId inside = kNoTensor;
        if (std::isfinite(low)) inside = isPositive(linear(a, 1, -low));
        if (std::isfinite(high)) {
            const auto below = isPositive(linear(a, -1, high));
            inside = inside == kNoTensor ? below : mul(inside, below);
        }
        return inside != kNoTensor ? inside : linear(a, 0, 1);
    }

    // Inverse of a gather: adds the elements of `from`, in the order of l.extents, at the positions that l reads in an
    // array of `shape`; zeros elsewhere. Axes, in descending order of stride, are padded from the innermost one.
    TensorId placed(const model::Rearrange& l, TensorId from, const Shape& shape) {
        auto extents = l.extents, strides = l.strides;
        auto offset = l.offset;
        from = m_to.reshaped(from, extents);
        std::vector<std::int64_t> repeated;
        for (std::size_t d = 0; d < extents.size(); ++d)
            if (strides[d] == 0 && extents[d] > 1) repeated.push_back(static_cast<std::int64_t>(d));
        if (!repeated.empty()) {
            from = sumOver(from, repeated);
            for (auto d : repeated) extents[static_cast<std::size_t>(d)] = 1;
        }
        // Forward along every axis, the largest stride first.
        auto order = std::vector<std::size_t>();
        for (std::size_t d = 0; d < extents.size(); ++d)
            if (extents[d] > 1) order.push_back(d);
        std::stable_sort(order.begin(), order.end(),
                         [&](auto a, auto b) { return std::abs(strides[a]) > std::abs(strides[b]); });
        const auto own = rowMajorStrides(extents);
        model::Rearrange sorted;
        std::vector<std::int64_t> steps;
        for (auto d : order) {
            const bool backwards = strides[d] < 0;
            sorted.extents.push_back(extents[d]);
            sorted.strides.push_back(backwards ? -own[d] : own[d]);
            if (backwards) {
                sorted.offset += (extents[d] - 1) * own[d];
                offset += (extents[d] - 1) * strides[d];
            }
            steps.push_back(std::abs(strides[d]));
        }
        sorted.shape = sorted.extents;
        if (sorted.extents.empty()) {  // a single element
            sorted.extents = sorted.shape = {1};
            sorted.strides = {1};
            steps = {1};
        }
        auto plain = sorted;
        plain.strides = rowMajorStrides(sorted.extents);
        from = sorted.strides == plain.strides ? m_to.reshaped(from, sorted.shape) : emit(sorted, {from});

        const auto total = model::elementCount(shape);
        auto outer = model::elementCount(sorted.shape);
        std::int64_t block = 1;  // contiguous elements
        for (std::size_t d = steps.size(); d-- > 0;) {
            outer /= sorted.shape[d];
            from = widened(from, outer * sorted.shape[d], block, 0, steps[d] - block);
            block = sorted.shape[d] * steps[d];
        }
        return m_to.reshaped(widened(from, 1, block, offset, total - offset - block), shape);
    }
    // Pads rows of `width` elements with zeros before and after; negative amounts crop.
    TensorId widened(TensorId a, std::int64_t rows, std::int64_t width, std::int64_t before, std::int64_t after) {
        if (before == 0 && after == 0) return a;
        return emit(model::PadArray{model::PadMode::Constant, {0, before}, {0, after}, 0},
                    {m_to.reshaped(a, {rows, width})});
    }

    ArrayGradient& m_to;
    const Operation& m_forward;
    TensorId m_g;
    const std::vector<bool>& m_wanted;
    std::vector<TensorId> m_result;
};

std::vector<TensorId> ArrayGradient::contributions(Operation forward, TensorId outputGradient,
                                                   const std::vector<bool>& wanted) {
    return Rules(*this, forward, outputGradient, wanted).apply();
}

TensorId ArrayGradient::sum(TensorId a, TensorId b) {
    return emit(model::Map{MapKind::Add}, {a, b});
}

TensorId ArrayGradient::copy(TensorId a) {
    return emit(model::Map{MapKind::Identity}, {a});
}

void ArrayGradient::intoParameter(TensorId gradient, TensorId from, bool accumulate) {
    from = reshaped(from, m_plan.tensor(gradient).dims);
    if (accumulate)
        emit(model::Map{MapKind::Add}, {gradient, from}, gradient);
    else
        emit(model::Map{MapKind::Identity}, {from}, gradient);
}

TensorId ArrayGradient::emit(const model::ArrayOperation& operation, std::vector<TensorId> inputs, TensorId into) {
    std::vector<Shape> shapes;
    for (auto id : inputs) shapes.push_back(m_plan.tensor(id).dims);
    Operation op;
    op.kind = OperationKind::Array;
    op.pass = Pass::Forward;
    op.name = fmt::format("{} (gradient {})", m_name, ++m_count);
    op.layer = model::ArrayLayer{operation};
    op.inputs = std::move(inputs);
    op.output = into;
    if (into == kNoTensor) {
        // Cannot fail: the operands come from an accepted forward operation.
        auto shape = model::arrayShape(operation, shapes).value_or(Shape{1});
        if (shape.empty()) shape = {1};
        op.output = static_cast<TensorId>(m_plan.tensors.size());
        m_plan.tensors.push_back({op.output, op.name, std::move(shape), activationType(m_plan.options.precision),
                                  TensorRole::ActivationGradient, -1});
    }
    const auto output = op.output;
    fillMatrixCost(op, m_plan, {}, {});
    m_plan.operations.push_back(std::move(op));
    return output;
}

TensorId ArrayGradient::reshaped(TensorId input, const Shape& shape) {
    if (m_plan.tensor(input).dims == shape) return input;
    Operation op;
    op.kind = OperationKind::Flatten;
    op.pass = Pass::Forward;
    op.name = fmt::format("{} (gradient {})", m_name, ++m_count);
    op.layer = model::Flatten{};
    if (m_plan.tensor(input).type == model::DataType::Int32) {  // Flatten is for activations
        op.kind = OperationKind::Array;
        op.layer = model::ArrayLayer{model::Rearrange{shape, rowMajorStrides(shape), 0, shape}};
    }
    op.inputs = {input};
    op.output = static_cast<TensorId>(m_plan.tensors.size());
    m_plan.tensors.push_back(
        {op.output, op.name, shape, m_plan.tensor(input).type, TensorRole::ActivationGradient, -1});
    const auto output = op.output;
    m_plan.operations.push_back(std::move(op));
    return output;
}

}  // namespace steelyard::plan
