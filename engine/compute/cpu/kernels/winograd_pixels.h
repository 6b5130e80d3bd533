// SPDX-License-Identifier: Apache-2.0
// Rows of pixels for Winograd transforms, a vector of channels at a time, for sources compiled for AVX-512 or AVX2 (the
// latter for float only).
#pragma once

#include <immintrin.h>

#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

STEELYARD_INLINE Vector channelsAt(const float* channels) {
    return loadFloats(channels);
}
STEELYARD_INLINE void storeChannels(float* channels, Vector values) {
    storeFloats(channels, values);
}
#ifdef __AVX512BF16__
STEELYARD_INLINE Vector channelsAt(const BFloat16* channels) {
    const auto halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(channels));
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}
STEELYARD_INLINE void storeChannels(BFloat16* channels, Vector values) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(channels), __builtin_bit_cast(__m256i, _mm512_cvtneps_pbh(values)));
}
#endif

// Pixels outside the image are zero.
template <int Size, class T>
STEELYARD_INLINE void loadRow(const WinogradPixels<T>& from, int row, Vector (&pixels)[Size]) {
    constexpr unsigned kAll = (1U << Size) - 1U;
    const auto* begin = from.corner + row * from.rowStride;
    const auto columns = ((from.rows >> row) & 1U) != 0 ? from.columns : 0U;
    if (columns == kAll) {
#pragma GCC unroll 6
        for (int c = 0; c < Size; ++c) pixels[c] = channelsAt(begin + c * from.columnStride);
    } else {
#pragma GCC unroll 6
        for (int c = 0; c < Size; ++c)
            pixels[c] = ((columns >> c) & 1U) != 0 ? channelsAt(begin + c * from.columnStride) : zeroFloats();
    }
}

// Stores a row, with bias, accumulation and ReLU.
template <int Tile, class T>
STEELYARD_INLINE void storeTile(const WinogradResult<T>& result, const Vector (&y)[Tile][Tile]) {
    const auto bias = result.bias == nullptr ? zeroFloats() : loadFloats(result.bias);
    const auto floor = result.relu ? zeroFloats() : broadcastFloat(-__builtin_inff());
    for (int r = 0; r < result.rows; ++r)
        for (int c = 0; c < result.columns; ++c) {
            auto* at = result.corner + r * result.rowStride + c * result.columnStride;
            auto value = y[r][c] + bias;
            if (result.adds) value += channelsAt(at);
            storeChannels(at, maximum(floor, value));  // the operand order propagates NaN
        }
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
