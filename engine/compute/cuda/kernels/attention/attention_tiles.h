// SPDX-License-Identifier: Apache-2.0
// Building blocks of fused attention. A block owns a tile of rows (queries, or keys in the gradients of K and V) and
// streams tiles of the other side through one buffer. Sixteen threads share four rows: each has every sixteenth column
// of scores and result. Internal to kernels/.
#pragma once

#include <cmath>

#include "engine/compute/cuda/kernels/attention/fused_attention.h"
#include "engine/compute/cuda/kernels/execution/execution_phases.h"

namespace steelyard::compute::cuda::kernels {

inline constexpr int kAcross = 16;  // threads that share rows
inline constexpr int kDown = 4;     // rows of a thread
inline constexpr float kHidden = -1e30F;

// Rows of the own tile by head width, such that everything fits in 48 KiB; and of the streamed tiles.
constexpr int rowsOf(int width) {
    return width <= 64 ? 64 : 32;
}
inline constexpr int kStreamed = 16;

template <int Width>
struct Sizes {
    static constexpr int kRows = rowsOf(Width);
    static constexpr int kThreads = kRows / kDown * kAcross;
    static constexpr int kColumns = Width / kAcross;  // of a thread's result
};

// One element of padding per line avoids bank conflicts.
template <int Rows, int Width>
struct Tile {
    float at[Rows][Width + 1];
};

template <typename T, int Rows, int Width, int Threads>
STEELYARD_HD void loadTile(Tile<Rows, Width>& tile, int thread, const T* from, std::int64_t pitch, std::int64_t first,
                           std::int64_t count, std::int64_t width) {
    for (int i = thread; i < Rows * Width; i += Threads) {
        const int row = i / Width, column = i % Width;
        tile.at[row][column] =
            first + row < count && column < width ? toFloat(from[(first + row) * pitch + column]) : 0.0F;
    }
}

// Per row of a thread: product of that row of `own` and the streamed row across(thread).
template <int Rows, int Width>
STEELYARD_HD void dot(float (&sums)[kDown], const Tile<Rows, Width>& own, const Tile<kStreamed, Width>& streamed,
                      int thread) {
    const int down = thread / kAcross * kDown, across = thread % kAcross;
    for (int i = 0; i < kDown; ++i) sums[i] = 0;
    for (int d = 0; d < Width; ++d) {
        const float other = streamed.at[across][d];
        for (int i = 0; i < kDown; ++i) sums[i] += own.at[down + i][d] * other;
    }
}

// result += weights . streamed
template <int Rows, int Width>
STEELYARD_HD void addProduct(float (&result)[kDown][Width / kAcross], const Tile<Rows, kStreamed>& weights,
                             const Tile<kStreamed, Width>& streamed, int thread) {
    const int down = thread / kAcross * kDown, across = thread % kAcross;
    for (int s = 0; s < kStreamed; ++s) {
        float factors[kDown];
        for (int i = 0; i < kDown; ++i) factors[i] = weights.at[down + i][s];
        for (int c = 0; c < Width / kAcross; ++c) {
            const float value = streamed.at[s][across + c * kAcross];
            for (int i = 0; i < kDown; ++i) result[i][c] += factors[i] * value;
        }
    }
}

template <int Width>
STEELYARD_HD void clear(float (&result)[kDown][Width / kAcross]) {
    for (int i = 0; i < kDown; ++i)
        for (int c = 0; c < Width / kAcross; ++c) result[i][c] = 0;
}

// factor: per row of the thread.
template <typename T, int Width>
STEELYARD_HD void storeRows(T* to, std::int64_t pitch, std::int64_t first, std::int64_t count, std::int64_t width,
                            const float (&result)[kDown][Width / kAcross], const float (&factor)[kDown],
                            bool accumulate, int thread) {
    const int down = thread / kAcross * kDown, across = thread % kAcross;
    for (int i = 0; i < kDown; ++i)
        for (int c = 0; c < Width / kAcross; ++c) {
            const std::int64_t row = first + down + i, column = across + c * kAcross;
            if (row >= count || column >= width) continue;
            T* place = to + row * pitch + column;
            const float value = result[i][c] * factor[i];
            *place = fromFloat<T>(accumulate ? toFloat(*place) + value : value);
        }
}

STEELYARD_HD bool isVisible(const AttentionShape& s, std::int64_t query, std::int64_t key) {
    return query < s.tokens && key < s.tokens && (!s.causal || key <= query);
}

// Offsets of a block's head and rows.
struct Place {
    std::int64_t input = 0, output = 0;  // first elements of the head in [batch, tokens, pitch]
    std::int64_t sums = 0;               // first of [batch, heads, tokens]
    std::int64_t first = 0;              // row
};
STEELYARD_HD Place placeOf(const AttentionShape& s, std::int64_t block, int rows) {
    const std::int64_t tiles = ceilDivided(s.tokens, rows);
    const auto [matrix, tile] = split(block, tiles);
    const auto [sample, head] = split(matrix, s.heads);
    return {sample * s.tokens * s.inputPitch + head * s.width, sample * s.tokens * s.outputPitch + head * s.width,
            matrix * s.tokens, tile * rows};
}

inline bool isValid(const AttentionShape& s) {
    return s.batch >= 0 && s.tokens >= 1 && s.heads >= 1 && s.width >= 1 && s.width <= kMostFusedWidth;
}

template <int Width>
std::int64_t blocksOf(const AttentionShape& s) {
    return s.batch * s.heads * ceilDivided(s.tokens, Sizes<Width>::kRows);
}

}  // namespace steelyard::compute::cuda::kernels
