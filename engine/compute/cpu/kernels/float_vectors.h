// SPDX-License-Identifier: Apache-2.0
// Vectors of floats of the instruction set that a source is compiled for: sixteen with AVX-512, eight with AVX2. Lanes
// outside a mask are neither read nor written; they load as zero.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

#ifdef __AVX512F__

constexpr int kLanes = 16;
using Vector = __m512;
using Words = __m512i;
using Lanes = __mmask16;

STEELYARD_INLINE Lanes lanesBelow(std::int64_t count) {
    return count >= kLanes ? static_cast<Lanes>(0xffff) : static_cast<Lanes>((1U << count) - 1U);
}
STEELYARD_INLINE Vector broadcastFloat(float value) {
    return _mm512_set1_ps(value);
}
STEELYARD_INLINE Vector loadFloats(const float* x) {
    return _mm512_loadu_ps(x);
}
STEELYARD_INLINE Vector loadFloats(Lanes lanes, const float* x) {
    return _mm512_maskz_loadu_ps(lanes, x);
}
STEELYARD_INLINE void storeFloats(float* y, Vector values) {
    _mm512_storeu_ps(y, values);
}
STEELYARD_INLINE void storeFloats(Lanes lanes, float* y, Vector values) {
    _mm512_mask_storeu_ps(y, lanes, values);
}
STEELYARD_INLINE Vector multiplyAdd(Vector a, Vector b, Vector sums) {
    return _mm512_fmadd_ps(a, b, sums);
}
// b where either is NaN.
STEELYARD_INLINE Vector maximum(Vector a, Vector b) {  // b where either is NaN
    return _mm512_max_ps(a, b);
}
STEELYARD_INLINE Vector minimum(Vector a, Vector b) {  // likewise
    return _mm512_min_ps(a, b);
}
STEELYARD_INLINE Words wordsOf(Vector values) {
    return _mm512_castps_si512(values);
}
STEELYARD_INLINE Vector floatsOf(Words words) {
    return _mm512_castsi512_ps(words);
}

#else

constexpr int kLanes = 8;
using Vector = __m256;
using Words = __m256i;
using Lanes = __m256i;

STEELYARD_INLINE Lanes lanesBelow(std::int64_t count) {
    const auto bound = static_cast<int>(count < kLanes ? count : kLanes);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(bound), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
STEELYARD_INLINE Vector broadcastFloat(float value) {
    return _mm256_set1_ps(value);
}
STEELYARD_INLINE Vector loadFloats(const float* x) {
    return _mm256_loadu_ps(x);
}
STEELYARD_INLINE Vector loadFloats(Lanes lanes, const float* x) {
    return _mm256_maskload_ps(x, lanes);
}
STEELYARD_INLINE void storeFloats(float* y, Vector values) {
    _mm256_storeu_ps(y, values);
}
STEELYARD_INLINE void storeFloats(Lanes lanes, float* y, Vector values) {
    _mm256_maskstore_ps(y, lanes, values);
}
STEELYARD_INLINE Vector multiplyAdd(Vector a, Vector b, Vector sums) {
    return _mm256_fmadd_ps(a, b, sums);
}
STEELYARD_INLINE Vector maximum(Vector a, Vector b) {
    return _mm256_max_ps(a, b);
}
STEELYARD_INLINE Vector minimum(Vector a, Vector b) {
    return _mm256_min_ps(a, b);
}
STEELYARD_INLINE Words wordsOf(Vector values) {
    return _mm256_castps_si256(values);
}
STEELYARD_INLINE Vector floatsOf(Words words) {
    return _mm256_castsi256_ps(words);
}

#endif

STEELYARD_INLINE Vector zeroFloats() {
    return broadcastFloat(0);
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
