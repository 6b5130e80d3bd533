// SPDX-License-Identifier: Apache-2.0
// The gradients of attention on tensor cores. Probabilities are made again from the sums of the forward pass. One
// kernel goes over blocks of queries (towards Q, and each row's sum of output times gradient, which the other reads),
// one over blocks of keys (towards K and V, with the scores transposed, so that what a warp has summed is at once the
// left operand of the next product): no atomics, every sum in a fixed order.
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

inline constexpr int kTensorRows = kTensorWarps * 16;  // of a block
inline constexpr int kTensorPart = 32;                 // of the streamed rows: what is in registers at a time

// What both have in common: two own tiles and two that are streamed past, twice.
template <typename T, int Width>
class TensorBackwardTiles {
public:
    static constexpr std::int64_t kTileBytes = std::int64_t{2} * kTensorRows * Width;

protected:
    STEELYARD_WARP TensorBackwardTiles(const TensorBackward<T>& a, std::int64_t block, void* shared)
        : m_a(a), m_p(placeOf(a.s, block, kTensorRows)), m_first(static_cast<T*>(shared)) {}

    STEELYARD_WARP T* second() const { return m_first + kTensorRows * Width; }
    STEELYARD_WARP T* firstStreamed(int turn) const {
        return second() + (kTensorRows + turn % 2 * 2 * kTensorStream) * Width;
    }
    STEELYARD_WARP T* secondStreamed(int turn) const { return firstStreamed(turn) + kTensorStream * Width; }
    // Behind all tiles.
    STEELYARD_WARP float* streamedSums(int turn) const {
        return reinterpret_cast<float*>(m_first + (2 * kTensorRows + 4 * kTensorStream) * Width) +
               turn % 2 * 2 * kTensorStream;
    }

    STEELYARD_WARP void beginInput(T* tile, const T* from, std::int64_t row) const {
        beginTile<T, Width, kTensorStream>(tile, from + m_p.input, m_a.s.inputPitch, row, m_a.s.tokens, m_a.s.width);
    }
    STEELYARD_WARP void beginFlow(T* tile, std::int64_t row) const {
        beginTile<T, Width, kTensorStream>(tile, m_a.dOutput + m_p.output, m_a.s.outputPitch, row, m_a.s.tokens,
                                           m_a.s.width);
    }
    STEELYARD_WARP void finish(T* to, T* tile, const Sums (&sums)[Width / 8], float factor) const {
        const int ownRow = warpIndex() * 16;
        const float factors[2] = {factor, factor};
        storeSums<T, Width>(
            {to + m_p.input, m_a.s.inputPitch, m_p.first + ownRow, m_a.s.tokens, m_a.s.width, m_a.accumulate}, tile,
            ownRow, sums, factors);
    }

    const TensorBackward<T>& m_a;
    Place m_p;
    T* m_first;
};

// Own tiles: Q and dO; K and V stream past.
template <typename T, int Width>
class TensorBackwardQueries : TensorBackwardTiles<T, Width> {
    using Base = TensorBackwardTiles<T, Width>;
    using Base::m_a, Base::m_p, Base::m_first;

public:
    static constexpr std::int64_t kSharedBytes = 6 * Base::kTileBytes;

    STEELYARD_WARP TensorBackwardQueries(const TensorBackward<T>& a, std::int64_t block, void* shared)
        : Base(a, block, shared) {
        if (a.s.causal) m_p.first = (ceilDivided(a.s.tokens, kTensorRows) - 1) * kTensorRows - m_p.first;
    }

