// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit rows with a panel of 8-bit weights, with AVX-512 VNNI's dot product of quads of bytes. Tiles of up
// to 6 rows and 64 columns: 24 sums in registers over all of k, which are scaled and stored tile by tile, from the
// first-level cache.
#include <immintrin.h>

#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr std::int64_t kRowsAhead = 24;
constexpr int kRows = 6, kVectors = kInt8Columns / kLanes;

template <StoredAs Type>
STEELYARD_INLINE __m512 load(Lanes lanes, const std::byte* x, std::int64_t at) {
    if constexpr (Type == StoredAs::Float) return _mm512_maskz_loadu_ps(lanes, reinterpret_cast<const float*>(x) + at);
    const auto bytes = _mm_maskz_loadu_epi8(lanes, x + at);
    return _mm512_cvtepi32_ps(Type == StoredAs::Unsigned ? _mm512_cvtepu8_epi32(bytes) : _mm512_cvtepi8_epi32(bytes));
}

// The value is within the range of the type; rounds to nearest, ties to even.
template <StoredAs Type>
STEELYARD_INLINE void store(Lanes lanes, std::byte* y, std::int64_t at, __m512 value) {
    if constexpr (Type == StoredAs::Float)
        _mm512_mask_storeu_ps(reinterpret_cast<float*>(y) + at, lanes, value);
    else
        _mm512_mask_cvtepi32_storeu_epi8(y + at, lanes, _mm512_cvtps_epi32(value));
}

using Sums = std::int32_t[kRows][kInt8Columns];
using Finish = void (*)(const Int8Product& p, const Sums& sums, std::int64_t row, int rows);

template <StoredAs Type, bool Adds, StoredAs Shortcut>
void finish(const Int8Product& p, const Sums& sums, std::int64_t row, int rows) {
    const auto low = _mm512_set1_ps(p.low), high = _mm512_set1_ps(p.high), factor = _mm512_set1_ps(p.shortcutFactor);
    for (std::int64_t column = 0; column < p.columns; column += kLanes) {
        const auto lanes = lanesBelow(p.columns - column);
        const auto factors = _mm512_maskz_loadu_ps(lanes, p.factors + column);
        const auto offsets = _mm512_maskz_loadu_ps(lanes, p.offsets + column);
        for (int r = 0; r < rows; ++r) {
            const auto at = (row + r) * p.targetStride + column;
            const auto sum = _mm512_cvtepi32_ps(_mm512_load_si512(&sums[r][column]));
            auto value = _mm512_fmadd_ps(sum, factors, offsets);
            if constexpr (Adds) value = _mm512_fmadd_ps(load<Shortcut>(lanes, p.shortcut, at), factor, value);
            store<Type>(lanes, p.y, at, _mm512_min_ps(_mm512_max_ps(value, low), high));
        }
    }
}

template <StoredAs Type>
Finish finishOf(const Int8Product& p) {
    if (p.shortcut == nullptr) return finish<Type, false, StoredAs::Float>;
    switch (p.shortcutType) {
        case StoredAs::Unsigned:
            return finish<Type, true, StoredAs::Unsigned>;
        case StoredAs::Signed:
            return finish<Type, true, StoredAs::Signed>;
        case StoredAs::Float:
            break;
    }
    return finish<Type, true, StoredAs::Float>;
}
Finish finishOf(const Int8Product& p) {
    switch (p.type) {
        case StoredAs::Unsigned:
            return finishOf<StoredAs::Unsigned>(p);
        case StoredAs::Signed:
            return finishOf<StoredAs::Signed>(p);
        case StoredAs::Float:
            break;
    }
    return finishOf<StoredAs::Float>(p);
}

