// SPDX-License-Identifier: Apache-2.0
// Operations of imported networks (engine/model/array), one general kernel each that accepts any strides, so that
// images keep the layout of the step. Consecutive element-wise functions are fused into one kernel.
#include <algorithm>
#include <cstring>

#include "engine/compute/cuda/operations/array_operand.h"
#include "engine/core/messages/compute.h"
#include "engine/model/array/resize_taps.h"

namespace steelyard::compute::cuda {
namespace {

using model::MapKind;
using model::Shape;

Shape partOf(const Shape& list, std::size_t from, std::size_t to) {
    return {list.begin() + static_cast<std::ptrdiff_t>(from), list.begin() + static_cast<std::ptrdiff_t>(to)};
}
Shape withoutAxis(Shape list, std::size_t axis) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(axis));
    return list;
}
Shape joined(Shape first, const Shape& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// ---- element-wise functions

const model::Map* mapOf(const plan::Operation& op) {
    const auto* array = std::get_if<model::ArrayLayer>(&op.layer);
    return array == nullptr ? nullptr : std::get_if<model::Map>(&array->operation);
}

// The steps of one function over `inputs` operands; operand 0 is `first`, which may be an earlier step.
std::vector<kernels::ArrayMapStep> stepsOf(const model::Map& map, const std::vector<int>& operands, int before) {
    const auto step = [&](MapKind kind, int count, int a, int b = 0, int c = 0) {
        return kernels::ArrayMapStep{kind, count, a, b, c, map.alpha, map.beta};
    };
    if (map.kind == MapKind::Where) return {step(map.kind, 3, operands[0], operands[1], operands[2])};
    if (map.kind < MapKind::Add) return {step(map.kind, 1, operands[0])};
    std::vector<kernels::ArrayMapStep> steps;
    if (operands.size() == 1) steps.push_back(step(MapKind::Identity, 1, operands[0]));
    for (std::size_t k = 1; k < operands.size(); ++k)
        steps.push_back(step(map.kind, 2, k == 1 ? operands[0] : ~(before + static_cast<int>(k) - 2), operands[k]));
    return steps;
}

// The chain that starts with the current operation.
class MapChain {
public:
    MapChain(Compiler& compiler, const plan::Operation& op) : m_compiler(compiler), m_dims(compiler.dims(op.output)) {
        m_output = op.output;
    }

    // Whether the function was added to the chain. `result`: the chain's result, which it may read.
    bool take(const plan::Operation& op, TensorId result) {
        const auto& map = *mapOf(op);
        auto inputs = m_inputs;
        std::vector<int> operands;
        for (auto id : op.inputs) {
            if (id == result) {
                operands.push_back(~(static_cast<int>(m_steps.size()) - 1));
                continue;
            }
            const auto found = std::find(inputs.begin(), inputs.end(), id);
            operands.push_back(static_cast<int>(found - inputs.begin()));
            if (found == inputs.end()) inputs.push_back(id);
        }
        auto steps = stepsOf(map, operands, static_cast<int>(m_steps.size()));
        if (map.kind == MapKind::Mean) {
            const int sum = static_cast<int>(m_steps.size() + steps.size()) - 1;
            steps.push_back({MapKind::Scale, 1, ~sum, 0, 0, 1.0 / static_cast<double>(op.inputs.size()), 0});
        }
        if (inputs.size() > kernels::kMostMapInputs || m_steps.size() + steps.size() > kernels::kMostMapSteps)
            return false;
        m_inputs = std::move(inputs);
        m_steps.insert(m_steps.end(), steps.begin(), steps.end());
        m_output = op.output;
        return true;
    }
    void grow() {
        while (const auto* op = m_compiler.next()) {
            if (op->pass != plan::Pass::Forward || mapOf(*op) == nullptr || !m_compiler.isReadOnce(m_output) ||
                std::find(op->inputs.begin(), op->inputs.end(), m_output) == op->inputs.end() ||
                m_compiler.dims(op->output) != m_dims || m_compiler.tensor(m_output).type == model::DataType::Int32 ||
                !take(*op, m_output))
                return;
            m_compiler.takeNext();
        }
    }

    Result<void> emit(const plan::Operation& op) {
        std::vector<DeviceArray> inputs;
        for (auto id : m_inputs) inputs.push_back(arrayOf(m_compiler, id));
        return emitSteps(op, inputs, arrayOf(m_compiler, m_output));
    }
    Result<void> emitSteps(const plan::Operation& op, const std::vector<DeviceArray>& inputs, const DeviceArray& out) {
        kernels::ArrayMap map;
        std::vector<Shape> strides;
        for (const auto& input : inputs) strides.push_back(broadcastStrides(input, m_dims));
        strides.push_back(out.strides);
        const auto walk = simplifiedWalk(m_dims, strides);
        ASSIGN(map.extents, extentsOf(op, walk.extents));
        map.inputs = static_cast<int>(inputs.size());
        map.steps = static_cast<int>(m_steps.size());
        std::copy(m_steps.begin(), m_steps.end(), map.step);
        std::vector<Value> uses{out.value};
        map.exact = out.isInteger();
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            map.in[k].strides = stridesOf(walk.strides[k]);
            map.exact = map.exact || inputs[k].isInteger();
            uses.push_back(inputs[k].value);
        }
        map.out.strides = stridesOf(walk.strides.back());
        m_compiler.kernel("native:map", std::move(uses), [=](Stream stream) {
            auto job = map;
            for (std::size_t k = 0; k < inputs.size(); ++k) job.in[k].tensor = inputs[k].tensor();
            job.out.tensor = out.tensor();
            return kernels::arrayMap(stream, job);
        });
        return {};
    }
    void setSteps(std::vector<kernels::ArrayMapStep> steps) { m_steps = std::move(steps); }

private:
    Compiler& m_compiler;
    const Shape& m_dims;
    std::vector<TensorId> m_inputs;
    std::vector<kernels::ArrayMapStep> m_steps;
    TensorId m_output = kNoTensor;
};

