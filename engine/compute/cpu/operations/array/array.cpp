// SPDX-License-Identifier: Apache-2.0
// Operations of imported networks. Common cases have optimized loops; the rest uses the naive loops of
// engine/model/array, in double, on one thread, reported as kernel "naive".
#include "engine/compute/cpu/operations/array/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {
namespace {

bool isParameter(const plan::Tensor& tensor) {
    return tensor.role == plan::TensorRole::Weight || tensor.role == plan::TensorRole::State;
}

void assignValues(std::vector<double>& values, const Value& operand, bool integer, std::int64_t count) {
    values.resize(static_cast<std::size_t>(count));
    if (integer) {
        std::copy_n(operand.as<std::int32_t>(), count, values.begin());
    } else {
        std::copy_n(operand.as<float>(), count, values.begin());
    }
}

void emitNaive(Compiler& compiler, const ArrayOperands& all, const model::ArrayOperation& operation) {
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < all.shapes.size(); ++i) {
        const auto id = all.op->inputs[i];
        inputs.push_back(all.integers[i] ? arrayOperand(compiler, id) : floatOperand(compiler, id));
    }
    FloatResult target;
    if (all.integerOutput) {
        target.value = compiler.define(all.op->output, compiler.plainDescOf(all.op->output));
    } else {
        target = floatResult(compiler, all.op->output);
    }
    const auto y = target.value;
    arrayTask(compiler, fmt::format("{} (naive)", model::arrayKindName(operation)), inputs, {y},
              [inputs, y, operation, shapes = all.shapes, integers = all.integers, shape = all.shape,
               integerOutput = all.integerOutput](const StepState&) {
                  std::vector<std::vector<double>> values(inputs.size());
                  std::vector<model::ArrayView> views;
                  for (std::size_t i = 0; i < inputs.size(); ++i) {
                      assignValues(values[i], inputs[i], integers[i], model::elementCount(shapes[i]));
                      views.push_back({shapes[i], values[i].data()});
                  }
                  std::vector<double> result;
                  (void)model::evaluateArray(operation, views, shape, result);
                  if (!integerOutput) {
                      std::transform(result.begin(), result.end(), y.as<float>(),
                                     [](double v) { return static_cast<float>(v); });
                      return;
                  }
                  std::transform(result.begin(), result.end(), y.as<std::int32_t>(), [](double v) {
                      return std::isnan(v) ? 0 : static_cast<std::int32_t>(std::clamp(v, -2147483648.0, 2147483647.0));
                  });
              });
    if (!all.integerOutput) finishFloat(compiler, target);
}

}  // namespace

bool ArrayOperands::allFloat() const {
    return !integerOutput && std::find(integers.begin(), integers.end(), true) == integers.end();
}

ArrayOperands arrayOperands(const Compiler& compiler, const plan::Operation& op) {
    ArrayOperands result;
    result.op = &op;
    for (auto id : op.inputs) {
        result.shapes.push_back(compiler.tensor(id).dims);
        result.integers.push_back(compiler.tensor(id).type == model::DataType::Int32);
    }
    result.shape = compiler.tensor(op.output).dims;
    result.integerOutput = compiler.tensor(op.output).type == model::DataType::Int32;
    return result;
}

Value arrayOperand(Compiler& compiler, TensorId id) {
    return isParameter(compiler.tensor(id)) ? compiler.weight(id, compiler.plainDescOf(id)) : compiler.plainValue(id);
}

Value floatOperand(Compiler& compiler, TensorId id) {
    const auto& tensor = compiler.tensor(id);
    const auto desc = plainDesc(tensor.dims, model::DataType::Float32);
    if (isParameter(tensor)) return compiler.weight(id, desc);
    const auto own = compiler.plainValue(id);
    return kindOf(own.desc) == DataKind::f32 ? own : compiler.valueAs(id, desc);
}

std::vector<Value> floatOperands(Compiler& compiler, const plan::Operation& op) {
    std::vector<Value> values;
    for (auto id : op.inputs) values.push_back(floatOperand(compiler, id));
    return values;
}

FloatResult floatResult(Compiler& compiler, TensorId id) {
    const auto own = compiler.plainDescOf(id);
    FloatResult target;
    target.result = compiler.define(id, own);
    target.value = kindOf(own) == DataKind::f32
                       ? target.result
                       : compiler.scratch(plainDesc(compiler.tensor(id).dims, model::DataType::Float32));
    return target;
}

void finishFloat(Compiler& compiler, const FloatResult& target) {
    if (target.value.buffer != target.result.buffer) compiler.convert(target.value, target.result);
}

model::Shape broadcastStrides(const model::Shape& operand, const model::Shape& result) {
    model::Shape strides(result.size(), 0);
    const auto lead = result.size() - operand.size();
    std::int64_t next = 1;
    for (std::size_t i = operand.size(); i-- > 0;) {
        strides[lead + i] = operand[i] == 1 ? 0 : next;
        next *= operand[i];
    }
    return strides;
}

Result<void> emitArray(Compiler& compiler, const plan::Operation& op) {
    if (!compiler.fusion().steps.empty()) {
        emitMapChain(compiler, op);
        return {};
    }
    const auto& operation = std::get<model::ArrayLayer>(op.layer).operation;
    const auto all = arrayOperands(compiler, op);
    const auto emitted = std::visit(
        [&]<class Layer>(const Layer& layer) {
            if constexpr (std::is_same_v<Layer, model::Rearrange>) return emitRearrange(compiler, op, layer);
            if constexpr (std::is_same_v<Layer, model::PadArray>) return emitPadArray(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::JoinArrays>) return emitJoin(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::LookUp>) return emitLookUp(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::Reduce>) return emitReduce(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::SoftmaxAlong>) return emitSoftmaxAlong(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::Normalise>) return emitNormalise(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::MatrixProduct>) return emitMatrixProduct(compiler, all);
            if constexpr (std::is_same_v<Layer, model::AttendArrays>) return emitAttendArrays(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::ConvolveNd>) return emitConvolveNd(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::PoolNd>) return emitPoolNd(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::ResizeArray>) return emitResize(compiler, all, layer);
            if constexpr (std::is_same_v<Layer, model::RecurrentPass>) return emitRecurrentPass(compiler, all, layer);
            return false;
        },
        operation);
    if (!emitted) emitNaive(compiler, all, operation);
    return {};
}

}  // namespace steelyard::compute::cpu