// All loops over sums are unrolled: otherwise GCC 12 keeps the sums in memory, at a third of the speed.
template <int Rows, int Vectors, bool Signed>
STEELYARD_INLINE void multiplyTile(const Int8Product& p, std::int64_t row, Sums& result) {
    const auto* panel = p.panel;
    __m512i sums[Rows][Vectors];
#pragma GCC unroll 8
    for (int v = 0; v < Vectors; ++v) {
        auto start = _mm512_setzero_si512();
        if constexpr (Signed)
            start = _mm512_maskz_loadu_epi32(lanesBelow(p.columns - v * kLanes), p.start + v * kLanes);
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) sums[r][v] = start;
    }
    const auto shift = _mm512_set1_epi8(static_cast<char>(0x80));
    for (std::int64_t line = 0; line < p.lines; ++line) {
        const auto* x = p.x + row * p.rowStride + line * p.lineStride;
        for (std::int64_t word = 0; word < p.words; ++word, x += 4, panel += kInt8Columns) {
            __m512i columns[Vectors];
#pragma GCC unroll 8
            for (int v = 0; v < Vectors; ++v) columns[v] = _mm512_loadu_si512(panel + v * kLanes);
#pragma GCC unroll 8
            for (int r = 0; r < Rows; ++r) {
                int quad = 0;
                __builtin_memcpy(&quad, x + r * p.rowStride, sizeof(quad));
                auto bytes = _mm512_set1_epi32(quad);
                if constexpr (Signed) bytes = _mm512_xor_si512(bytes, shift);
#pragma GCC unroll 8
                for (int v = 0; v < Vectors; ++v) sums[r][v] = _mm512_dpbusd_epi32(sums[r][v], bytes, columns[v]);
            }
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) _mm512_store_si512(&result[r][v * kLanes], sums[r][v]);
}

// Rows of a panel are far apart, which the hardware prefetcher does not handle.
STEELYARD_INLINE void fetchTarget(const Int8Product& p, std::int64_t row) {
    constexpr std::int64_t kLine = 64;
    const auto width = bytesOf(p.type);
    for (int r = 0; r < kRows; ++r)
        for (std::int64_t byte = 0; byte < p.columns * width; byte += kLine)
            __builtin_prefetch(p.y + (row + r) * p.targetStride * width + byte, 1, 2);
}

// Tiles of about equally many rows: one of a single row takes the time of two.
template <int Vectors, bool Signed>
void multiplyRows(const Int8Product& p) {
    alignas(64) Sums sums;
    const auto finish = finishOf(p);
    std::int64_t tiles = (p.rows + kRows - 1) / kRows;
    for (std::int64_t row = 0; row < p.rows; --tiles) {
        fetchTarget(p, row + kRowsAhead);
        const auto rows = static_cast<int>((p.rows - row + tiles - 1) / tiles);
        if (rows == 6) multiplyTile<6, Vectors, Signed>(p, row, sums);
        if (rows == 5) multiplyTile<5, Vectors, Signed>(p, row, sums);
        if (rows == 4) multiplyTile<4, Vectors, Signed>(p, row, sums);
        if (rows == 3) multiplyTile<3, Vectors, Signed>(p, row, sums);
        if (rows == 2) multiplyTile<2, Vectors, Signed>(p, row, sums);
        if (rows == 1) multiplyTile<1, Vectors, Signed>(p, row, sums);
        finish(p, sums, row, rows);
        row += rows;
    }
}

template <bool Signed>
void multiplyPanel(const Int8Product& p) {
    static_assert(kVectors == 4);
    switch ((p.columns + kLanes - 1) / kLanes) {
        case 1:
            return multiplyRows<1, Signed>(p);
        case 2:
            return multiplyRows<2, Signed>(p);
        case 3:
            return multiplyRows<3, Signed>(p);
        default:
            return multiplyRows<4, Signed>(p);
    }
}

void multiply(const Int8Product& p) {
    if (p.start != nullptr)
        multiplyPanel<true>(p);
    else
        multiplyPanel<false>(p);
}

}  // namespace

void fillInt8Gemm(Kernels& table) {
    table.eightBit.multiply = multiply;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