// More operands than one kernel supports: accumulates groups into the result, starting with an operand that it
// overwrites.
Result<void> emitManyOperands(Compiler& compiler, const plan::Operation& op, const model::Map& map) {
    const auto out = arrayOf(compiler, op.output);
    std::vector<DeviceArray> rest;
    for (auto id : op.inputs) rest.push_back(arrayOf(compiler, id));
    std::stable_partition(rest.begin(), rest.end(),
                          [&](const DeviceArray& one) { return one.value.buffer == out.value.buffer; });
    const auto kind = map.kind == MapKind::Mean ? MapKind::Add : map.kind;
    MapChain chain(compiler, op);
    for (std::size_t first = 0; first < rest.size();) {
        std::vector<DeviceArray> some;
        if (first > 0) some.push_back(out);
        while (first < rest.size() && some.size() < kernels::kMostMapInputs) some.push_back(rest[first++]);
        std::vector<int> operands;
        for (std::size_t k = 0; k < some.size(); ++k) operands.push_back(static_cast<int>(k));
        auto steps = stepsOf({kind, 0, 0}, operands, 0);
        if (first == rest.size() && map.kind == MapKind::Mean)
            steps.push_back({MapKind::Scale, 1, ~(static_cast<int>(steps.size()) - 1), 0, 0,
                             1.0 / static_cast<double>(rest.size()), 0});
        chain.setSteps(std::move(steps));
        TRY(chain.emitSteps(op, some, out));
    }
    return {};
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::Map& map) {
    MapChain chain(compiler, op);
    if (!chain.take(op, kNoTensor)) return emitManyOperands(compiler, op, map);
    chain.grow();
    return chain.emit(op);
}

