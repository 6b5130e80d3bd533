// SPDX-License-Identifier: Apache-2.0
// Pooling windows. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
//
// A channels-first image is processed as batch x channels channels-last images with one channel each, so that there is
// one layout. A thread processes N neighbouring channels of a pixel, whose windows are the same.
#include <type_traits>

#include "engine/compute/cuda/kernels/eight_bit/byte_values.h"
#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/pointwise/shaping.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// PoolWindow with 32-bit indices if possible.
template <typename Index>
struct Shape {
    Index channels;
    Index inHeight, inWidth, outHeight, outWidth;
    Index kernelHeight, kernelWidth;
    Index strideHeight, strideWidth;
    Index paddingTop, paddingLeft;
    bool countPadding;
};

template <typename Index>
Shape<Index> shapeOf(const PoolWindow& w) {
    const auto i = [](std::int64_t value) { return static_cast<Index>(value); };
    return {i(w.in.channelsLast ? w.in.channels : 1),
            i(w.in.height),
            i(w.in.width),
            i(w.out.height),
            i(w.out.width),
            i(w.kernelHeight),
            i(w.kernelWidth),
            i(w.strideHeight),
            i(w.strideWidth),
            i(w.paddingTop),
            i(w.paddingLeft),
            w.countPadding};
}

template <typename Index>
STEELYARD_HD Index quotient(Index a, Index b) {
    using Unsigned = std::make_unsigned_t<Index>;
    return static_cast<Index>(static_cast<Unsigned>(a) / static_cast<Unsigned>(b));
}
template <typename Index>
STEELYARD_HD Index atLeastZero(Index a) {
    return a > 0 ? a : 0;
}
template <typename Index>
STEELYARD_HD Index atMost(Index a, Index limit) {
    return a < limit ? a : limit;
}

template <typename Index>
struct Place {
    Index image, row, column, channel;
};

// For the i-th pack of N channels of images of height x width.
template <int N, typename Index>
STEELYARD_HD Place<Index> placeOf(Index i, Index channels, Index height, Index width) {
    const Index packs = N == 1 ? channels : channels / N;
    const Index pixel = quotient(i, packs), line = quotient(pixel, width), image = quotient(line, height);
    return {image, line - image * height, pixel - line * width, (i - pixel * packs) * N};
}

// The part of an output pixel's window inside the image.
template <typename Index>
struct Field {
    Index top, bottom, left, right;  // half-open
    Index kernelTop, kernelLeft;     // of the whole window
};

template <typename Index>
STEELYARD_HD Field<Index> fieldOf(const Shape<Index>& s, Index row, Index column) {
    Field<Index> f{};
    f.kernelTop = row * s.strideHeight - s.paddingTop;
    f.kernelLeft = column * s.strideWidth - s.paddingLeft;
    f.top = atLeastZero(f.kernelTop);
    f.left = atLeastZero(f.kernelLeft);
    f.bottom = atMost<Index>(f.kernelTop + s.kernelHeight, s.inHeight);
    f.right = atMost<Index>(f.kernelLeft + s.kernelWidth, s.inWidth);
    return f;
}

// Number of averaged values.
template <typename Index>
STEELYARD_HD float countOf(const Shape<Index>& s, const Field<Index>& f) {
    if (s.countPadding) return static_cast<float>(s.kernelHeight * s.kernelWidth);
    const Index count = atLeastZero<Index>(f.bottom - f.top) * atLeastZero<Index>(f.right - f.left);
    return static_cast<float>(count > 0 ? count : 1);
}
template <typename Index>
STEELYARD_HD float shareOf(const Shape<Index>& s, const Field<Index>& f) {
    return 1.0F / countOf(s, f);
}

// Output pixels whose windows contain an input pixel, along one axis: [first, last].
template <typename Index>
struct Range {
    Index first, last;
};
template <typename Index>
STEELYARD_HD Range<Index> windowsOf(Index at, Index padding, Index kernel, Index stride, Index outputs) {
    const Index from = at + padding - kernel + 1;
    const Index first = from > 0 ? quotient<Index>(from + stride - 1, stride) : 0;
    const Index last = atMost<Index>(quotient<Index>(at + padding, stride), outputs - 1);
    return {first, last};
}