    STEELYARD_WARP void run() const {
        const std::int64_t tokens = m_a.s.tokens;
        const std::int64_t end = m_a.s.causal && m_p.first + kTensorRows < tokens ? m_p.first + kTensorRows : tokens;
        const int turns = static_cast<int>(ceilDivided(end, kTensorStream));
        this->beginInput(m_first, m_a.q, m_p.first);
        this->beginFlow(this->second(), m_p.first);
        beginTurn(0, turns);
        beginTurn(1, turns);
        const int ownRow = warpIndex() * 16;
        float rowSum[2], logSum[2];
        sumRows(rowSum, m_p.first + ownRow);
        STEELYARD_UNROLL
        for (int half = 0; half < 2; ++half) {
            const std::int64_t query = m_p.first + ownRow + laneIndex() / 4 + half * 8;
            logSum[half] = query < tokens ? m_a.logSums[m_p.sums + query] * kLog2E : 0.0F;
        }
        waitForCopies<1>();
        blockBarrier();
        const OwnRows<T, Width, 1, Width <= 64> own(m_first, ownRow), ownFlow(this->second(), ownRow);
        Sums result[1][Width / 8];
        clear(result);
        for (int turn = 0; turn < turns; ++turn) {
            waitForCopies<1>();
            blockBarrier();
            for (int part = 0; part < kTensorStream; part += kTensorPart) {
                const std::int64_t key = static_cast<std::int64_t>(turn) * kTensorStream + part;
                if (key >= tokens || (m_a.s.causal && key >= m_p.first + ownRow + 16)) break;
                Sums scores[1][kTensorPart / 8], flow[1][kTensorPart / 8];
                dotRows<T, Width>(scores, own, this->firstStreamed(turn), part);
                dotRows<T, Width>(flow, ownFlow, this->secondStreamed(turn), part);
                weigh(scores[0], flow[0], rowSum, logSum, m_p.first + ownRow, key);
                addWeighted<T, Width>(result, scores, this->firstStreamed(turn), part);
            }
            blockBarrier();
            beginTurn(turn + 2, turns);
        }
        this->finish(m_a.dQ, m_first, result[0], m_a.s.scale);
    }

private:
    STEELYARD_WARP void beginTurn(int turn, int turns) const {
        const std::int64_t key = static_cast<std::int64_t>(turn) * kTensorStream;
        if (turn < turns) {
            this->beginInput(this->firstStreamed(turn), m_a.k, key);
            this->beginInput(this->secondStreamed(turn), m_a.v, key);
        }
        commitCopies();
    }