// ---- moves

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::Rearrange& l) {
    // The layer's strides refer to row-major elements.
    const auto x = denseArray(compiler, arrayOf(compiler, op.inputs[0]), arrayOf(compiler, op.inputs[0]).type);
    const auto y = arrayOf(compiler, op.output);
    auto from = x;
    from.dims = l.extents;
    from.strides = l.strides;
    from.offset = l.offset;
    // If the result has other dimensions than the extents and is not contiguous, use temporary memory.
    const bool same = l.extents == y.dims;
    auto to = same ? y : DeviceArray{y.value, y.type, l.extents, model::rowMajorStrides(l.extents), 0};
    const bool apart = !same && !isDense(y);
    if (apart) to = scratchArray(compiler, y.type, l.extents);
    const auto walk = simplifiedWalk(l.extents, {from.strides, to.strides});
    TRY(extentsOf(op, walk.extents));
    emitArrayCopy(compiler, from, to);
    if (apart) {
        to.dims = y.dims;
        to.strides = model::rowMajorStrides(y.dims);
        emitArrayCopy(compiler, to, y);
    }
    return {};
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::PadArray& l) {
    const auto x = arrayOf(compiler, op.inputs[0]), y = arrayOf(compiler, op.output);
    kernels::ArrayPad pad;
    ASSIGN(pad.extents, extentsOf(op, y.dims));
    ASSIGN(pad.from, extentsOf(op, x.dims));
    std::copy(l.before.begin(), l.before.end(), pad.before);
    switch (l.mode) {
        case model::PadMode::Constant:
            pad.mode = kernels::ArrayPadding::Constant;
            break;
        case model::PadMode::Edge:
            pad.mode = kernels::ArrayPadding::Edge;
            break;
        case model::PadMode::Reflect:
            pad.mode = kernels::ArrayPadding::Reflect;
            break;
        case model::PadMode::Wrap:
            pad.mode = kernels::ArrayPadding::Wrap;
            break;
    }
    pad.value = static_cast<float>(l.value);
    pad.in.strides = stridesOf(x.strides), pad.out.strides = stridesOf(y.strides);
    compiler.kernel("native:array_pad", {x.value, y.value}, [=](Stream stream) {
        auto job = pad;
        job.in.tensor = x.tensor(), job.out.tensor = y.tensor();
        return kernels::arrayPad(stream, job);
    });
    return {};
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::JoinArrays& l) {
    const auto y = arrayOf(compiler, op.output);
    const auto axis = static_cast<std::size_t>(l.axis);
    auto to = y;
    for (auto id : op.inputs) {
        const auto part = arrayOf(compiler, id);
        to.dims = part.dims;
        TRY(extentsOf(op, part.dims));
        emitArrayCopy(compiler, part, to);
        to.offset += part.dims[axis] * y.strides[axis];
    }
    return {};
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::LookUp& l) {
    const auto x = arrayOf(compiler, op.inputs[0]), indices = arrayOf(compiler, op.inputs[1]);
    const auto y = arrayOf(compiler, op.output);
    kernels::ArrayLookUp look;
    ASSIGN(look.extents, extentsOf(op, y.dims));
    const auto axis = static_cast<std::size_t>(l.axis);
    Shape data, index;  // strides in the dimensions of the result
    look.lookStrides[0] = l.kind == model::LookUpKind::Nd ? 0 : x.strides[axis];
    look.lookExtents[0] = l.kind == model::LookUpKind::Nd ? 0 : x.dims[axis];
    if (l.kind == model::LookUpKind::Axis) {
        const Shape none(indices.dims.size(), 0), before(axis, 0), after(x.dims.size() - axis - 1, 0);
        data = joined(joined(partOf(x.strides, 0, axis), none), partOf(x.strides, axis + 1, x.strides.size()));
        index = joined(joined(before, indices.strides), after);
    } else if (l.kind == model::LookUpKind::Elements) {
        data = x.strides;
        data[axis] = 0;
        index = indices.strides;
    } else {
        const auto batch = static_cast<std::size_t>(l.batchDimensions), tuples = indices.dims.size() - 1;
        const auto depth = static_cast<std::size_t>(indices.dims.back());
        look.depth = static_cast<int>(depth);
        look.tupleStride = indices.strides.back();
        for (std::size_t d = 0; d < depth; ++d) {
            look.lookStrides[d] = x.strides[batch + d];
            look.lookExtents[d] = x.dims[batch + d];
        }
        const auto rest = partOf(x.strides, batch + depth, x.strides.size());
        data = joined(joined(partOf(x.strides, 0, batch), Shape(tuples - batch, 0)), rest);
        index = joined(partOf(indices.strides, 0, tuples), Shape(rest.size(), 0));
    }
    look.data.strides = stridesOf(data), look.indices.strides = stridesOf(index);
    look.out.strides = stridesOf(y.strides);
    compiler.kernel("native:look_up", {x.value, indices.value, y.value}, [=](Stream stream) {
        auto job = look;
        job.data.tensor = x.tensor(), job.indices.tensor = indices.tensor(), job.out.tensor = y.tensor();
        return kernels::arrayLookUp(stream, job);
    });
    return {};
}

