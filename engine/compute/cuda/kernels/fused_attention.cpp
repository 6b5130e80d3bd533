// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the twin, as CUDA for the device (execution_phases.h). A block owns a tile of rows
// (queries, or keys in the gradients of K and V) and streams tiles of the other side through one buffer. Sixteen
// threads share four rows: each has every sixteenth column of the scores and of the result.
#include "engine/compute/cuda/kernels/fused_attention.h"

#include "engine/compute/cuda/kernels/execution_phases.h"

namespace steelyard::compute::cuda::kernels {
namespace {

constexpr int kAcross = 16;  // threads that share rows
constexpr int kDown = 4;     // rows of a thread
constexpr float kHidden = -1e30F;

// Rows of the own tile by the width, so that all fits into 48 KiB; and of the tiles that are streamed past.
constexpr int rowsOf(int width) {
    return width <= 64 ? 64 : 32;
}
constexpr int kStreamed = 16;

template <int Width>
struct Sizes {
    static constexpr int kRows = rowsOf(Width);
    static constexpr int kThreads = kRows / kDown * kAcross;
    static constexpr int kColumns = Width / kAcross;  // of a result, a thread's
};

// The last place of a line is empty: lines begin in different banks.
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

// One value for each of a thread's rows: that row of `own` times the streamed row across(thread).
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

// factor: of each of the thread's rows.
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

// Where a block's matrix and its rows lie.
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

template <int Width>
struct ForwardState {
    float result[kDown][Sizes<Width>::kColumns];
};
template <int Width>
struct ForwardShared {
    Tile<rowsOf(Width), Width> queries;
    Tile<kStreamed, Width> streamed;
    Tile<rowsOf(Width), kStreamed> scores;
    float largest[rowsOf(Width)], sum[rowsOf(Width)], factor[rowsOf(Width)];
};

template <typename T, int Width>
struct Forward {
    AttentionShape s;
    const T *q, *k, *v;
    T* output;
    float* logSums;

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        using Size = Sizes<Width>;
        using State = ForwardState<Width>;
        using Shared = ForwardShared<Width>;
        const Place p = placeOf(s, block, Size::kRows);
        const std::int64_t end = s.causal && p.first + Size::kRows < s.tokens ? p.first + Size::kRows : s.tokens;
        phases.run([&](int thread, State& mine, Shared& all) {
            loadTile<T, Size::kRows, Width, Size::kThreads>(all.queries, thread, q + p.input, s.inputPitch, p.first,
                                                            s.tokens, s.width);
            clear<Width>(mine.result);
            if (thread < Size::kRows) all.largest[thread] = kHidden, all.sum[thread] = 0;
        });
        for (std::int64_t key = 0; key < end; key += kStreamed) {
            phases.run([&](int thread, State&, Shared& all) {
                loadTile<T, kStreamed, Width, Size::kThreads>(all.streamed, thread, k + p.input, s.inputPitch, key,
                                                              s.tokens, s.width);
            });
            phases.run([&](int thread, State&, Shared& all) {
                float scores[kDown];
                dot(scores, all.queries, all.streamed, thread);
                const int down = thread / kAcross * kDown, across = thread % kAcross;
                for (int i = 0; i < kDown; ++i)
                    all.scores.at[down + i][across] =
                        isVisible(s, p.first + down + i, key + across) ? s.scale * scores[i] : kHidden;
            });
            phases.run([&](int thread, State&, Shared& all) {
                loadTile<T, kStreamed, Width, Size::kThreads>(all.streamed, thread, v + p.input, s.inputPitch, key,
                                                              s.tokens, s.width);
                if (thread < Size::kRows) soften(all, thread);
            });
            phases.run([&](int thread, State& mine, Shared& all) {
                const int down = thread / kAcross * kDown;
                for (int i = 0; i < kDown; ++i)
                    for (int c = 0; c < Size::kColumns; ++c) mine.result[i][c] *= all.factor[down + i];
                addProduct(mine.result, all.scores, all.streamed, thread);
            });
        }
        phases.run([&](int thread, State& mine, Shared& all) {
            const int down = thread / kAcross * kDown;
            float factor[kDown];
            for (int i = 0; i < kDown; ++i) factor[i] = all.sum[down + i] > 0 ? 1 / all.sum[down + i] : 0.0F;
            storeRows<T, Width>(output + p.output, s.outputPitch, p.first, s.tokens, s.width, mine.result, factor,
                                false, thread);
            if (logSums != nullptr && thread < Size::kRows && p.first + thread < s.tokens)
                logSums[p.sums + p.first + thread] = all.largest[thread] + std::log(all.sum[thread]);
        });
    }

