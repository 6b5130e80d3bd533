// SPDX-License-Identifier: Apache-2.0
// Shared by the operations of imported networks: tensors in the form of the array kernels. Internal to
// operations/array*.cpp.
#pragma once

#include <vector>

#include "engine/compute/cuda/compile/emitters.h"
#include "engine/model/array/strides.h"

namespace steelyard::compute::cuda {

using kernels::ArrayExtents;
using kernels::ArrayStrides;
using kernels::ArrayType;

// A tensor of the step, or scratch memory, with the shape that an operation sees and its strides.
struct DeviceArray {
    Value value;
    ArrayType type = ArrayType::F32;
    model::Shape dims, strides;  // in elements
    std::int64_t offset = 0;

    // Only while the step runs: buffers have no address before.
    [[nodiscard]] kernels::ArrayTensor tensor() const { return {value.data(), type, offset}; }
    [[nodiscard]] std::int64_t elements() const { return model::elementCount(dims); }
    [[nodiscard]] bool isInteger() const { return type == ArrayType::I32; }
};

[[nodiscard]] ArrayType arrayTypeOf(ElementType type);
[[nodiscard]] bool isDense(const DeviceArray& array);

// A tensor of the Plan: images in their layout, parameters as layers read them.
[[nodiscard]] DeviceArray arrayOf(Compiler& compiler, TensorId id);
[[nodiscard]] DeviceArray scratchArray(Compiler& compiler, ArrayType type, const model::Shape& dims);
// Emits a copy if the array has another type or is not dense.
[[nodiscard]] DeviceArray denseArray(Compiler& compiler, const DeviceArray& array, ArrayType type);
void emitArrayCopy(Compiler& compiler, const DeviceArray& from, const DeviceArray& to);

// Strides of an operand in the coordinates of a result of `dims`; 0 for broadcast dimensions.
[[nodiscard]] model::Shape broadcastStrides(const DeviceArray& operand, const model::Shape& dims);

// Unsupported for more than kMostDimensions.
[[nodiscard]] Result<ArrayExtents> extentsOf(const plan::Operation& op, const model::Shape& dims);
[[nodiscard]] ArrayStrides stridesOf(const model::Shape& strides);

// Several tensors iterated together, in the coordinates of the last: without dimensions of 1, in memory order of the
// last, and with mergeable neighbouring dimensions merged.
struct ArrayWalk {
    model::Shape extents;
    std::vector<model::Shape> strides;
};
[[nodiscard]] ArrayWalk simplifiedWalk(const model::Shape& extents, const std::vector<model::Shape>& strides);

// array_library.cpp: products and convolutions, with the libraries if possible.
Result<void> emitArrayProduct(Compiler& compiler, const plan::Operation& op, DeviceArray a, DeviceArray b,
                              DeviceArray out);
Result<void> emitAttendArrays(Compiler& compiler, const plan::Operation& op, const model::AttendArrays& layer);
Result<void> emitArrayConvolution(Compiler& compiler, const plan::Operation& op, const model::ConvolveNd& layer);
[[nodiscard]] Result<kernels::ArrayWindow> arrayWindow(const plan::Operation& op, const model::Shape& kernel,
                                                       const model::Shape& stride, const model::Shape& dilation,
                                                       const model::Shape& before, const model::Shape& after,
                                                       const model::Shape& input);

}  // namespace steelyard::compute::cuda
