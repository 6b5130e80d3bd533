// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit rows with a panel of 8-bit weights in vectors: dot products of quads of bytes (VNNI), or pairs of
// bytes added in 16 bits and pairs of those in 32. Tiles of up to 6 rows and as many columns as registers have sums for
// over all of k; the results of a tile's rows are scaled and stored from the first-level cache.
#include <immintrin.h>

#include "engine/compute/cpu/kernels/fetch_target.h"
#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/int8_results.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kRowsAhead = 24;
constexpr int kRows = 6;
using Sums = RowSums[kRows];

#ifdef __AVX512F__

constexpr int kVectors = 4;  // of a tile
STEELYARD_INLINE Words loadWords(const void* words) {
    return _mm512_loadu_si512(words);
}
STEELYARD_INLINE Words loadWords(Lanes lanes, const std::int32_t* words) {
    return _mm512_maskz_loadu_epi32(lanes, words);
}
STEELYARD_INLINE void storeSums(std::int32_t* target, Words sums) {
    _mm512_store_si512(target, sums);
}
STEELYARD_INLINE Words broadcastWord(int word) {
    return _mm512_set1_epi32(word);
}
STEELYARD_INLINE Words plus128(Words bytes) {
    return _mm512_xor_si512(bytes, _mm512_set1_epi8(static_cast<char>(0x80)));
}
// Adds the products of four unsigned and four signed bytes. Without VNNI, two products of at most 255 x 63 fit in 16
// bits.
STEELYARD_INLINE Words dot(Words sums, Words bytes, Words weights) {
#ifdef __AVX512VNNI__
    return _mm512_dpbusd_epi32(sums, bytes, weights);
#else
    const auto pairs = _mm512_maddubs_epi16(bytes, weights);
    return _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#endif
}

#else

constexpr int kVectors = 2;
STEELYARD_INLINE Words loadWords(const void* words) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(words));
}
STEELYARD_INLINE Words loadWords(Lanes lanes, const std::int32_t* words) {
    return _mm256_maskload_epi32(words, lanes);
}
STEELYARD_INLINE void storeSums(std::int32_t* target, Words sums) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(target), sums);
}
STEELYARD_INLINE Words broadcastWord(int word) {
    return _mm256_set1_epi32(word);
}
STEELYARD_INLINE Words plus128(Words bytes) {
    return _mm256_xor_si256(bytes, _mm256_set1_epi8(static_cast<char>(0x80)));
}
STEELYARD_INLINE Words dot(Words sums, Words bytes, Words weights) {
#ifdef __AVXVNNI__
    return _mm256_dpbusd_avx_epi32(sums, bytes, weights);
#else
    const auto pairs = _mm256_maddubs_epi16(bytes, weights);
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
}

#endif

// Rows of a tile, which may begin in one line of an image and end in another.
template <int Rows>
STEELYARD_INLINE void findRows(const Int8Product& p, std::int64_t row, const std::byte* (&rows)[Rows]) {
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
template <int Rows, int Vectors, bool Signed>
void multiplyTile(const Int8Product& p, std::int64_t row, std::int64_t column, Sums& result) {
    const auto* panel = p.panel + column;
    Words sums[Rows][Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
        auto start = broadcastWord(0);
        if constexpr (Signed) {
            const auto at = column + v * kLanes;
            start = loadWords(lanesBelow(p.columns - at), p.start + at);
        }
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) sums[r][v] = start;
    }
    const std::byte* x[Rows];
    findRows(p, row, x);
    for (std::int64_t line = 0; line < p.lines; ++line) {
        auto byte = line * p.lineStride;
        for (std::int64_t word = 0; word < p.words; ++word, byte += kWordBytes, panel += kPanelColumns) {
            Words columns[Vectors];
#pragma GCC unroll 8
            for (int v = 0; v < Vectors; ++v) columns[v] = loadWords(panel + v * kLanes);
#pragma GCC unroll 8
            for (int r = 0; r < Rows; ++r) {
                int quad = 0;
                __builtin_memcpy(&quad, x[r] + byte, sizeof(quad));
                auto bytes = broadcastWord(quad);
                if constexpr (Signed) bytes = plus128(bytes);
#pragma GCC unroll 8
                for (int v = 0; v < Vectors; ++v) sums[r][v] = dot(sums[r][v], bytes, columns[v]);
            }
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) storeSums(&result[r][column + v * kLanes], sums[r][v]);
}

template <int Rows, int Vectors, bool Signed>
void multiplyColumns(const Int8Product& p, std::int64_t row, std::int64_t column, Sums& result) {
    const auto vectors = (p.columns - column + kLanes - 1) / kLanes;
    if (vectors >= Vectors) return multiplyTile<Rows, Vectors, Signed>(p, row, column, result);
    if constexpr (Vectors > 1) multiplyColumns<Rows, Vectors - 1, Signed>(p, row, column, result);
}

template <int Rows, bool Signed>
void multiplyRows(const Int8Product& p, std::int64_t row, std::int64_t rows, Sums& result) {
    if (rows < Rows) {
        if constexpr (Rows > 1) multiplyRows<Rows - 1, Signed>(p, row, rows, result);
        return;
    }
    for (std::int64_t column = 0; column < p.columns; column += kVectors * kLanes)
        multiplyColumns<Rows, kVectors, Signed>(p, row, column, result);
}

// Tiles of about equally many rows: one of a single row takes the time of two.
template <bool Signed>
void multiplyPanel(const Int8Product& p) {
    alignas(64) Sums sums;
    const auto finish = finishOf(p);
    std::int64_t tiles = (p.rows + kRows - 1) / kRows;
    for (std::int64_t row = 0; row < p.rows; --tiles) {
        fetchTarget(p, bytesOf(p.type), row + kRowsAhead, kRows);
        const auto rows = (p.rows - row + tiles - 1) / tiles;
        multiplyRows<kRows, Signed>(p, row, rows, sums);
        finish(p, sums, row, rows);
        row += rows;
    }
}

void multiply(const Int8Product& p) {
    if (p.isSigned)
        multiplyPanel<true>(p);
    else
        multiplyPanel<false>(p);
}

}  // namespace

void fillInt8Gemm(Kernels& table) {
    table.eightBit.multiply = multiply;
    table.eightBit.needsStart = true;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