    // A row's scores become exponentials, on the scale of the largest so far.
    STEELYARD_HD_MEMBER static void soften(ForwardShared<Width>& all, int row) {
        float largest = all.largest[row];
        for (int c = 0; c < kStreamed; ++c)
            if (all.scores.at[row][c] > largest) largest = all.scores.at[row][c];
        const float factor = std::exp(all.largest[row] - largest);
        float sum = all.sum[row] * factor;
        for (int c = 0; c < kStreamed; ++c) {
            const float score = all.scores.at[row][c];
            const float value = score > kHidden ? std::exp(score - largest) : 0.0F;
            all.scores.at[row][c] = value;
            sum += value;
        }
        all.largest[row] = largest;
        all.sum[row] = sum;
        all.factor[row] = factor;
    }
};

template <int Width>
struct BackwardState {
    float first[kDown][Sizes<Width>::kColumns];   // towards Q, or K
    float second[kDown][Sizes<Width>::kColumns];  // towards V
    float rowSum[kDown];
    float probabilities[kDown];
};
template <int Width>
struct BackwardShared {
    Tile<rowsOf(Width), Width> own, ownFlow;  // Q and dO, or K and V
    Tile<kStreamed, Width> streamed;
    Tile<rowsOf(Width), kStreamed> weights;
};

// Towards Q. The first round finds each row's sum of P dP, which the other kernel needs too; the second the gradient.
template <typename T, int Width>
struct BackwardQueries {
    AttentionShape s;
    AttentionGradients g;

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        using Size = Sizes<Width>;
        using State = BackwardState<Width>;
        using Shared = BackwardShared<Width>;
        const Place p = placeOf(s, block, Size::kRows);
        const std::int64_t end = s.causal && p.first + Size::kRows < s.tokens ? p.first + Size::kRows : s.tokens;
        const T* keys = static_cast<const T*>(g.k) + p.input;
        const T* values = static_cast<const T*>(g.v) + p.input;
        const auto stream = [&](const T* from, std::int64_t key) {
            phases.run([&](int thread, State&, Shared& all) {
                loadTile<T, kStreamed, Width, Size::kThreads>(all.streamed, thread, from, s.inputPitch, key, s.tokens,
                                                              s.width);
            });
        };
        phases.run([&](int thread, State& mine, Shared& all) {
            loadTile<T, Size::kRows, Width, Size::kThreads>(all.own, thread, static_cast<const T*>(g.q) + p.input,
                                                            s.inputPitch, p.first, s.tokens, s.width);
            loadTile<T, Size::kRows, Width, Size::kThreads>(all.ownFlow, thread,
                                                            static_cast<const T*>(g.dOutput) + p.output, s.outputPitch,
                                                            p.first, s.tokens, s.width);
            clear<Width>(mine.first);
            for (int i = 0; i < kDown; ++i) mine.rowSum[i] = 0;
        });
        for (int round = 0; round < 2; ++round) {
            for (std::int64_t key = 0; key < end; key += kStreamed) {
                stream(keys, key);
                phases.run([&](int thread, State& mine, Shared& all) {
                    float scores[kDown];
                    dot(scores, all.own, all.streamed, thread);
                    for (int i = 0; i < kDown; ++i) {
                        const std::int64_t query = p.first + thread / kAcross * kDown + i;
                        mine.probabilities[i] = isVisible(s, query, key + thread % kAcross)
                                                    ? std::exp(s.scale * scores[i] - g.logSums[p.sums + query])
                                                    : 0.0F;
                    }
                });
                stream(values, key);
                phases.run([&](int thread, State& mine, Shared& all) {
                    float flow[kDown];
                    dot(flow, all.ownFlow, all.streamed, thread);
                    const int down = thread / kAcross * kDown, across = thread % kAcross;
                    for (int i = 0; i < kDown; ++i)
                        all.weights.at[down + i][across] =
                            mine.probabilities[i] * (round == 0 ? flow[i] : s.scale * (flow[i] - mine.rowSum[i]));
                });
                if (round == 0) {
                    phases.run([&](int thread, State& mine, Shared& all) {
                        for (int i = 0; i < kDown; ++i)
                            for (int c = 0; c < kStreamed; ++c)
                                mine.rowSum[i] += all.weights.at[thread / kAcross * kDown + i][c];
                    });
                } else {
                    stream(keys, key);
                    phases.run([&](int thread, State& mine, Shared& all) {
                        addProduct(mine.first, all.weights, all.streamed, thread);
                    });
                }
            }
        }
        phases.run([&](int thread, State& mine, Shared&) {
            const float one[kDown] = {1, 1, 1, 1};
            storeRows<T, Width>(static_cast<T*>(g.dQ) + p.input, s.inputPitch, p.first, s.tokens, s.width, mine.first,
                                one, g.accumulate, thread);
            for (int i = 0; i < kDown; ++i) {
                const std::int64_t query = p.first + thread / kAcross * kDown + i;
                if (thread % kAcross == 0 && query < s.tokens) g.rowSums[p.sums + query] = mine.rowSum[i];
            }
        });
    }
};

