// SPDX-License-Identifier: Apache-2.0
// Products of rows with a panel of weights (WindowProduct) with AMX: a tile has sixteen rows of x of sixteen words, or
// sixteen words of sixteen columns of the panel, which it has as they are stored. Blocks of 2 x 2 tiles of sums over
// all of k need four loads for four products; a single tile of rows is multiplied by up to four tiles of columns.
#pragma once

#include <immintrin.h>

#include <algorithm>

#include "engine/compute/cpu/kernels/amx_tiles.h"
#include "engine/compute/cpu/kernels/fetch_target.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

// Types of the rows; the weights are signed bytes or bfloat16.
enum class RowType { Signed, Unsigned, Bfloat16 };

// Sums of a row and of all columns of the panel, and of the tiles that are computed together.
template <RowType Type>
using SumsOfRow = std::conditional_t<Type == RowType::Bfloat16, float, std::int32_t>[kPanelColumns];
template <RowType Type>
using SumsOfTiles = SumsOfRow<Type>[2 * kTile];
constexpr std::int64_t kPanelStride = kPanelColumns * kWordBytes, kSumsStride = kPanelColumns * 4;  // bytes

constexpr std::int64_t tilesFor(std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
}

// Division into tiles of one shape, which is configured once per call. The last tile of rows and the last one of a
// line's words repeat some of the one before: those rows are not stored, those words are multiplied as zeros.
//
// The rows of a tile are equally far apart in memory. Either they are of one line of an image; or, if that makes fewer
// tiles, of several, and the windows between two lines are multiplied too, but not stored. A product takes almost as
// long for half of a tile's rows as for all.
struct Division {
    std::int64_t rows = 0, tiles = 0;        // of a tile of x
    std::int64_t words = 0, wholeSteps = 0;  // of a tile of x
    __mmask16 lastWords = 0;                 // of the step after the whole ones; 0: there is none
    std::int64_t tilesOfLine = 0;            // 0: tiles are not divided by lines
    std::int64_t span = 0, pitch = 0;        // rows that are divided; from the first of a line to that of the next

    explicit Division(const WindowProduct& p) : span(p.rowsOfLine), pitch(p.rowsOfLine) {
        const auto lines = p.rows / p.rowsOfLine;
        tilesOfLine = tilesFor(p.rowsOfLine, kTile);
        tiles = lines * tilesOfLine;
        rows = tilesFor(p.rowsOfLine, tilesOfLine);
        if (lines > 1 && p.nextStride % p.rowStride == 0) {
            const auto between = p.nextStride / p.rowStride, all = (lines - 1) * between + p.rowsOfLine;
            if (between >= p.rowsOfLine && tilesFor(all, kTile) < tiles) {
                pitch = between;
                span = all;
                tilesOfLine = 0;
                tiles = tilesFor(all, kTile);
                rows = tilesFor(all, tiles);
            }
        }
        words = tilesFor(p.words, tilesFor(p.words, kTile));
        wholeSteps = p.words / words;
        const auto left = p.words - wholeSteps * words;
        if (left > 0) lastWords = static_cast<__mmask16>((1U << words) - (1U << (words - left)));
    }
    // Sums in tiles 0 to 3, x in 4 and 5, the panel in 6 and 7.
    void configure() const {
        TileShapes shapes;
        for (int tile = 0; tile < 4; ++tile) shapes.set(tile, rows, kTile);
        for (int tile = 4; tile < 6; ++tile) shapes.set(tile, rows, words);
        for (int tile = 6; tile < 8; ++tile) shapes.set(tile, words, kTile);
        shapes.configure();
    }
};

// A tile's rows: the line of its first one, the first one in the line, and how many are repeated.
struct Place {
    std::int64_t line = 0, first = 0, repeated = 0;

    Place(const Division& d, std::int64_t tile) {
        if (d.tilesOfLine > 0) {
            line = tile / d.tilesOfLine;
            tile %= d.tilesOfLine;
        }
        first = std::min(tile * d.rows, d.span - d.rows);
        repeated = tile * d.rows - first;
    }
    [[nodiscard]] const std::byte* of(const WindowProduct& p) const {
        return p.x + line * p.nextStride + first * p.rowStride;
    }
    // finish(sums, row, count): for rows from `row` on.
    template <class Row, class Finish>
    void store(const WindowProduct& p, const Division& d, Finish finish, Row* sums) const {
        for (auto row = repeated; row < d.rows;) {
            const auto inLine = (first + row) % d.pitch, count = std::min(d.rows - row, p.rowsOfLine - inLine);
            if (count > 0) finish(sums + row, (line + (first + row) / d.pitch) * p.rowsOfLine + inLine, count);
            row += count > 0 ? count : d.pitch - inLine;
        }
    }
};

