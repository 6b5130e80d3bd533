// SPDX-License-Identifier: Apache-2.0
// Forward pass of attention on tensor cores: a block of queries iterates over tiles of keys, four warps own 16 or 32
// queries each, and scores, running softmax and result stay in registers (T. Dao, FlashAttention-2: Faster Attention
// with Better Parallelism and Work Partitioning, 2023). The next tiles of K and V are prefetched.
#pragma once

#include "engine/compute/cuda/kernels/device/tensor_tiles.h"

namespace steelyard::compute::cuda::kernels {

template <typename T>
struct TensorForward {
    AttentionShape s;
    const T *q, *k, *v;
    T* output;
    float* logSums;
};

// Per row of a thread: g and g + 8 of every 16.
template <int Tiles>
struct RunningSoftmax {
    float largest[Tiles][2], sum[Tiles][2];  // maximum of unscaled scores; sum of exponentials of a thread's columns
};

template <typename T, int Width, int Tiles>
class TensorForwardBlock {
public:
    static constexpr int kRows = kTensorWarps * 16 * Tiles;
    static constexpr int kBlocks = Width > 64 || Tiles > 1 ? 2 : 4;  // per multiprocessor, which limits registers
    static constexpr std::int64_t kSharedBytes = (kRows + 4 * kTensorStream) * Width * 2;

    STEELYARD_WARP TensorForwardBlock(const TensorForward<T>& a, std::int64_t block, void* shared)
        // With a causal mask the last rows have the most work.
        : m_a(a), m_p(a.s, block, kRows, a.s.causal), m_queries(static_cast<T*>(shared)) {}

    STEELYARD_WARP void run() const {
        const int end = m_a.s.causal && kRows < tokens() - m_p.first ? m_p.first + kRows : tokens();
        const int turns = (end - 1) / kTensorStream + 1;
        beginTile<T, Width, kRows>(m_queries, m_a.q + m_p.input, inputPitch(), m_p.first, tokens(), width());
        beginTurn(0, turns);
        beginTurn(1, turns);
        waitForCopies<1>();
        blockBarrier();
        const int ownRow = warpIndex() * 16 * Tiles;
        const OwnRows<T, Width, Tiles, true> own(m_queries, ownRow);
        Sums result[Tiles][Width / 8];
        clear(result);
        RunningSoftmax<Tiles> running;
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles * 2; ++i) running.largest[i / 2][i % 2] = -INFINITY, running.sum[i / 2][i % 2] = 0;
        for (int turn = 0; turn < turns; ++turn) {
            waitForCopies<1>();
            blockBarrier();
            const int key = turn * kTensorStream;
            if (!m_a.s.causal || key < m_p.first + ownRow + 16 * Tiles) {
                Sums scores[Tiles][kTensorStream / 8];
                dotRows<T, Width>(scores, own, keys(turn), 0);
                hide(scores, m_p.first + ownRow, key);
                soften(scores, running, result);
                addWeighted<T, Width>(result, scores, values(turn), 0);
            }
            blockBarrier();
            beginTurn(turn + 2, turns);
        }
        finish(running, result, ownRow);
    }

private:
    using Scores = Sums[Tiles][kTensorStream / 8];
    using Result = Sums[Tiles][Width / 8];

    STEELYARD_WARP int tokens() const { return static_cast<int>(m_a.s.tokens); }
    STEELYARD_WARP int width() const { return static_cast<int>(m_a.s.width); }
    STEELYARD_WARP int inputPitch() const { return static_cast<int>(m_a.s.inputPitch); }
    STEELYARD_WARP int outputPitch() const { return static_cast<int>(m_a.s.outputPitch); }
    STEELYARD_WARP T* keys(int turn) const { return m_queries + (kRows + turn % 2 * 2 * kTensorStream) * Width; }
    STEELYARD_WARP T* values(int turn) const { return keys(turn) + kTensorStream * Width; }

