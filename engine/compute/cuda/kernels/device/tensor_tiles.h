// SPDX-License-Identifier: Apache-2.0
// Tiles of attention on tensor cores. A tile is rows of Width elements in shared memory with swizzled 16-byte pieces:
// eight consecutive rows, as read by ldmatrix, are in different banks. A warp owns 16 rows of a block's own tile, and
// the block streams tiles of the other side. Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/attention/attention_tiles.h"
#include "engine/compute/cuda/kernels/device/tensor_core.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr int kTensorThreads = 128, kTensorWarps = kTensorThreads / 32;
inline constexpr int kTensorStream = 64;          // rows of a streamed tile
inline constexpr int kTypeBytes = 2, kPiece = 8;  // elements per 16 bytes
inline constexpr float kLog2E = 1.4426950408889634F;

STEELYARD_WARP int laneIndex() {
    return threadIndex() % 32;
}
STEELYARD_WARP int warpIndex() {
    return threadIndex() / 32;
}

// First element of a piece, swizzled.
template <int Width>
constexpr int placeInTile(int row, int piece) {
    return row * Width + (piece ^ (row & 7)) * kPiece;
}

// Offsets of a block's head: 64 bits for batches, 32 bits for the tokens of a sample.
struct HeadPlace {
    std::int64_t input, output, sums;  // as in Place
    int first;                         // first row of the block

    // Blocks of one head are adjacent; with `reversed`, the last rows come first.
    STEELYARD_WARP HeadPlace(const AttentionShape& s, std::int64_t block, int rows, bool reversed) {
        const Place p = placeOf(s, block, rows);
        input = p.input, output = p.output, sums = p.sums, first = static_cast<int>(p.first);
        if (reversed) first = (static_cast<int>(s.tokens) - 1) / rows * rows - first;
    }
};

// Starts copying rows from `first` on of a head, whose first element is `from`; zeros beyond `count` and `width`.
template <typename T, int Width, int Rows>
STEELYARD_WARP void beginTile(T* tile, const T* from, int pitch, int first, int count, int width) {
    constexpr int kPieces = Width / kPiece, kStep = kTensorThreads / kPieces;  // rows at a time
    static_assert(kStep % 8 == 0 && Rows % kStep == 0);
    const int row = threadIndex() / kPieces, piece = threadIndex() % kPieces;
    const int left = piece * kPiece < width ? count - first - row : 0;
    STEELYARD_UNROLL
    for (int i = 0; i < Rows; i += kStep) {
        const bool isPresent = i < left;
        const std::int64_t offset = std::int64_t{first + row + i} * pitch + piece * kPiece;
        copyAsync<16>(tile, (placeInTile<Width>(row, piece) + i * Width) * kTypeBytes, from + (isPresent ? offset : 0),
                      isPresent);
    }
}

// Offset of an element of 16 rows by 16 columns after `row`, a multiple of 8, and column 16 `step`.
template <int Width>
STEELYARD_WARP int matrixOffset(int row, int step, int laneRow, int lanePiece) {
    return (row * Width + placeInTile<Width>(laneRow, 2 * step + lanePiece)) * kTypeBytes;
}
// A of rows `row` to row + 15, from column 16 `step`.
template <typename T, int Width>
STEELYARD_WARP Fragment rowsOfTile(const T* tile, int row, int step) {
    const int lane = laneIndex();
    return loadMatrices<false>(tile, matrixOffset<Width>(row, step, lane % 16, lane / 16));
}
// Two B whose columns are rows `row` to row + 7 and row + 8 to row + 15 of the tile, with depth along columns from 16
// `step`.
template <typename T, int Width>
STEELYARD_WARP Fragment acrossTile(const T* tile, int row, int step) {
    const int lane = laneIndex();
    return loadMatrices<false>(tile, matrixOffset<Width>(row, step, lane % 8 + lane / 16 * 8, lane / 8 % 2));
}
// Two B of columns 16 `step` to + 7 and + 8 to + 15, with depth along rows `row` to row + 15.
template <typename T, int Width>
STEELYARD_WARP Fragment downTile(const T* tile, int row, int step) {
    const int lane = laneIndex();
    return loadMatrices<true>(tile, matrixOffset<Width>(row, step, lane % 16, lane / 16));
}

// A warp's own rows, Tiles times 16, as A: in registers or, if these do not suffice, in shared memory.
template <typename T, int Width, int Tiles, bool Held>
class OwnRows {
public:
    STEELYARD_WARP OwnRows(const T* tile, int row) : m_tile(tile), m_row(row) {
        if constexpr (Held) {
            STEELYARD_UNROLL
            for (int i = 0; i < Tiles * kSteps; ++i)
                m_held[i] = rowsOfTile<T, Width>(tile, row + i / kSteps * 16, i % kSteps);
        }
    }
    STEELYARD_WARP Fragment at(int tile, int step) const {
        if constexpr (Held)
            return m_held[tile * kSteps + step];
        else
            return rowsOfTile<T, Width>(m_tile, m_row + tile * 16, step);
    }

private:
    static constexpr int kSteps = Width / 16;
    const T* m_tile;
    int m_row;
    Fragment m_held[Held ? Tiles * kSteps : 1];
};

template <int Tiles, int Count>
STEELYARD_WARP void clear(Sums (&sums)[Tiles][Count]) {
    STEELYARD_UNROLL
    for (int i = 0; i < Tiles * Count; ++i) sums[i / Count][i % Count] = Sums{{0, 0, 0, 0}};
}