template <typename T, int N, typename Index>
struct MaxForward {
    Shape<Index> s;
    const T* x;
    T* y;
    std::uint8_t* indices;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto p = placeOf<N>(static_cast<Index>(i), s.channels, s.outHeight, s.outWidth);
        const auto f = fieldOf(s, p.row, p.column);
        const T* image = x + p.image * s.inHeight * s.inWidth * s.channels + p.channel;
        Pack<T, N> best;
        int position[N];
        for (int k = 0; k < N; ++k) best.at[k] = fromFloat<T>(0.0F), position[k] = 0;
        bool any = false;
        for (Index row = f.top; row < f.bottom; ++row)
            for (Index column = f.left; column < f.right; column += 2) {  // two at a time: both loads are outstanding
                const Index next = column + 1 < f.right ? column + 1 : column;
                const auto left = load<N>(image + (row * s.inWidth + column) * s.channels);
                const auto right = load<N>(image + (row * s.inWidth + next) * s.channels);
                const auto here = static_cast<int>((row - f.kernelTop) * s.kernelWidth + column - f.kernelLeft);
                for (int k = 0; k < N; ++k) {
                    if (!any || toFloat(left.at[k]) > toFloat(best.at[k])) best.at[k] = left.at[k], position[k] = here;
                    if (toFloat(right.at[k]) > toFloat(best.at[k])) best.at[k] = right.at[k], position[k] = here + 1;
                }
                any = true;
            }
        store<N>(y + i * N, best);
        if (indices == nullptr) return;
        Pack<std::uint8_t, N> kept;
        for (int k = 0; k < N; ++k) kept.at[k] = static_cast<std::uint8_t>(position[k]);
        store<N>(indices + i * N, kept);
    }
};

// dx (+)= sum
template <int N, typename T>
STEELYARD_HD void put(T* dx, float (&sum)[N], bool accumulate) {
    Pack<T, N> out;
    if (accumulate) {
        out = load<N>(static_cast<const T*>(dx));
        for (int k = 0; k < N; ++k) sum[k] += toFloat(out.at[k]);
    }
    for (int k = 0; k < N; ++k) out.at[k] = fromFloat<T>(sum[k]);
    store<N>(dx, out);
}

// An input pixel gathers from all windows that contain it, so threads never write to the same position.
template <typename T, int N, typename Index>
struct MaxBackward {
    Shape<Index> s;
    const T* dy;
    const std::uint8_t* indices;
    T* dx;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto p = placeOf<N>(static_cast<Index>(i), s.channels, s.inHeight, s.inWidth);
        const auto rows = windowsOf(p.row, s.paddingTop, s.kernelHeight, s.strideHeight, s.outHeight);
        const auto columns = windowsOf(p.column, s.paddingLeft, s.kernelWidth, s.strideWidth, s.outWidth);
        const Index image = p.image * s.outHeight * s.outWidth * s.channels + p.channel;
        float sum[N] = {};
        for (Index row = rows.first; row <= rows.last; ++row)
            for (Index column = columns.first; column <= columns.last; ++column) {
                const Index from = image + (row * s.outWidth + column) * s.channels;
                const auto here = static_cast<int>((p.row - row * s.strideHeight + s.paddingTop) * s.kernelWidth +
                                                   p.column - column * s.strideWidth + s.paddingLeft);
                const auto chosen = load<N>(indices + from);
                const auto flow = load<N>(dy + from);
                for (int k = 0; k < N; ++k) sum[k] += chosen.at[k] == here ? toFloat(flow.at[k]) : 0.0F;
            }
        put(dx + i * N, sum, accumulate);
    }
};