// The tiles of an intrinsic must be literals.
#define STEELYARD_MULTIPLY_TILES(sums, rows, columns) \
    do {                                              \
        if constexpr (Type == RowType::Bfloat16)      \
            _tile_dpbf16ps(sums, rows, columns);      \
        else if constexpr (Type == RowType::Signed)   \
            _tile_dpbssd(sums, rows, columns);        \
        else                                          \
            _tile_dpbusd(sums, rows, columns);        \
    } while (false)

// Two tiles of rows, and two of columns or the last one.
template <RowType Type, bool Right>
struct Pairs {
    static constexpr int kRowTiles = 2;

    STEELYARD_INLINE static void begin() {
        _tile_zero(0);
        _tile_zero(2);
        if constexpr (Right) _tile_zero(1);
        if constexpr (Right) _tile_zero(3);
    }
    STEELYARD_INLINE static void add(const std::byte* const (&x)[2], std::int64_t stride, const std::uint32_t* panel) {
        _tile_loadd(4, x[0], stride);
        _tile_loadd(6, panel, kPanelStride);
        if constexpr (Right) _tile_loadd(7, panel + kTile, kPanelStride);
        _tile_loadd(5, x[1], stride);
        STEELYARD_MULTIPLY_TILES(0, 4, 6);
        if constexpr (Right) STEELYARD_MULTIPLY_TILES(1, 4, 7);
        STEELYARD_MULTIPLY_TILES(2, 5, 6);
        if constexpr (Right) STEELYARD_MULTIPLY_TILES(3, 5, 7);
    }
    STEELYARD_INLINE static void end(SumsOfTiles<Type>& sums, std::int64_t column) {
        _tile_stored(0, &sums[0][column], kSumsStride);
        if constexpr (Right) _tile_stored(1, &sums[0][column + kTile], kSumsStride);
        _tile_stored(2, &sums[kTile][column], kSumsStride);
        if constexpr (Right) _tile_stored(3, &sums[kTile][column + kTile], kSumsStride);
    }
};

// One tile of rows and up to four of columns. Memory may be what limits it: the panel is read once, in order.
template <RowType Type, int Columns>
struct Row {
    static constexpr int kRowTiles = 1;

    STEELYARD_INLINE static void begin() {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    }
    STEELYARD_INLINE static void add(const std::byte* const (&x)[1], std::int64_t stride, const std::uint32_t* panel) {
        _tile_loadd(4, x[0], stride);
        _tile_loadd(6, panel, kPanelStride);
        if constexpr (Columns > 1) _tile_loadd(7, panel + kTile, kPanelStride);
        STEELYARD_MULTIPLY_TILES(0, 4, 6);
        if constexpr (Columns > 1) STEELYARD_MULTIPLY_TILES(1, 4, 7);
        if constexpr (Columns > 2) _tile_loadd(6, panel + 2 * kTile, kPanelStride);
        if constexpr (Columns > 3) _tile_loadd(7, panel + 3 * kTile, kPanelStride);
        if constexpr (Columns > 2) STEELYARD_MULTIPLY_TILES(2, 4, 6);
        if constexpr (Columns > 3) STEELYARD_MULTIPLY_TILES(3, 4, 7);
    }
    STEELYARD_INLINE static void end(SumsOfTiles<Type>& sums, std::int64_t column) {
        _tile_stored(0, &sums[0][column], kSumsStride);
        if constexpr (Columns > 1) _tile_stored(1, &sums[0][column + kTile], kSumsStride);
        if constexpr (Columns > 2) _tile_stored(2, &sums[0][column + 2 * kTile], kSumsStride);
        if constexpr (Columns > 3) _tile_stored(3, &sums[0][column + 3 * kTile], kSumsStride);
    }
};

#undef STEELYARD_MULTIPLY_TILES

