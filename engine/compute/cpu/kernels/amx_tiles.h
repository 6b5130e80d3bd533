// SPDX-License-Identifier: Apache-2.0
// Configuration of AMX tiles, each of up to sixteen rows of 64 bytes, and the permission to use them.
#pragma once

#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kTile = 16;  // rows, and words of four bytes per row
constexpr std::int64_t kBlock = 2 * kTile;

// GCC 12's tile intrinsics do not say that they read memory: what was written there must not be moved or dropped.
STEELYARD_INLINE void writtenForTiles(const void* memory) {
    __asm__ volatile("" ::"r"(memory) : "memory");
}

// In the processor's format: palette 1, bytes per row and rows of each tile.
struct alignas(64) TileShapes {
    std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
    std::uint16_t rowBytes[16] = {};
    std::uint8_t rows[16] = {};

    // A tile without rows or words is not used.
    void set(int tile, std::int64_t height, std::int64_t words) {
        if (height == 0 || words == 0) return;
        rows[tile] = static_cast<std::uint8_t>(height);
        rowBytes[tile] = static_cast<std::uint16_t>(4 * words);
    }
    // Of the calling thread, until _tile_release().
    void configure() const {
        writtenForTiles(this);
        _tile_loadconfig(this);
    }
};

// 2 x 2 tiles of sums of bfloat16 products; rows and columns of them, where the second may be empty.
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
        for (int r = 0; r < 2; ++r)
            for (int c = 0; c < 2; ++c) shapes.set(2 * r + c, rows[r], columns[c]);
        for (int r = 0; r < 2; ++r) shapes.set(4 + r, rows[r], kTile);
        for (int c = 0; c < 2; ++c) shapes.set(6 + c, kTile, columns[c]);
        shapes.configure();
    }
};

// The blocks' configuration of the calling thread, as long as the object exists.
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

// Asks the operating system for the process; false if it denies tiles.
bool permitsTiles() {
    constexpr int kRequestPermission = 0x1023, kTileData = 18;  // arch_prctl(2), ARCH_REQ_XCOMP_PERM
    return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
