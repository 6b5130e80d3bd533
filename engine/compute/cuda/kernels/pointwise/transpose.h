// SPDX-License-Identifier: Apache-2.0
// y[b, c, r] (+)= x[b, r, c]. On a device through tiles in shared memory, for coalesced reads and writes; on the host
// directly. Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {

template <typename T>
STEELYARD_HD void putTransposed(T* to, T value, bool accumulate) {
    *to = accumulate ? fromFloat<T>(toFloat(*to) + toFloat(value)) : value;
}

#if defined(__CUDACC__)

inline constexpr int kTile = 32;
inline constexpr int kTileThreadRows = 8;

template <typename T>
__global__ void __launch_bounds__(kTile* kTileThreadRows)
    transposeKernel(const T* x, T* y, std::int64_t tiles, std::int64_t rows, std::int64_t columns, bool accumulate) {
    __shared__ T tile[kTile][kTile + 1];
    const std::int64_t tilesAcross = ceilDivided(columns, kTile), tilesDown = ceilDivided(rows, kTile);
    const int lane = static_cast<int>(threadIdx.x) % kTile, line = static_cast<int>(threadIdx.x) / kTile;
    for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
        const auto [down, across] = split(t, tilesAcross);
        const auto [batch, tileRow] = split(down, tilesDown);
        const std::int64_t firstRow = tileRow * kTile, firstColumn = across * kTile, matrix = batch * rows * columns;
        for (int i = line; i < kTile; i += kTileThreadRows)
            if (firstRow + i < rows && firstColumn + lane < columns)
                tile[i][lane] = x[matrix + (firstRow + i) * columns + firstColumn + lane];
        __syncthreads();
        for (int i = line; i < kTile; i += kTileThreadRows)
            if (firstColumn + i < columns && firstRow + lane < rows)
                putTransposed(y + matrix + (firstColumn + i) * rows + firstRow + lane, tile[lane][i], accumulate);
        __syncthreads();
    }
}

template <typename T>
Status transposeTiles(Stream stream, const T* x, T* y, std::int64_t batch, std::int64_t rows, std::int64_t columns,
                      bool accumulate) {
    const std::int64_t tiles = batch * ceilDivided(rows, kTile) * ceilDivided(columns, kTile);
    if (tiles < 0) return kInvalidValue;
    if (tiles == 0) return kOk;
    transposeKernel<<<blocksFor(tiles, 1), kTile * kTileThreadRows, 0, static_cast<cudaStream_t>(stream)>>>(
        x, y, tiles, rows, columns, accumulate);
    return launched();
}

#else

template <typename T>
Status transposeTiles(Stream /*stream*/, const T* x, T* y, std::int64_t batch, std::int64_t rows, std::int64_t columns,
                      bool accumulate) {
    if (batch < 0 || rows < 0 || columns < 0) return kInvalidValue;
    for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
                putTransposed(y + (b * columns + c) * rows + r, x[(b * rows + r) * columns + c], accumulate);
    return kOk;
}

#endif

}  // namespace steelyard::compute::cuda::kernels