    // Of the warp's rows, output times dOutput, eight lanes a row: kept for the other kernel, and a thread's own two.
    STEELYARD_WARP void sumRows(float (&sums)[2], std::int64_t first) const {
        const int lane = laneIndex();
        STEELYARD_UNROLL
        for (int pass = 0; pass < 4; ++pass) {
            const std::int64_t row = first + pass * 4 + lane / 8;
            float sum = 0;
            if (row < m_a.s.tokens)
                for (int piece = lane % 8; piece * kPiece < m_a.s.width; piece += 8)
                    sum += dotPiece(m_p.output + row * m_a.s.outputPitch + piece * kPiece);
            STEELYARD_UNROLL
            for (int mask = 4; mask > 0; mask /= 2) sum += shuffledXor(sum, mask);
            if (lane % 8 == 0 && row < m_a.s.tokens) m_a.rowSums[m_p.sums + row] = sum;
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

    // Scores of rows `query` on and columns `key` on become their gradients.
    STEELYARD_WARP void weigh(Sums (&scores)[kTensorPart / 8], const Sums (&flow)[kTensorPart / 8],
                              const float (&rowSum)[2], const float (&logSum)[2], std::int64_t query,
                              std::int64_t key) const {
        const float scale = m_a.s.scale * kLog2E;
        const bool isWhole = key + kTensorPart <= m_a.s.tokens && (!m_a.s.causal || key + kTensorPart <= query + 1);
        const int lane = laneIndex();
        STEELYARD_UNROLL
        for (int half = 0; half < 2; ++half) STEELYARD_UNROLL
        for (int c = 0; c < kTensorPart / 8 * 2; ++c) {
            float& score = scores[c / 2].at[half * 2 + c % 2];
            const std::int64_t column = key + c / 2 * 8 + lane % 4 * 2 + c % 2;
            const bool isSeen =
                isWhole || (column < m_a.s.tokens && (!m_a.s.causal || column <= query + lane / 4 + half * 8));
            const float probability = isSeen ? exp2Of(fmaf(score, scale, -logSum[half])) : 0.0F;
            score = probability * (flow[c / 2].at[half * 2 + c % 2] - rowSum[half]);
        }
    }
};

// Own tiles: K and V; Q and dO stream past, with their rows' sums. Scores are [key, query].
template <typename T, int Width>
class TensorBackwardKeys : TensorBackwardTiles<T, Width> {
    using Base = TensorBackwardTiles<T, Width>;
    using Base::m_a, Base::m_p, Base::m_first;

public:
    static constexpr std::int64_t kSharedBytes = 6 * Base::kTileBytes + std::int64_t{4} * kTensorStream * 4;

    STEELYARD_WARP TensorBackwardKeys(const TensorBackward<T>& a, std::int64_t block, void* shared)
        : Base(a, block, shared) {}

    STEELYARD_WARP void run() const {
        static_assert(kTensorRows % kTensorStream == 0);
        const std::int64_t begin = m_a.s.causal ? m_p.first : 0;  // the first query that sees a key of the block
        const int turns = static_cast<int>(ceilDivided(m_a.s.tokens - begin, kTensorStream));
        this->beginInput(m_first, m_a.k, m_p.first);
        this->beginInput(this->second(), m_a.v, m_p.first);
        beginTurn(0, turns, begin);
        beginTurn(1, turns, begin);
        waitForCopies<1>();
        blockBarrier();
        const int ownRow = warpIndex() * 16;
        const OwnRows<T, Width, 1, Width <= 64> own(m_first, ownRow), ownFlow(this->second(), ownRow);
        Sums toKeys[1][Width / 8], toValues[1][Width / 8];
        clear(toKeys);
        clear(toValues);
        for (int turn = 0; turn < turns; ++turn) {
            waitForCopies<1>();
            blockBarrier();
            for (int part = 0; part < kTensorStream; part += kTensorPart) {
                const std::int64_t query = begin + static_cast<std::int64_t>(turn) * kTensorStream + part;
                if (query >= m_a.s.tokens) break;
                if (m_a.s.causal && query + kTensorPart <= m_p.first + ownRow) continue;
                Sums scores[1][kTensorPart / 8], flow[1][kTensorPart / 8];
                dotRows<T, Width>(scores, own, this->firstStreamed(turn), part);
                soften(scores[0], this->streamedSums(turn) + part, m_p.first + ownRow, query);
                addWeighted<T, Width>(toValues, scores, this->secondStreamed(turn), part);
                dotRows<T, Width>(flow, ownFlow, this->secondStreamed(turn), part);
                weigh(scores[0], flow[0], this->streamedSums(turn) + kTensorStream + part);
                addWeighted<T, Width>(toKeys, scores, this->firstStreamed(turn), part);
            }
            blockBarrier();
            beginTurn(turn + 2, turns, begin);
        }
        this->finish(m_a.dK, m_first, toKeys[0], m_a.s.scale);
        this->finish(m_a.dV, this->second(), toValues[0], 1);
    }

private:
    // Rows beyond the last are zero, their sums too: they add nothing.
    STEELYARD_WARP void beginTurn(int turn, int turns, std::int64_t begin) const {
        const std::int64_t query = begin + static_cast<std::int64_t>(turn) * kTensorStream;
        if (turn < turns) {
            this->beginInput(this->firstStreamed(turn), m_a.q, query);
            this->beginFlow(this->secondStreamed(turn), query);
            static_assert(kTensorThreads == 2 * kTensorStream);
            const std::int64_t row = query + threadIndex() % kTensorStream;
            const float* from = (threadIndex() < kTensorStream ? m_a.logSums : m_a.rowSums) + m_p.sums;
            const bool isPresent = row < m_a.s.tokens;
            copyAsync<4>(this->streamedSums(turn) + threadIndex(), isPresent ? from + row : from, isPresent);
        }
        commitCopies();
    }

    // Scores of keys `key` on and queries `query` on become probabilities.
    STEELYARD_WARP void soften(Sums (&scores)[kTensorPart / 8], const float* logSums, std::int64_t key,
                               std::int64_t query) const {
        const float scale = m_a.s.scale * kLog2E;
        const bool isWhole = !m_a.s.causal || key + 16 <= query + 1;
        const int lane = laneIndex();
        STEELYARD_UNROLL
        for (int c = 0; c < kTensorPart / 8 * 2; ++c) {
            const int column = c / 2 * 8 + lane % 4 * 2 + c % 2;
            const float logSum = logSums[column] * kLog2E;
            STEELYARD_UNROLL
            for (int half = 0; half < 2; ++half) {
                float& score = scores[c / 2].at[half * 2 + c % 2];
                const bool isSeen = isWhole || key + lane / 4 + half * 8 <= query + column;
                score = isSeen ? exp2Of(fmaf(score, scale, -logSum)) : 0.0F;
            }
        }
    }
    // Probabilities become the gradients of the scores.
    STEELYARD_WARP void weigh(Sums (&scores)[kTensorPart / 8], const Sums (&flow)[kTensorPart / 8],
                              const float* rowSums) const {
        STEELYARD_UNROLL
        for (int c = 0; c < kTensorPart / 8 * 2; ++c) {
            const float rowSum = rowSums[c / 2 * 8 + laneIndex() % 4 * 2 + c % 2];
            STEELYARD_UNROLL
            for (int half = 0; half < 2; ++half)
                scores[c / 2].at[half * 2 + c % 2] *= flow[c / 2].at[half * 2 + c % 2] - rowSum;
        }
    }
};

}  // namespace steelyard::compute::cuda::kernels
