// SPDX-License-Identifier: Apache-2.0
// Private to winograd_convolution.cpp and winograd_weights.cpp: the pixels of a tile, and the layout of its points in
// scratch memory. T is the type of the pixels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/compute/cpu/compile/scratch_pieces.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/parallel.h"
#include "engine/compute/cpu/winograd/winograd_convolution.h"

namespace steelyard::compute::cpu::winograd {

inline constexpr std::int64_t kGroup = 16;  // channels
inline constexpr std::int64_t kTaps = 9;    // of 3x3 weights
inline constexpr std::int64_t kPanel = 64;  // contiguous columns of a product's B

template <class T>
inline constexpr std::int64_t kTile = kWinogradTile<T>;
template <class T>
inline constexpr std::int64_t kRows = kTile<T> + 2;  // of a patch and its points
template <class T>
inline constexpr std::int64_t kPoints = kRows<T>* kRows<T>;

struct Tile {
    std::int64_t sample = 0, row = 0, column = 0;  // the upper left pixel
};

template <class T>
std::int64_t tilesOf(const WinogradImage& target) {
    return target.batch * blocks(target.height, kTile<T>) * blocks(target.width, kTile<T>);
}

template <class T>
Tile tileAt(const WinogradImage& target, std::int64_t index) {
    const auto across = blocks(target.width, kTile<T>), down = blocks(target.height, kTile<T>);
    return {index / (across * down), index / across % down * kTile<T>, index % across * kTile<T>};
}

// Bit mask of the rows from `first` on, of `count`, that are within 0 .. extent.
inline unsigned inside(std::int64_t first, std::int64_t count, std::int64_t extent) {
    unsigned bits = 0;
    for (std::int64_t i = 0; i < count; ++i)
        if (first + i >= 0 && first + i < extent) bits |= 1U << i;
    return bits;
}

// `size` x `size` pixels of a group of channels.
template <class T>
WinogradPixels<T> pixelsAt(const WinogradImage& image, const T* data, const Tile& corner, std::int64_t size) {
    WinogradPixels<T> pixels;
    pixels.corner =
        data + corner.sample * image.sampleStride + corner.row * image.rowStride + corner.column * image.columnStride;
    pixels.rowStride = image.rowStride;
    pixels.columnStride = image.columnStride;
    pixels.halfStride = image.halfStride;
    pixels.rows = inside(corner.row, size, image.height);
    pixels.columns = inside(corner.column, size, image.width);
    return pixels;
}

// The source patch of a target tile; zeros beyond the last tile.
template <class T>
WinogradPixels<T> patchOf(const WinogradShape& shape, const T* source, std::int64_t index) {
    if (index >= tilesOf<T>(shape.target)) return {source, 0, 0, 0, 0};
    auto corner = tileAt<T>(shape.target, index);
    corner.row -= shape.top;
    corner.column -= shape.left;
    return pixelsAt(shape.source, source, corner, kRows<T>);
}

template <class T>
WinogradPixels<T> tileOf(const WinogradShape& shape, const T* target, std::int64_t index) {
    if (index >= tilesOf<T>(shape.target)) return {target, 0, 0, 0, 0};
    return pixelsAt(shape.target, target, tileAt<T>(shape.target, index), kTile<T>);
}

template <class T>
WinogradPixels<T> groupOf(WinogradPixels<T> pixels, const WinogradImage& image, std::int64_t group) {
    pixels.corner += group * image.groupStride;
    return pixels;
}

// Position of a group's columns in the panels of a matrix with that many rows and columns.
struct Panels {
    std::int64_t rows = 0, columns = 0, widest = 0;

    [[nodiscard]] std::int64_t count() const { return blocks(columns, widest); }
    [[nodiscard]] std::int64_t width(std::int64_t panel) const { return std::min(widest, columns - panel * widest); }
    [[nodiscard]] std::int64_t begin(std::int64_t panel) const { return panel * widest * rows; }
    [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t group) const {
        const auto panel = group * kGroup / widest;
        return begin(panel) + row * width(panel) + group * kGroup % widest;
    }
};

// Distance between points, in elements of that size: `elements` plus one cache line, so that the points of a tile do
// not map to the same few cache sets.
template <class T>
std::int64_t pointStride(std::int64_t elements) {
    return elements + kCacheLine / static_cast<std::int64_t>(sizeof(T));
}

inline dnnl::memory trialElements(const dnnl::engine& engine, std::int64_t count, DataKind kind) {
    return trialMemory(plainDesc(Dims{count}, kind), engine);
}
inline dnnl::memory trialImage(const dnnl::engine& engine, const WinogradImage& image) {
    return trialElements(engine, image.batch * image.sampleStride, image.kind);
}

}  // namespace steelyard::compute::cpu::winograd
