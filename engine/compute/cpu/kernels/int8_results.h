// SPDX-License-Identifier: Apache-2.0
// Results of products of bytes (Int8Product) from their 32-bit sums: scaled, added to a shortcut, limited, rounded and
// stored. A finish() is chosen once per call, for its types.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr int kGroup = 4;  // vectors of sums, whose results are one vector of bytes

#ifdef __AVX512F__

STEELYARD_INLINE Vector toFloats(const std::int32_t* sums) {
    return _mm512_cvtepi32_ps(_mm512_load_si512(sums));
}
template <StoredAs Type>
STEELYARD_INLINE Vector loadBytes(std::int64_t count, const std::byte* x) {
    const auto bytes = _mm_maskz_loadu_epi8(lanesBelow(count), x);
    return _mm512_cvtepi32_ps(Type == StoredAs::Unsigned ? _mm512_cvtepu8_epi32(bytes) : _mm512_cvtepi8_epi32(bytes));
}
// Rounds to nearest, ties to even, saturating; `low` in every byte is the minimum.
template <StoredAs Type>
STEELYARD_INLINE Words toBytes(const Vector (&values)[kGroup], Words low) {
    const auto first = _mm512_packs_epi32(_mm512_cvtps_epi32(values[0]), _mm512_cvtps_epi32(values[1]));
    const auto second = _mm512_packs_epi32(_mm512_cvtps_epi32(values[2]), _mm512_cvtps_epi32(values[3]));
    const auto order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const auto packed =
        Type == StoredAs::Unsigned ? _mm512_packus_epi16(first, second) : _mm512_packs_epi16(first, second);
    const auto bytes = _mm512_permutexvar_epi32(order, packed);
    return Type == StoredAs::Unsigned ? _mm512_max_epu8(bytes, low) : _mm512_max_epi8(bytes, low);
}
STEELYARD_INLINE Words everyByte(int value) {
    return _mm512_set1_epi8(static_cast<char>(value));
}
STEELYARD_INLINE void storeBytes(std::int64_t count, std::byte* y, Words bytes) {
    const auto below = count >= kGroup * kLanes ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    _mm512_mask_storeu_epi8(y, below, bytes);
}

#else

STEELYARD_INLINE Vector toFloats(const std::int32_t* sums) {
    return _mm256_cvtepi32_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(sums)));
}
template <StoredAs Type>
STEELYARD_INLINE Vector loadBytes(std::int64_t count, const std::byte* x) {
    std::int64_t quads = 0;
    if (count >= kLanes)
        __builtin_memcpy(&quads, x, sizeof(quads));
    else
        for (std::int64_t i = 0; i < count; ++i) quads |= static_cast<std::int64_t>(x[i]) << (8 * i);
    const auto bytes = _mm_cvtsi64_si128(quads);
    return _mm256_cvtepi32_ps(Type == StoredAs::Unsigned ? _mm256_cvtepu8_epi32(bytes) : _mm256_cvtepi8_epi32(bytes));
}
template <StoredAs Type>
STEELYARD_INLINE Words toBytes(const Vector (&values)[kGroup], Words low) {
    const auto first = _mm256_packs_epi32(_mm256_cvtps_epi32(values[0]), _mm256_cvtps_epi32(values[1]));
    const auto second = _mm256_packs_epi32(_mm256_cvtps_epi32(values[2]), _mm256_cvtps_epi32(values[3]));
    const auto packed =
        Type == StoredAs::Unsigned ? _mm256_packus_epi16(first, second) : _mm256_packs_epi16(first, second);
    const auto bytes = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    return Type == StoredAs::Unsigned ? _mm256_max_epu8(bytes, low) : _mm256_max_epi8(bytes, low);
}
STEELYARD_INLINE Words everyByte(int value) {
    return _mm256_set1_epi8(static_cast<char>(value));
}
STEELYARD_INLINE void storeBytes(std::int64_t count, std::byte* y, Words bytes) {
    if (count >= kGroup * kLanes) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(y), bytes);
        return;
    }
    alignas(32) std::byte all[kGroup * kLanes];
    _mm256_store_si256(reinterpret_cast<__m256i*>(all), bytes);
    for (std::int64_t i = 0; i < count; ++i) y[i] = all[i];
}

#endif

// Values of the shortcut: the first `count` of a vector.
template <StoredAs Type>
STEELYARD_INLINE Vector loadStored(std::int64_t count, const std::byte* x, std::int64_t at) {
    if constexpr (Type == StoredAs::Float) return loadFloats(lanesBelow(count), reinterpret_cast<const float*>(x) + at);
    return loadBytes<Type>(count, x + at);
}

// Sums of rows and of all columns of the panel, aligned to 64 bytes.
using RowSums = std::int32_t[kPanelColumns];
using Finish = void (*)(const Int8Product& p, const RowSums* sums, std::int64_t row, std::int64_t rows);

// Bytes are limited from below after the rounding, which gives the same for 64 values at once. Large values are limited
// before it: those beyond 32 bits are converted to the smallest integer.
template <StoredAs Type, bool Adds, StoredAs Shortcut>
void finish(const Int8Product& p, const RowSums* sums, std::int64_t row, std::int64_t rows) {
    const auto low = broadcastFloat(p.low), high = broadcastFloat(p.high), factor = broadcastFloat(p.shortcutFactor);
    const auto lowByte = everyByte(Type == StoredAs::Float ? 0 : _mm_cvtss_si32(_mm_set_ss(p.low)));
    for (std::int64_t column = 0; column < p.columns; column += kGroup * kLanes) {
        const auto left = p.columns - column;
        Vector factors[kGroup], offsets[kGroup];
#pragma GCC unroll 4
        for (int v = 0; v < kGroup; ++v) {
            factors[v] = offsets[v] = zeroFloats();
            if (v * kLanes >= left) continue;
            factors[v] = loadFloats(lanesBelow(left - v * kLanes), p.factors + column + v * kLanes);
            offsets[v] = loadFloats(lanesBelow(left - v * kLanes), p.offsets + column + v * kLanes);
        }
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto at = (row + r) * p.targetStride + column;
            Vector values[kGroup];
#pragma GCC unroll 4
            for (int v = 0; v < kGroup; ++v) {
                values[v] = zeroFloats();
                const auto first = v * kLanes;
                if (first >= left) continue;
                values[v] = multiplyAdd(toFloats(&sums[r][column + first]), factors[v], offsets[v]);
                if constexpr (Adds)
                    values[v] =
                        multiplyAdd(loadStored<Shortcut>(left - first, p.shortcut, at + first), factor, values[v]);
                values[v] = minimum(high, values[v]);
                if constexpr (Type == StoredAs::Float)
                    storeFloats(lanesBelow(left - first), reinterpret_cast<float*>(p.y) + at + first,
                                maximum(values[v], low));
            }
            if constexpr (Type != StoredAs::Float) storeBytes(left, p.y + at, toBytes<Type>(values, lowByte));
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

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