    // Always commits a group of copies, so that they can be counted.
    STEELYARD_WARP void beginTurn(int turn, int turns) const {
        if (turn < turns) {
            const auto begin = [&](T* tile, const T* from) {
                beginTile<T, Width, kTensorStream>(tile, from + m_p.input, inputPitch(), turn * kTensorStream, tokens(),
                                                   width());
            };
            begin(keys(turn), m_a.k);
            begin(values(turn), m_a.v);
        }
        commitCopies();
    }

    // Masks hidden keys in rows `query` and columns `key` on.
    STEELYARD_WARP void hide(Scores& scores, int query, int key) const {
        const int left = tokens() - key < kTensorStream ? tokens() - key : kTensorStream;
        if (left == kTensorStream && (!m_a.s.causal || key + kTensorStream <= query + 1)) return;
        const int lane = laneIndex();
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles * 2; ++i) {
            const int seen = query + i / 2 * 16 + lane / 4 + i % 2 * 8 + 1 - key;
            const int end = m_a.s.causal && seen < left ? seen : left;
            STEELYARD_UNROLL
            for (int c = 0; c < kTensorStream / 8 * 2; ++c)
                if (c / 2 * 8 + lane % 4 * 2 + c % 2 >= end) scores[i / 2][c / 2].at[i % 2 * 2 + c % 2] = -INFINITY;
        }
    }

    // Replaces scores by exponentials relative to the running maximum, and rescales earlier sums. The four threads of a
    // row differ only in their sums. Key 0 is in the first tile and visible to all, so the maximum is finite.
    STEELYARD_WARP void soften(Scores& scores, RunningSoftmax<Tiles>& running, Result& result) const {
        const float scale = m_a.s.scale * kLog2E;
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles * 2; ++i) {
            const int tile = i / 2, at = i % 2 * 2;
            float largest = running.largest[tile][i % 2];
            STEELYARD_UNROLL
            for (int c = 0; c < kTensorStream / 8; ++c)
                largest = fmaxf(largest, fmaxf(scores[tile][c].at[at], scores[tile][c].at[at + 1]));
            largest = fmaxf(largest, shuffledXor(largest, 1));
            largest = fmaxf(largest, shuffledXor(largest, 2));
            const float factor = exp2Of((running.largest[tile][i % 2] - largest) * scale), offset = -largest * scale;
            float sum = running.sum[tile][i % 2] * factor;
            STEELYARD_UNROLL
            for (int c = 0; c < kTensorStream / 8 * 2; ++c) {
                float& score = scores[tile][c / 2].at[at + c % 2];
                score = exp2Of(fmaf(score, scale, offset));
                sum += score;
            }
            STEELYARD_UNROLL
            for (int c = 0; c < Width / 8 * 2; ++c) result[tile][c / 2].at[at + c % 2] *= factor;
            running.largest[tile][i % 2] = largest;
            running.sum[tile][i % 2] = sum;
        }
    }

    STEELYARD_WARP void finish(const RunningSoftmax<Tiles>& running, Result& result, int ownRow) const {
        STEELYARD_UNROLL
        for (int tile = 0; tile < Tiles; ++tile) {
            const int row = ownRow + tile * 16;
            float factor[2];
            STEELYARD_UNROLL
            for (int half = 0; half < 2; ++half) {
                float sum = running.sum[tile][half];
                sum += shuffledXor(sum, 1);
                sum += shuffledXor(sum, 2);
                factor[half] = 1 / sum;
                const int query = m_p.first + row + laneIndex() / 4 + half * 8;
                if (m_a.logSums != nullptr && laneIndex() % 4 == 0 && query < tokens())
                    m_a.logSums[m_p.sums + query] = running.largest[tile][half] * m_a.s.scale + logf(sum);
            }
            storeSums<T, Width>({m_a.output + m_p.output, outputPitch(), m_p.first + row, tokens(), width(), false},
                                m_queries, row, result[tile], factor);
        }
    }

    const TensorForward<T>& m_a;
    HeadPlace m_p;
    T* m_queries;  // the block's rows; followed by double-buffered keys and values
};

}  // namespace steelyard::compute::cuda::kernels
