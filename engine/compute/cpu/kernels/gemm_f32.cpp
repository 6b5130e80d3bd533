// SPDX-License-Identifier: Apache-2.0
// Products of float matrices in the cache.
#include <immintrin.h>

#include "engine/compute/cpu/kernels/gemm_microkernel.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

struct Floats {
    using Vector = __m512;

    static STEELYARD_INLINE Vector load(__mmask16 lanes, const float* words) {
        return _mm512_maskz_loadu_ps(lanes, words);
    }
    static STEELYARD_INLINE Vector broadcast(const float* word) { return _mm512_set1_ps(*word); }
    static STEELYARD_INLINE __m512 multiplyAdd(__m512 sums, Vector row, Vector columns) {
        return _mm512_fmadd_ps(row, columns, sums);
    }
};

void transposeFloats(float* words, const float* x, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
    for (std::int64_t row = 0; row < rows; row += kLanes) {
        const auto height = rows - row < kLanes ? rows - row : kLanes;
        for (std::int64_t column = 0; column < columns; column += kLanes) {
            const auto lanes = lanesBelow(columns - column);
            const auto* from = x + row * leading + column;
            __m512i block[kLanes];
#pragma GCC unroll 16
            for (int r = 0; r < kLanes; ++r)
                block[r] = _mm512_maskz_loadu_epi32(r < height ? lanes : static_cast<__mmask16>(0), from + r * leading);
            transpose(block);
            auto* to = words + column * rows + row;
#pragma GCC unroll 16
            for (int c = 0; c < kLanes; ++c)
                if (column + c < columns) _mm512_mask_storeu_epi32(to + c * rows, lanesBelow(height), block[c]);
        }
    }
}

void copyRows(float* words, std::int64_t panel, const float* x, std::int64_t leading, std::int64_t step,
              std::int64_t rows, std::int64_t columns) {
    if (step != 1) {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c) words[r * panel + c] = x[r * leading + c * step];
        return;
    }
    constexpr std::int64_t kColumns = kVectors * kLanes;
    for (std::int64_t column = 0; column < columns; column += kColumns) {
        __mmask16 lanes[kVectors];
        for (int v = 0; v < kVectors; ++v) {
            const auto left = columns - column - v * kLanes;
            lanes[v] = lanesBelow(left > 0 ? left : 0);
        }
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto* from = x + r * leading + column;
            auto* to = words + r * panel + column;
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v)
                _mm512_mask_storeu_ps(to + v * kLanes, lanes[v], _mm512_maskz_loadu_ps(lanes[v], from + v * kLanes));
        }
    }
}

}  // namespace

void fillF32Gemm(Kernels& table) {
    table.f32Gemm = {multiplyPanels<Floats>, transposeFloats, copyRows, 16 * kRows};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
