// SPDX-License-Identifier: Apache-2.0
// Gradients of attention on tensor cores. Probabilities are recomputed from the sums of the forward pass. One kernel
// iterates over blocks of queries (with respect to Q, and each row's sum of output times gradient, which the other
// reads), one over blocks of keys (with respect to K and V, with transposed scores, so that a warp's sums are the left
// operand of the next product): no atomics, all sums in a fixed order.
#pragma once

#include "engine/compute/cuda/kernels/device/tensor_tiles.h"

namespace steelyard::compute::cuda::kernels {

template <typename T>
struct TensorBackward {
    AttentionShape s;
    const T *q, *k, *v, *output, *dOutput;
    const float* logSums;
    T *dQ, *dK, *dV;
    bool accumulate;
    float* rowSums;
};

template <typename T>
TensorBackward<T> tensorBackwardOf(const AttentionShape& s, const AttentionGradients& g) {
    const auto in = [](const void* data) { return static_cast<const T*>(data); };
    const auto out = [](void* data) { return static_cast<T*>(data); };
    return {s,         in(g.q),   in(g.k),   in(g.v),   in(g.output), in(g.dOutput),
            g.logSums, out(g.dQ), out(g.dK), out(g.dV), g.accumulate, g.rowSums};
}

inline constexpr int kTensorPart = 32;  // streamed rows in registers at a time

// Common part: two own tiles and two double-buffered streamed tiles.
template <typename T, int Width, int Tiles>
class TensorBackwardTiles {
public:
    static constexpr int kRows = kTensorWarps * 16 * Tiles;
    static constexpr std::int64_t kTilesBytes = (2 * kRows + 4 * kTensorStream) * Width * kTypeBytes;

protected:
    using Weights = Sums[Tiles][kTensorPart / 8];
    using Result = Sums[Tiles][Width / 8];

    STEELYARD_WARP TensorBackwardTiles(const TensorBackward<T>& a, std::int64_t block, bool reversed, void* shared)
        : m_a(a), m_p(a.s, block, kRows, reversed), m_first(static_cast<T*>(shared)) {}

    STEELYARD_WARP int tokens() const { return static_cast<int>(m_a.s.tokens); }
    STEELYARD_WARP int width() const { return static_cast<int>(m_a.s.width); }
    STEELYARD_WARP int inputPitch() const { return static_cast<int>(m_a.s.inputPitch); }
    STEELYARD_WARP int outputPitch() const { return static_cast<int>(m_a.s.outputPitch); }
    STEELYARD_WARP static int ownRow() { return warpIndex() * 16 * Tiles; }  // first of the warp

    STEELYARD_WARP T* second() const { return m_first + kRows * Width; }
    STEELYARD_WARP T* firstStreamed(int turn) const {
        return second() + (kRows + turn % 2 * 2 * kTensorStream) * Width;
    }
    STEELYARD_WARP T* secondStreamed(int turn) const { return firstStreamed(turn) + kTensorStream * Width; }
    // After all tiles.
    STEELYARD_WARP float* streamedSums(int turn) const {
        return reinterpret_cast<float*>(m_first + (2 * kRows + 4 * kTensorStream) * Width) +
               turn % 2 * 2 * kTensorStream;
    }

    template <int Rows>
    STEELYARD_WARP void beginInput(T* tile, const T* from, int row) const {
        beginTile<T, Width, Rows>(tile, from + m_p.input, inputPitch(), row, tokens(), width());
    }
    template <int Rows>
    STEELYARD_WARP void beginFlow(T* tile, int row) const {
        beginTile<T, Width, Rows>(tile, m_a.dOutput + m_p.output, outputPitch(), row, tokens(), width());
    }
    STEELYARD_WARP void finish(T* to, T* tile, Result& sums, float factor) const {
        const float factors[2] = {factor, factor};
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles; ++i) {
            const int row = ownRow() + i * 16;
            storeSums<T, Width>({to + m_p.input, inputPitch(), m_p.first + row, tokens(), width(), m_a.accumulate},
                                tile, row, sums[i], factors);
        }
    }

    const TensorBackward<T>& m_a;
    HeadPlace m_p;
    T* m_first;
};