// The last words of the rows of a line, zero where they repeat others.
template <int RowTiles>
struct LastWords {
    alignas(64) std::uint32_t words[RowTiles][kTile][kTile];

    STEELYARD_INLINE void copy(const Division& d, const std::byte* const (&x)[RowTiles], std::int64_t stride) {
        for (int tile = 0; tile < RowTiles; ++tile)
            for (std::int64_t r = 0; r < d.rows; ++r)
                _mm512_store_si512(words[tile][r], _mm512_maskz_loadu_epi32(d.lastWords, x[tile] + r * stride));
        writtenForTiles(words);
    }
};

template <class Block, class Sums>
void multiplyBlock(const WindowProduct& p, const Division& d, const Place (&places)[Block::kRowTiles],
                   std::int64_t column, Sums& sums) {
    constexpr int kRowTiles = Block::kRowTiles;
    const std::byte* lines[kRowTiles];
    for (int tile = 0; tile < kRowTiles; ++tile) lines[tile] = places[tile].of(p);
    const auto* panel = p.panel + column;
    LastWords<kRowTiles> last;
    Block::begin();
    for (std::int64_t line = 0; line < p.lines; ++line) {
        const std::byte* x[kRowTiles];
        for (int tile = 0; tile < kRowTiles; ++tile) x[tile] = lines[tile];
        const auto* words = panel;
        for (std::int64_t step = 0; step < d.wholeSteps; ++step) {
            Block::add(x, p.rowStride, words);
            words += d.words * kPanelColumns;
            for (auto& one : x) one += d.words * kWordBytes;
        }
        if (d.lastWords != 0) {
            const auto word = p.words - d.words;
            for (int tile = 0; tile < kRowTiles; ++tile) x[tile] = lines[tile] + word * kWordBytes;
            last.copy(d, x, p.rowStride);
            for (int tile = 0; tile < kRowTiles; ++tile) x[tile] = reinterpret_cast<const std::byte*>(last.words[tile]);
            Block::add(x, sizeof(last.words[0][0]), panel + word * kPanelColumns);
        }
        panel += p.words * kPanelColumns;
        for (auto& one : lines) one += p.lineStride;
    }
    Block::end(sums, column);
}

template <RowType Type>
void multiplyPair(const WindowProduct& p, const Division& d, const Place (&places)[2], SumsOfTiles<Type>& sums) {
    std::int64_t column = 0;
    for (; column + kTile < p.columns; column += 2 * kTile)
        multiplyBlock<Pairs<Type, true>>(p, d, places, column, sums);
    if (column < p.columns) multiplyBlock<Pairs<Type, false>>(p, d, places, column, sums);
}

template <RowType Type>
void multiplyRow(const WindowProduct& p, const Division& d, const Place (&place)[1], SumsOfTiles<Type>& sums) {
    switch (tilesFor(p.columns, kTile)) {
        case 1:
            return multiplyBlock<Row<Type, 1>>(p, d, place, 0, sums);
        case 2:
            return multiplyBlock<Row<Type, 2>>(p, d, place, 0, sums);
        case 3:
            return multiplyBlock<Row<Type, 3>>(p, d, place, 0, sums);
        default:
            return multiplyBlock<Row<Type, 4>>(p, d, place, 0, sums);
    }
}

// finish(sums, row, count): stores the results of rows from `row` on, whose sums (SumsOfRow) it may overwrite.
template <RowType Type, class Finish>
void multiplyPanel(const WindowProduct& p, std::int64_t resultBytes, Finish finish) {
    alignas(64) SumsOfTiles<Type> sums;
    const Division d(p);
    d.configure();
    for (std::int64_t tile = 0; tile < d.tiles; tile += 2) {
        fetchTarget(p, resultBytes, (tile + 2) * d.rows, 2 * d.rows);
        if (tile + 1 < d.tiles) {
            const Place places[] = {{d, tile}, {d, tile + 1}};
            multiplyPair<Type>(p, d, places, sums);
            places[0].store(p, d, finish, sums);
            places[1].store(p, d, finish, sums + kTile);
        } else {
            const Place place[] = {{d, tile}};
            multiplyRow<Type>(p, d, place, sums);
            place[0].store(p, d, finish, sums);
        }
    }
    _tile_release();
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
