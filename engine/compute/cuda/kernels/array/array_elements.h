// SPDX-License-Identifier: Apache-2.0
// Access to elements whose type is only known at run time, and iteration over extents. Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/array/array_kernels.h"
#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {

// Acc: float, or double for exact 32-bit integers.
template <typename Acc = float>
STEELYARD_HD Acc readArray(const ArrayTensor& tensor, std::int64_t place) {
    place += tensor.offset;
    switch (tensor.type) {
        case ArrayType::F32:
            return static_cast<Acc>(static_cast<const float*>(tensor.data)[place]);
        case ArrayType::F16:
            return static_cast<Acc>(toFloat(static_cast<const Half*>(tensor.data)[place]));
        case ArrayType::Bf16:
            return static_cast<Acc>(toFloat(static_cast<const Bfloat16*>(tensor.data)[place]));
        case ArrayType::I32:
            return static_cast<Acc>(static_cast<const std::int32_t*>(tensor.data)[place]);
    }
    return 0;
}

template <typename Acc = float>
STEELYARD_HD void writeArray(const ArrayTensor& tensor, std::int64_t place, Acc value) {
    place += tensor.offset;
    switch (tensor.type) {
        case ArrayType::F32:
            static_cast<float*>(tensor.data)[place] = static_cast<float>(value);
            return;
        case ArrayType::F16:
            static_cast<Half*>(tensor.data)[place] = fromFloat<Half>(static_cast<float>(value));
            return;
        case ArrayType::Bf16:
            static_cast<Bfloat16*>(tensor.data)[place] = fromFloat<Bfloat16>(static_cast<float>(value));
            return;
        case ArrayType::I32: {
            std::int32_t whole = 0;  // for NaN
            if (value >= static_cast<Acc>(2147483647.0))
                whole = 2147483647;
            else if (value <= static_cast<Acc>(-2147483648.0))
                whole = -2147483647 - 1;
            else if (value == value)
                whole = static_cast<std::int32_t>(value);
            static_cast<std::int32_t*>(tensor.data)[place] = whole;
            return;
        }
    }
}

struct Coordinates {
    std::int64_t at[kMostDimensions];
};
STEELYARD_HD Coordinates coordinatesOf(const ArrayExtents& extents, std::int64_t index) {
    Coordinates c;
    for (int d = extents.rank - 1; d >= 0; --d) {
        const auto [rest, place] = split(index, extents.at[d]);
        c.at[d] = place;
        index = rest;
    }
    return c;
}
STEELYARD_HD std::int64_t placeOf(const Coordinates& c, const ArrayStrides& strides, int rank) {
    std::int64_t place = 0;
    for (int d = 0; d < rank; ++d) place += c.at[d] * strides.at[d];
    return place;
}
// Position of element `index` of the extents.
STEELYARD_HD std::int64_t placeOf(const ArrayExtents& extents, const ArrayStrides& strides, std::int64_t index) {
    std::int64_t place = 0;
    for (int d = extents.rank - 1; d >= 0; --d) {
        const auto [rest, at] = split(index, extents.at[d]);
        place += at * strides.at[d];
        index = rest;
    }
    return place;
}

// The index with negative values resolved, or -1.
STEELYARD_HD std::int64_t arrayIndex(double value, std::int64_t extent) {
    if (!(value >= -static_cast<double>(extent) && value < static_cast<double>(extent))) return -1;
    const auto index = static_cast<std::int64_t>(value);
    return index < 0 ? index + extent : index;
}

inline bool areValid(const ArrayExtents& extents) {
    return extents.rank >= 0 && extents.rank <= kMostDimensions;
}

// Team size per row, by its length.
template <typename Work>
Status arrayTeams(Stream stream, std::int64_t rows, std::int64_t length, const Work& work) {
    return length <= 1024 ? teams<32>(stream, rows, work) : teams<256>(stream, rows, work);
}

}  // namespace steelyard::compute::cuda::kernels