// Own tiles: Q and dO; K and V are streamed.
template <typename T, int Width, int Tiles>
class TensorBackwardQueries : TensorBackwardTiles<T, Width, Tiles> {
    using Base = TensorBackwardTiles<T, Width, Tiles>;
    using Base::m_a, Base::m_p, Base::m_first;
    using typename Base::Weights, typename Base::Result;

public:
    using Base::kRows;
    static constexpr int kBlocks = Width > 64 || Tiles > 1 ? 2 : 3;  // per multiprocessor, which limits registers
    static constexpr std::int64_t kSharedBytes = Base::kTilesBytes;

    STEELYARD_WARP TensorBackwardQueries(const TensorBackward<T>& a, std::int64_t block, void* shared)
        : Base(a, block, a.s.causal, shared) {}

    STEELYARD_WARP void run() const {
        const int tokens = this->tokens();
        const int end = m_a.s.causal && kRows < tokens - m_p.first ? m_p.first + kRows : tokens;
        const int turns = (end - 1) / kTensorStream + 1;
        this->template beginInput<kRows>(m_first, m_a.q, m_p.first);
        this->template beginFlow<kRows>(this->second(), m_p.first);
        beginTurn(0, turns);
        beginTurn(1, turns);
        const int ownRow = this->ownRow();
        float rowSum[Tiles][2], logSum[Tiles][2];
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles * 2; ++i) {
            if (i % 2 == 0) sumRows(rowSum[i / 2], m_p.first + ownRow + i / 2 * 16);
            const int query = m_p.first + ownRow + i / 2 * 16 + laneIndex() / 4 + i % 2 * 8;
            logSum[i / 2][i % 2] = query < tokens ? m_a.logSums[m_p.sums + query] * kLog2E : 0.0F;
        }
        waitForCopies<1>();
        blockBarrier();
        const OwnRows<T, Width, Tiles, Width <= 64> own(m_first, ownRow);
        const OwnRows<T, Width, Tiles, Width <= 64 && Tiles == 1> ownFlow(this->second(), ownRow);
        Result result;
        clear(result);
        for (int turn = 0; turn < turns; ++turn) {
            waitForCopies<1>();
            blockBarrier();
            STEELYARD_ROLLED
            for (int part = 0; part < kTensorStream; part += kTensorPart) {
                const int key = turn * kTensorStream + part;
                if (key >= tokens || (m_a.s.causal && key >= m_p.first + ownRow + 16 * Tiles)) break;
                Weights scores, flow;
                dotRows<T, Width>(scores, own, this->firstStreamed(turn), part);
                dotRows<T, Width>(flow, ownFlow, this->secondStreamed(turn), part);
                hide(scores, m_p.first + ownRow, key);
                weigh(scores, flow, rowSum, logSum);
                addWeighted<T, Width>(result, scores, this->firstStreamed(turn), part);
            }
            blockBarrier();
            beginTurn(turn + 2, turns);
        }
        this->finish(m_a.dQ, m_first, result, m_a.s.scale);
    }