// Non-overlapping windows: an output pixel writes the inputs from the start of its window to the start of the next one,
// the last of an axis to the end.
template <typename T, int N, typename Index>
struct MaxSpread {
    Shape<Index> s;
    const T* dy;
    const std::uint8_t* indices;
    T* dx;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto p = placeOf<N>(static_cast<Index>(i), s.channels, s.outHeight, s.outWidth);
        const auto f = fieldOf(s, p.row, p.column);
        const Index bottom = endOf(p.row, s.outHeight, f.kernelTop + s.strideHeight, s.inHeight);
        const Index right = endOf(p.column, s.outWidth, f.kernelLeft + s.strideWidth, s.inWidth);
        const auto flow = load<N>(dy + i * N);
        const auto chosen = load<N>(indices + i * N);
        T* image = dx + p.image * s.inHeight * s.inWidth * s.channels + p.channel;
        for (Index row = f.top; row < bottom; ++row)
            for (Index column = f.left; column < right; ++column) {
                const bool inside = row < f.bottom && column < f.right;
                const auto here =
                    inside ? static_cast<int>((row - f.kernelTop) * s.kernelWidth + column - f.kernelLeft) : -1;
                float sum[N];
                for (int k = 0; k < N; ++k) sum[k] = chosen.at[k] == here ? toFloat(flow.at[k]) : 0.0F;
                put(image + (row * s.inWidth + column) * s.channels, sum, accumulate);
            }
    }

    STEELYARD_HD_MEMBER static Index endOf(Index at, Index outputs, Index next, Index inputs) {
        return at + 1 == outputs ? inputs : atMost(next, inputs);
    }
};

template <typename T, int N, typename Index>
struct AverageForward {
    Shape<Index> s;
    const T* x;
    T* y;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto p = placeOf<N>(static_cast<Index>(i), s.channels, s.outHeight, s.outWidth);
        const auto f = fieldOf(s, p.row, p.column);
        const T* image = x + p.image * s.inHeight * s.inWidth * s.channels + p.channel;
        float sum[N] = {};
        for (Index row = f.top; row < f.bottom; ++row)
            for (Index column = f.left; column < f.right; ++column) {
                const auto values = load<N>(image + (row * s.inWidth + column) * s.channels);
                for (int k = 0; k < N; ++k) sum[k] += toFloat(values.at[k]);
            }
        if constexpr (sizeof(T) == 1) {  // exact, so that ties are rounded to even
            const float count = countOf(s, f);
            for (int k = 0; k < N; ++k) sum[k] /= count;
        } else {
            const float share = shareOf(s, f);
            for (int k = 0; k < N; ++k) sum[k] *= share;
        }
        put(y + i * N, sum, false);
    }
};

template <typename T, int N, typename Index>
struct AverageBackward {
    Shape<Index> s;
    const T* dy;
    T* dx;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto p = placeOf<N>(static_cast<Index>(i), s.channels, s.inHeight, s.inWidth);
        const auto rows = windowsOf(p.row, s.paddingTop, s.kernelHeight, s.strideHeight, s.outHeight);
        const auto columns = windowsOf(p.column, s.paddingLeft, s.kernelWidth, s.strideWidth, s.outWidth);
        const T* image = dy + p.image * s.outHeight * s.outWidth * s.channels + p.channel;
        float sum[N] = {};
        for (Index row = rows.first; row <= rows.last; ++row)
            for (Index column = columns.first; column <= columns.last; ++column) {
                const auto flow = load<N>(image + (row * s.outWidth + column) * s.channels);
                const float share = shareOf(s, fieldOf(s, row, column));
                for (int k = 0; k < N; ++k) sum[k] += share * toFloat(flow.at[k]);
            }
        put(dx + i * N, sum, accumulate);
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
bool overlaps(const PoolWindow& w) {
    return w.kernelHeight > w.strideHeight || w.kernelWidth > w.strideWidth;
}

// Whether 32 bits suffice for all indices and sums of position, stride and kernel.
bool isSmall(const PoolWindow& w) {
    constexpr std::int64_t kMost = std::int64_t{1} << 30;
    const auto fits = [](std::int64_t value) { return value < kMost / 4; };
    const auto outHeight = w.out.height * w.strideHeight, outWidth = w.out.width * w.strideWidth;
    return w.in.elements() < kMost && w.out.elements() < kMost && fits(w.kernelHeight) && fits(w.kernelWidth) &&
           fits(w.kernelHeight * w.kernelWidth) && fits(w.paddingTop) && fits(w.paddingLeft) && fits(w.strideHeight) &&
           fits(w.strideWidth) && fits(outHeight) && fits(outWidth);
}

// Work<T, N, Index> on each pack of N channels of `over`.
template <template <typename, int, typename> class Work, typename T, int N, typename... Arguments>
Status poolPacks(Stream stream, const PoolWindow& w, const ImageLayout& over, Arguments... arguments) {
    using Index32 = std::int32_t;
    using Index64 = std::int64_t;
    const std::int64_t count = over.elements() / N;
    if (isSmall(w)) return elements(stream, count, Work<T, N, Index32>{shapeOf<Index32>(w), arguments...});
    return elements(stream, count, Work<T, N, Index64>{shapeOf<Index64>(w), arguments...});
}
template <template <typename, int, typename> class Work, typename T, typename... Arguments>
Status pool(Stream stream, const PoolWindow& w, const ImageLayout& over, bool aligned, Arguments... arguments) {
    constexpr int kN = kPack<T>;
    return aligned ? poolPacks<Work, T, kN>(stream, w, over, arguments...)
                   : poolPacks<Work, T, 1>(stream, w, over, arguments...);
}

template <typename T, typename... Pointers>
bool packsFit(const PoolWindow& w, const Pointers*... pointers) {
    return w.in.channelsLast && w.in.channels % kPack<T> == 0 && areAligned(pointers...);
}

}  // namespace

