// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 matrices that stay in the cache, with AVX-512 BF16's dot product of pairs. Tiles of up to 6 rows
// and 64 columns: 24 sums in registers, four loads of B and six of A for 24 products.
#include <immintrin.h>

#include "engine/compute/cpu/kernels/loops.h"
#include "engine/compute/cpu/kernels/transpose.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr int kRows = 6, kVectors = 4;

STEELYARD_INLINE __m512bh asPairs(__m512i words) {
    return __builtin_bit_cast(__m512bh, words);
}

STEELYARD_INLINE int wordAt(const BFloat16* address) {
    int word = 0;
    __builtin_memcpy(&word, address, sizeof(word));
    return word;
}

struct Tile {
    const BFloat16* a = nullptr;
    const std::uint32_t* b = nullptr;
    float* c = nullptr;
    __mmask16 last = 0;           // lanes of the last of its vectors
    const char* ahead = nullptr;  // what to fetch meanwhile, a step further on with each pair
    std::int64_t aheadStep = 0;
    const char* target = nullptr;
};

template <int Rows, int Vectors>
STEELYARD_INLINE void fetchTarget(const NarrowProduct& p, const Tile& tile) {
    if (tile.target == nullptr) return;
    constexpr int kLine = 64;
    for (int r = 0; r < Rows; ++r)
        for (std::int64_t byte = 0; byte < Vectors * kLanes * p.targetElement; byte += kLine)
            __builtin_prefetch(tile.target + r * p.targetStride + byte, 1, 2);
}

// Unrolled in words: otherwise GCC 12 keeps the sums in memory, at a third of the speed.
template <int Rows, int Vectors>
void multiplyTile(const NarrowProduct& p, const Tile& tile) {
    fetchTarget<Rows, Vectors>(p, tile);
    const auto* a = tile.a;
    const auto* b = tile.b;
    auto* c = tile.c;
    const auto* ahead = tile.ahead;
    __m512 sums[Rows][Vectors];
    const auto lanes = [&](int v) { return v == Vectors - 1 ? tile.last : static_cast<__mmask16>(0xffff); };
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v)
            sums[r][v] =
                p.accumulate ? _mm512_maskz_loadu_ps(lanes(v), c + r * p.leadingC + v * kLanes) : _mm512_setzero_ps();
    const auto pairs = (p.k + 1) / 2;
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
        __builtin_prefetch(ahead, 0, 2);
        ahead += tile.aheadStep;
        __m512bh columns[Vectors];
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v)
            columns[v] = asPairs(_mm512_maskz_loadu_epi32(lanes(v), b + pair * p.leadingB + v * kLanes));
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            const auto row = asPairs(_mm512_set1_epi32(wordAt(a + r * p.rowStride + pair * p.pairStride)));
#pragma GCC unroll 8
            for (int v = 0; v < Vectors; ++v) sums[r][v] = _mm512_dpbf16_ps(sums[r][v], row, columns[v]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) _mm512_mask_storeu_ps(c + r * p.leadingC + v * kLanes, lanes(v), sums[r][v]);
}

// The tiles below the first one.
template <int Vectors>
void multiplyColumns(const NarrowProduct& p, Tile tile) {
    for (std::int64_t row = 0; row < p.m; row += kRows) {
        switch (p.m - row) {
            case 1:
                multiplyTile<1, Vectors>(p, tile);
                break;
            case 2:
                multiplyTile<2, Vectors>(p, tile);
                break;
            case 3:
                multiplyTile<3, Vectors>(p, tile);
                break;
            case 4:
                multiplyTile<4, Vectors>(p, tile);
                break;
            case 5:
                multiplyTile<5, Vectors>(p, tile);
                break;
            default:
                multiplyTile<kRows, Vectors>(p, tile);
        }
        tile.a += kRows * p.rowStride;
        tile.c += kRows * p.leadingC;
        tile.ahead += (p.k + 1) / 2 * tile.aheadStep;
        if (tile.target != nullptr) tile.target += kRows * p.targetStride;
    }
}

void multiply(const NarrowProduct& p) {
    constexpr std::int64_t kColumns = kVectors * kLanes;
    const auto stepsOfColumns = (p.m + kRows - 1) / kRows * ((p.k + 1) / 2);
    const auto steps = (p.n + kColumns - 1) / kColumns * stepsOfColumns;
    Tile first{p.a, p.b, p.c, 0, static_cast<const char*>(p.ahead), 0, static_cast<const char*>(p.target)};
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
            multiplyColumns<kVectors>(p, tile);
        } else if (vectors == 3) {
            multiplyColumns<3>(p, tile);
        } else if (vectors == 2) {
            multiplyColumns<2>(p, tile);
        } else {
            multiplyColumns<1>(p, tile);
        }
    }
}

