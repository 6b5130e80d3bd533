// SPDX-License-Identifier: Apache-2.0
// Shared by the operations of imported networks. Private to operations/array; emitters return false, without adding
// tasks, for cases that they do not support.
#pragma once

#include <string>
#include <vector>

#include "engine/compute/cpu/compile/emitters.h"

namespace steelyard::compute::cpu {

// Operands and result of one operation, with the shapes of the Plan.
struct ArrayOperands {
    const plan::Operation* op = nullptr;
    std::vector<model::Shape> shapes;
    std::vector<bool> integers;
    model::Shape shape;
    bool integerOutput = false;

    [[nodiscard]] bool allFloat() const;
};
[[nodiscard]] ArrayOperands arrayOperands(const Compiler& compiler, const plan::Operation& op);

// An operand, row-major, in its type (floating-point constants in float32) or in float32.
[[nodiscard]] Value arrayOperand(Compiler& compiler, TensorId id);
[[nodiscard]] Value floatOperand(Compiler& compiler, TensorId id);
[[nodiscard]] std::vector<Value> floatOperands(Compiler& compiler, const plan::Operation& op);

// Result of an operation that computes in float32; finishFloat() converts it if the Plan's type differs.
struct FloatResult {
    Value value, result;
};
[[nodiscard]] FloatResult floatResult(Compiler& compiler, TensorId id);
void finishFloat(Compiler& compiler, const FloatResult& result);

// Adds a task that accesses the operands and `more`.
template <class Function>
void arrayTask(Compiler& compiler, const std::string& name, std::vector<Value> uses, const std::vector<Value>& more,
               Function function) {
    uses.insert(uses.end(), more.begin(), more.end());
    compiler.task("native:" + name, std::span<const Value>(uses), std::move(function));
}

// An array viewed along adjacent dimensions: outer x extent x inner.
struct AlongAxis {
    std::int64_t outer = 1, extent = 1, inner = 1;
    AlongAxis(const model::Shape& shape, std::int64_t axis, std::int64_t count = 1) {
        for (std::int64_t d = 0; d < static_cast<std::int64_t>(shape.size()); ++d)
            (d < axis ? outer : d < axis + count ? extent : inner) *= shape[static_cast<std::size_t>(d)];
    }
};

// Strides of an operand in the coordinates of the result; 0 for broadcast dimensions.
[[nodiscard]] model::Shape broadcastStrides(const model::Shape& operand, const model::Shape& result);

void emitMapChain(Compiler& compiler, const plan::Operation& op);                                  // array_map.cpp
bool emitRearrange(Compiler& compiler, const plan::Operation& op, const model::Rearrange& layer);  // array_moves.cpp
bool emitPadArray(Compiler& compiler, const ArrayOperands& all, const model::PadArray& layer);
bool emitJoin(Compiler& compiler, const ArrayOperands& all, const model::JoinArrays& layer);
bool emitLookUp(Compiler& compiler, const ArrayOperands& all, const model::LookUp& layer);
bool emitReduce(Compiler& compiler, const ArrayOperands& all, const model::Reduce& layer);  // array_rows.cpp
bool emitSoftmaxAlong(Compiler& compiler, const ArrayOperands& all, const model::SoftmaxAlong& layer);
bool emitNormalise(Compiler& compiler, const ArrayOperands& all, const model::Normalise& layer);
bool emitMatrixProduct(Compiler& compiler, const ArrayOperands& all);  // array_product.cpp
bool emitAttendArrays(Compiler& compiler, const ArrayOperands& all, const model::AttendArrays& layer);
bool emitConvolveNd(Compiler& compiler, const ArrayOperands& all, const model::ConvolveNd& layer);  // array_windows.cpp
bool emitPoolNd(Compiler& compiler, const ArrayOperands& all, const model::PoolNd& layer);
bool emitResize(Compiler& compiler, const ArrayOperands& all, const model::ResizeArray& layer);
bool emitRecurrentPass(Compiler& compiler, const ArrayOperands& all, const model::RecurrentPass& layer);

}  // namespace steelyard::compute::cpu