Status maxPoolForward(Stream stream, ElementType type, const PoolWindow& w, const void* x, void* y,
                      std::uint8_t* indices) {
    if (!isValid(w) || (indices != nullptr && !indicesFit(w))) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return pool<MaxForward, T>(stream, w, w.out, packsFit<T>(w, x, y, indices), static_cast<const T*>(x),
                                   static_cast<T*>(y), indices);
    });
}

Status maxPoolBackward(Stream stream, ElementType type, const PoolWindow& w, const void* dy,
                       const std::uint8_t* indices, void* dx, bool accumulate) {
    if (!isValid(w) || !indicesFit(w)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto* from = static_cast<const T*>(dy);
        auto* to = static_cast<T*>(dx);
        const bool aligned = packsFit<T>(w, dy, indices, dx);
        if (aligned && !overlaps(w) && w.out.elements() > 0)
            return poolPacks<MaxSpread, T, kPack<T>>(stream, w, w.out, from, indices, to, accumulate);
        return pool<MaxBackward, T>(stream, w, w.in, aligned, from, indices, to, accumulate);
    });
}

Status averagePoolForward(Stream stream, ElementType type, const PoolWindow& w, const void* x, void* y) {
    if (!isValid(w)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return pool<AverageForward, T>(stream, w, w.out, packsFit<T>(w, x, y), static_cast<const T*>(x),
                                       static_cast<T*>(y));
    });
}

Status poolBytes(Stream stream, StoredAs type, bool largest, const PoolWindow& w, const void* x, void* y) {
    if (!isValid(w)) return kInvalidValue;
    return withBytes(type, [&](auto tag) {
        using T = decltype(tag);
        const bool aligned = packsFit<T>(w, x, y);
        const auto* from = static_cast<const T*>(x);
        auto* to = static_cast<T*>(y);
        if (!largest) return pool<AverageForward, T>(stream, w, w.out, aligned, from, to);
        return pool<MaxForward, T>(stream, w, w.out, aligned, from, to, static_cast<std::uint8_t*>(nullptr));
    });
}

Status averagePoolBackward(Stream stream, ElementType type, const PoolWindow& w, const void* dy, void* dx,
                           bool accumulate) {
    if (!isValid(w)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return pool<AverageBackward, T>(stream, w, w.in, packsFit<T>(w, dy, dx), static_cast<const T*>(dy),
                                        static_cast<T*>(dx), accumulate);
    });
}

}  // namespace steelyard::compute::cuda::kernels
