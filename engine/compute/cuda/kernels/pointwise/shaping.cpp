// SPDX-License-Identifier: Apache-2.0
// Data movement. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/pointwise/shaping.h"

#include "engine/compute/cuda/kernels/eight_bit/byte_values.h"
#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/pointwise/pixel.h"
#include "engine/compute/cuda/kernels/pointwise/transpose.h"

namespace steelyard::compute::cuda::kernels {
namespace {

template <typename T, int N>
STEELYARD_HD void put(T* to, Pack<T, N> values, bool accumulate) {
    if (accumulate) {
        const auto before = load<N>(to);
        for (int i = 0; i < N; ++i) values.at[i] = fromFloat<T>(toFloat(before.at[i]) + toFloat(values.at[i]));
    }
    store<N>(to, values);
}

// Lengths in packs of N.
template <typename T, int N>
struct CopyRows {
    const T* x;
    std::int64_t xPitch;
    T* y;
    std::int64_t yPitch, length;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [row, at] = split(i, length);
        put<T, N>(y + row * yPitch + at * N, load<N>(x + row * xPitch + at * N), accumulate);
    }
};

template <typename T>
Status copyRowsOf(Stream stream, const void* x, std::int64_t xPitch, void* y, std::int64_t yPitch, std::int64_t rows,
                  std::int64_t length, bool accumulate) {
    constexpr int kN = kPack<T>;
    const auto* from = static_cast<const T*>(x);
    auto* to = static_cast<T*>(y);
    if (length % kN == 0 && xPitch % kN == 0 && yPitch % kN == 0 && areAligned(x, y))
        return elements(stream, rows * (length / kN),
                        CopyRows<T, kN>{from, xPitch, to, yPitch, length / kN, accumulate});
    return elements(stream, rows * length, CopyRows<T, 1>{from, xPitch, to, yPitch, length, accumulate});
}

template <typename T>
struct WriteRow {
    const float* row;
    T* y;
    std::int64_t yPitch, length;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [r, at] = split(i, length);
        y[r * yPitch + at] = fromFloat<T>(row[at]);
    }
};

// width in packs of N; Splitting: from the pitched side to the heads.
template <typename T, int N, bool Splitting>
struct MoveHeads {
    HeadLayout l;
    std::int64_t packs;  // of a head's width
    const T* from;
    T* to;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [row, at] = split(i, packs);  // row: over [batch, tokens, heads]
        const auto [token, head] = split(row, l.heads);
        const auto [sample, t] = split(token, l.tokens);
        const std::int64_t pitched = token * l.pitch + head * l.width + at * N;
        const std::int64_t dense = ((sample * l.heads + head) * l.keys + l.firstKey + t) * l.width + at * N;
        put<T, N>(to + (Splitting ? dense : pitched), load<N>(from + (Splitting ? pitched : dense)), accumulate);
    }
};

template <bool Splitting>
Status moveHeads(Stream stream, ElementType type, const HeadLayout& l, const void* from, void* to, bool accumulate) {
    if (l.firstKey < 0 || l.firstKey + l.tokens > l.keys || l.pitch < l.heads * l.width) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        constexpr int kN = kPack<T>;
        const std::int64_t rows = l.batch * l.tokens * l.heads;
        const auto* source = static_cast<const T*>(from);
        auto* target = static_cast<T*>(to);
        if (l.width % kN == 0 && l.pitch % kN == 0 && areAligned(from, to))
            return elements(stream, rows * (l.width / kN),
                            MoveHeads<T, kN, Splitting>{l, l.width / kN, source, target, accumulate});
        return elements(stream, rows * l.width, MoveHeads<T, 1, Splitting>{l, l.width, source, target, accumulate});
    });
}

template <typename T>
struct PadForward {
    ImageLayout in, out;
    std::int64_t stride, before;
    const T* x;
    T* y;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const Pixel p = pixelOf(out, i);
        const std::int64_t channel = p.channel - before;
        const bool copied = channel >= 0 && channel < in.channels;
        y[i] = copied ? x[positionOf(in, {p.sample, channel, p.row * stride, p.column * stride})] : fromFloat<T>(0.0F);
    }
};

