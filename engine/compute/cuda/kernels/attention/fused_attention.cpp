// SPDX-License-Identifier: Apache-2.0
// Forward pass of attention without stored scores. Compiled twice: as C++ for the host twin, as CUDA for the device
// (execution_phases.h).
#include "engine/compute/cuda/kernels/attention/fused_attention.h"

#include "engine/compute/cuda/kernels/attention/attention_tiles.h"

namespace steelyard::compute::cuda::kernels {
namespace {

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

    // Replaces a row's scores by exponentials relative to the running maximum.
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

template <typename T, int Width>
Status forward(Stream stream, const AttentionShape& s, const void* q, const void* k, const void* v, void* output,
               float* logSums) {
    return phased<Sizes<Width>::kThreads, ForwardState<Width>, ForwardShared<Width>>(
        stream, blocksOf<Width>(s),
        Forward<T, Width>{s, static_cast<const T*>(q), static_cast<const T*>(k), static_cast<const T*>(v),
                          static_cast<T*>(output), logSums});
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

}  // namespace steelyard::compute::cuda::kernels
