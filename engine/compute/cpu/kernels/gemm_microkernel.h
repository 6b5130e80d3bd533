// SPDX-License-Identifier: Apache-2.0
// Products of matrices in the cache, for sources compiled for AVX-512. Tiles of up to 6 rows and 64 columns: 24 sums in
// registers, four loads of B and six of A for 24 multiply-adds. `Words` defines a word:
//   using Vector, of sixteen; load(lanes, address); broadcast(address); multiplyAdd(sums, row, columns).
#pragma once

#include <immintrin.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/transpose.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr int kRows = 6, kVectors = 4;

template <class T>
STEELYARD_INLINE std::int64_t wordsOf(const PanelProduct<T>& p) {
    return (p.k + kElementsOfAWord<T> - 1) / kElementsOfAWord<T>;
}

template <class T>
struct Tile {
    const T* a = nullptr;
    const ProductWord<T>* b = nullptr;
    float* c = nullptr;
    const float* rowStart = nullptr;
    __mmask16 last = 0;           // active lanes of the last vector
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

// Unrolled over words: otherwise GCC 12 keeps the sums in memory, at a third of the speed.
template <class Words, int Rows, int Vectors, class T>
void multiplyTile(const PanelProduct<T>& p, const Tile<T>& tile) {
    fetchTarget<Rows, Vectors>(p, tile);
    const auto* a = tile.a;
    const auto* b = tile.b;
    auto* c = tile.c;
    const auto* ahead = tile.ahead;
    __m512 sums[Rows][Vectors];
    const auto lanes = [&](int v) { return v == Vectors - 1 ? tile.last : static_cast<__mmask16>(0xffff); };
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) {
        const auto start = tile.rowStart != nullptr ? _mm512_set1_ps(tile.rowStart[r]) : _mm512_setzero_ps();
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v)
            sums[r][v] = p.accumulate ? _mm512_maskz_loadu_ps(lanes(v), c + r * p.leadingC + v * kLanes) : start;
    }
    const auto words = wordsOf(p);
    for (std::int64_t word = 0; word < words; ++word) {
        __builtin_prefetch(ahead, 0, 2);
        ahead += tile.aheadStep;
        typename Words::Vector columns[Vectors];
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) columns[v] = Words::load(lanes(v), b + word * p.leadingB + v * kLanes);
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            const auto row = Words::broadcast(a + r * p.rowStride + word * p.wordStride);
#pragma GCC unroll 8
            for (int v = 0; v < Vectors; ++v) sums[r][v] = Words::multiplyAdd(sums[r][v], row, columns[v]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) _mm512_mask_storeu_ps(c + r * p.leadingC + v * kLanes, lanes(v), sums[r][v]);
}

// The remaining tiles of a column.
template <class Words, int Vectors, class T>
void multiplyColumns(const PanelProduct<T>& p, Tile<T> tile) {
    for (std::int64_t row = 0; row < p.m; row += kRows) {
        switch (p.m - row) {
            case 1:
                multiplyTile<Words, 1, Vectors>(p, tile);
                break;
            case 2:
                multiplyTile<Words, 2, Vectors>(p, tile);
                break;
            case 3:
                multiplyTile<Words, 3, Vectors>(p, tile);
                break;
            case 4:
                multiplyTile<Words, 4, Vectors>(p, tile);
                break;
            case 5:
                multiplyTile<Words, 5, Vectors>(p, tile);
                break;
            default:
                multiplyTile<Words, kRows, Vectors>(p, tile);
        }
        tile.a += kRows * p.rowStride;
        tile.c += kRows * p.leadingC;
        if (tile.rowStart != nullptr) tile.rowStart += kRows;
        tile.ahead += wordsOf(p) * tile.aheadStep;
        if (tile.target != nullptr) tile.target += kRows * p.targetStride;
    }
}

template <class Words, class T>
void multiplyPanels(const PanelProduct<T>& p) {
    constexpr std::int64_t kColumns = kVectors * kLanes;
    const auto stepsOfColumns = (p.m + kRows - 1) / kRows * wordsOf(p);
    const auto steps = (p.n + kColumns - 1) / kColumns * stepsOfColumns;
    Tile<T> first{
        p.a, p.b, p.c, p.rowStart, 0, static_cast<const char*>(p.ahead), 0, static_cast<const char*>(p.target)};
    if (p.ahead != nullptr && steps > 0) {
        first.aheadStep = (p.aheadBytes + steps - 1) / steps;
    } else {
        first.ahead = reinterpret_cast<const char*>(p.a);
    }
    for (std::int64_t column = 0; column < p.n; column += kColumns) {
        const auto left = p.n - column;
        const auto vectors = (left + kLanes - 1) / kLanes;
        auto tile = first;
        tile.b += column;
        tile.c += column;
        tile.ahead += column / kColumns * stepsOfColumns * tile.aheadStep;
        if (tile.target != nullptr) tile.target += column * p.targetElement;
        tile.last = vectors > kVectors ? lanesBelow(kLanes) : lanesBelow(left - (vectors - 1) * kLanes);
        if (vectors >= kVectors) {
            multiplyColumns<Words, kVectors>(p, tile);
        } else if (vectors == 3) {
            multiplyColumns<Words, 3>(p, tile);
        } else if (vectors == 2) {
            multiplyColumns<Words, 2>(p, tile);
        } else {
            multiplyColumns<Words, 1>(p, tile);
        }
    }
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
