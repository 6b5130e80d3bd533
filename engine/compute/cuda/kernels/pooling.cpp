// SPDX-License-Identifier: Apache-2.0
// Pooling windows. Compiled twice: as C++ for the twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/execution.h"
#include "engine/compute/cuda/kernels/pixel.h"
#include "engine/compute/cuda/kernels/shaping.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// The part of an output pixel's window that lies inside the image.
struct Field {
    std::int64_t top, bottom, left, right;  // half-open
    std::int64_t kernelTop, kernelLeft;     // of the whole window
};

STEELYARD_HD std::int64_t atLeastZero(std::int64_t a) {
    return a > 0 ? a : 0;
}
STEELYARD_HD std::int64_t atMost(std::int64_t a, std::int64_t limit) {
    return a < limit ? a : limit;
}

STEELYARD_HD Field fieldOf(const PoolWindow& w, std::int64_t row, std::int64_t column) {
    Field f{};
    f.kernelTop = row * w.strideHeight - w.paddingTop;
    f.kernelLeft = column * w.strideWidth - w.paddingLeft;
    f.top = atLeastZero(f.kernelTop);
    f.left = atLeastZero(f.kernelLeft);
    f.bottom = atMost(f.kernelTop + w.kernelHeight, w.in.height);
    f.right = atMost(f.kernelLeft + w.kernelWidth, w.in.width);
    return f;
}

STEELYARD_HD float divisorOf(const PoolWindow& w, const Field& f) {
    if (w.countPadding) return static_cast<float>(w.kernelHeight * w.kernelWidth);
    const std::int64_t count = atLeastZero(f.bottom - f.top) * atLeastZero(f.right - f.left);
    return static_cast<float>(count > 0 ? count : 1);
}

// The output pixels whose windows hold an input pixel, along one axis: [first, last].
struct Range {
    std::int64_t first, last;
};
STEELYARD_HD Range windowsOf(std::int64_t at, std::int64_t padding, std::int64_t kernel, std::int64_t stride,
                             std::int64_t outputs) {
    const std::int64_t from = at + padding - kernel + 1;
    const std::int64_t first = from > 0 ? divided(from + stride - 1, stride) : 0;
    const std::int64_t last = atMost(divided(at + padding, stride), outputs - 1);
    return {first, last};
}

template <typename T>
struct MaxForward {
    PoolWindow w;
    const T* x;
    T* y;
    std::uint8_t* indices;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const Pixel p = pixelOf(w.out, i);
        const Field f = fieldOf(w, p.row, p.column);
        T best = fromFloat<T>(0.0F);
        std::int64_t position = 0;
        bool any = false;
        for (std::int64_t row = f.top; row < f.bottom; ++row)
            for (std::int64_t column = f.left; column < f.right; ++column) {
                const T value = x[positionOf(w.in, {p.sample, p.channel, row, column})];
                if (any && !(toFloat(value) > toFloat(best))) continue;
                any = true;
                best = value;
                position = (row - f.kernelTop) * w.kernelWidth + column - f.kernelLeft;
            }
        y[i] = best;
        if (indices != nullptr) indices[i] = static_cast<std::uint8_t>(position);
    }
};

// One input element gathers from all windows that hold it: no two threads write to one place.
template <typename T>
struct MaxBackward {
    PoolWindow w;
    const T* dy;
    const std::uint8_t* indices;
    T* dx;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const Pixel p = pixelOf(w.in, i);
        const Range rows = windowsOf(p.row, w.paddingTop, w.kernelHeight, w.strideHeight, w.out.height);
        const Range columns = windowsOf(p.column, w.paddingLeft, w.kernelWidth, w.strideWidth, w.out.width);
        float sum = accumulate ? toFloat(dx[i]) : 0.0F;
        for (std::int64_t row = rows.first; row <= rows.last; ++row)
            for (std::int64_t column = columns.first; column <= columns.last; ++column) {
                const std::int64_t from = positionOf(w.out, {p.sample, p.channel, row, column});
                const std::int64_t inWindow = (p.row - row * w.strideHeight + w.paddingTop) * w.kernelWidth + p.column -
                                              column * w.strideWidth + w.paddingLeft;
                if (indices[from] == inWindow) sum += toFloat(dy[from]);
            }
        dx[i] = fromFloat<T>(sum);
    }
};

template <typename T>
struct AverageForward {
    PoolWindow w;
    const T* x;
    T* y;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const Pixel p = pixelOf(w.out, i);
        const Field f = fieldOf(w, p.row, p.column);
        float sum = 0.0F;
        for (std::int64_t row = f.top; row < f.bottom; ++row)
            for (std::int64_t column = f.left; column < f.right; ++column)
                sum += toFloat(x[positionOf(w.in, {p.sample, p.channel, row, column})]);
        y[i] = fromFloat<T>(sum / divisorOf(w, f));
    }
};

template <typename T>
struct AverageBackward {
    PoolWindow w;
    const T* dy;
    T* dx;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const Pixel p = pixelOf(w.in, i);
        const Range rows = windowsOf(p.row, w.paddingTop, w.kernelHeight, w.strideHeight, w.out.height);
        const Range columns = windowsOf(p.column, w.paddingLeft, w.kernelWidth, w.strideWidth, w.out.width);
        float sum = accumulate ? toFloat(dx[i]) : 0.0F;
        for (std::int64_t row = rows.first; row <= rows.last; ++row)
            for (std::int64_t column = columns.first; column <= columns.last; ++column)
                sum += toFloat(dy[positionOf(w.out, {p.sample, p.channel, row, column})]) /
                       divisorOf(w, fieldOf(w, row, column));
        dx[i] = fromFloat<T>(sum);
    }
};

bool isValid(const PoolWindow& w) {
    return w.kernelHeight >= 1 && w.kernelWidth >= 1 && w.strideHeight >= 1 && w.strideWidth >= 1 &&
           w.paddingTop >= 0 && w.paddingLeft >= 0 && w.in.batch == w.out.batch && w.in.channels == w.out.channels &&
           w.in.channelsLast == w.out.channelsLast;
}
bool indicesFit(const PoolWindow& w) {
    return w.kernelHeight * w.kernelWidth <= 256;
}

}  // namespace

Status maxPoolForward(Stream stream, ElementType type, const PoolWindow& w, const void* x, void* y,
                      std::uint8_t* indices) {
    if (!isValid(w) || (indices != nullptr && !indicesFit(w))) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, w.out.elements(),
                        MaxForward<T>{w, static_cast<const T*>(x), static_cast<T*>(y), indices});
    });
}

Status maxPoolBackward(Stream stream, ElementType type, const PoolWindow& w, const void* dy,
                       const std::uint8_t* indices, void* dx, bool accumulate) {
    if (!isValid(w) || !indicesFit(w)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, w.in.elements(),
                        MaxBackward<T>{w, static_cast<const T*>(dy), indices, static_cast<T*>(dx), accumulate});
    });
}

Status averagePoolForward(Stream stream, ElementType type, const PoolWindow& w, const void* x, void* y) {
    if (!isValid(w)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, w.out.elements(), AverageForward<T>{w, static_cast<const T*>(x), static_cast<T*>(y)});
    });
}

Status averagePoolBackward(Stream stream, ElementType type, const PoolWindow& w, const void* dy, void* dx,
                           bool accumulate) {
    if (!isValid(w)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, w.in.elements(),
                        AverageBackward<T>{w, static_cast<const T*>(dy), static_cast<T*>(dx), accumulate});
    });
}

}  // namespace steelyard::compute::cuda::kernels
