// SPDX-License-Identifier: Apache-2.0
// Blocks of products of bfloat16 pairs on AMX tiles: a tile has sixteen rows of 64 bytes, A's of pairs along k, B's of
// words as stored. Blocks of 2 x 2 tiles of sums need four loads for four products, which hides the loads.
#pragma once

#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/compute/cpu/kernels/float_vectors.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kTile = 16;          // rows, columns, and pairs along k
constexpr std::int64_t kBlock = 2 * kTile;  // rows and columns of sums

// Tile configuration in the processor's format: palette 1, bytes per row and rows of each tile.
struct alignas(64) TileShapes {
    std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
    std::uint16_t rowBytes[16] = {};
    std::uint8_t rows[16] = {};
};

// The current part of C; rows and columns of its 2 x 2 tiles, where the second may be empty.
struct Block {
    std::int64_t rows[2] = {}, columns[2] = {};

    Block() = default;
    Block(std::int64_t height, std::int64_t width)
        : rows{std::min(height, kTile), std::max<std::int64_t>(height - kTile, 0)},
          columns{std::min(width, kTile), std::max<std::int64_t>(width - kTile, 0)} {}
    [[nodiscard]] bool operator==(const Block& other) const {
        return rows[0] == other.rows[0] && rows[1] == other.rows[1] && columns[0] == other.columns[0] &&
               columns[1] == other.columns[1];
    }

    // Sums in tiles 0 to 3 row by row, A in 4 and 5, B in 6 and 7.
    void configure() const {
        TileShapes shapes;
        const auto shape = [&](int tile, std::int64_t height, std::int64_t words) {
            if (height == 0 || words == 0) return;
            shapes.rows[tile] = static_cast<std::uint8_t>(height);
            shapes.rowBytes[tile] = static_cast<std::uint16_t>(4 * words);
        };
        for (int r = 0; r < 2; ++r)
            for (int c = 0; c < 2; ++c) shape(2 * r + c, rows[r], columns[c]);
        for (int r = 0; r < 2; ++r) shape(4 + r, rows[r], kTile);
        for (int c = 0; c < 2; ++c) shape(6 + c, kTile, columns[c]);
        // GCC 12 declares the first eight bytes alone as read, and may leave out or move stores to the others.
        __asm__ volatile("" : : "r"(&shapes) : "memory");
        _tile_loadconfig(&shapes);
    }
};

// The tile configuration that is loaded.
class Tiles {
public:
    Tiles() = default;
    Tiles(const Tiles&) = delete;
    Tiles& operator=(const Tiles&) = delete;
    ~Tiles() { _tile_release(); }

    STEELYARD_INLINE void configure(const Block& block) {
        if (!(block == m_block)) block.configure();
        m_block = block;
    }

private:
    Block m_block;
};

// Prefetch to the L2 cache: a number of lines per step of sixteen pairs.
struct Ahead {
    const std::byte* next = nullptr;
    std::int64_t lines = 0;

    STEELYARD_INLINE void fetch() {
        constexpr std::int64_t kLine = 64;
        for (std::int64_t i = 0; i < lines; ++i) __builtin_prefetch(next + i * kLine, 0, 2);
        next += lines * kLine;
    }
};

// Addresses of the pairs of a block; strides in bytes. The second sixteen columns of B are `right` bytes after the
// first.
struct Factors {
    const std::byte* a = nullptr;
    std::int64_t strideA = 0;
    const std::byte* b = nullptr;
    std::int64_t strideB = 0;
    std::int64_t right = 4 * kTile;
};

