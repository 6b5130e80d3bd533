// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit rows with a panel of 8-bit weights, with AMX: a tile has sixteen rows of x of sixteen words, or
// sixteen words of sixteen columns of the panel, which it has as they are stored. Blocks of 2 x 2 tiles of sums over
// all of k need four loads for four products; a single tile of rows is multiplied by up to four tiles of columns.
#include <immintrin.h>

#include <algorithm>

#include "engine/compute/cpu/kernels/amx_tiles.h"
#include "engine/compute/cpu/kernels/int8_results.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

using Sums = RowSums[2 * kTile];
constexpr std::int64_t kPanelStride = kInt8Columns * kInt8Word, kSumsStride = sizeof(RowSums);  // bytes

std::int64_t blocks(std::int64_t count, std::int64_t size) {
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

    explicit Division(const Int8Product& p) : span(p.rowsOfLine), pitch(p.rowsOfLine) {
        const auto lines = p.rows / p.rowsOfLine;
        tilesOfLine = blocks(p.rowsOfLine, kTile);
        tiles = lines * tilesOfLine;
        rows = blocks(p.rowsOfLine, tilesOfLine);
        if (lines > 1 && p.nextStride % p.rowStride == 0) {
            const auto between = p.nextStride / p.rowStride, all = (lines - 1) * between + p.rowsOfLine;
            if (between >= p.rowsOfLine && blocks(all, kTile) < tiles) {
                pitch = between;
                span = all;
                tilesOfLine = 0;
                tiles = blocks(all, kTile);
                rows = blocks(all, tiles);
            }
        }
        words = blocks(p.words, blocks(p.words, kTile));
        wholeSteps = p.words / words;
        const auto left = p.words - wholeSteps * words;
        if (left > 0) lastWords = static_cast<__mmask16>(lanesBelow(words) & ~lanesBelow(words - left));
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
    [[nodiscard]] const std::byte* of(const Int8Product& p) const {
        return p.x + line * p.nextStride + first * p.rowStride;
    }
    void store(const Int8Product& p, const Division& d, Finish finish, const RowSums* sums) const {
        for (auto row = repeated; row < d.rows;) {
            const auto inLine = (first + row) % d.pitch, count = std::min(d.rows - row, p.rowsOfLine - inLine);
            if (count > 0) finish(p, sums + row, (line + (first + row) / d.pitch) * p.rowsOfLine + inLine, count);
            row += count > 0 ? count : d.pitch - inLine;
        }
    }
};

// Two tiles of rows, and two of columns or the last one.
template <bool Signed, bool Right>
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
        if constexpr (Signed) {
            _tile_dpbssd(0, 4, 6);
            if constexpr (Right) _tile_dpbssd(1, 4, 7);
            _tile_dpbssd(2, 5, 6);
            if constexpr (Right) _tile_dpbssd(3, 5, 7);
        } else {
            _tile_dpbusd(0, 4, 6);
            if constexpr (Right) _tile_dpbusd(1, 4, 7);
            _tile_dpbusd(2, 5, 6);
            if constexpr (Right) _tile_dpbusd(3, 5, 7);
        }
    }
    STEELYARD_INLINE static void end(Sums& sums, std::int64_t column) {
        _tile_stored(0, &sums[0][column], kSumsStride);
        if constexpr (Right) _tile_stored(1, &sums[0][column + kTile], kSumsStride);
        _tile_stored(2, &sums[kTile][column], kSumsStride);
        if constexpr (Right) _tile_stored(3, &sums[kTile][column + kTile], kSumsStride);
    }
};

