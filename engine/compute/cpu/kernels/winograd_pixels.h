// SPDX-License-Identifier: Apache-2.0
// Rows of pixels for Winograd transforms, sixteen channels at a time, for sources compiled for AVX-512.
#pragma once

#include <immintrin.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

template <class T>
STEELYARD_INLINE __m512 sixteenAt(const T* channels) {
    if constexpr (sizeof(T) == sizeof(float)) {
        return _mm512_loadu_ps(channels);
    } else {
        const auto halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(channels));
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
    }
}

// Pixels outside the image are zero.
template <int Size, class T>
STEELYARD_INLINE void loadRow(const WinogradPixels<T>& from, int row, __m512 (&pixels)[Size]) {
    constexpr unsigned kAll = (1U << Size) - 1U;
    const auto* begin = from.corner + row * from.rowStride;
    const auto columns = ((from.rows >> row) & 1U) != 0 ? from.columns : 0U;
    if (columns == kAll) {
#pragma GCC unroll 6
        for (int c = 0; c < Size; ++c) pixels[c] = sixteenAt(begin + c * from.columnStride);
    } else {
#pragma GCC unroll 6
        for (int c = 0; c < Size; ++c)
            pixels[c] = ((columns >> c) & 1U) != 0 ? sixteenAt(begin + c * from.columnStride) : _mm512_setzero_ps();
    }
}

template <class T>
STEELYARD_INLINE void storeSixteen(T* channels, __m512 values) {
    if constexpr (sizeof(T) == sizeof(float)) {
        _mm512_storeu_ps(channels, values);
    } else {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(channels),
                            __builtin_bit_cast(__m256i, _mm512_cvtneps_pbh(values)));
    }
}

// Stores a row, with bias, accumulation and ReLU.
template <int Tile, class T>
STEELYARD_INLINE void storeTile(const WinogradResult<T>& result, const __m512 (&y)[Tile][Tile]) {
    const auto bias = result.bias == nullptr ? _mm512_setzero_ps() : _mm512_loadu_ps(result.bias);
    const auto floor = result.relu ? _mm512_setzero_ps() : _mm512_set1_ps(-__builtin_inff());
    for (int r = 0; r < result.rows; ++r)
        for (int c = 0; c < result.columns; ++c) {
            auto* at = result.corner + r * result.rowStride + c * result.columnStride;
            auto value = y[r][c] + bias;
            if (result.adds) value += sixteenAt(at);
            storeSixteen(at, _mm512_max_ps(floor, value));  // the operand order propagates NaN
        }
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
