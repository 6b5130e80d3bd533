// SPDX-License-Identifier: Apache-2.0
// Private to narrow_winograd.cpp and narrow_winograd_weights.cpp: which pixels belong to a tile, and how its points lie
// in scratch memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/narrow_winograd.h"
#include "engine/compute/cpu/scratch_pieces.h"

namespace steelyard::compute::cpu::winograd {

inline constexpr std::int64_t kGroup = 16;   // channels
inline constexpr std::int64_t kPoints = 16;  // of a 4x4 patch
inline constexpr std::int64_t kTaps = 9;     // of 3x3 weights
inline constexpr std::int64_t kPanel = 64;   // columns of a product's B that lie together

struct Tile {
    std::int64_t sample = 0, row = 0, column = 0;  // the upper left pixel of two by two
};

inline std::int64_t half(std::int64_t count) {
    return (count + 1) / 2;
}

inline Tile tileAt(const WinogradImage& target, std::int64_t index) {
    const auto across = half(target.width), down = half(target.height);
    return {index / (across * down), index / across % down * 2, index % across * 2};
}

// Which of `count` rows from `first` on are in 0 .. extent.
inline unsigned inside(std::int64_t first, std::int64_t count, std::int64_t extent) {
    unsigned bits = 0;
    for (std::int64_t i = 0; i < count; ++i)
        if (first + i >= 0 && first + i < extent) bits |= 1U << i;
    return bits;
}

// `size` by `size` pixels of a group of channels.
inline WinogradPixels pixelsAt(const WinogradImage& image, const BFloat16* data, std::int64_t sample, std::int64_t row,
                               std::int64_t column, std::int64_t size) {
    WinogradPixels pixels;
    pixels.corner = data + sample * image.sampleStride + row * image.rowStride + column * image.columnStride;
    pixels.rowStride = image.rowStride;
    pixels.columnStride = image.columnStride;
    pixels.rows = inside(row, size, image.height);
    pixels.columns = inside(column, size, image.width);
    return pixels;
}

// What a tile of the target is computed from.
inline WinogradPixels patchOf(const WinogradShape& shape, const BFloat16* source, std::int64_t index) {
    if (index >= shape.tiles()) return {source, 0, 0, 0, 0};
    const auto tile = tileAt(shape.target, index);
    return pixelsAt(shape.source, source, tile.sample, tile.row - shape.top, tile.column - shape.left, 4);
}

inline WinogradPixels tileOf(const WinogradShape& shape, const BFloat16* target, std::int64_t index) {
    if (index >= shape.tiles()) return {target, 0, 0, 0, 0};
    const auto tile = tileAt(shape.target, index);
    return pixelsAt(shape.target, target, tile.sample, tile.row, tile.column, 2);
}

inline WinogradPixels groupOf(WinogradPixels pixels, const WinogradImage& image, std::int64_t group) {
    pixels.corner += group * image.groupStride;
    return pixels;
}

// Where a group's columns lie among panels of a matrix with that many rows and columns.
struct Panels {
    std::int64_t rows = 0, columns = 0, widest = 0;

    [[nodiscard]] std::int64_t count() const { return (columns + widest - 1) / widest; }
    [[nodiscard]] std::int64_t width(std::int64_t panel) const { return std::min(widest, columns - panel * widest); }
    [[nodiscard]] std::int64_t begin(std::int64_t panel) const { return panel * widest * rows; }
    [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t group) const {
        const auto panel = group * kGroup / widest;
        return begin(panel) + row * width(panel) + group * kGroup % widest;
    }
};

// From point to point, in elements of that size: a cache line more than `elements`, without which all points of a tile
// would want the same few lines of the cache.
template <class T>
std::int64_t pointStride(std::int64_t elements) {
    return elements + kCacheLine / static_cast<std::int64_t>(sizeof(T));
}

inline dnnl::memory trialElements(const dnnl::engine& engine, std::int64_t count, DataKind kind) {
    return trialMemory(plainDesc(Dims{count}, kind), engine);
}
inline dnnl::memory trialImage(const dnnl::engine& engine, const WinogradImage& image) {
    return trialElements(engine, image.batch * image.sampleStride, DataKind::bf16);
}

}  // namespace steelyard::compute::cpu::winograd