template <typename T>
struct PadBackward {
    ImageLayout in, out;
    std::int64_t stride, before;
    const T* dy;
    T* dx;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const Pixel p = pixelOf(in, i);
        const auto [row, rowRest] = split(p.row, stride);
        const auto [column, columnRest] = split(p.column, stride);
        const bool copied = rowRest == 0 && columnRest == 0 && row < out.height && column < out.width;
        const float flow = copied ? toFloat(dy[positionOf(out, {p.sample, before + p.channel, row, column})]) : 0.0F;
        dx[i] = fromFloat<T>(accumulate ? toFloat(dx[i]) + flow : flow);
    }
};

bool padsFit(const ImageLayout& in, const ImageLayout& out, std::int64_t stride) {
    return stride >= 1 && in.batch == out.batch && in.channelsLast == out.channelsLast && out.channels >= in.channels &&
           (out.height - 1) * stride < in.height && (out.width - 1) * stride < in.width;
}

}  // namespace

Status transpose(Stream stream, ElementType type, const void* x, void* y, std::int64_t batch, std::int64_t rows,
                 std::int64_t columns, bool accumulate) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return transposeTiles(stream, static_cast<const T*>(x), static_cast<T*>(y), batch, rows, columns, accumulate);
    });
}

Status copyRows(Stream stream, ElementType type, const void* x, std::int64_t xPitch, void* y, std::int64_t yPitch,
                std::int64_t rows, std::int64_t length, bool accumulate) {
    if (rows < 0 || length < 0) return kInvalidValue;
    return withType(type, [&](auto tag) {
        return copyRowsOf<decltype(tag)>(stream, x, xPitch, y, yPitch, rows, length, accumulate);
    });
}

Status copyRowsOfBytes(Stream stream, const void* x, std::int64_t xPitch, void* y, std::int64_t yPitch,
                       std::int64_t rows, std::int64_t length) {
    if (rows < 0 || length < 0) return kInvalidValue;
    return copyRowsOf<std::uint8_t>(stream, x, xPitch, y, yPitch, rows, length, false);
}

Status transposeBytes(Stream stream, const void* x, void* y, std::int64_t batch, std::int64_t rows,
                      std::int64_t columns) {
    return transposeTiles(stream, static_cast<const std::uint8_t*>(x), static_cast<std::uint8_t*>(y), batch, rows,
                          columns, false);
}

Status writeRow(Stream stream, ElementType type, const float* row, void* y, std::int64_t yPitch, std::int64_t rows,
                std::int64_t length) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, rows * length, WriteRow<T>{row, static_cast<T*>(y), yPitch, length});
    });
}

Status splitHeads(Stream stream, ElementType type, const HeadLayout& layout, const void* x, void* y) {
    return moveHeads<true>(stream, type, layout, x, y, false);
}

Status mergeHeads(Stream stream, ElementType type, const HeadLayout& layout, const void* y, void* x, bool accumulate) {
    return moveHeads<false>(stream, type, layout, y, x, accumulate);
}

Status shortcutPadForward(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out,
                          std::int64_t stride, const void* x, void* y) {
    if (!padsFit(in, out, stride)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, out.elements(),
                        PadForward<T>{in, out, stride, (out.channels - in.channels) / 2, static_cast<const T*>(x),
                                      static_cast<T*>(y)});
    });
}

Status shortcutPadBackward(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out,
                           std::int64_t stride, const void* dy, void* dx, bool accumulate) {
    if (!padsFit(in, out, stride)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, in.elements(),
                        PadBackward<T>{in, out, stride, (out.channels - in.channels) / 2, static_cast<const T*>(dy),
                                       static_cast<T*>(dx), accumulate});
    });
}

}  // namespace steelyard::compute::cuda::kernels