kernels::ArrayCombination combinationOf(model::ScatterReduction reduction) {
    using R = model::ScatterReduction;
    using C = kernels::ArrayCombination;
    switch (reduction) {
        case R::None:
            return C::Replace;
        case R::Add:
            return C::Add;
        case R::Mul:
            return C::Mul;
        case R::Max:
            return C::Max;
        case R::Min:
            return C::Min;
    }
    return C::Replace;
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::Scatter& l) {
    const auto x = arrayOf(compiler, op.inputs[0]), indices = arrayOf(compiler, op.inputs[1]);
    const auto updates = arrayOf(compiler, op.inputs[2]), y = arrayOf(compiler, op.output);
    kernels::ArrayScatter scatter;
    scatter.combination = combinationOf(l.reduction);
    if (l.kind == model::ScatterKind::Elements) {
        const auto axis = static_cast<std::size_t>(l.axis);
        ASSIGN(scatter.extents, extentsOf(op, withoutAxis(indices.dims, axis)));
        ASSIGN(scatter.loop, extentsOf(op, {indices.dims[axis]}));
        scatter.indices.strides = stridesOf(withoutAxis(indices.strides, axis));
        scatter.updates.strides = stridesOf(withoutAxis(updates.strides, axis));
        scatter.out.strides = stridesOf(withoutAxis(y.strides, axis));
        scatter.loopIndices = stridesOf({indices.strides[axis]});
        scatter.loopUpdates = stridesOf({updates.strides[axis]});
        scatter.lookStrides[0] = y.strides[axis], scatter.lookExtents[0] = y.dims[axis];
    } else {
        const auto tuples = indices.dims.size() - 1, depth = static_cast<std::size_t>(indices.dims.back());
        ASSIGN(scatter.extents, extentsOf(op, partOf(y.dims, depth, y.dims.size())));
        ASSIGN(scatter.loop, extentsOf(op, partOf(indices.dims, 0, tuples)));
        scatter.updates.strides = stridesOf(partOf(updates.strides, tuples, updates.strides.size()));
        scatter.out.strides = stridesOf(partOf(y.strides, depth, y.strides.size()));
        scatter.loopIndices = stridesOf(partOf(indices.strides, 0, tuples));
        scatter.loopUpdates = stridesOf(partOf(updates.strides, 0, tuples));
        scatter.depth = static_cast<int>(depth);
        scatter.tupleStride = indices.strides.back();
        for (std::size_t d = 0; d < depth; ++d)
            scatter.lookStrides[d] = y.strides[d], scatter.lookExtents[d] = y.dims[d];
    }
    emitArrayCopy(compiler, x, y);
    compiler.kernel("native:scatter", {indices.value, updates.value, y.value}, [=](Stream stream) {
        auto job = scatter;
        job.indices.tensor = indices.tensor(), job.updates.tensor = updates.tensor(), job.out.tensor = y.tensor();
        return kernels::arrayScatter(stream, job);
    });
    return {};
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::Triangle& l) {
    const auto x = arrayOf(compiler, op.inputs[0]), y = arrayOf(compiler, op.output);
    kernels::ArrayTriangle triangle;
    ASSIGN(triangle.extents, extentsOf(op, y.dims));
    triangle.upper = l.upper;
    triangle.diagonal = l.diagonal;
    triangle.in.strides = stridesOf(x.strides), triangle.out.strides = stridesOf(y.strides);
    compiler.kernel("native:triangle", {x.value, y.value}, [=](Stream stream) {
        auto job = triangle;
        job.in.tensor = x.tensor(), job.out.tensor = y.tensor();
        return kernels::arrayTriangle(stream, job);
    });
    return {};
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::CumulativeSum& l) {
    const auto x = arrayOf(compiler, op.inputs[0]), y = arrayOf(compiler, op.output);
    const auto axis = static_cast<std::size_t>(l.axis);
    kernels::ArrayCumulativeSum sum;
    ASSIGN(sum.lines, extentsOf(op, withoutAxis(y.dims, axis)));
    sum.length = y.dims[axis], sum.inStride = x.strides[axis], sum.outStride = y.strides[axis];
    sum.exclusive = l.exclusive, sum.reverse = l.reverse;
    sum.in.strides = stridesOf(withoutAxis(x.strides, axis));
    sum.out.strides = stridesOf(withoutAxis(y.strides, axis));
    compiler.kernel("native:cumulative_sum", {x.value, y.value}, [=](Stream stream) {
        auto job = sum;
        job.in.tensor = x.tensor(), job.out.tensor = y.tensor();
        return kernels::arrayCumulativeSum(stream, job);
    });
    return {};
}