// sums = own rows times rows from `row` on of the tile, 8 per sum.
template <typename T, int Width, typename Own, int Tiles, int Count>
STEELYARD_WARP void dotRows(Sums (&sums)[Tiles][Count], const Own& own, const T* tile, int row) {
    clear(sums);
    STEELYARD_UNROLL
    for (int step = 0; step < Width / 16; ++step) {
        Fragment a[Tiles];
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles; ++i) a[i] = own.at(i, step);
        STEELYARD_UNROLL
        for (int c = 0; c < Count; c += 2) {
            const Fragment b = acrossTile<T, Width>(tile, row + c * 8, step);
            STEELYARD_UNROLL
            for (int i = 0; i < Tiles; ++i) {
                multiplyAdd(T{}, sums[i][c], a[i], b, 0);
                multiplyAdd(T{}, sums[i][c + 1], a[i], b, 2);
            }
        }
    }
}

// A from two neighbouring sums [16, 8], which have the same layout.
template <typename T>
STEELYARD_WARP Fragment fragmentOf(const Sums& left, const Sums& right) {
    return {{wordOf(T{}, left.at[0], left.at[1]), wordOf(T{}, left.at[2], left.at[3]),
             wordOf(T{}, right.at[0], right.at[1]), wordOf(T{}, right.at[2], right.at[3])}};
}

// result += weights [16, 8 Count] times rows from `row` on of the tile.
template <typename T, int Width, int Tiles, int Count>
STEELYARD_WARP void addWeighted(Sums (&result)[Tiles][Width / 8], const Sums (&weights)[Tiles][Count], const T* tile,
                                int row) {
    STEELYARD_UNROLL
    for (int c = 0; c < Count; c += 2) {
        Fragment a[Tiles];
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles; ++i) a[i] = fragmentOf<T>(weights[i][c], weights[i][c + 1]);
        STEELYARD_UNROLL
        for (int step = 0; step < Width / 16; ++step) {
            const Fragment b = downTile<T, Width>(tile, row + c * 8, step);
            STEELYARD_UNROLL
            for (int i = 0; i < Tiles; ++i) {
                multiplyAdd(T{}, result[i][2 * step], a[i], b, 0);
                multiplyAdd(T{}, result[i][2 * step + 1], a[i], b, 2);
            }
        }
    }
}

template <typename T>
STEELYARD_WARP float lowOf(T /*type*/, std::uint32_t word) {
    return toFloat(T{static_cast<std::uint16_t>(word & 0xffffU)});
}
template <typename T>
STEELYARD_WARP float highOf(T /*type*/, std::uint32_t word) {
    return toFloat(T{static_cast<std::uint16_t>(word >> 16)});
}

// Destination of rows: the first of the warp's 16 is row `first` of `count` at `to`.
template <typename T>
struct RowsTo {
    T* to;
    int pitch, first, count, width;
    bool accumulate;
};

// Adds existing values to a thread's, within the bounds.
template <typename T, int Width>
STEELYARD_WARP void addRows(const RowsTo<T>& rows, Sums (&sums)[Width / 8]) {
    STEELYARD_UNROLL
    for (int half = 0; half < 2; ++half) {
        const int row = rows.first + laneIndex() / 4 + 8 * half;
        const T* before = rows.to + std::int64_t{row} * rows.pitch + laneIndex() % 4 * 2;
        if (row < rows.count) STEELYARD_UNROLL
        for (int piece = 0; piece < Width / kPiece; ++piece) {
            const std::uint32_t word = piece * kPiece < rows.width ? loadWord(before + piece * kPiece) : 0;
            sums[piece].at[2 * half] += lowOf(T{}, word);
            sums[piece].at[2 * half + 1] += highOf(T{}, word);
        }
    }
}

// Through the warp's own rows of a tile, which are no longer needed, for 16-byte writes.
template <typename T, int Width>
STEELYARD_WARP void storeSums(const RowsTo<T>& rows, T* tile, int tileRow, Sums (&sums)[Width / 8],
                              const float (&factor)[2]) {
    STEELYARD_UNROLL
    for (int i = 0; i < Width / 8 * 4; ++i) sums[i / 4].at[i % 4] *= factor[i % 4 / 2];
    if (rows.accumulate) addRows<T, Width>(rows, sums);
    const int lane = laneIndex();
    warpBarrier();
    STEELYARD_UNROLL
    for (int i = 0; i < Width / kPiece * 2; ++i)
        storeWord(tile + placeInTile<Width>(tileRow + lane / 4 + i % 2 * 8, i / 2) + lane % 4 * 2,
                  wordOf(T{}, sums[i / 2].at[i % 2 * 2], sums[i / 2].at[i % 2 * 2 + 1]));
    warpBarrier();
    constexpr int kPieces = Width / kPiece, kStep = 32 / kPieces;
    const int piece = lane % kPieces;
    STEELYARD_UNROLL
    for (int i = 0; i < 16; i += kStep) {
        const int row = i + lane / kPieces;
        if (rows.first + row < rows.count && piece * kPiece < rows.width)
            storeWords(rows.to + std::int64_t{rows.first + row} * rows.pitch + piece * kPiece,
                       loadWords(tile + placeInTile<Width>(tileRow + row, piece)));
    }
}

}  // namespace steelyard::compute::cuda::kernels
