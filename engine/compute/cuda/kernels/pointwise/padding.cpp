// SPDX-License-Identifier: Apache-2.0
// Image padding. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/pointwise/padding.h"

#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/pointwise/pixel.h"

namespace steelyard::compute::cuda::kernels {
namespace {

template <typename T>
struct Padded {
    ImageLayout in, out;
    std::int64_t top, left;
    const T* x;
    T* y;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        auto p = pixelOf(out, i);
        p.row -= top;
        p.column -= left;
        const bool inside = p.row >= 0 && p.column >= 0 && p.row < in.height && p.column < in.width;
        y[i] = inside ? x[positionOf(in, p)] : fromFloat<T>(0);
    }
};

template <typename T>
struct Cropped {
    ImageLayout in, out;
    std::int64_t top, left;
    const T* x;
    T* y;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        auto p = pixelOf(out, i);
        p.row += top;
        p.column += left;
        const T value = x[positionOf(in, p)];
        y[i] = accumulate ? fromFloat<T>(toFloat(y[i]) + toFloat(value)) : value;
    }
};

// Whether `small`, shifted by top and left, is within `large`.
bool fits(const ImageLayout& small, const ImageLayout& large, std::int64_t top, std::int64_t left) {
    return top >= 0 && left >= 0 && small.height + top <= large.height && small.width + left <= large.width &&
           small.batch == large.batch && small.channels == large.channels && small.channelsLast == large.channelsLast;
}

}  // namespace

Status padImage(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out, std::int64_t top,
                std::int64_t left, const void* x, void* y) {
    if (!fits(in, out, top, left)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, out.elements(),
                        Padded<T>{in, out, top, left, static_cast<const T*>(x), static_cast<T*>(y)});
    });
}

Status cropImage(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out, std::int64_t top,
                 std::int64_t left, const void* x, void* y, bool accumulate) {
    if (!fits(out, in, top, left)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, out.elements(),
                        Cropped<T>{in, out, top, left, static_cast<const T*>(x), static_cast<T*>(y), accumulate});
    });
}

}  // namespace steelyard::compute::cuda::kernels