// ---- rows

kernels::ArrayReduction reductionOf(model::ReduceKind kind) {
    // The enumerations are in the same order.
    static_assert(static_cast<int>(model::ReduceKind::ArgMin) == static_cast<int>(kernels::ArrayReduction::ArgMin));
    static_assert(static_cast<int>(model::ReduceKind::LogSumExp) ==
                  static_cast<int>(kernels::ArrayReduction::LogSumExp));
    return static_cast<kernels::ArrayReduction>(kind);
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::Reduce& l) {
    const auto x = arrayOf(compiler, op.inputs[0]), y = arrayOf(compiler, op.output);
    Shape rows, inner, rowStrides, innerStrides, outStrides;
    std::size_t next = 0;
    for (std::size_t d = 0; d < x.dims.size(); ++d) {
        const bool reduced = std::find(l.axes.begin(), l.axes.end(), static_cast<std::int64_t>(d)) != l.axes.end();
        (reduced ? inner : rows).push_back(x.dims[d]);
        (reduced ? innerStrides : rowStrides).push_back(x.strides[d]);
        if (!reduced) outStrides.push_back(y.strides[next]);
        if (!reduced || l.keepDimensions) ++next;
    }
    kernels::ArrayReduce reduce;
    reduce.kind = reductionOf(l.kind);
    reduce.last = l.lastIndex;
    reduce.exact = x.isInteger();
    ASSIGN(reduce.rows, extentsOf(op, rows));
    ASSIGN(reduce.inner, extentsOf(op, inner));
    reduce.in.strides = stridesOf(rowStrides), reduce.out.strides = stridesOf(outStrides);
    reduce.inInner = stridesOf(innerStrides);
    compiler.kernel("native:reduce", {x.value, y.value}, [=](Stream stream) {
        auto job = reduce;
        job.in.tensor = x.tensor(), job.out.tensor = y.tensor();
        return kernels::arrayReduce(stream, job);
    });
    return {};
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::SoftmaxAlong& l) {
    const auto x = arrayOf(compiler, op.inputs[0]), y = arrayOf(compiler, op.output);
    const auto axis = static_cast<std::size_t>(l.axis);
    kernels::ArraySoftmax softmax;
    ASSIGN(softmax.rows, extentsOf(op, withoutAxis(y.dims, axis)));
    softmax.length = y.dims[axis], softmax.inStride = x.strides[axis], softmax.outStride = y.strides[axis];
    softmax.logarithm = l.logarithm;
    softmax.in.strides = stridesOf(withoutAxis(x.strides, axis));
    softmax.out.strides = stridesOf(withoutAxis(y.strides, axis));
    compiler.kernel("native:array_softmax", {x.value, y.value}, [=](Stream stream) {
        auto job = softmax;
        job.in.tensor = x.tensor(), job.out.tensor = y.tensor();
        return kernels::arraySoftmax(stream, job);
    });
    return {};
}

Result<void> emitResponse(Compiler& compiler, const plan::Operation& op, const model::Normalise& l) {
    const auto x = arrayOf(compiler, op.inputs[0]), y = arrayOf(compiler, op.output);
    kernels::ArrayResponse response;
    ASSIGN(response.extents, extentsOf(op, y.dims));
    response.before = (l.size - 1) / 2;
    response.after = l.size - 1 - response.before;
    response.factor = static_cast<float>(l.alpha / static_cast<double>(l.size));
    response.beta = static_cast<float>(l.beta), response.bias = static_cast<float>(l.bias);
    response.in.strides = stridesOf(x.strides), response.out.strides = stridesOf(y.strides);
    compiler.kernel("native:response_norm", {x.value, y.value}, [=](Stream stream) {
        auto job = response;
        job.in.tensor = x.tensor(), job.out.tensor = y.tensor();
        return kernels::arrayResponse(stream, job);
    });
    return {};
}