template <bool Lower, bool Right>
STEELYARD_INLINE void multiplyPairs(const Factors& f, std::int64_t pair) {
    const auto* a = f.a + pair * 4;
    const auto* b = f.b + pair * f.strideB;
    _tile_loadd(4, a, f.strideA);
    _tile_loadd(6, b, f.strideB);
    if constexpr (Lower) _tile_loadd(5, a + kTile * f.strideA, f.strideA);
    if constexpr (Right) _tile_loadd(7, b + f.right, f.strideB);
    _tile_dpbf16ps(0, 4, 6);
    if constexpr (Right) _tile_dpbf16ps(1, 4, 7);
    if constexpr (Lower) _tile_dpbf16ps(2, 5, 6);
    if constexpr (Lower && Right) _tile_dpbf16ps(3, 5, 7);
}

// The remaining pairs, fewer than a tile's; the memory after them is undefined.
struct Rest {
    alignas(64) std::uint32_t a[kBlock][kTile] = {};
    alignas(64) std::uint32_t b[kTile][kBlock] = {};

    Rest(const Factors& f, const Block& block, std::int64_t pair, std::int64_t count) {
        const auto rows = block.rows[0] + block.rows[1];
        for (std::int64_t r = 0; r < rows; ++r)
            std::memcpy(a[r], f.a + r * f.strideA + pair * 4, static_cast<std::size_t>(count) * 4);
        for (std::int64_t k = 0; k < count; ++k)
            for (std::int64_t c = 0; c < 2; ++c)
                std::memcpy(b[k] + c * kTile, f.b + (pair + k) * f.strideB + c * f.right,
                            static_cast<std::size_t>(block.columns[c]) * 4);
    }
    [[nodiscard]] Factors factors() const {
        return {reinterpret_cast<const std::byte*>(a), sizeof(a[0]), reinterpret_cast<const std::byte*>(b),
                sizeof(b[0])};
    }
};

template <bool Lower, bool Right>
void multiplyBlock(const Factors& f, const Block& block, std::int64_t pairs, float* c, std::int64_t leading,
                   bool accumulate, Ahead& ahead) {
    const auto stride = leading * static_cast<std::int64_t>(sizeof(float));
    _tile_zero(0);
    if constexpr (Right) _tile_zero(1);
    if constexpr (Lower) _tile_zero(2);
    if constexpr (Lower && Right) _tile_zero(3);
    if (accumulate) {
        _tile_loadd(0, c, stride);
        if constexpr (Right) _tile_loadd(1, c + kTile, stride);
        if constexpr (Lower) _tile_loadd(2, c + kTile * leading, stride);
        if constexpr (Lower && Right) _tile_loadd(3, c + kTile * leading + kTile, stride);
    }
    std::int64_t pair = 0;
    for (; pair + kTile <= pairs; pair += kTile) {
        ahead.fetch();
        multiplyPairs<Lower, Right>(f, pair);
    }
    if (pair < pairs) {
        const Rest rest(f, block, pair, pairs - pair);
        multiplyPairs<Lower, Right>(rest.factors(), 0);
    }
    _tile_stored(0, c, stride);
    if constexpr (Right) _tile_stored(1, c + kTile, stride);
    if constexpr (Lower) _tile_stored(2, c + kTile * leading, stride);
    if constexpr (Lower && Right) _tile_stored(3, c + kTile * leading + kTile, stride);
}

// Multiplies the pairs of a block; c[row leading + column] = or += the sums.
STEELYARD_INLINE void runBlock(const Factors& f, const Block& block, std::int64_t pairs, float* c, std::int64_t leading,
                               bool accumulate, Ahead& ahead) {
    const auto run = block.rows[1] > 0
                         ? (block.columns[1] > 0 ? multiplyBlock<true, true> : multiplyBlock<true, false>)
                         : (block.columns[1] > 0 ? multiplyBlock<false, true> : multiplyBlock<false, false>);
    run(f, block, pairs, c, leading, accumulate, ahead);
}

// Whether the operating system lets this process use tiles.
inline bool mayUseTiles() {
    constexpr int kRequestPermission = 0x1023, kTileData = 18;  // arch_prctl(2), ARCH_REQ_XCOMP_PERM
    return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
