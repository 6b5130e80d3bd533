// SPDX-License-Identifier: Apache-2.0
// Transposition of a square of words in registers: 16 x 16 with AVX-512, 8 x 8 with AVX2.
#pragma once

#include <immintrin.h>

#include "engine/compute/cpu/kernels/float_vectors.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

#ifdef __AVX512F__

// Swaps rows and columns.
STEELYARD_INLINE void transpose(Words (&rows)[kLanes]) {
    Words halves[kLanes];
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; i += 2) {
        halves[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
        halves[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; i += 4) {
        rows[i] = _mm512_unpacklo_epi64(halves[i], halves[i + 2]);
        rows[i + 1] = _mm512_unpackhi_epi64(halves[i], halves[i + 2]);
        rows[i + 2] = _mm512_unpacklo_epi64(halves[i + 1], halves[i + 3]);
        rows[i + 3] = _mm512_unpackhi_epi64(halves[i + 1], halves[i + 3]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 4; ++i) {  // columns i, i + 4, i + 8 and i + 12 of each quarter
        const auto low = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0x88);
        const auto high = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0x88);
        const auto lowOdd = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0xdd);
        const auto highOdd = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0xdd);
        halves[i] = _mm512_shuffle_i32x4(low, high, 0x88);
        halves[i + 8] = _mm512_shuffle_i32x4(low, high, 0xdd);
        halves[i + 4] = _mm512_shuffle_i32x4(lowOdd, highOdd, 0x88);
        halves[i + 12] = _mm512_shuffle_i32x4(lowOdd, highOdd, 0xdd);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) rows[i] = halves[i];
}

#else

STEELYARD_INLINE void transpose(Words (&rows)[kLanes]) {
    Words halves[kLanes];
#pragma GCC unroll 8
    for (int i = 0; i < kLanes; i += 2) {
        halves[i] = _mm256_unpacklo_epi32(rows[i], rows[i + 1]);
        halves[i + 1] = _mm256_unpackhi_epi32(rows[i], rows[i + 1]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kLanes; i += 4) {
        rows[i] = _mm256_unpacklo_epi64(halves[i], halves[i + 2]);
        rows[i + 1] = _mm256_unpackhi_epi64(halves[i], halves[i + 2]);
        rows[i + 2] = _mm256_unpacklo_epi64(halves[i + 1], halves[i + 3]);
        rows[i + 3] = _mm256_unpackhi_epi64(halves[i + 1], halves[i + 3]);
    }
#pragma GCC unroll 8
    for (int i = 0; i < 4; ++i) {  // columns i and i + 4 of each half
        halves[i] = _mm256_permute2x128_si256(rows[i], rows[i + 4], 0x20);
        halves[i + 4] = _mm256_permute2x128_si256(rows[i], rows[i + 4], 0x31);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kLanes; ++i) rows[i] = halves[i];
}

#endif

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