private:
    STEELYARD_WARP void beginTurn(int turn, int turns) const {
        const int key = turn * kTensorStream;
        if (turn < turns) {
            this->template beginInput<kTensorStream>(this->firstStreamed(turn), m_a.k, key);
            this->template beginInput<kTensorStream>(this->secondStreamed(turn), m_a.v, key);
        }
        commitCopies();
    }

    // For 16 of the warp's rows, output times dOutput, eight lanes per row: stored for the other kernel, and the
    // thread's two kept.
    STEELYARD_WARP void sumRows(float (&sums)[2], int first) const {
        const int lane = laneIndex();
        STEELYARD_UNROLL
        for (int pass = 0; pass < 4; ++pass) {
            const int row = first + pass * 4 + lane / 8;
            float sum = 0;
            if (row < this->tokens())
                for (int piece = lane % 8; piece * kPiece < this->width(); piece += 8)
                    sum += dotPiece(m_p.output + std::int64_t{row} * this->outputPitch() + piece * kPiece);
            STEELYARD_UNROLL
            for (int mask = 4; mask > 0; mask /= 2) sum += shuffledXor(sum, mask);
            if (lane % 8 == 0 && row < this->tokens()) m_a.rowSums[m_p.sums + row] = sum;
            const float taken = shuffledFrom(sum, lane / 4 % 4 * 8);  // of rows g and g + 8, in two of the four passes
            if (pass == lane / 16) sums[0] = taken;
            if (pass == lane / 16 + 2) sums[1] = taken;
        }
    }
    STEELYARD_WARP float dotPiece(std::int64_t at) const {
        const Fragment left = loadWords(m_a.output + at), right = loadWords(m_a.dOutput + at);
        float sum = 0;
        STEELYARD_UNROLL
        for (int i = 0; i < 4; ++i)
            sum +=
                lowOf(T{}, left.at[i]) * lowOf(T{}, right.at[i]) + highOf(T{}, left.at[i]) * highOf(T{}, right.at[i]);
        return sum;
    }

    // Masks hidden keys in rows `query` and columns `key` on.
    STEELYARD_WARP void hide(Weights& scores, int query, int key) const {
        const int left = this->tokens() - key;
        if (kTensorPart <= left && (!m_a.s.causal || key + kTensorPart <= query + 1)) return;
        const int lane = laneIndex();
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles * 2; ++i) {
            const int seen = query + i / 2 * 16 + lane / 4 + i % 2 * 8 + 1 - key;
            const int end = m_a.s.causal && seen < left ? seen : left;
            STEELYARD_UNROLL
            for (int c = 0; c < kTensorPart / 8 * 2; ++c)
                if (c / 2 * 8 + lane % 4 * 2 + c % 2 >= end) scores[i / 2][c / 2].at[i % 2 * 2 + c % 2] = -INFINITY;
        }
    }
    // Replaces scores by their gradients.
    STEELYARD_WARP void weigh(Weights& scores, const Weights& flow, const float (&rowSum)[Tiles][2],
                              const float (&logSum)[Tiles][2]) const {
        const float scale = m_a.s.scale * kLog2E;
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles * 2; ++i) {
            STEELYARD_UNROLL
            for (int c = 0; c < kTensorPart / 8 * 2; ++c) {
                const int tile = i / 2, at = i % 2 * 2 + c % 2;
                float& score = scores[tile][c / 2].at[at];
                score =
                    exp2Of(fmaf(score, scale, -logSum[tile][i % 2])) * (flow[tile][c / 2].at[at] - rowSum[tile][i % 2]);
            }
        }
    }
};

// Own tiles: K and V; Q and dO are streamed, with their rows' sums. Scores are [key, query].
template <typename T, int Width, int Tiles>
class TensorBackwardKeys : TensorBackwardTiles<T, Width, Tiles> {
    using Base = TensorBackwardTiles<T, Width, Tiles>;
    using Base::m_a, Base::m_p, Base::m_first;
    using typename Base::Weights, typename Base::Result;

public:
    using Base::kRows;
    static constexpr int kBlocks = Width > 64 || Tiles > 1 ? 2 : 3;
    static constexpr std::int64_t kSharedBytes = Base::kTilesBytes + std::int64_t{4} * kTensorStream * 4;

    STEELYARD_WARP TensorBackwardKeys(const TensorBackward<T>& a, std::int64_t block, void* shared)
        : Base(a, block, false, shared) {}

