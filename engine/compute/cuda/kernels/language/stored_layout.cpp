// SPDX-License-Identifier: Apache-2.0
// Sizes of stored weights; the same for both kernel libraries.
#include "engine/compute/cuda/kernels/execution/portable.h"
#include "engine/compute/cuda/kernels/language/stored_weights.h"

namespace steelyard::compute::cuda::kernels {
namespace {

std::int64_t valueBytes(WeightFormat format) {
    return format == WeightFormat::F32 ? 4 : 2;
}

}  // namespace

PartBytes partBytes(WeightFormat format) {
    switch (format) {
        case WeightFormat::Nibbles:
            return {16, 0, 2, 0};
        case WeightFormat::Bytes:
            return {32, 0, 2, 0};
        case WeightFormat::Nested4:
            return {16, 0, 2, 4};
        case WeightFormat::Nested6:
            return {16, 8, 2, 2};
        case WeightFormat::Levels:
            return {32, 0, 16, 0};
        default:
            return {};
    }
}

std::int64_t StoredWeights::highOffset() const {
    if (!inBlocks(format)) return paddedBytes(count * rows * columns * valueBytes(format));
    return paddedBytes(blocks() * partBytes(format).quants);
}
std::int64_t StoredWeights::scalesOffset() const {
    return highOffset() + paddedBytes(blocks() * partBytes(format).high);
}
std::int64_t StoredWeights::supersOffset() const {
    return scalesOffset() + paddedBytes(blocks() * partBytes(format).scales);
}
std::int64_t StoredWeights::bytes() const {
    return supersOffset() + paddedBytes(blocks() / kNestedBlocks * partBytes(format).supers);
}

WeightFormat formatFor(model::TensorType type) {
    using model::TensorType;
    switch (type) {
        case TensorType::F32:
            return WeightFormat::F32;
        case TensorType::F16:
            return WeightFormat::F16;
        case TensorType::Bf16:
            return WeightFormat::Bf16;
        case TensorType::Q4_0:
            return WeightFormat::Nibbles;
        case TensorType::Q8_0:
            return WeightFormat::Bytes;
        case TensorType::Q4K:
            return WeightFormat::Nested4;
        case TensorType::Q6K:
        case TensorType::Q3K:
            return WeightFormat::Nested6;
        default:
            return WeightFormat::Levels;
    }
}

StoredWeights storedAs(const model::StoredMatrix& matrix) {
    StoredWeights stored;
    if (!matrix) return stored;
    stored.format = formatFor(matrix.type);
    stored.rows = matrix.rows;
    stored.columns = matrix.columns;
    stored.count = matrix.count;
    return stored;
}

}  // namespace steelyard::compute::cuda::kernels
