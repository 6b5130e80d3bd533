// SPDX-License-Identifier: Apache-2.0
// Rows of pixels for Winograd's transforms, sixteen channels at a time, for sources that are compiled for AVX-512.
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
        const auto narrow = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(channels));
        return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(narrow), 16));
    }
}

// Those outside of the image are zero.
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

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
