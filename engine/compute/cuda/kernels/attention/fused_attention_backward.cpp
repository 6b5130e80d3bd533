// SPDX-License-Identifier: Apache-2.0
// Gradients of fused attention. Compiled twice, as the forward pass.
#include "engine/compute/cuda/kernels/attention/attention_tiles.h"

namespace steelyard::compute::cuda::kernels {
namespace {

template <int Width>
struct BackwardState {
    float first[kDown][Sizes<Width>::kColumns];   // with respect to Q, or K
    float second[kDown][Sizes<Width>::kColumns];  // with respect to V
    float rowSum[kDown];
    float probabilities[kDown];
};
template <int Width>
struct BackwardShared {
    Tile<rowsOf(Width), Width> own, ownFlow;  // Q and dO, or K and V
    Tile<kStreamed, Width> streamed;
    Tile<rowsOf(Width), kStreamed> weights;
};

// Common part of the two backward kernels: arguments, and loading of the block's rows into shared memory.
template <typename T, int Width>
struct Backward {
    using Size = Sizes<Width>;
    using State = BackwardState<Width>;
    using Shared = BackwardShared<Width>;
    AttentionShape s;
    AttentionGradients g;

    template <int Rows>
    STEELYARD_HD_MEMBER void load(Tile<Rows, Width>& tile, int thread, const void* from, std::int64_t offset,
                                  std::int64_t pitch, std::int64_t first) const {
        loadTile<T, Rows, Width, Size::kThreads>(tile, thread, static_cast<const T*>(from) + offset, pitch, first,
                                                 s.tokens, s.width);
    }
    // A phase that loads the rows from `first` on into the shared tile.
    template <typename Phases>
    STEELYARD_HD_MEMBER void stream(Phases& phases, const void* from, std::int64_t offset, std::int64_t pitch,
                                    std::int64_t first) const {
        phases.run([&](int thread, State&, Shared& all) { load(all.streamed, thread, from, offset, pitch, first); });
    }
    STEELYARD_HD_MEMBER void store(void* to, std::int64_t offset, const Place& p,
                                   const float (&rows)[kDown][Size::kColumns], int thread) const {
        const float one[kDown] = {1, 1, 1, 1};
        storeRows<T, Width>(static_cast<T*>(to) + offset, s.inputPitch, p.first, s.tokens, s.width, rows, one,
                            g.accumulate, thread);
    }
};

// With respect to Q. The first round computes each row's sum of P dP, which the other kernel also needs; the second the
// gradient.
template <typename T, int Width>
struct BackwardQueries : Backward<T, Width> {
    using typename Backward<T, Width>::Size;
    using typename Backward<T, Width>::State;
    using typename Backward<T, Width>::Shared;
    using Backward<T, Width>::s;
    using Backward<T, Width>::g;

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        const Place p = placeOf(s, block, Size::kRows);
        const std::int64_t end = s.causal && p.first + Size::kRows < s.tokens ? p.first + Size::kRows : s.tokens;
        const auto stream = [&](const void* from, std::int64_t key) {
            Backward<T, Width>::stream(phases, from, p.input, s.inputPitch, key);
        };
        phases.run([&](int thread, State& mine, Shared& all) {
            this->load(all.own, thread, g.q, p.input, s.inputPitch, p.first);
            this->load(all.ownFlow, thread, g.dOutput, p.output, s.outputPitch, p.first);
            clear<Width>(mine.first);
            for (int i = 0; i < kDown; ++i) mine.rowSum[i] = 0;
        });
        for (int round = 0; round < 2; ++round) {
            for (std::int64_t key = 0; key < end; key += kStreamed) {
                stream(g.k, key);
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
                stream(g.v, key);
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
                    stream(g.k, key);
                    phases.run([&](int thread, State& mine, Shared& all) {
                        addProduct(mine.first, all.weights, all.streamed, thread);
                    });
                }
            }
        }
        phases.run([&](int thread, State& mine, Shared&) {
            this->store(g.dQ, p.input, p, mine.first, thread);
            for (int i = 0; i < kDown; ++i) {
                const std::int64_t query = p.first + thread / kAcross * kDown + i;
                if (thread % kAcross == 0 && query < s.tokens) g.rowSums[p.sums + query] = mine.rowSum[i];
            }
        });
    }
};

// With respect to K and V: own rows are keys, queries are streamed. Weights are [key, query].
template <typename T, int Width>
struct BackwardKeys : Backward<T, Width> {
    using typename Backward<T, Width>::Size;
    using typename Backward<T, Width>::State;
    using typename Backward<T, Width>::Shared;
    using Backward<T, Width>::s;
    using Backward<T, Width>::g;

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        const Place p = placeOf(s, block, Size::kRows);
        const auto streamQueries = [&](std::int64_t query) { this->stream(phases, g.q, p.input, s.inputPitch, query); };
        phases.run([&](int thread, State& mine, Shared& all) {
            this->load(all.own, thread, g.k, p.input, s.inputPitch, p.first);
            this->load(all.ownFlow, thread, g.v, p.input, s.inputPitch, p.first);
            clear<Width>(mine.first);
            clear<Width>(mine.second);
        });
        for (std::int64_t query = s.causal ? p.first : 0; query < s.tokens; query += kStreamed) {
            streamQueries(query);
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
            this->stream(phases, g.dOutput, p.output, s.outputPitch, query);
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
            streamQueries(query);
            phases.run([&](int thread, State& mine, Shared& all) {
                addProduct(mine.first, all.weights, all.streamed, thread);
            });
        }
        phases.run([&](int thread, State& mine, Shared&) {
            this->store(g.dK, p.input, p, mine.first, thread);
            this->store(g.dV, p.input, p, mine.second, thread);
        });
    }
};

template <typename T, int Width>
Status backward(Stream stream, const AttentionShape& s, const AttentionGradients& g) {
    constexpr int kThreads = Sizes<Width>::kThreads;
    using State = BackwardState<Width>;
    using Shared = BackwardShared<Width>;
    const auto blocks = blocksOf<Width>(s);
    if (const Status status = phased<kThreads, State, Shared>(stream, blocks, BackwardQueries<T, Width>{{s, g}});
        status != kOk)
        return status;
    return phased<kThreads, State, Shared>(stream, blocks, BackwardKeys<T, Width>{{s, g}});
}

}  // namespace

Status fusedAttentionBackward(Stream stream, ElementType type, const AttentionShape& s, const AttentionGradients& g) {
    if (!isValid(s) || g.logSums == nullptr || g.rowSums == nullptr) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        if (s.width <= 64) return backward<T, 64>(stream, s, g);
        return backward<T, 128>(stream, s, g);
    });
}

}  // namespace steelyard::compute::cuda::kernels