// Dimensions that a normalisation reduces, and those that number its rows.
struct NormRows {
    Shape rows, inner;
    std::vector<Shape> rowStrides, innerStrides;  // x, y, scale, offset
};

NormRows normRows(const DeviceArray& x, const DeviceArray& y, const std::vector<DeviceArray>& parameters,
                  const model::Normalise& l) {
    using K = model::NormaliseKind;
    NormRows n;
    Shape dims = x.dims;
    std::vector<Shape> strides{x.strides, y.strides};
    const bool channels = l.kind == K::Instance || l.kind == K::Group;
    for (const auto& parameter : parameters) {
        if (channels) {
            Shape along(dims.size(), 0);
            along[1] = parameter.strides[0];
            strides.push_back(std::move(along));
        } else {
            strides.push_back(broadcastStrides(parameter, dims));
        }
    }
    if (l.kind == K::Group) {  // [B, C, ..] as [B, G, C / G, ..]
        const auto size = dims[1] / l.groups;
        dims[1] = size;
        dims.insert(dims.begin() + 1, l.groups);
        for (auto& list : strides) list.insert(list.begin() + 1, list[1] * size);
    }
    n.rowStrides.resize(strides.size());
    n.innerStrides.resize(strides.size());
    for (std::size_t d = 0; d < dims.size(); ++d) {
        bool inner = d >= 2;
        const auto place = static_cast<std::int64_t>(d);
        if (l.kind == K::Layer || l.kind == K::RootMeanSquare) inner = place >= l.axis;
        if (l.kind == K::Lp) inner = place == l.axis;
        if (l.kind == K::MeanVariance) inner = std::find(l.axes.begin(), l.axes.end(), place) != l.axes.end();
        (inner ? n.inner : n.rows).push_back(dims[d]);
        for (std::size_t k = 0; k < strides.size(); ++k)
            (inner ? n.innerStrides : n.rowStrides)[k].push_back(strides[k][d]);
    }
    return n;
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::Normalise& l) {
    using K = model::NormaliseKind;
    if (l.kind == K::LocalResponse) return emitResponse(compiler, op, l);
    const auto x = arrayOf(compiler, op.inputs[0]), y = arrayOf(compiler, op.output);
    std::vector<DeviceArray> parameters;
    for (std::size_t k = 1; k < op.inputs.size(); ++k) parameters.push_back(arrayOf(compiler, op.inputs[k]));
    const auto rows = normRows(x, y, parameters, l);
    kernels::ArrayNormalise norm;
    if (l.kind == K::RootMeanSquare) norm.kind = kernels::ArrayNorm::RootMeanSquare;
    if (l.kind == K::MeanVariance) norm.kind = kernels::ArrayNorm::Moments;
    if (l.kind == K::Lp) norm.kind = kernels::ArrayNorm::Length;
    norm.epsilon = static_cast<float>(l.epsilon), norm.power = static_cast<float>(l.power);
    ASSIGN(norm.rows, extentsOf(op, rows.rows));
    ASSIGN(norm.inner, extentsOf(op, rows.inner));
    norm.in.strides = stridesOf(rows.rowStrides[0]), norm.inInner = stridesOf(rows.innerStrides[0]);
    norm.out.strides = stridesOf(rows.rowStrides[1]), norm.outInner = stridesOf(rows.innerStrides[1]);
    std::vector<Value> uses{x.value, y.value};
    for (const auto& parameter : parameters) uses.push_back(parameter.value);
    if (!parameters.empty())
        norm.scale.strides = stridesOf(rows.rowStrides[2]), norm.scaleInner = stridesOf(rows.innerStrides[2]);
    if (parameters.size() > 1)
        norm.offset.strides = stridesOf(rows.rowStrides[3]), norm.offsetInner = stridesOf(rows.innerStrides[3]);
    compiler.kernel("native:normalise", std::move(uses), [=](Stream stream) {
        auto job = norm;
        job.in.tensor = x.tensor(), job.out.tensor = y.tensor();
        if (!parameters.empty()) job.scale.tensor = parameters[0].tensor();
        if (parameters.size() > 1) job.offset.tensor = parameters[1].tensor();
        return kernels::arrayNormalise(stream, job);
    });
    return {};
}

