// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions of float images: the channels of a vector at a time. Sums of some pixels of a line stay in
// registers over all taps. Taps beyond the ends of a line are left out: the pixels that have such are computed one by
// one, or, for kernels of three columns, in the tiles at the ends.
#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr int kPixels = 8;  // sums at a time

// Not those of the standard library: a copy of one that is not inlined must not be called on other processors.
STEELYARD_INLINE std::int64_t smaller(std::int64_t a, std::int64_t b) {
    return a < b ? a : b;
}
STEELYARD_INLINE std::int64_t larger(std::int64_t a, std::int64_t b) {
    return a > b ? a : b;
}

// The lines of the kernel that are inside of the image for a line of results. All loops over sums are unrolled:
// otherwise GCC 12 keeps the sums in memory.
struct Taps {
    const float* x;  // pixel 0 of the first of these lines
    const float* weights;
    std::int64_t lines;
};

// Sums of some pixels of a line.
template <int Pixels>
struct Tile {
    Vector sums[Pixels];

    STEELYARD_INLINE explicit Tile(const FloatDepthwise& d) {
        const auto start = d.bias == nullptr ? zeroFloats() : loadFloats(d.bias);
#pragma GCC unroll 8
        for (auto& sum : sums) sum = start;
    }
    // NaN passes the limits: maximum() and minimum() return their second operand then.
    STEELYARD_INLINE void store(const FloatDepthwise& d, float* y) const {
        const auto low = broadcastFloat(d.low), high = broadcastFloat(d.high);
#pragma GCC unroll 8
        for (int p = 0; p < Pixels; ++p) storeFloats(y + p * d.targetPixelStride, minimum(high, maximum(low, sums[p])));
    }
};

// Results of the pixels from `first` on, whose taps `begin` to `end` of a line are inside of the image.
template <int Pixels>
STEELYARD_INLINE void multiplyTaps(const FloatDepthwise& d, const Taps& taps, std::int64_t first, std::int64_t begin,
                                   std::int64_t end, float* y) {
    Tile<Pixels> tile(d);
    const auto step = d.strideWidth * d.pixelStride;
    const auto* x = taps.x + (first * d.strideWidth - d.left + begin) * d.pixelStride;
    const auto* weights = taps.weights + begin * kLanes;
    for (std::int64_t line = 0; line < taps.lines; ++line, x += d.lineStride, weights += d.kernelWidth * kLanes)
        for (std::int64_t tap = 0; tap < end - begin; ++tap) {
            const auto weight = loadFloats(weights + tap * kLanes);
#pragma GCC unroll 8
            for (int p = 0; p < Pixels; ++p)
                tile.sums[p] = multiplyAdd(loadFloats(x + tap * d.pixelStride + p * step), weight, tile.sums[p]);
        }
    tile.store(d, y + first * d.targetPixelStride);
}

// Likewise with all taps.
struct AnyWidth {
    const FloatDepthwise& d;

    // The pixels all of whose taps are inside of the image begin and end here.
    [[nodiscard]] std::int64_t inner() const {
        return smaller(d.outWidth, (d.left + d.strideWidth - 1) / d.strideWidth);
    }
    [[nodiscard]] std::int64_t outer() const {
        const auto room = d.width + d.left - d.kernelWidth;
        return smaller(d.outWidth, larger(inner(), room < 0 ? 0 : room / d.strideWidth + 1));
    }
    template <int Pixels>
    void multiply(const Taps& taps, std::int64_t first, float* y) const {
        multiplyTaps<Pixels>(d, taps, first, 0, d.kernelWidth, y);
    }
};

// Kernels of three columns, whose first and last pixel may each have a tap outside of the image: such pixels are part
// of the tiles, and each pixel of x is loaded once per line of the kernel.
template <int Stride>
struct ThreeColumns {
    const FloatDepthwise& d;

    [[nodiscard]] static bool fits(const FloatDepthwise& d) {
        return d.kernelWidth == 3 && d.strideWidth == Stride && d.left <= 1 && d.outWidth > 1 &&
               (d.outWidth - 1) * Stride - d.left + 3 <= d.width + 1;
    }
    [[nodiscard]] static std::int64_t inner() { return 0; }
    [[nodiscard]] std::int64_t outer() const { return d.outWidth; }

