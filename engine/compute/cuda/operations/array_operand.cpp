// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/operations/array_operand.h"

#include <algorithm>
#include <numeric>

#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {

ArrayType arrayTypeOf(ElementType type) {
    if (type == ElementType::F32) return ArrayType::F32;
    return type == ElementType::F16 ? ArrayType::F16 : ArrayType::Bf16;
}

bool isDense(const DeviceArray& array) {
    std::int64_t next = 1;
    for (std::size_t d = array.dims.size(); d-- > 0; next *= array.dims[d])
        if (array.dims[d] != 1 && array.strides[d] != next) return false;
    return array.offset == 0;
}

DeviceArray arrayOf(Compiler& compiler, TensorId id) {
    const auto& tensor = compiler.tensor(id);
    const bool isWeight = tensor.role == plan::TensorRole::Weight;
    DeviceArray array;
    array.dims = tensor.dims;
    array.strides = model::rowMajorStrides(tensor.dims);
    if (!isWeight && compiler.channelsLast() && tensor.dims.size() == 4) {
        const auto channels = tensor.dims[1], height = tensor.dims[2], width = tensor.dims[3];
        array.strides = {height * width * channels, 1, width * channels, channels};
    }
    if (tensor.type == model::DataType::Int32) {
        array.type = ArrayType::I32;
        array.value = compiler.value(id);
    } else if (isWeight) {
        array.type = arrayTypeOf(compiler.type());
        array.value = compiler.weight(id);
    } else {
        const bool wide = tensor.type == model::DataType::Float32;
        array.type = wide ? ArrayType::F32 : arrayTypeOf(compiler.type());
        array.value = compiler.value(id);
    }
    return array;
}

DeviceArray scratchArray(Compiler& compiler, ArrayType type, const model::Shape& dims) {
    return {compiler.scratch(model::elementCount(dims) * kernels::bytesOf(type)), type, dims,
            model::rowMajorStrides(dims), 0};
}

void emitArrayCopy(Compiler& compiler, const DeviceArray& from, const DeviceArray& to) {
    const auto walk = simplifiedWalk(to.dims, {from.strides, to.strides});
    ArrayExtents extents;
    extents.rank = static_cast<int>(walk.extents.size());
    std::copy(walk.extents.begin(), walk.extents.end(), extents.at);
    compiler.kernel("native:array_copy", {from.value, to.value},
                    [=, in = stridesOf(walk.strides[0]), out = stridesOf(walk.strides[1])](Stream stream) {
                        return kernels::arrayCopy(stream, extents, {from.tensor(), in}, {to.tensor(), out});
                    });
}

DeviceArray denseArray(Compiler& compiler, const DeviceArray& array, ArrayType type) {
    if (array.type == type && isDense(array)) return array;
    const auto copy = scratchArray(compiler, type, array.dims);
    emitArrayCopy(compiler, array, copy);
    return copy;
}

model::Shape broadcastStrides(const DeviceArray& operand, const model::Shape& dims) {
    model::Shape strides(dims.size(), 0);
    const auto lead = dims.size() - operand.dims.size();
    for (std::size_t d = 0; d < operand.dims.size(); ++d)
        strides[lead + d] = operand.dims[d] == 1 ? 0 : operand.strides[d];
    return strides;
}

Result<ArrayExtents> extentsOf(const plan::Operation& op, const model::Shape& dims) {
    if (dims.size() > static_cast<std::size_t>(kernels::kMostDimensions))
        return fail(ErrorKind::Unsupported, op.name, messages::tooManyDimensions(kernels::kMostDimensions));
    ArrayExtents extents;
    extents.rank = static_cast<int>(dims.size());
    std::copy(dims.begin(), dims.end(), extents.at);
    return extents;
}

ArrayStrides stridesOf(const model::Shape& strides) {
    ArrayStrides result;
    std::copy_n(strides.begin(), std::min<std::size_t>(strides.size(), kernels::kMostDimensions), result.at);
    return result;
}

ArrayWalk simplifiedWalk(const model::Shape& extents, const std::vector<model::Shape>& strides) {
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < extents.size(); ++d)
        if (extents[d] != 1) order.push_back(d);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return strides.back()[a] > strides.back()[b]; });
    ArrayWalk walk;
    walk.strides.resize(strides.size());
    for (auto d : order) {
        bool joins = !walk.extents.empty();
        for (std::size_t k = 0; k < strides.size() && joins; ++k)
            joins = walk.strides[k].back() == strides[k][d] * extents[d];
        if (joins) {
            walk.extents.back() *= extents[d];
            for (std::size_t k = 0; k < strides.size(); ++k) walk.strides[k].back() = strides[k][d];
        } else {
            walk.extents.push_back(extents[d]);
            for (std::size_t k = 0; k < strides.size(); ++k) walk.strides[k].push_back(strides[k][d]);
        }
    }
    return walk;
}

}  // namespace steelyard::compute::cuda
