// SPDX-License-Identifier: Apache-2.0
// The transforms of Winograd's F(2x2, 3x3) for bfloat16 data, sixteen channels at a time, in float32 between loading
// and storing. Lavin & Gray, Fast Algorithms for Convolutional Neural Networks, 2016, section 4.1:
//   Y = A' [(G g G') . (B' d B)] A,   dg = G' [(B' d B) . (A dY A')] G
#include <immintrin.h>

#include "engine/compute/cpu/kernels/loops.h"
#include "engine/compute/cpu/kernels/vector_math.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr int kPatch = 4, kTile = 2, kTaps = 3;

STEELYARD_INLINE __m512 widened(__m256i values) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(values), 16));
}

STEELYARD_INLINE __m256i narrowed(__m512 values) {
    return __builtin_bit_cast(__m256i, _mm512_cvtneps_pbh(values));
}

STEELYARD_INLINE __m512i paired(__m512 low, __m512 high) {
    const auto interleaved =
        _mm512_add_epi16(_mm512_set1_epi32(16 << 16),
                         _mm512_set_epi32(0xf000f, 0xe000e, 0xd000d, 0xc000c, 0xb000b, 0xa000a, 0x90009, 0x80008,
                                          0x70007, 0x60006, 0x50005, 0x40004, 0x30003, 0x20002, 0x10001, 0));
    return _mm512_permutexvar_epi16(interleaved, __builtin_bit_cast(__m512i, _mm512_cvtne2ps_pbh(high, low)));
}

// Sixteen channels of Size x Size pixels; those outside of the image are zero.
template <int Size>
STEELYARD_INLINE void loadPixels(const WinogradPixels& from, __m512 (&pixels)[Size][Size]) {
    constexpr unsigned kAll = (1U << Size) - 1U;
    const auto pixel = [&](int r, int c) {
        const auto* at = from.corner + r * from.rowStride + c * from.columnStride;
        return widened(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
    };
    if (from.rows == kAll && from.columns == kAll) {
#pragma GCC unroll 4
        for (int r = 0; r < Size; ++r)
#pragma GCC unroll 4
            for (int c = 0; c < Size; ++c) pixels[r][c] = pixel(r, c);
        return;
    }
#pragma GCC unroll 4
    for (int r = 0; r < Size; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < Size; ++c) {
            const bool inside = ((from.rows >> r) & (from.columns >> c) & 1U) != 0;
            pixels[r][c] = inside ? pixel(r, c) : _mm512_setzero_ps();
        }
}

// B' d B.
STEELYARD_INLINE void transformPatch(__m512 (&d)[kPatch][kPatch]) {
#pragma GCC unroll 4
    for (int c = 0; c < kPatch; ++c) {
        const auto first = d[0][c] - d[2][c], second = d[1][c] + d[2][c];
        const auto third = d[2][c] - d[1][c], fourth = d[1][c] - d[3][c];
        d[0][c] = first;
        d[1][c] = second;
        d[2][c] = third;
        d[3][c] = fourth;
    }
#pragma GCC unroll 4
    for (int r = 0; r < kPatch; ++r) {
        const auto first = d[r][0] - d[r][2], second = d[r][1] + d[r][2];
        const auto third = d[r][2] - d[r][1], fourth = d[r][1] - d[r][3];
        d[r][0] = first;
        d[r][1] = second;
        d[r][2] = third;
        d[r][3] = fourth;
    }
}

// A y A', with A = {{1, 0}, {1, 1}, {1, -1}, {0, -1}}.
STEELYARD_INLINE void spreadTile(const __m512 (&y)[kTile][kTile], __m512 (&points)[kPatch][kPatch]) {
    __m512 rows[kPatch][kTile];
#pragma GCC unroll 2
    for (int c = 0; c < kTile; ++c) {
        rows[0][c] = y[0][c];
        rows[1][c] = y[0][c] + y[1][c];
        rows[2][c] = y[0][c] - y[1][c];
        rows[3][c] = -y[1][c];
    }
#pragma GCC unroll 4
    for (int r = 0; r < kPatch; ++r) {
        points[r][0] = rows[r][0];
        points[r][1] = rows[r][0] + rows[r][1];
        points[r][2] = rows[r][0] - rows[r][1];
        points[r][3] = -rows[r][1];
    }
}

void sourcePoints(BFloat16* points, std::int64_t pointStride, const WinogradPixels& patch) {
    __m512 d[kPatch][kPatch];
    loadPixels(patch, d);
    transformPatch(d);
#pragma GCC unroll 4
    for (int r = 0; r < kPatch; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < kPatch; ++c)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(points + (r * kPatch + c) * pointStride), narrowed(d[r][c]));
}

STEELYARD_INLINE void storePairs(std::uint32_t* words, std::int64_t pointStride, const __m512 (&even)[kPatch][kPatch],
                                 const __m512 (&odd)[kPatch][kPatch]) {
#pragma GCC unroll 4
    for (int r = 0; r < kPatch; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < kPatch; ++c)
            _mm512_storeu_si512(words + (r * kPatch + c) * pointStride, paired(even[r][c], odd[r][c]));
}

void sourcePairs(std::uint32_t* words, std::int64_t pointStride, const WinogradPixels& even,
                 const WinogradPixels& odd) {
    __m512 low[kPatch][kPatch], high[kPatch][kPatch];
    loadPixels(even, low);
    transformPatch(low);
    loadPixels(odd, high);
    transformPatch(high);
    storePairs(words, pointStride, low, high);
}