// Towards K and V: own rows are keys, queries stream past. Weights are [key, query].
template <typename T, int Width>
struct BackwardKeys {
    AttentionShape s;
    AttentionGradients g;

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        using Size = Sizes<Width>;
        using State = BackwardState<Width>;
        using Shared = BackwardShared<Width>;
        const Place p = placeOf(s, block, Size::kRows);
        const T* queries = static_cast<const T*>(g.q) + p.input;
        const T* flows = static_cast<const T*>(g.dOutput) + p.output;
        const auto stream = [&](const T* from, std::int64_t pitch, std::int64_t query) {
            phases.run([&](int thread, State&, Shared& all) {
                loadTile<T, kStreamed, Width, Size::kThreads>(all.streamed, thread, from, pitch, query, s.tokens,
                                                              s.width);
            });
        };
        phases.run([&](int thread, State& mine, Shared& all) {
            loadTile<T, Size::kRows, Width, Size::kThreads>(all.own, thread, static_cast<const T*>(g.k) + p.input,
                                                            s.inputPitch, p.first, s.tokens, s.width);
            loadTile<T, Size::kRows, Width, Size::kThreads>(all.ownFlow, thread, static_cast<const T*>(g.v) + p.input,
                                                            s.inputPitch, p.first, s.tokens, s.width);
            clear<Width>(mine.first);
            clear<Width>(mine.second);
        });
        for (std::int64_t query = s.causal ? p.first : 0; query < s.tokens; query += kStreamed) {
            stream(queries, s.inputPitch, query);
            phases.run([&](int thread, State& mine, Shared& all) {
                float scores[kDown];
                dot(scores, all.own, all.streamed, thread);
                const int down = thread / kAcross * kDown, across = thread % kAcross;
                for (int i = 0; i < kDown; ++i) {
                    mine.probabilities[i] = isVisible(s, query + across, p.first + down + i)
                                                ? std::exp(s.scale * scores[i] - g.logSums[p.sums + query + across])
                                                : 0.0F;
                    all.weights.at[down + i][across] = mine.probabilities[i];
                }
            });
            stream(flows, s.outputPitch, query);
            phases.run([&](int thread, State& mine, Shared& all) {
                addProduct(mine.second, all.weights, all.streamed, thread);
            });
            phases.run([&](int thread, State& mine, Shared& all) {
                float flow[kDown];
                dot(flow, all.ownFlow, all.streamed, thread);
                const int down = thread / kAcross * kDown, across = thread % kAcross;
                const float rowSum = query + across < s.tokens ? g.rowSums[p.sums + query + across] : 0.0F;
                for (int i = 0; i < kDown; ++i)
                    all.weights.at[down + i][across] = mine.probabilities[i] * s.scale * (flow[i] - rowSum);
            });
            stream(queries, s.inputPitch, query);
            phases.run([&](int thread, State& mine, Shared& all) {
                addProduct(mine.first, all.weights, all.streamed, thread);
            });
        }
        phases.run([&](int thread, State& mine, Shared&) {
            const float one[kDown] = {1, 1, 1, 1};
            storeRows<T, Width>(static_cast<T*>(g.dK) + p.input, s.inputPitch, p.first, s.tokens, s.width, mine.first,
                                one, g.accumulate, thread);
            storeRows<T, Width>(static_cast<T*>(g.dV) + p.input, s.inputPitch, p.first, s.tokens, s.width, mine.second,
                                one, g.accumulate, thread);
        });
    }
};

bool isValid(const AttentionShape& s) {
    return s.batch >= 0 && s.tokens >= 1 && s.heads >= 1 && s.width >= 1 && s.width <= kMostFusedWidth;
}

template <int Width>
std::int64_t blocksOf(const AttentionShape& s) {
    return s.batch * s.heads * ceilDivided(s.tokens, Sizes<Width>::kRows);
}

template <typename T, int Width>
Status forward(Stream stream, const AttentionShape& s, const void* q, const void* k, const void* v, void* output,
               float* logSums) {
    return phased<Sizes<Width>::kThreads, ForwardState<Width>, ForwardShared<Width>>(
        stream, blocksOf<Width>(s),
        Forward<T, Width>{s, static_cast<const T*>(q), static_cast<const T*>(k), static_cast<const T*>(v),
                          static_cast<T*>(output), logSums});
}

template <typename T, int Width>
Status backward(Stream stream, const AttentionShape& s, const AttentionGradients& g) {
    constexpr int kThreads = Sizes<Width>::kThreads;
    using State = BackwardState<Width>;
    using Shared = BackwardShared<Width>;
    const auto blocks = blocksOf<Width>(s);
    if (const Status status = phased<kThreads, State, Shared>(stream, blocks, BackwardQueries<T, Width>{s, g});
        status != kOk)
        return status;
    return phased<kThreads, State, Shared>(stream, blocks, BackwardKeys<T, Width>{s, g});
}

}  // namespace

Status fusedAttentionForward(Stream stream, ElementType type, const AttentionShape& s, const void* q, const void* k,
                             const void* v, void* output, float* logSums) {
    if (!isValid(s)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        if (s.width <= 64) return forward<T, 64>(stream, s, q, k, v, output, logSums);
        return forward<T, 128>(stream, s, q, k, v, output, logSums);
    });
}

Status fusedAttentionBackward(Stream stream, ElementType type, const AttentionShape& s, const AttentionGradients& g) {
    if (!isValid(s) || g.logSums == nullptr || g.rowSums == nullptr) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        if (s.width <= 64) return backward<T, 64>(stream, s, g);
        return backward<T, 128>(stream, s, g);
    });
}

}  // namespace steelyard::compute::cuda::kernels