// ---- products and windows

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::MatrixProduct& /*l*/) {
    return emitArrayProduct(compiler, op, arrayOf(compiler, op.inputs[0]), arrayOf(compiler, op.inputs[1]),
                            arrayOf(compiler, op.output));
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::AttendArrays& l) {
    return emitAttendArrays(compiler, op, l);
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::ConvolveNd& l) {
    return emitArrayConvolution(compiler, op, l);
}

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::PoolNd& l) {
    const auto x = arrayOf(compiler, op.inputs[0]), y = arrayOf(compiler, op.output);
    kernels::ArrayPool pool;
    ASSIGN(pool.extents, extentsOf(op, y.dims));
    ASSIGN(pool.window, arrayWindow(op, l.kernel, l.stride, l.dilation, l.before, l.after, x.dims));
    if (l.kind == model::WindowKind::Average) pool.kind = kernels::ArrayPooling::Average;
    if (l.kind == model::WindowKind::L2) pool.kind = kernels::ArrayPooling::Norm;
    pool.countPadding = l.countPadding;
    pool.power = static_cast<float>(l.power);
    pool.x.strides = stridesOf(x.strides), pool.y.strides = stridesOf(y.strides);
    compiler.kernel("native:array_pool", {x.value, y.value}, [=](Stream stream) {
        auto job = pool;
        job.x.tensor = x.tensor(), job.y.tensor = y.tensor();
        return kernels::arrayPool(stream, job);
    });
    return {};
}

template <class T>
std::vector<std::byte> bytesOfList(const std::vector<T>& list) {
    std::vector<std::byte> bytes(list.size() * sizeof(T));
    std::memcpy(bytes.data(), list.data(), bytes.size());
    return bytes;
}

// One dimension at a time, through float32 memory.
Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::ResizeArray& l) {
    auto current = arrayOf(compiler, op.inputs[0]);
    const auto y = arrayOf(compiler, op.output);
    std::vector<std::size_t> axes;
    for (std::size_t d = 0; d < y.dims.size(); ++d)
        if (current.dims[d] != y.dims[d] || l.scales[d] != 1) axes.push_back(d);
    if (axes.empty()) {
        emitArrayCopy(compiler, current, y);
        return {};
    }
    for (auto axis : axes) {
        auto dims = current.dims;
        dims[axis] = y.dims[axis];
        const auto to = axis == axes.back() ? y : scratchArray(compiler, ArrayType::F32, dims);
        std::vector<std::int32_t> places;
        std::vector<float> weights;
        for (std::int64_t i = 0; i < dims[axis]; ++i) {
            const auto taps = model::resizeTaps(l, i, l.scales[axis], current.dims[axis], dims[axis]);
            for (auto place : taps.places) places.push_back(static_cast<std::int32_t>(place));
            for (auto weight : taps.weights) weights.push_back(static_cast<float>(weight));
        }
        kernels::ArrayResize resize;
        ASSIGN(resize.extents, extentsOf(op, dims));
        resize.axis = static_cast<int>(axis);
        resize.taps = static_cast<int>(places.size()) / static_cast<int>(dims[axis]);
        resize.inStride = current.strides[axis];
        auto strides = current.strides;
        strides[axis] = 0;
        resize.in.strides = stridesOf(strides), resize.out.strides = stridesOf(to.strides);
        const auto bytes = static_cast<std::int64_t>(places.size() * 4);
        const auto placeTable =
            compiler.persistent(bytes, MemoryKind::Workspace, [places] { return bytesOfList(places); });
        const auto weightTable =
            compiler.persistent(bytes, MemoryKind::Workspace, [weights] { return bytesOfList(weights); });
        compiler.kernel("native:resize", {current.value, to.value, placeTable, weightTable}, [=](Stream stream) {
            auto job = resize;
            job.places = placeTable.as<const std::int32_t>(), job.weights = weightTable.as<const float>();
            job.in.tensor = current.tensor(), job.out.tensor = to.tensor();
            return kernels::arrayResize(stream, job);
        });
        current = to;
    }
    return {};
}