    STEELYARD_WARP void run() const {
        static_assert(kRows % kTensorStream == 0);
        const int begin = m_a.s.causal ? m_p.first : 0;  // first query that sees a key of the block
        const int turns = (this->tokens() - begin - 1) / kTensorStream + 1;
        this->template beginInput<kRows>(m_first, m_a.k, m_p.first);
        this->template beginInput<kRows>(this->second(), m_a.v, m_p.first);
        beginTurn(0, turns, begin);
        beginTurn(1, turns, begin);
        waitForCopies<1>();
        blockBarrier();
        const int ownRow = this->ownRow();
        const OwnRows<T, Width, Tiles, false> own(m_first, ownRow), ownFlow(this->second(), ownRow);
        Result toKeys, toValues;
        clear(toKeys);
        clear(toValues);
        for (int turn = 0; turn < turns; ++turn) {
            waitForCopies<1>();
            blockBarrier();
            STEELYARD_ROLLED
            for (int part = 0; part < kTensorStream; part += kTensorPart) {
                const int query = begin + turn * kTensorStream + part;
                if (query >= this->tokens()) break;
                if (m_a.s.causal && query + kTensorPart <= m_p.first + ownRow) continue;
                Weights scores, flow;
                dotRows<T, Width>(scores, own, this->firstStreamed(turn), part);
                hide(scores, m_p.first + ownRow, query);
                soften(scores, this->streamedSums(turn) + part);
                addWeighted<T, Width>(toValues, scores, this->secondStreamed(turn), part);
                dotRows<T, Width>(flow, ownFlow, this->secondStreamed(turn), part);
                weigh(scores, flow, this->streamedSums(turn) + kTensorStream + part);
                addWeighted<T, Width>(toKeys, scores, this->firstStreamed(turn), part);
            }
            blockBarrier();
            beginTurn(turn + 2, turns, begin);
        }
        this->finish(m_a.dK, m_first, toKeys, m_a.s.scale);
        this->finish(m_a.dV, this->second(), toValues, 1);
    }

private:
    // Rows beyond the last are zero, as are their sums: they contribute nothing.
    STEELYARD_WARP void beginTurn(int turn, int turns, int begin) const {
        const int query = begin + turn * kTensorStream;
        if (turn < turns) {
            this->template beginInput<kTensorStream>(this->firstStreamed(turn), m_a.q, query);
            this->template beginFlow<kTensorStream>(this->secondStreamed(turn), query);
            static_assert(kTensorThreads == 2 * kTensorStream);
            const int row = query + threadIndex() % kTensorStream;
            const float* from = (threadIndex() < kTensorStream ? m_a.logSums : m_a.rowSums) + m_p.sums;
            const bool isPresent = row < this->tokens();
            copyAsync<4>(this->streamedSums(turn), threadIndex() * 4, isPresent ? from + row : from, isPresent);
        }
        commitCopies();
    }

    // Masks hidden keys in rows `key` and columns `query` on.
    STEELYARD_WARP void hide(Weights& scores, int key, int query) const {
        if (!m_a.s.causal || key + 16 * Tiles <= query + 1) return;
        const int lane = laneIndex();
        STEELYARD_UNROLL
        for (int i = 0; i < Tiles * 2; ++i) {
            const int first = key + i / 2 * 16 + lane / 4 + i % 2 * 8 - query;
            STEELYARD_UNROLL
            for (int c = 0; c < kTensorPart / 8 * 2; ++c)
                if (c / 2 * 8 + lane % 4 * 2 + c % 2 < first) scores[i / 2][c / 2].at[i % 2 * 2 + c % 2] = -INFINITY;
        }
    }
    // Replaces scores by probabilities.
    STEELYARD_WARP void soften(Weights& scores, const float* logSums) const {
        const float scale = m_a.s.scale * kLog2E;
        STEELYARD_UNROLL
        for (int c = 0; c < kTensorPart / 8 * 2; ++c) {
            const float logSum = logSums[c / 2 * 8 + laneIndex() % 4 * 2 + c % 2] * kLog2E;
            STEELYARD_UNROLL
            for (int i = 0; i < Tiles * 2; ++i) {
                float& score = scores[i / 2][c / 2].at[i % 2 * 2 + c % 2];
                score = exp2Of(fmaf(score, scale, -logSum));
            }
        }
    }
    // Replaces probabilities by the gradients of the scores.
    STEELYARD_WARP void weigh(Weights& scores, const Weights& flow, const float* rowSums) const {
        STEELYARD_UNROLL
        for (int c = 0; c < kTensorPart / 8 * 2; ++c) {
            const float rowSum = rowSums[c / 2 * 8 + laneIndex() % 4 * 2 + c % 2];
            STEELYARD_UNROLL
            for (int i = 0; i < Tiles * 2; ++i) {
                const int at = i % 2 * 2 + c % 2;
                scores[i / 2][c / 2].at[at] *= flow[i / 2][c / 2].at[at] - rowSum;
            }
        }
    }
};

}  // namespace steelyard::compute::cuda::kernels
