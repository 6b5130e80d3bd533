// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit rows with a panel of 8-bit weights, with AMX: a tile has sixteen rows of x of sixteen words, or
// sixteen words of sixteen columns of the panel, which it has as they are stored. Blocks of 2 x 2 tiles of sums over
// all of k need four loads for four products.
#include <immintrin.h>

#include <algorithm>

#include "engine/compute/cpu/kernels/amx_tiles.h"
#include "engine/compute/cpu/kernels/int8_results.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kBlock = 2 * kTile;  // rows and columns of sums
using Sums = RowSums[kBlock];

// Division into tiles of one shape, which is configured once per call. The last tile of rows and the last one of a
// line's words repeat some of the one before: those rows are not stored, those words are multiplied as zeros.
struct Division {
    std::int64_t rows = 0, tiles = 0;        // of a tile of x
    std::int64_t words = 0, wholeSteps = 0;  // of a tile of x
    __mmask16 lastWords = 0;                 // of the step after the whole ones; 0: there is none

    explicit Division(const Int8Product& p) {
        const auto blocks = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
        tiles = blocks(p.rows, kTile);
        rows = blocks(p.rows, tiles);
        words = blocks(p.words, blocks(p.words, kTile));
        wholeSteps = p.words / words;
        const auto left = p.words - wholeSteps * words;
        if (left > 0) lastWords = static_cast<__mmask16>(lanesBelow(words) & ~lanesBelow(words - left));
    }
    // Sums in tiles 0 to 3 row by row, x in 4 and 5, the panel in 6 and 7.
    void configure() const {
        TileShapes shapes;
        for (int tile = 0; tile < 4; ++tile) shapes.set(tile, rows, kTile);
        for (int tile = 4; tile < 6; ++tile) shapes.set(tile, rows, words);
        for (int tile = 6; tile < 8; ++tile) shapes.set(tile, words, kTile);
        shapes.configure();
    }
    [[nodiscard]] std::int64_t firstRow(const Int8Product& p, std::int64_t tile) const {
        return std::min(tile * rows, p.rows - rows);
    }
};

// Rows of x: those of a block's two tiles begin at `upper` and `lower`.
struct Rows {
    const std::byte *upper = nullptr, *lower = nullptr;
    std::int64_t stride = 0;
};

template <bool Lower, bool Right, bool Signed>
STEELYARD_INLINE void multiplyWords(const Rows& x, std::int64_t byte, const std::uint32_t* panel) {
    constexpr std::int64_t kStride = kInt8Columns * kInt8Word;
    _tile_loadd(4, x.upper + byte, x.stride);
    _tile_loadd(6, panel, kStride);
    if constexpr (Right) _tile_loadd(7, panel + kTile, kStride);
    if constexpr (Lower) _tile_loadd(5, x.lower + byte, x.stride);
    if constexpr (Signed) {
        _tile_dpbssd(0, 4, 6);
        if constexpr (Right) _tile_dpbssd(1, 4, 7);
        if constexpr (Lower) _tile_dpbssd(2, 5, 6);
        if constexpr (Lower && Right) _tile_dpbssd(3, 5, 7);
    } else {
        _tile_dpbusd(0, 4, 6);
        if constexpr (Right) _tile_dpbusd(1, 4, 7);
        if constexpr (Lower) _tile_dpbusd(2, 5, 6);
        if constexpr (Lower && Right) _tile_dpbusd(3, 5, 7);
    }
}

// The last words of the rows of a line, zero where they repeat others.
struct LastWords {
    alignas(64) std::uint32_t words[2][kTile][kTile];

    STEELYARD_INLINE Rows copy(const Division& d, const Rows& x, std::int64_t byte, bool lower) {
        for (std::int64_t r = 0; r < d.rows; ++r) {
            _mm512_store_si512(words[0][r], _mm512_maskz_loadu_epi32(d.lastWords, x.upper + r * x.stride + byte));
            if (lower)
                _mm512_store_si512(words[1][r], _mm512_maskz_loadu_epi32(d.lastWords, x.lower + r * x.stride + byte));
        }
        writtenForTiles(words);
        return {reinterpret_cast<const std::byte*>(words[0]), reinterpret_cast<const std::byte*>(words[1]),
                sizeof(words[0][0])};
    }
};

template <bool Lower, bool Right, bool Signed>
void multiplyBlock(const Int8Product& p, const Division& d, Rows x, std::int64_t column, Sums& sums) {
    _tile_zero(0);
    if constexpr (Right) _tile_zero(1);
    if constexpr (Lower) _tile_zero(2);
    if constexpr (Lower && Right) _tile_zero(3);
    LastWords last;
    const auto* panel = p.panel + column;
    for (std::int64_t line = 0; line < p.lines; ++line) {
        for (std::int64_t step = 0; step < d.wholeSteps; ++step)
            multiplyWords<Lower, Right, Signed>(x, step * d.words * kInt8Word, panel + step * d.words * kInt8Columns);
        if (d.lastWords != 0) {
            const auto word = p.words - d.words;
            multiplyWords<Lower, Right, Signed>(last.copy(d, x, word * kInt8Word, Lower), 0,
                                                panel + word * kInt8Columns);
        }
        panel += p.words * kInt8Columns;
        x.upper += p.lineStride;
        x.lower += p.lineStride;
    }
    constexpr std::int64_t kStride = sizeof(RowSums);
    _tile_stored(0, &sums[0][column], kStride);
    if constexpr (Right) _tile_stored(1, &sums[0][column + kTile], kStride);
    if constexpr (Lower) _tile_stored(2, &sums[kTile][column], kStride);
    if constexpr (Lower && Right) _tile_stored(3, &sums[kTile][column + kTile], kStride);
}

template <bool Lower, bool Signed>
void multiplyRows(const Int8Product& p, const Division& d, const Rows& x, Sums& sums) {
    std::int64_t column = 0;
    for (; column + kTile < p.columns; column += kBlock) multiplyBlock<Lower, true, Signed>(p, d, x, column, sums);
    if (column < p.columns) multiplyBlock<Lower, false, Signed>(p, d, x, column, sums);
}

template <bool Signed>
void multiplyPanel(const Int8Product& p) {
    alignas(64) Sums sums;
    const auto finish = finishOf(p);
    const Division d(p);
    d.configure();
    for (std::int64_t tile = 0; tile < d.tiles; tile += 2) {
        const bool lower = tile + 1 < d.tiles;
        fetchTarget(p, (tile + 2) * d.rows, 2 * d.rows);
        const auto at = [&](std::int64_t one) { return p.x + d.firstRow(p, one) * p.rowStride; };
        const Rows x{at(tile), at(tile + lower), p.rowStride};
        if (lower)
            multiplyRows<true, Signed>(p, d, x, sums);
        else
            multiplyRows<false, Signed>(p, d, x, sums);
        for (std::int64_t one = tile; one <= tile + lower; ++one) {
            const auto repeated = one * d.rows - d.firstRow(p, one);
            finish(p, sums + (one - tile) * kTile + repeated, one * d.rows, d.rows - repeated);
        }
    }
    _tile_release();
}

void multiply(const Int8Product& p) {
    if (p.isSigned)
        multiplyPanel<true>(p);
    else
        multiplyPanel<false>(p);
}

}  // namespace

void fillAmxInt8(Kernels& table) {
    if (!permitsTiles()) return;
    table.eightBit.multiply = multiply;
    table.eightBit.needsStart = false;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
