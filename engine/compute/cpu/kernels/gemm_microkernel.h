// SPDX-License-Identifier: Apache-2.0
// Products of matrices in the cache, for sources compiled for AVX-512 or AVX2. Tiles of up to 6 rows and 64 columns (16
// with AVX2): 24 sums in registers (12), four loads of B (2) and six of A for 24 multiply-adds (12). With AVX2, one or
// two rows have up to 64 columns, since multiply-adds wait for each other if there are fewer than eight sums. `Format`
// defines a word:
//   using Columns, a vector of words; load([lanes,] address); broadcast(address); multiplyAdd(sums, row, columns).
#pragma once

#include <immintrin.h>

#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/transpose.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr int kRows = 6, kVectors = kLanes == 16 ? 4 : 2;  // as many sums as registers hold

struct FloatWords {
    using Columns = Vector;

    static STEELYARD_INLINE Columns load(const float* words) { return loadFloats(words); }
    static STEELYARD_INLINE Columns load(Lanes lanes, const float* words) { return loadFloats(lanes, words); }
    static STEELYARD_INLINE Columns broadcast(const float* word) { return broadcastFloat(*word); }
    static STEELYARD_INLINE Vector multiplyAdd(Vector sums, Columns row, Columns columns) {
        return STEELYARD_INSTRUCTION_SET::multiplyAdd(row, columns, sums);
    }
};

template <class T>
STEELYARD_INLINE std::int64_t depthOf(const PanelProduct<T>& p) {
    return (p.k + kElementsOfAWord<T> - 1) / kElementsOfAWord<T>;
}

template <class T>
struct Tile {
    const T* a = nullptr;
    const ProductWord<T>* b = nullptr;
    float* c = nullptr;
    const float* rowStart = nullptr;
    Lanes last{};                 // active in the last vector
    const char* ahead = nullptr;  // prefetch address, advanced with each word
    std::int64_t aheadStep = 0;
    const char* target = nullptr;
};

template <int Rows, int Vectors, class T>
STEELYARD_INLINE void fetchTarget(const PanelProduct<T>& p, const Tile<T>& tile) {
    if (tile.target == nullptr) return;
    constexpr int kLine = 64;
    for (int r = 0; r < Rows; ++r)
        for (std::int64_t byte = 0; byte < Vectors * kLanes * p.targetElement; byte += kLine)
            __builtin_prefetch(tile.target + r * p.targetStride + byte, 1, 2);
}

// Whole: all lanes of the last vector. Unrolled over words: otherwise GCC 12 keeps the sums in memory, at a third of
// the speed.
template <class Format, int Rows, int Vectors, bool Whole, class T>
void multiplyTile(const PanelProduct<T>& p, const Tile<T>& tile) {
    fetchTarget<Rows, Vectors>(p, tile);
    const auto* a = tile.a;
    const auto* b = tile.b;
    auto* c = tile.c;
    const auto* ahead = tile.ahead;
    Vector sums[Rows][Vectors];
    const auto isPartial = [](int v) { return !Whole && v == Vectors - 1; };
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
        const auto start = tile.rowStart != nullptr ? broadcastFloat(tile.rowStart[r]) : zeroFloats();
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) {
            const auto* before = c + r * p.leadingC + v * kLanes;
            sums[r][v] = !p.accumulate ? start : isPartial(v) ? loadFloats(tile.last, before) : loadFloats(before);
        }
    }
    const auto words = depthOf(p);
    const auto rowStride = p.rowStride, wordStride = p.wordStride, leadingB = p.leadingB, aheadStep = tile.aheadStep;
    // Every third row has a pointer, from which the addresses of the others need no instructions.
    const T* rows[(Rows + 2) / 3];
#pragma GCC unroll 8
    for (int r = 0; r < (Rows + 2) / 3; ++r) rows[r] = a + 3 * r * rowStride;
#pragma GCC unroll 2
    for (std::int64_t word = 0; word < words; ++word) {
        __builtin_prefetch(ahead, 0, 2);
        ahead += aheadStep;
        typename Format::Columns columns[Vectors];
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v)
            columns[v] = isPartial(v) ? Format::load(tile.last, b + v * kLanes) : Format::load(b + v * kLanes);
        b += leadingB;
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            const auto row = Format::broadcast(rows[r / 3] + r % 3 * rowStride);
#pragma GCC unroll 8
            for (int v = 0; v < Vectors; ++v) sums[r][v] = Format::multiplyAdd(sums[r][v], row, columns[v]);
        }