// One tile of rows and up to four of columns. Memory may be what limits it: the panel is read once, in order.
template <bool Signed, int Columns>
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
        if constexpr (Signed) {
            _tile_dpbssd(0, 4, 6);
            if constexpr (Columns > 1) _tile_dpbssd(1, 4, 7);
        } else {
            _tile_dpbusd(0, 4, 6);
            if constexpr (Columns > 1) _tile_dpbusd(1, 4, 7);
        }
        if constexpr (Columns > 2) _tile_loadd(6, panel + 2 * kTile, kPanelStride);
        if constexpr (Columns > 3) _tile_loadd(7, panel + 3 * kTile, kPanelStride);
        if constexpr (Signed) {
            if constexpr (Columns > 2) _tile_dpbssd(2, 4, 6);
            if constexpr (Columns > 3) _tile_dpbssd(3, 4, 7);
        } else {
            if constexpr (Columns > 2) _tile_dpbusd(2, 4, 6);
            if constexpr (Columns > 3) _tile_dpbusd(3, 4, 7);
        }
    }
    STEELYARD_INLINE static void end(Sums& sums, std::int64_t column) {
        _tile_stored(0, &sums[0][column], kSumsStride);
        if constexpr (Columns > 1) _tile_stored(1, &sums[0][column + kTile], kSumsStride);
        if constexpr (Columns > 2) _tile_stored(2, &sums[0][column + 2 * kTile], kSumsStride);
        if constexpr (Columns > 3) _tile_stored(3, &sums[0][column + 3 * kTile], kSumsStride);
    }
};

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

template <class Block>
void multiplyBlock(const Int8Product& p, const Division& d, const Place (&places)[Block::kRowTiles],
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
            words += d.words * kInt8Columns;
            for (auto& one : x) one += d.words * kInt8Word;
        }
        if (d.lastWords != 0) {
            const auto word = p.words - d.words;
            for (int tile = 0; tile < kRowTiles; ++tile) x[tile] = lines[tile] + word * kInt8Word;
            last.copy(d, x, p.rowStride);
            for (int tile = 0; tile < kRowTiles; ++tile) x[tile] = reinterpret_cast<const std::byte*>(last.words[tile]);
            Block::add(x, sizeof(last.words[0][0]), panel + word * kInt8Columns);
        }
        panel += p.words * kInt8Columns;
        for (auto& one : lines) one += p.lineStride;
    }
    Block::end(sums, column);
}

template <bool Signed>
void multiplyPair(const Int8Product& p, const Division& d, const Place (&places)[2], Sums& sums) {
    std::int64_t column = 0;
    for (; column + kTile < p.columns; column += 2 * kTile)
        multiplyBlock<Pairs<Signed, true>>(p, d, places, column, sums);
    if (column < p.columns) multiplyBlock<Pairs<Signed, false>>(p, d, places, column, sums);
}

template <bool Signed>
void multiplyRow(const Int8Product& p, const Division& d, const Place (&place)[1], Sums& sums) {
    switch (blocks(p.columns, kTile)) {
        case 1:
            return multiplyBlock<Row<Signed, 1>>(p, d, place, 0, sums);
        case 2:
            return multiplyBlock<Row<Signed, 2>>(p, d, place, 0, sums);
        case 3:
            return multiplyBlock<Row<Signed, 3>>(p, d, place, 0, sums);
        default:
            return multiplyBlock<Row<Signed, 4>>(p, d, place, 0, sums);
    }
}

template <bool Signed>
void multiplyPanel(const Int8Product& p) {
    alignas(64) Sums sums;
    const auto finish = finishOf(p);
    const Division d(p);
    d.configure();
    for (std::int64_t tile = 0; tile < d.tiles; tile += 2) {
        fetchTarget(p, (tile + 2) * d.rows, 2 * d.rows);
        if (tile + 1 < d.tiles) {
            const Place places[] = {{d, tile}, {d, tile + 1}};
            multiplyPair<Signed>(p, d, places, sums);
            places[0].store(p, d, finish, sums);
            places[1].store(p, d, finish, sums + kTile);
        } else {
            const Place place[] = {{d, tile}};
            multiplyRow<Signed>(p, d, place, sums);
            place[0].store(p, d, finish, sums);
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