    template <int Pixels>
    void multiply(const Taps& taps, std::int64_t first, float* y) const {
        const bool left = first == 0 && d.left == 1;
        const bool right = first + Pixels == d.outWidth && (d.outWidth - 1) * Stride - d.left + 3 > d.width;
        if (left)
            right ? multiply<Pixels, true, true>(taps, first, y) : multiply<Pixels, true, false>(taps, first, y);
        else
            right ? multiply<Pixels, false, true>(taps, first, y) : multiply<Pixels, false, false>(taps, first, y);
    }

private:
    // Left: without the first tap of the first pixel; Right: without the last tap of the last one.
    template <int Pixels, bool Left, bool Right>
    void multiply(const Taps& taps, std::int64_t first, float* y) const {
        constexpr int kColumns = (Pixels - 1) * Stride + 3;
        Tile<Pixels> tile(d);
        const auto step = d.pixelStride;
        const auto* x = taps.x + (first * Stride - d.left) * step;
        const auto* weights = taps.weights;
        for (std::int64_t line = 0; line < taps.lines; ++line, x += d.lineStride, weights += 3 * kLanes) {
            const Vector weight[] = {loadFloats(weights), loadFloats(weights + kLanes),
                                     loadFloats(weights + 2 * kLanes)};
#pragma GCC unroll 18
            for (int column = Left ? 1 : 0; column < kColumns - (Right ? 1 : 0); ++column) {
                const auto values = loadFloats(x + column * step);
#pragma GCC unroll 3
                for (int tap = 0; tap < 3; ++tap) {
                    const int offset = column - tap, p = offset / Stride;
                    if (offset >= 0 && offset % Stride == 0 && p < Pixels)
                        tile.sums[p] = multiplyAdd(values, weight[tap], tile.sums[p]);
                }
            }
        }
        tile.store(d, y + first * d.targetPixelStride);
    }
};

template <int Pixels, class Columns>
void multiplyPixels(const Columns& columns, const Taps& taps, std::int64_t first, std::int64_t count, float* y) {
    if (count >= Pixels) return columns.template multiply<Pixels>(taps, first, y);
    if constexpr (Pixels > 1) multiplyPixels<Pixels - 1>(columns, taps, first, count, y);
}

template <class Columns>
void multiplyLine(const Columns& columns, const Taps& taps, float* y) {
    const auto& d = columns.d;
    const auto edge = [&](std::int64_t pixel) {
        const auto column = pixel * d.strideWidth - d.left;
        const auto begin = larger(0, -column), end = smaller(d.kernelWidth, d.width - column);
        multiplyTaps<1>(d, taps, pixel, begin, larger(begin, end), y);
    };
    const auto inner = columns.inner(), outer = columns.outer();
    for (std::int64_t pixel = 0; pixel < inner; ++pixel) edge(pixel);
    // Tiles of about equally many pixels: those of few are bound by the latency of the sums.
    auto tiles = (outer - inner + kPixels - 1) / kPixels;
    for (auto pixel = inner; pixel < outer; --tiles) {
        const auto count = (outer - pixel + tiles - 1) / tiles;
        multiplyPixels<kPixels>(columns, taps, pixel, count, y);
        pixel += count;
    }
    for (auto pixel = outer; pixel < d.outWidth; ++pixel) edge(pixel);
}

template <class Columns>
void multiplyLines(const Columns& columns, std::int64_t first, std::int64_t lines) {
    const auto& d = columns.d;
    auto* y = d.y + first * d.targetLineStride;
    for (auto line = first; line < first + lines; ++line, y += d.targetLineStride) {
        const auto top = line * d.strideHeight - d.top;
        const auto begin = larger(0, -top);
        const auto end = larger(begin, smaller(d.kernelHeight, d.height - top));
        multiplyLine(columns,
                     {d.x + (top + begin) * d.lineStride, d.weights + begin * d.kernelWidth * kLanes, end - begin}, y);
    }
}

void multiply(const FloatDepthwise& d, std::int64_t first, std::int64_t lines) {
    if (ThreeColumns<1>::fits(d)) return multiplyLines(ThreeColumns<1>{d}, first, lines);
    if (ThreeColumns<2>::fits(d)) return multiplyLines(ThreeColumns<2>{d}, first, lines);
    multiplyLines(AnyWidth{d}, first, lines);
}

}  // namespace

void fillF32Depthwise(Kernels& table) {
    table.f32Depthwise = {multiply, kLanes};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