#pragma GCC unroll 8
        for (int r = 0; r < (Rows + 2) / 3; ++r) rows[r] += wordStride;
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) {
            auto* to = c + r * p.leadingC + v * kLanes;
            if (isPartial(v)) {
                storeFloats(tile.last, to, sums[r][v]);
            } else {
                storeFloats(to, sums[r][v]);
            }
        }
}

// The remaining tiles of a column.
template <class Format, int Vectors, bool Whole, class T>
void multiplyColumns(const PanelProduct<T>& p, Tile<T> tile) {
    for (std::int64_t row = 0; row < p.m; row += kRows) {
        switch (p.m - row) {
            case 1:
                multiplyTile<Format, 1, Vectors, Whole>(p, tile);
                break;
            case 2:
                multiplyTile<Format, 2, Vectors, Whole>(p, tile);
                break;
            case 3:
                multiplyTile<Format, 3, Vectors, Whole>(p, tile);
                break;
            case 4:
                multiplyTile<Format, 4, Vectors, Whole>(p, tile);
                break;
            case 5:
                multiplyTile<Format, 5, Vectors, Whole>(p, tile);
                break;
            default:
                multiplyTile<Format, kRows, Vectors, Whole>(p, tile);
        }
        tile.a += kRows * p.rowStride;
        tile.c += kRows * p.leadingC;
        if (tile.rowStart != nullptr) tile.rowStart += kRows;
        tile.ahead += depthOf(p) * tile.aheadStep;
        if (tile.target != nullptr) tile.target += kRows * p.targetStride;
    }
}

// The first tile of all, of which there are `tiles` in the order of columns.
template <class T>
STEELYARD_INLINE Tile<T> firstTile(const PanelProduct<T>& p, std::int64_t tiles) {
    Tile<T> first{
        p.a, p.b, p.c, p.rowStart, {}, static_cast<const char*>(p.ahead), 0, static_cast<const char*>(p.target)};
    const auto steps = tiles * depthOf(p);
    if (p.ahead != nullptr && steps > 0) {
        first.aheadStep = (p.aheadBytes + steps - 1) / steps;
    } else {
        first.ahead = reinterpret_cast<const char*>(p.a);
    }
    return first;
}

template <class Format, class T>
void multiplyTiles(const PanelProduct<T>& p) {
    constexpr std::int64_t kColumns = kVectors * kLanes;
    const auto tilesOfColumns = (p.m + kRows - 1) / kRows;
    const auto first = firstTile(p, (p.n + kColumns - 1) / kColumns * tilesOfColumns);
    for (std::int64_t column = 0; column < p.n; column += kColumns) {
        const auto left = p.n - column;
        auto tile = first;
        tile.b += column;
        tile.c += column;
        tile.ahead += column / kColumns * tilesOfColumns * depthOf(p) * tile.aheadStep;
        if (tile.target != nullptr) tile.target += column * p.targetElement;
        if (left >= kColumns) {
            multiplyColumns<Format, kVectors, true>(p, tile);
            continue;
        }
        const auto vectors = (left + kLanes - 1) / kLanes;
        tile.last = lanesBelow(left - (vectors - 1) * kLanes);
        if (vectors == 1) multiplyColumns<Format, 1, false>(p, tile);
        if (vectors == 2) multiplyColumns<Format, 2, false>(p, tile);
        if constexpr (kVectors > 2) {
            if (vectors == 3) multiplyColumns<Format, 3, false>(p, tile);
            if (vectors == 4) multiplyColumns<Format, 4, false>(p, tile);
        }
    }
}

// p.m is Rows.
template <class Format, int Rows, int Vectors, class T>
void multiplyWideTiles(PanelProduct<T> p) {
    constexpr std::int64_t kColumns = Vectors * kLanes;
    auto tile = firstTile(p, (p.n + kColumns - 1) / kColumns);
    for (; p.n >= kColumns; p.n -= kColumns) {
        multiplyTile<Format, Rows, Vectors, true>(p, tile);
        tile.b += kColumns;
        tile.c += kColumns;
        tile.ahead += depthOf(p) * tile.aheadStep;
        if (tile.target != nullptr) tile.target += kColumns * p.targetElement;
    }
    p.b = tile.b;
    p.c = tile.c;
    p.target = tile.target;
    if (tile.aheadStep > 0) {
        p.ahead = tile.ahead;
        p.aheadBytes = depthOf(p) * tile.aheadStep;
    }
    multiplyTiles<Format>(p);
}

template <class Format, class T>
void multiplyPanels(const PanelProduct<T>& p) {
    if constexpr (kVectors == 2) {
        if (p.m == 1) return multiplyWideTiles<Format, 1, 8>(p);
        if (p.m == 2) return multiplyWideTiles<Format, 2, 4>(p);
    }
    multiplyTiles<Format>(p);
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