// ---- recurrent layers

Result<void> emit(Compiler& compiler, const plan::Operation& op, const model::RecurrentPass& l) {
    std::size_t next = 0;
    const auto input = [&](bool present) { return present ? arrayOf(compiler, op.inputs[next++]) : DeviceArray{}; };
    const auto x = input(true), w = input(true), r = input(true), bias = input(l.hasBias);
    const auto lengths = input(l.hasLengths), hidden = input(l.hasHidden), cell = input(l.hasCell);
    const auto peepholes = input(l.hasPeepholes), y = arrayOf(compiler, op.output);
    kernels::ArrayPassStep step;
    const bool isLstm = l.cell == model::PassCell::Lstm, isGru = l.cell == model::PassCell::Gru;
    if (isGru) step.cell = kernels::ArrayCell::Gru;
    if (l.cell == model::PassCell::Rnn) step.cell = kernels::ArrayCell::Rnn;
    step.steps = x.dims[0], step.batch = x.dims[1], step.features = x.dims[2], step.units = l.units;
    step.directions = l.direction == model::PassDirection::Bidirectional ? 2 : 1;
    step.firstIsReverse = l.direction == model::PassDirection::Reverse;
    step.linearBeforeReset = l.linearBeforeReset, step.inputForget = l.inputForget;
    step.clip = static_cast<float>(l.clip);
    const std::size_t each = isLstm ? 3 : isGru ? 2 : 1;
    for (std::size_t d = 0; d < 2; ++d)
        for (std::size_t k = 0; k < each; ++k) {
            auto kind = each == 1 || k > 0 ? MapKind::Tanh : MapKind::Sigmoid;
            if (d * each + k < l.activations.size()) kind = l.activations[d * each + k];
            step.activation[d * 3 + k] = kind;
        }
    const auto count = step.directions * step.batch * step.units;
    const auto state = [&](bool wanted) { return wanted ? compiler.scratch(count * 4) : Value{}; };
    Value states[2] = {state(true), state(true)};
    const auto cells = state(isLstm), reset = state(isGru), update = state(isGru);
    const auto begin = [&](const DeviceArray& initial, Value to) {
        compiler.kernel("native:recurrent_begin", {initial.value, to}, [=](Stream stream) {
            return kernels::arrayPassBegin(stream, initial.tensor(), to.as<float>(), count);
        });
    };
    begin(hidden, states[0]);
    if (isLstm) begin(cell, cells);
    const std::vector<Value> uses{x.value, w.value,   r.value,   bias.value, lengths.value, peepholes.value,
                                  y.value, states[0], states[1], cells,      reset,         update};
    const auto bound = [=](const kernels::ArrayPassStep& of, Value from, Value to) {
        auto job = of;
        job.x = x.tensor(), job.w = w.tensor(), job.r = r.tensor(), job.bias = bias.tensor();
        job.lengths = lengths.tensor(), job.peepholes = peepholes.tensor(), job.y = y.tensor();
        job.hidden = from.as<const float>(), job.nextHidden = to.as<float>(), job.cellState = cells.as<float>();
        job.reset = reset.as<float>(), job.update = update.as<float>();
        return job;
    };
    for (step.step = 0; step.step < step.steps; ++step.step) {
        const auto from = states[step.step % 2], to = states[(step.step + 1) % 2];
        compiler.kernel("native:recurrent_step", uses,
                        [=](Stream stream) { return kernels::arrayPassStep(stream, bound(step, from, to)); });
    }
    const auto last = states[step.steps % 2];
    compiler.kernel("native:recurrent_end", uses,
                    [=](Stream stream) { return kernels::arrayPassEnd(stream, bound(step, last, last)); });
    return {};
}

}  // namespace

Result<void> emitArray(Compiler& compiler, const plan::Operation& op) {
    return std::visit([&](const auto& layer) { return emit(compiler, op, layer); },
                      std::get<model::ArrayLayer>(op.layer).operation);
}

}  // namespace steelyard::compute::cuda
