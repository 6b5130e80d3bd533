// SPDX-License-Identifier: Apache-2.0
// Transforms of Winograd's F(4x4, 3x3) for float, a vector of channels at a time. Lavin & Gray, Fast Algorithms for
// Convolutional Neural Networks, 2016, section 4.3, with other interpolation points than theirs (0, 1, -1, 2, -2 and
// infinity): with 5/8 and 3/2 errors are less than half as large. For a polynomial through 0, a, -a, b, -b, m(x) = x
// (x^2 - a^2) (x^2 - b^2):
//   row p of A is 1, p, p^2, p^3; of G 1, p, p^2 over m'(p); of B' the coefficients of m(x) / (x - p); for infinity,
// the
//   highest power alone, and m(x).
//   Y = A' [(G g G') . (B' d B)] A,   dg = G' [(B' d B) . (A dY A')] G
#include "engine/compute/cpu/kernels/float_vectors.h"
#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/kernels/winograd_pixels.h"

namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET {
namespace {

constexpr int kPatch = 6, kTile = 4, kTaps = 3;

constexpr float kA = 0.625F, kB = 1.5F;
constexpr float kA2 = kA * kA, kB2 = kB * kB, kSum = kA2 + kB2, kProduct = kA2 * kB2;
// 1 / m'(p)
constexpr float kAtZero = 1 / kProduct, kAtA = 1 / (2 * kA2 * (kA2 - kB2)), kAtB = 1 / (2 * kB2 * (kB2 - kA2));

constexpr float kSourceRows[kPatch][kPatch] = {{kProduct, 0, -kSum, 0, 1, 0}, {0, -kA* kB2, -kB2, kA, 1, 0},
                                               {0, kA* kB2, -kB2, -kA, 1, 0}, {0, -kB* kA2, -kA2, kB, 1, 0},
                                               {0, kB* kA2, -kA2, -kB, 1, 0}, {0, kProduct, 0, -kSum, 0, 1}};
constexpr float kTargetRows[kPatch][kTile] = {{1, 0, 0, 0},          {1, kA, kA2, kA* kA2},   {1, -kA, kA2, -kA* kA2},
                                              {1, kB, kB2, kB* kB2}, {1, -kB, kB2, -kB* kB2}, {0, 0, 0, 1}};

// One dimension of B' d B.
STEELYARD_INLINE void transformSource(const Vector (&d)[kPatch], Vector (&points)[kPatch]) {
    const auto evenA = d[4] - kB2 * d[2], oddA = d[3] - kB2 * d[1];
    const auto evenB = d[4] - kA2 * d[2], oddB = d[3] - kA2 * d[1];
    points[0] = kProduct * d[0] + (d[4] - kSum * d[2]);
    points[1] = evenA + kA * oddA;
    points[2] = evenA - kA * oddA;
    points[3] = evenB + kB * oddB;
    points[4] = evenB - kB * oddB;
    points[5] = kProduct * d[1] + (d[5] - kSum * d[3]);
}

// One dimension of A y A'.
STEELYARD_INLINE void transformTarget(const Vector (&y)[kTile], Vector (&points)[kPatch]) {
    const auto evenA = y[0] + kA2 * y[2], oddA = kA * (y[1] + kA2 * y[3]);
    const auto evenB = y[0] + kB2 * y[2], oddB = kB * (y[1] + kB2 * y[3]);
    points[0] = y[0];
    points[1] = evenA + oddA;
    points[2] = evenA - oddA;
    points[3] = evenB + oddB;
    points[4] = evenB - oddB;
    points[5] = y[3];
}

// One dimension of A' m A.
STEELYARD_INLINE void gatherTarget(const Vector (&m)[kPatch], Vector (&y)[kTile]) {
    const auto sumA = m[1] + m[2], differenceA = kA * (m[1] - m[2]);
    const auto sumB = m[3] + m[4], differenceB = kB * (m[3] - m[4]);
    y[0] = m[0] + sumA + sumB;
    y[1] = differenceA + differenceB;
    y[2] = kA2 * sumA + kB2 * sumB;
    y[3] = kA2 * differenceA + (kB2 * differenceB + m[5]);
}

// One dimension of G g G'.
STEELYARD_INLINE void transformTaps(const Vector (&g)[kTaps], Vector (&points)[kPatch]) {
    const auto evenA = kAtA * (g[0] + kA2 * g[2]), oddA = (kAtA * kA) * g[1];
    const auto evenB = kAtB * (g[0] + kB2 * g[2]), oddB = (kAtB * kB) * g[1];
    points[0] = kAtZero * g[0];
    points[1] = evenA + oddA;
    points[2] = evenA - oddA;
    points[3] = evenB + oddB;
    points[4] = evenB - oddB;
    points[5] = g[2];
}

// One dimension of G' m G.
STEELYARD_INLINE void gatherTaps(const Vector (&m)[kPatch], Vector (&g)[kTaps]) {
    const auto sumA = kAtA * (m[1] + m[2]), differenceA = m[1] - m[2];
    const auto sumB = kAtB * (m[3] + m[4]), differenceB = m[3] - m[4];
    g[0] = kAtZero * m[0] + (sumA + sumB);
    g[1] = (kAtA * kA) * differenceA + (kAtB * kB) * differenceB;
    g[2] = kA2 * sumA + (kB2 * sumB + m[5]);
}

// Extracts column c as a row.
template <int Rows, int Columns>
STEELYARD_INLINE void columnOf(const Vector (&rows)[Rows][Columns], int c, Vector (&column)[Rows]) {
#pragma GCC unroll 6
    for (int r = 0; r < Rows; ++r) column[r] = rows[r][c];
}

STEELYARD_INLINE void loadPoints(const float* points, std::int64_t stride, Vector (&m)[kPatch]) {
#pragma GCC unroll 6
    for (int i = 0; i < kPatch; ++i) m[i] = loadFloats(points + i * stride);
}
STEELYARD_INLINE void storePoints(float* points, std::int64_t stride, const Vector (&m)[kPatch]) {
#pragma GCC unroll 6
    for (int i = 0; i < kPatch; ++i) storeFloats(points + i * stride, m[i]);
}

STEELYARD_INLINE void sourcePointsOf(float* points, std::int64_t pointStride, const WinogradPixels<float>& patch) {
    Vector rows[kPatch][kPatch];
#pragma GCC unroll 6
    for (int r = 0; r < kPatch; ++r) {
        Vector pixels[kPatch];
        loadRow(patch, r, pixels);
        transformSource(pixels, rows[r]);
    }
#pragma GCC unroll 6
    for (int c = 0; c < kPatch; ++c) {
        Vector column[kPatch], transformed[kPatch];
        columnOf(rows, c, column);
        transformSource(column, transformed);
        storePoints(points + c * pointStride, kPatch * pointStride, transformed);
    }
}

// Weighted sum of rows of pixels.
template <int Size>
STEELYARD_INLINE void sumRows(const WinogradPixels<float>& pixels, const float (&factors)[Size], Vector (&sums)[Size]) {
#pragma GCC unroll 6
    for (int c = 0; c < Size; ++c) sums[c] = zeroFloats();
    for (int r = 0; r < Size; ++r) {
        if (factors[r] == 0) continue;
        Vector row[Size];
        loadRow(pixels, r, row);
        const auto factor = broadcastFloat(factors[r]);
#pragma GCC unroll 6
        for (int c = 0; c < Size; ++c) sums[c] = multiplyAdd(row[c], factor, sums[c]);
    }
}

STEELYARD_INLINE void sourceRowOf(float* points, std::int64_t pointStride, const WinogradPixels<float>& patch,
                                  int row) {
    Vector sums[kPatch], transformed[kPatch];
    sumRows(patch, kSourceRows[row], sums);
    transformSource(sums, transformed);
    storePoints(points, pointStride, transformed);
}

STEELYARD_INLINE void targetRowOf(float* points, std::int64_t pointStride, const WinogradPixels<float>& tile, int row,
                                  float* sums) {
    Vector mixed[kTile], transformed[kPatch];
    sumRows(tile, kTargetRows[row], mixed);
    transformTarget(mixed, transformed);
    storePoints(points, pointStride, transformed);
    if (row != 1 || sums == nullptr) return;
    constexpr float kOnes[kTile] = {1, 1, 1, 1};
    Vector all[kTile];
    sumRows(tile, kOnes, all);
    storeFloats(sums, loadFloats(sums) + ((all[0] + all[1]) + (all[2] + all[3])));
}

STEELYARD_INLINE void targetPixelsOf(const WinogradResult<float>& result, const float* points,
                                     std::int64_t pointStride) {
    Vector rows[kPatch][kTile];
#pragma GCC unroll 6
    for (int r = 0; r < kPatch; ++r) {
        Vector m[kPatch];
        loadPoints(points + r * kPatch * pointStride, pointStride, m);
        gatherTarget(m, rows[r]);
    }
    Vector y[kTile][kTile];
#pragma GCC unroll 4
    for (int c = 0; c < kTile; ++c) {
        Vector column[kPatch], gathered[kTile];
        columnOf(rows, c, column);
        gatherTarget(column, gathered);
#pragma GCC unroll 4
        for (int r = 0; r < kTile; ++r) y[r][c] = gathered[r];
    }
    storeTile(result, y);
}

STEELYARD_INLINE void weightWordsOf(float* points, std::int64_t pointStride, const float* taps, std::int64_t tapStride,
                                    bool rotated) {
    Vector rows[kTaps][kPatch];
#pragma GCC unroll 3
    for (int r = 0; r < kTaps; ++r) {
        Vector g[kTaps];
#pragma GCC unroll 3
        for (int c = 0; c < kTaps; ++c) {
            const int tap = rotated ? (kTaps - 1 - r) * kTaps + kTaps - 1 - c : r * kTaps + c;
            g[c] = loadFloats(taps + tap * tapStride);
        }
        transformTaps(g, rows[r]);
    }
#pragma GCC unroll 6
    for (int c = 0; c < kPatch; ++c) {
        Vector column[kTaps], transformed[kPatch];
        columnOf(rows, c, column);
        transformTaps(column, transformed);
        storePoints(points + c * pointStride, kPatch * pointStride, transformed);
    }
}

STEELYARD_INLINE void weightGradientOf(float* taps, std::int64_t tapStride, const float* points,
                                       std::int64_t pointStride) {
    Vector rows[kPatch][kTaps];
#pragma GCC unroll 6
    for (int r = 0; r < kPatch; ++r) {
        Vector m[kPatch];
        loadPoints(points + r * kPatch * pointStride, pointStride, m);
        gatherTaps(m, rows[r]);
    }
#pragma GCC unroll 3
    for (int c = 0; c < kTaps; ++c) {
        Vector column[kPatch], g[kTaps];
        columnOf(rows, c, column);
        gatherTaps(column, g);
#pragma GCC unroll 3
        for (int r = 0; r < kTaps; ++r) storeFloats(taps + (r * kTaps + c) * tapStride, g[r]);
    }
}

// The kernels process sixteen channels.
constexpr int kChannels = 16;

std::int64_t placeOf(int channel, std::int64_t halfStride) {
    return channel == 0 ? 0 : halfStride;
}
WinogradPixels<float> from(const WinogradPixels<float>& pixels, int channel) {
    auto result = pixels;
    result.corner += placeOf(channel, pixels.halfStride);
    return result;
}

void sourcePoints(float* points, std::int64_t pointStride, const WinogradPixels<float>& patch) {
    for (int c = 0; c < kChannels; c += kLanes) sourcePointsOf(points + c, pointStride, from(patch, c));
}

void sourceRow(float* points, std::int64_t pointStride, const WinogradPixels<float>* patch, int row) {
    for (int c = 0; c < kChannels; c += kLanes) sourceRowOf(points + c, pointStride, from(*patch, c), row);
}

void targetRow(float* points, std::int64_t pointStride, const WinogradPixels<float>* tile, int row, float* sums) {
    for (int c = 0; c < kChannels; c += kLanes)
        targetRowOf(points + c, pointStride, from(*tile, c), row, sums == nullptr ? nullptr : sums + c);
}

void targetPixels(const WinogradResult<float>& result, const float* points, std::int64_t pointStride) {
    for (int c = 0; c < kChannels; c += kLanes) {
        auto some = result;
        some.corner += placeOf(c, result.halfStride);
        if (some.bias != nullptr) some.bias += c;
        targetPixelsOf(some, points + c, pointStride);
    }
}

void weightWords(float* points, std::int64_t pointStride, const float* taps, std::int64_t tapStride, bool rotated) {
    for (int c = 0; c < kChannels; c += kLanes) weightWordsOf(points + c, pointStride, taps + c, tapStride, rotated);
}

void weightGradient(float* taps, std::int64_t tapStride, const float* points, std::int64_t pointStride) {
    for (int c = 0; c < kChannels; c += kLanes) weightGradientOf(taps + c, tapStride, points + c, pointStride);
}

}  // namespace

void fillF32Winograd(Kernels& table) {
    table.f32Winograd = {sourcePoints, sourceRow,      targetRow,         targetPixels,
                         weightWords,  weightGradient, kLanes < kChannels};
}

}  // namespace steelyard::compute::cpu::STEELYARD_INSTRUCTION_SET