void targetPairs(std::uint32_t* words, std::int64_t pointStride, const WinogradPixels& even, const WinogradPixels& odd,
                 float* sums) {
    __m512 tile[kTile][kTile], low[kPatch][kPatch], high[kPatch][kPatch];
    loadPixels(even, tile);
    spreadTile(tile, low);
    loadPixels(odd, tile);
    spreadTile(tile, high);
    storePairs(words, pointStride, low, high);
    _mm512_storeu_ps(sums, _mm512_loadu_ps(sums) + (low[1][1] + high[1][1]));  // where all four pixels are added up
}

// A' m A: two by two of four by four.
STEELYARD_INLINE void gatherTile(const float* points, std::int64_t pointStride, __m512 (&y)[kTile][kTile]) {
    __m512 rows[kTile][kPatch];
#pragma GCC unroll 4
    for (int c = 0; c < kPatch; ++c) {
        const auto at = [&](int r) { return _mm512_loadu_ps(points + (r * kPatch + c) * pointStride); };
        const auto second = at(1), third = at(2);
        rows[0][c] = at(0) + second + third;
        rows[1][c] = second - third - at(3);
    }
#pragma GCC unroll 2
    for (int r = 0; r < kTile; ++r) {
        y[r][0] = rows[r][0] + rows[r][1] + rows[r][2];
        y[r][1] = rows[r][1] - rows[r][2] - rows[r][3];
    }
}

void targetPixels(const WinogradResult& result, const float* points, std::int64_t pointStride) {
    __m512 y[kTile][kTile];
    gatherTile(points, pointStride, y);
    const auto bias = result.bias == nullptr ? _mm512_setzero_ps() : _mm512_loadu_ps(result.bias);
    const auto floor = result.relu ? _mm512_setzero_ps() : _mm512_set1_ps(-__builtin_inff());
    for (int r = 0; r < result.rows; ++r)
        for (int c = 0; c < result.columns; ++c) {
            auto* at = reinterpret_cast<__m256i*>(result.corner + r * result.rowStride + c * result.columnStride);
            auto value = y[r][c] + bias;
            if (result.adds) value += widened(_mm256_loadu_si256(at));
            // The operands' order lets a NaN through.
            _mm256_storeu_si256(at, narrowed(_mm512_max_ps(floor, value)));
        }
}

// G g G'.
STEELYARD_INLINE void transformTaps(const __m512 (&g)[kTaps][kTaps], __m512 (&points)[kPatch][kPatch]) {
    const auto half = _mm512_set1_ps(0.5F);
    __m512 rows[kPatch][kTaps];
#pragma GCC unroll 3
    for (int c = 0; c < kTaps; ++c) {
        const auto outer = (g[0][c] + g[2][c]) * half, middle = g[1][c] * half;
        rows[0][c] = g[0][c];
        rows[1][c] = outer + middle;
        rows[2][c] = outer - middle;
        rows[3][c] = g[2][c];
    }
#pragma GCC unroll 4
    for (int r = 0; r < kPatch; ++r) {
        const auto outer = (rows[r][0] + rows[r][2]) * half, middle = rows[r][1] * half;
        points[r][0] = rows[r][0];
        points[r][1] = outer + middle;
        points[r][2] = outer - middle;
        points[r][3] = rows[r][2];
    }
}

void weightPairs(std::uint32_t* words, std::int64_t pointStride, const std::uint32_t* taps, std::int64_t tapStride,
                 bool rotated) {
    __m512 low[kTaps][kTaps], high[kTaps][kTaps], even[kPatch][kPatch], odd[kPatch][kPatch];
#pragma GCC unroll 3
    for (int r = 0; r < kTaps; ++r)
#pragma GCC unroll 3
        for (int c = 0; c < kTaps; ++c) {
            const int tap = rotated ? (kTaps - 1 - r) * kTaps + kTaps - 1 - c : r * kTaps + c;
            const auto pair = _mm512_loadu_si512(taps + tap * tapStride);
            low[r][c] = _mm512_castsi512_ps(_mm512_slli_epi32(pair, 16));
            high[r][c] = _mm512_castsi512_ps(_mm512_and_si512(pair, _mm512_set1_epi32(static_cast<int>(0xffff0000U))));
        }
    transformTaps(low, even);
    transformTaps(high, odd);
    storePairs(words, pointStride, even, odd);
}

// G' m G: three by three of four by four.
void weightGradient(float* taps, std::int64_t tapStride, const float* points, std::int64_t pointStride) {
    const auto half = _mm512_set1_ps(0.5F);
    __m512 rows[kTaps][kPatch];
#pragma GCC unroll 4
    for (int c = 0; c < kPatch; ++c) {
        const auto at = [&](int r) { return _mm512_loadu_ps(points + (r * kPatch + c) * pointStride); };
        const auto sum = (at(1) + at(2)) * half, difference = (at(1) - at(2)) * half;
        rows[0][c] = at(0) + sum;
        rows[1][c] = difference;
        rows[2][c] = sum + at(3);
    }
#pragma GCC unroll 3
    for (int r = 0; r < kTaps; ++r) {
        const auto sum = (rows[r][1] + rows[r][2]) * half, difference = (rows[r][1] - rows[r][2]) * half;
        auto* at = taps + r * kTaps * tapStride;
        _mm512_storeu_ps(at, rows[r][0] + sum);
        _mm512_storeu_ps(at + tapStride, difference);
        _mm512_storeu_ps(at + 2 * tapStride, sum + rows[r][3]);
    }
}

}  // namespace

void fillWinograd(Kernels& table) {
    table.narrowWinograd = {sourcePoints, sourcePairs, targetPairs, targetPixels, weightPairs, weightGradient};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
