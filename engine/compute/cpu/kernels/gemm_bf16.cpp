// SPDX-License-Identifier: Apache-2.0
// Products of bfloat16 matrices in the cache, with AVX-512 BF16's dot product of pairs.
#include <immintrin.h>

#include "engine/compute/cpu/kernels/gemm_microkernel.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

struct Pairs {
    using Columns = __m512bh;

    static STEELYARD_INLINE Columns load(const std::uint32_t* words) {
        return __builtin_bit_cast(Columns, _mm512_loadu_si512(words));
    }
    static STEELYARD_INLINE Columns load(Lanes lanes, const std::uint32_t* words) {
        return __builtin_bit_cast(Columns, _mm512_maskz_loadu_epi32(lanes, words));
    }
    static STEELYARD_INLINE Columns broadcast(const BFloat16* pair) {
        int word = 0;
        __builtin_memcpy(&word, pair, sizeof(word));
        return __builtin_bit_cast(Columns, _mm512_set1_epi32(word));
    }
    static STEELYARD_INLINE Vector multiplyAdd(Vector sums, Columns row, Columns columns) {
        return _mm512_dpbf16_ps(sums, row, columns);
    }
};

STEELYARD_INLINE std::uint32_t pairOf(std::uint32_t low, std::uint32_t high) {
    return low | (high << 16);
}

// Rows are far apart, which the hardware prefetcher does not handle.
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

STEELYARD_INLINE __m256i toBf16(__m512 values) {
    return __builtin_bit_cast(__m256i, _mm512_cvtneps_pbh(values));
}

void pairFloatRows(std::uint32_t* words, const float* x, std::int64_t rows, std::int64_t columns,
                   std::int64_t leading) {
    for (std::int64_t r = 0; r < rows; r += 2) {
        const float* even = x + r * leading;
        for (std::int64_t c = 0; c < columns; c += kLanes) {
            const auto lanes = lanesBelow(columns - c);
            const auto low = _mm512_maskz_cvtepu16_epi32(lanes, toBf16(_mm512_maskz_loadu_ps(lanes, even + c)));
            auto high = _mm512_setzero_si512();
            if (r + 1 < rows)
                high = _mm512_maskz_cvtepu16_epi32(lanes, toBf16(_mm512_maskz_loadu_ps(lanes, even + leading + c)));
            _mm512_mask_storeu_epi32(words + r / 2 * columns + c, lanes,
                                     _mm512_or_si512(low, _mm512_maskz_slli_epi32(lanes, high, 16)));
        }
    }
}

// Sixteen rows of up to sixteen pairs, which already are words.
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

// exponential() for x <= 0.
STEELYARD_INLINE Vector exponentials(Vector x) {
    x = _mm512_max_ps(broadcastFloat(-87.3F), x);  // NaN stays
    const auto n = _mm512_roundscale_ps(_mm512_mul_ps(x, broadcastFloat(1.44269504F)),
                                        _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    auto r = _mm512_fnmadd_ps(n, broadcastFloat(0.693359375F), x);
    r = _mm512_fmadd_ps(n, broadcastFloat(2.12194440e-4F), r);
    auto p = broadcastFloat(1.0F / 5040);
    for (const float coefficient : {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F})
        p = _mm512_fmadd_ps(p, r, broadcastFloat(coefficient));
    return _mm512_scalef_ps(p, n);
}

float scoreWeights(BFloat16* weights, const float* scores, float scale, std::int64_t visible, std::int64_t n,
                   float* logSum) {
    auto largest = broadcastFloat(scores[0]);
    for (std::int64_t k = 0; k < visible; k += kLanes) {
        const auto lanes = lanesBelow(visible - k);
        largest = _mm512_mask_max_ps(largest, lanes, loadFloats(lanes, scores + k), largest);
    }
    const float maximum = _mm512_reduce_max_ps(largest);
    const auto scales = broadcastFloat(scale), shift = broadcastFloat(-maximum * scale);
    auto sums = zeroFloats();
    for (std::int64_t k = 0; k < n; k += kLanes) {
        const auto lanes = lanesBelow(n - k);
        const auto seen = k < visible ? lanesBelow(visible - k) : Lanes{};
        const auto values =
            _mm512_maskz_mov_ps(seen, exponentials(multiplyAdd(loadFloats(seen, scores + k), scales, shift)));
        sums = _mm512_add_ps(sums, values);
        _mm256_mask_storeu_epi16(weights + k, lanes, toBf16(values));
    }
    const float sum = _mm512_reduce_add_ps(sums);
    *logSum = maximum * scale + __builtin_logf(sum);
    return 1.0F / sum;
}

void fromF32(BFloat16* y, const float* x, std::int64_t n) {
    for (std::int64_t i = 0; i < n; i += kLanes) {
        const auto lanes = lanesBelow(n - i);
        _mm256_mask_storeu_epi16(y + i, lanes, toBf16(_mm512_maskz_loadu_ps(lanes, x + i)));
    }
}

}  // namespace

void fillBf16Gemm(Kernels& table) {
    table.bf16Gemm = {multiplyPanels<Pairs>, pairRows,  pairFloatRows, pairColumns, dot, addScaled,
                      scoreWeights,          8 * kRows, 16 * kRows};
    table.rowsBf16.fromF32 = fromF32;
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
