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

// Some of a vector's columns: the first `count`, at most kLanes.
struct Part {
    Lanes lanes;
    std::int64_t count = 0;

    STEELYARD_INLINE explicit Part(std::int64_t columns)
        : lanes(lanesBelow(columns)), count(columns < kLanes ? columns : kLanes) {}
};

#ifdef __AVX512F__

STEELYARD_INLINE Vector toFloats(Words sums) {
    return _mm512_cvtepi32_ps(sums);
}
STEELYARD_INLINE Words loadSums(const std::int32_t* sums) {
    return _mm512_load_si512(sums);
}
STEELYARD_INLINE Vector limit(Vector value, Vector low, Vector high) {
    return _mm512_min_ps(_mm512_max_ps(value, low), high);
}
template <StoredAs Type>
STEELYARD_INLINE Vector loadBytes(const Part& part, const std::byte* x) {
    const auto bytes = _mm_maskz_loadu_epi8(part.lanes, x);
    return _mm512_cvtepi32_ps(Type == StoredAs::Unsigned ? _mm512_cvtepu8_epi32(bytes) : _mm512_cvtepi8_epi32(bytes));
}
// The value is within the range of the type; rounds to nearest, ties to even.
template <StoredAs Type>
STEELYARD_INLINE void storeBytes(const Part& part, std::byte* y, Vector value) {
    _mm512_mask_cvtepi32_storeu_epi8(y, part.lanes, _mm512_cvtps_epi32(value));
}

#else

STEELYARD_INLINE Vector toFloats(Words sums) {
    return _mm256_cvtepi32_ps(sums);
}
STEELYARD_INLINE Words loadSums(const std::int32_t* sums) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(sums));
}
STEELYARD_INLINE Vector limit(Vector value, Vector low, Vector high) {
    return _mm256_min_ps(_mm256_max_ps(value, low), high);
}
template <StoredAs Type>
STEELYARD_INLINE Vector loadBytes(const Part& part, const std::byte* x) {
    std::int64_t quads = 0;
    if (part.count == kLanes)
        __builtin_memcpy(&quads, x, sizeof(quads));
    else
        for (std::int64_t i = 0; i < part.count; ++i) quads |= static_cast<std::int64_t>(x[i]) << (8 * i);
    const auto bytes = _mm_cvtsi64_si128(quads);
    return _mm256_cvtepi32_ps(Type == StoredAs::Unsigned ? _mm256_cvtepu8_epi32(bytes) : _mm256_cvtepi8_epi32(bytes));
}
template <StoredAs Type>
STEELYARD_INLINE void storeBytes(const Part& part, std::byte* y, Vector value) {
    const auto words = _mm256_cvtps_epi32(value);
    const auto halves = _mm_packs_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
    const auto bytes = Type == StoredAs::Unsigned ? _mm_packus_epi16(halves, halves) : _mm_packs_epi16(halves, halves);
    const std::int64_t quads = _mm_cvtsi128_si64(bytes);
    if (part.count == kLanes)
        __builtin_memcpy(y, &quads, sizeof(quads));
    else
        for (std::int64_t i = 0; i < part.count; ++i) y[i] = static_cast<std::byte>(quads >> (8 * i));
}

#endif

template <StoredAs Type>
STEELYARD_INLINE Vector loadStored(const Part& part, const std::byte* x, std::int64_t at) {
    if constexpr (Type == StoredAs::Float) return loadFloats(part.lanes, reinterpret_cast<const float*>(x) + at);
    return loadBytes<Type>(part, x + at);
}
template <StoredAs Type>
STEELYARD_INLINE void storeResult(const Part& part, std::byte* y, std::int64_t at, Vector value) {
    if constexpr (Type == StoredAs::Float)
        storeFloats(part.lanes, reinterpret_cast<float*>(y) + at, value);
    else
        storeBytes<Type>(part, y + at, value);
}

// Sums of rows and of all columns of the panel, aligned to 64 bytes.
using RowSums = std::int32_t[kInt8Columns];
using Finish = void (*)(const Int8Product& p, const RowSums* sums, std::int64_t row, std::int64_t rows);

template <StoredAs Type, bool Adds, StoredAs Shortcut>
void finish(const Int8Product& p, const RowSums* sums, std::int64_t row, std::int64_t rows) {
    const auto low = broadcastFloat(p.low), high = broadcastFloat(p.high), factor = broadcastFloat(p.shortcutFactor);
    for (std::int64_t column = 0; column < p.columns; column += kLanes) {
        const Part part(p.columns - column);
        const auto factors = loadFloats(part.lanes, p.factors + column);
        const auto offsets = loadFloats(part.lanes, p.offsets + column);
        for (std::int64_t r = 0; r < rows; ++r) {
            const auto at = (row + r) * p.targetStride + column;
            auto value = multiplyAdd(toFloats(loadSums(&sums[r][column])), factors, offsets);
            if constexpr (Adds) value = multiplyAdd(loadStored<Shortcut>(part, p.shortcut, at), factor, value);
            storeResult<Type>(part, p.y, at, limit(value, low, high));
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

// Rows of a panel are far apart, which the hardware prefetcher does not handle.
STEELYARD_INLINE void fetchTarget(const Int8Product& p, std::int64_t row, std::int64_t rows) {
    constexpr std::int64_t kLine = 64;
    const auto width = bytesOf(p.type);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t byte = 0; byte < p.columns * width; byte += kLine)
            __builtin_prefetch(p.y + (row + r) * p.targetStride * width + byte, 1, 2);
}

}  // namespace
}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