STEELYARD_INLINE std::uint32_t pairOf(std::uint32_t low, std::uint32_t high) {
    return low | (high << 16);
}

// Rows are apart; the processor does not guess the next ones.
void pairRows(std::uint32_t* words, const BFloat16* x, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
    constexpr std::int64_t kRowsAhead = 16;
    constexpr std::int64_t kLine = 32;  // elements
    for (std::int64_t r = 0; r < rows; r += 2) {
        const BFloat16* even = x + r * leading;
        const BFloat16* odd = even + leading;
        std::uint32_t* target = words + r / 2 * columns;
        for (std::int64_t c = 0; c < columns; c += kLine) {
            __builtin_prefetch(even + kRowsAhead * leading + c);
            __builtin_prefetch(odd + kRowsAhead * leading + c);
        }
        if (r + 1 < rows) {
#pragma omp simd
            for (std::int64_t c = 0; c < columns; ++c) target[c] = pairOf(even[c].bits, odd[c].bits);
        } else {
#pragma omp simd
            for (std::int64_t c = 0; c < columns; ++c) target[c] = even[c].bits;
        }
    }
}

STEELYARD_INLINE __m256i narrowed(__m512 values) {
    return __builtin_bit_cast(__m256i, _mm512_cvtneps_pbh(values));
}

void pairFloatRows(std::uint32_t* words, const float* x, std::int64_t rows, std::int64_t columns,
                   std::int64_t leading) {
    for (std::int64_t r = 0; r < rows; r += 2) {
        const float* even = x + r * leading;
        for (std::int64_t c = 0; c < columns; c += kLanes) {
            const auto lanes = lanesBelow(columns - c);
            const auto low = _mm512_maskz_cvtepu16_epi32(lanes, narrowed(_mm512_maskz_loadu_ps(lanes, even + c)));
            auto high = _mm512_setzero_si512();
            if (r + 1 < rows)
                high = _mm512_maskz_cvtepu16_epi32(lanes, narrowed(_mm512_maskz_loadu_ps(lanes, even + leading + c)));
            _mm512_mask_storeu_epi32(words + r / 2 * columns + c, lanes,
                                     _mm512_or_si512(low, _mm512_maskz_slli_epi32(lanes, high, 16)));
        }
    }
}

// Sixteen rows of up to sixteen pairs, which are words already.
STEELYARD_INLINE void pairBlock(std::uint32_t* words, const BFloat16* x, std::int64_t rows, std::int64_t leading,
                                std::int64_t pairs) {
    __m512i block[kLanes];
    const auto lanes = lanesBelow(pairs);
#pragma GCC unroll 16
    for (int r = 0; r < kLanes; ++r) block[r] = _mm512_maskz_loadu_epi32(lanes, x + r * leading);
    transpose(block);
#pragma GCC unroll 16
    for (int pair = 0; pair < kLanes; ++pair)
        if (pair < pairs) _mm512_storeu_si512(words + pair * rows, block[pair]);
}

void pairColumns(std::uint32_t* words, const BFloat16* x, std::int64_t rows, std::int64_t columns,
                 std::int64_t leading) {
    const auto pairs = columns / 2;
    std::int64_t row = 0;
    for (; row + kLanes <= rows; row += kLanes)
        for (std::int64_t pair = 0; pair < pairs; pair += kLanes)
            pairBlock(words + pair * rows + row, x + row * leading + 2 * pair, rows, leading, pairs - pair);
    for (; row < rows; ++row)
        for (std::int64_t pair = 0; pair < pairs; ++pair)
            words[pair * rows + row] = pairOf(x[row * leading + 2 * pair].bits, x[row * leading + 2 * pair + 1].bits);
    if (columns % 2 == 1)
        for (std::int64_t r = 0; r < rows; ++r) words[pairs * rows + r] = x[r * leading + columns - 1].bits;
}

float dot(const BFloat16* a, const BFloat16* b, std::int64_t n) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += load(a[i]) * load(b[i]);
    return sum;
}

void addScaled(float* sum, const BFloat16* x, float factor, std::int64_t n) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) sum[i] += factor * load(x[i]);
}

void narrow(BFloat16* y, const float* x, std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += kLanes) {
        const auto lanes = lanesBelow(n - i);
        _mm256_mask_storeu_epi16(y + i, lanes, narrowed(_mm512_maskz_loadu_ps(lanes, x + i)));
    }
}

}  // namespace

void fillProducts(Kernels& table) {
    table.narrowProducts = {multiply, pairRows, pairFloatRows, pairColumns, dot, addScaled, 8 * kRows, 16 * kRows};
    table.rowsBf16.narrow = narrow;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
