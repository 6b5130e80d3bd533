// SPDX-License-Identifier: Apache-2.0
// Products of rows with a panel of weights (WindowProduct) in vectors, for tiles of rows and columns whose sums stay in
// registers over all of k. `Format` defines the types and what the sums start with and become:
//   constexpr int kRows, kVectors, of a tile; kStride, the columns of a panel;
//   using Sums, a vector of sums; Columns, a vector of words; static load(words), broadcast(word), and dot(sums, row,
//   columns); `product`, a WindowProduct; start(row, column), sums that the products are added to; store(row, column,
//   sums), with the row counted from the first of the call of multiplyPanel's finish().
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/compute/cpu/kernels/fetch_target.h"
#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kRowsAhead = 24;
constexpr int kTileRows = 6, kTileVectors = kLanes == 16 ? 4 : 2;  // of formats whose results are stored after the sums

// Sums of the rows of a tile, for all columns of the panel, to be finished from the first-level cache.
template <class Sum>
using TileSums = Sum[kTileRows][kPanelColumns];

// Rows of a tile, which may begin in one line of an image and end in another.
template <int Rows>
STEELYARD_INLINE void findRows(const WindowProduct& p, std::int64_t row, const std::byte* (&rows)[Rows]) {
    const auto* line = p.x + row / p.rowsOfLine * p.nextStride;
    auto inLine = row % p.rowsOfLine;
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r, ++inLine) {
        if (inLine == p.rowsOfLine) {
            inLine = 0;
            line += p.nextStride;
        }
        rows[r] = line + inLine * p.rowStride;
    }
}

// The next panel, a part of which is prefetched with each word. With many tiles a part would be too small to be worth
// an instruction.
struct Ahead {
    const std::byte* byte = nullptr;
    std::int64_t step = 0;

    Ahead(const WindowProduct& p, std::int64_t wordBytes, std::int64_t tiles)
        : byte(reinterpret_cast<const std::byte*>(p.panel)) {
        constexpr std::int64_t kMostTiles = 16;
        if (p.following == nullptr || tiles > kMostTiles) return;
        byte = reinterpret_cast<const std::byte*>(p.following);
        step = (wordBytes + tiles - 1) / tiles;
    }
};

// All loops over sums are unrolled: otherwise GCC 12 keeps the sums in memory, at a third of the speed. The copy of the
// format is not read again after each store.
template <int Rows, int Vectors, class Format>
void multiplyTile(const Format& all, std::int64_t row, std::int64_t column, Ahead& ahead) {
    const auto format = all;
    const auto& p = format.product;
    const auto* panel = p.panel + column;
    typename Format::Sums sums[Rows][Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v)
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r) sums[r][v] = format.start(row + r, column + v * kLanes);
    const std::byte* x[Rows];
    findRows(p, row, x);
    const auto* next = ahead.byte;
    for (std::int64_t line = 0; line < p.lines; ++line) {
        auto byte = line * p.lineStride;
        for (const auto end = byte + p.words * kWordBytes; byte < end; byte += kWordBytes, panel += Format::kStride) {
            __builtin_prefetch(next, 0, 2);
            next += ahead.step;
            typename Format::Columns columns[Vectors];
#pragma GCC unroll 8
            for (int v = 0; v < Vectors; ++v) columns[v] = Format::load(panel + v * kLanes);
#pragma GCC unroll 16
            for (int r = 0; r < Rows; ++r) {
                int value = 0;
                __builtin_memcpy(&value, x[r] + byte, sizeof(value));
                const auto values = Format::broadcast(value);
#pragma GCC unroll 8
                for (int v = 0; v < Vectors; ++v) sums[r][v] = Format::dot(sums[r][v], values, columns[v]);
            }
        }
    }
    ahead.byte = next;
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) format.store(row, r, column + v * kLanes, sums[r][v]);
}

template <int Rows, int Vectors, class Format>
void multiplyColumns(const Format& format, std::int64_t row, std::int64_t column, Ahead& ahead) {
    const auto vectors = (format.product.columns - column + kLanes - 1) / kLanes;
    if (vectors >= Vectors) return multiplyTile<Rows, Vectors>(format, row, column, ahead);
    if constexpr (Vectors > 1) multiplyColumns<Rows, Vectors - 1>(format, row, column, ahead);
}

template <int Rows, class Format>
void multiplyRows(const Format& format, std::int64_t row, std::int64_t rows, Ahead& ahead) {
    if (rows < Rows) {
        if constexpr (Rows > 1) multiplyRows<Rows - 1>(format, row, rows, ahead);
        return;
    }
    for (std::int64_t column = 0; column < format.product.columns; column += Format::kVectors * kLanes)
        multiplyColumns<Rows, Format::kVectors>(format, row, column, ahead);
}

// Tiles of about equally many rows: one of a single row takes the time of two. finish(row, rows) is called after the
// sums of rows from `row` on are stored; results have resultBytes each.
template <class Format, class Finish>
void multiplyPanel(const Format& format, std::int64_t resultBytes, Finish finish) {
    const auto& p = format.product;
    constexpr std::int64_t kColumns = Format::kVectors * kLanes;
    auto tiles = (p.rows + Format::kRows - 1) / Format::kRows;
    Ahead ahead(p, Format::kStride * kWordBytes, tiles * ((p.columns + kColumns - 1) / kColumns));
    for (std::int64_t row = 0; row < p.rows; --tiles) {
        fetchTarget(p, resultBytes, row + kRowsAhead, Format::kRows);
        const auto rows = (p.rows - row + tiles - 1) / tiles;
        multiplyRows<Format::kRows>(format, row, rows, ahead);
        finish(row, rows);
        row += rows;
    }
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
