// SPDX-License-Identifier: Apache-2.0
// Products of rows with a panel of weights (WindowProduct) in vectors. Tiles have up to 6 rows and as many columns as
// registers have sums for over all of k; the results of a tile's rows are finished from the first-level cache. `Format`
// defines the types:
//   using Product, a WindowProduct; Sum, an element, and Sums, a vector of it; Columns, a vector of words;
//   start(product, column), sums that the products are added to; load(words); broadcast(word); dot(sums, row, columns);
//   store(sum, sums), to an aligned address.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/compute/cpu/kernels/fetch_target.h"
#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kRowsAhead = 24;
constexpr int kTileRows = 6, kTileVectors = kLanes == 16 ? 4 : 2;

// Sums of the rows of a tile, for all columns of the panel.
template <class Format>
using TileSums = typename Format::Sum[kTileRows][kPanelColumns];

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

// All loops over sums are unrolled: otherwise GCC 12 keeps the sums in memory, at a third of the speed.
template <class Format, int Rows, int Vectors>
void multiplyTile(const typename Format::Product& p, std::int64_t row, std::int64_t column, TileSums<Format>& result) {
    const auto* panel = p.panel + column;
    typename Format::Sums sums[Rows][Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
        const auto start = Format::start(p, column + v * kLanes);
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) sums[r][v] = start;
    }
    const std::byte* x[Rows];
    findRows(p, row, x);
    for (std::int64_t line = 0; line < p.lines; ++line) {
        auto byte = line * p.lineStride;
        for (std::int64_t word = 0; word < p.words; ++word, byte += kWordBytes, panel += kPanelColumns) {
            typename Format::Columns columns[Vectors];
#pragma GCC unroll 8
            for (int v = 0; v < Vectors; ++v) columns[v] = Format::load(panel + v * kLanes);
#pragma GCC unroll 8
            for (int r = 0; r < Rows; ++r) {
                int value = 0;
                __builtin_memcpy(&value, x[r] + byte, sizeof(value));
                const auto values = Format::broadcast(value);
#pragma GCC unroll 8
                for (int v = 0; v < Vectors; ++v) sums[r][v] = Format::dot(sums[r][v], values, columns[v]);
            }
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) Format::store(&result[r][column + v * kLanes], sums[r][v]);
}

template <class Format, int Rows, int Vectors>
void multiplyColumns(const typename Format::Product& p, std::int64_t row, std::int64_t column,
                     TileSums<Format>& result) {
    const auto vectors = (p.columns - column + kLanes - 1) / kLanes;
    if (vectors >= Vectors) return multiplyTile<Format, Rows, Vectors>(p, row, column, result);
    if constexpr (Vectors > 1) multiplyColumns<Format, Rows, Vectors - 1>(p, row, column, result);
}

template <class Format, int Rows>
void multiplyRows(const typename Format::Product& p, std::int64_t row, std::int64_t rows, TileSums<Format>& result) {
    if (rows < Rows) {
        if constexpr (Rows > 1) multiplyRows<Format, Rows - 1>(p, row, rows, result);
        return;
    }
    for (std::int64_t column = 0; column < p.columns; column += kTileVectors * kLanes)
        multiplyColumns<Format, Rows, kTileVectors>(p, row, column, result);
}

// Tiles of about equally many rows: one of a single row takes the time of two. finish(sums, row, rows) stores the
// results, of resultBytes each, of rows from `row` on.
template <class Format, class Finish>
void multiplyPanel(const typename Format::Product& p, std::int64_t resultBytes, Finish finish) {
    alignas(64) TileSums<Format> sums;
    std::int64_t tiles = (p.rows + kTileRows - 1) / kTileRows;
    for (std::int64_t row = 0; row < p.rows; --tiles) {
        fetchTarget(p, resultBytes, row + kRowsAhead, kTileRows);
        const auto rows = (p.rows - row + tiles - 1) / tiles;
        multiplyRows<Format, kTileRows>(p, row, rows, sums);
        finish(sums, row, rows);
        row += rows;
    }
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
