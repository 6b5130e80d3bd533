// SPDX-License-Identifier: Apache-2.0
// The transforms of Winograd's F(2x2, 3x3) for bfloat16 data, sixteen channels at a time, in float32 between loading
// and storing. Lavin & Gray, Fast Algorithms for Convolutional Neural Networks, 2016, section 4.1:
//   Y = A' [(G g G') . (B' d B)] A,   dg = G' [(B' d B) . (A dY A')] G
#include <immintrin.h>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/vector_math.h"
#include "engine/compute/cpu/kernels/winograd_pixels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr int kPatch = 4, kTile = 2, kTaps = 3;

STEELYARD_INLINE __m256i toBf16(__m512 values) {
    return __builtin_bit_cast(__m256i, _mm512_cvtneps_pbh(values));
}

STEELYARD_INLINE __m512i paired(__m512 low, __m512 high) {
    const auto interleaved =
        _mm512_add_epi16(_mm512_set1_epi32(16 << 16),
                         _mm512_set_epi32(0xf000f, 0xe000e, 0xd000d, 0xc000c, 0xb000b, 0xa000a, 0x90009, 0x80008,
                                          0x70007, 0x60006, 0x50005, 0x40004, 0x30003, 0x20002, 0x10001, 0));
    return _mm512_permutexvar_epi16(interleaved, __builtin_bit_cast(__m512i, _mm512_cvtne2ps_pbh(high, low)));
}

// One dimension of B' d B.
STEELYARD_INLINE void transformFour(const __m512 (&d)[kPatch], __m512 (&points)[kPatch]) {
    points[0] = d[0] - d[2];
    points[1] = d[1] + d[2];
    points[2] = d[2] - d[1];
    points[3] = d[1] - d[3];
}

void sourcePoints(BFloat16* points, std::int64_t pointStride, const WinogradPixels<BFloat16>& patch) {
    __m512 d[kPatch][kPatch], rows[kPatch][kPatch];
#pragma GCC unroll 4
    for (int r = 0; r < kPatch; ++r) loadRow(patch, r, d[r]);
#pragma GCC unroll 4
    for (int c = 0; c < kPatch; ++c) {
        rows[0][c] = d[0][c] - d[2][c];
        rows[1][c] = d[1][c] + d[2][c];
        rows[2][c] = d[2][c] - d[1][c];
        rows[3][c] = d[1][c] - d[3][c];
    }
#pragma GCC unroll 4
    for (int r = 0; r < kPatch; ++r) {
        __m512 row[kPatch];
        transformFour(rows[r], row);
#pragma GCC unroll 4
        for (int c = 0; c < kPatch; ++c)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(points + (r * kPatch + c) * pointStride), toBf16(row[c]));
    }
}

// Row r of B' d B is d's row `first` plus `factor` times its row `second`, transformed.
struct RowOfTwo {
    int first, second;
    float factor;
};
constexpr RowOfTwo kSourceRows[kPatch] = {{0, 2, -1}, {1, 2, 1}, {2, 1, -1}, {1, 3, -1}};
// A y A' with A = {{1, 0}, {1, 1}, {1, -1}, {0, -1}}: multiples of y's first and second row.
constexpr float kTargetRows[kPatch][kTile] = {{1, 0}, {1, 1}, {1, -1}, {0, -1}};

STEELYARD_INLINE void sourceRow(const WinogradPixels<BFloat16>& patch, int row, __m512 (&points)[kPatch]) {
    __m512 first[kPatch], second[kPatch];
    loadRow(patch, kSourceRows[row].first, first);
    loadRow(patch, kSourceRows[row].second, second);
    const auto factor = _mm512_set1_ps(kSourceRows[row].factor);
#pragma GCC unroll 4
    for (int c = 0; c < kPatch; ++c) first[c] = _mm512_fmadd_ps(second[c], factor, first[c]);
    transformFour(first, points);
}

STEELYARD_INLINE void targetRow(const WinogradPixels<BFloat16>& tile, int row, __m512 (&points)[kPatch]) {
    __m512 first[kTile], second[kTile];
    loadRow(tile, 0, first);
    loadRow(tile, 1, second);
    const auto one = _mm512_set1_ps(kTargetRows[row][0]), other = _mm512_set1_ps(kTargetRows[row][1]);
#pragma GCC unroll 2
    for (int c = 0; c < kTile; ++c) first[c] = _mm512_fmadd_ps(second[c], other, first[c] * one);
    points[0] = first[0];
    points[1] = first[0] + first[1];
    points[2] = first[0] - first[1];
    points[3] = -first[1];
}

void sourcePairs(std::uint32_t* words, std::int64_t pointStride, const WinogradPixels<BFloat16>* patches, int row) {
    __m512 low[kPatch], high[kPatch];
    sourceRow(patches[0], row, low);
    sourceRow(patches[1], row, high);
#pragma GCC unroll 4
    for (int c = 0; c < kPatch; ++c) _mm512_storeu_si512(words + c * pointStride, paired(low[c], high[c]));
}

void targetPairs(std::uint32_t* words, std::int64_t pointStride, const WinogradPixels<BFloat16>* tiles, int row,
                 float* sums) {
    __m512 low[kPatch], high[kPatch];
    targetRow(tiles[0], row, low);
    targetRow(tiles[1], row, high);
#pragma GCC unroll 4
    for (int c = 0; c < kPatch; ++c) _mm512_storeu_si512(words + c * pointStride, paired(low[c], high[c]));
    // In the row that is the sum of both, the second point is the sum of all four pixels.
    if (row == 1 && sums != nullptr) _mm512_storeu_ps(sums, _mm512_loadu_ps(sums) + (low[1] + high[1]));
}

// A' m A: 2 x 2 from 4 x 4.
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

void targetPixels(const WinogradResult<BFloat16>& result, const float* points, std::int64_t pointStride) {
    __m512 y[kTile][kTile];
    gatherTile(points, pointStride, y);
    storeTile(result, y);
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
#pragma GCC unroll 4
    for (int r = 0; r < kPatch; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < kPatch; ++c)
            _mm512_storeu_si512(words + (r * kPatch + c) * pointStride, paired(even[r][c], odd[r][c]));
}

// G' m G: 3 x 3 from 4 x 4.
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

void fillBf16Winograd(Kernels& table) {
    table.bf16Winograd = {sourcePoints, sourcePairs, targetPairs, targetPixels, weightPairs, weightGradient};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
