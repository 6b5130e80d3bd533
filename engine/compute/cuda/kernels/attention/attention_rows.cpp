// SPDX-License-Identifier: Apache-2.0
// The softmax of attention. Compiled twice: as C++ for the twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/attention/softmax_rows.h"
#include "engine/compute/cuda/kernels/softmax_loss.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// Keys that a token sees: [from, until).
struct VisibleKeys {
    std::int64_t from, until;
    [[nodiscard]] STEELYARD_HD_MEMBER bool contain(std::int64_t key) const { return key >= from && key < until; }
};
// row: over [matrices, tokens].
STEELYARD_HD VisibleKeys visibleKeys(const AttentionRows& s, std::int64_t row) {
    if (!s.causal) return {0, s.keys};
    const std::int64_t until = s.keys - s.tokens + split(row, s.tokens).rest + 1;
    return {s.window > 0 && until > s.window ? until - s.window : 0, until};
}

template <typename T, int N, typename Score>
struct Probabilities {
    AttentionRows shape;
    Score score;
    const T* scores;
    T* probabilities;
    const float* givenLogSums;  // if null, they are computed and stored in
    float* logSums;             // optional

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const T* from = scores + row * shape.keys;
        T* to = probabilities + row * shape.keys;
        const auto visible = visibleKeys(shape, row);
        const float total =
            givenLogSums != nullptr
                ? givenLogSums[row]
                : exponentialSums<N>(team, from, shape.keys, visible.from, visible.until, score).logSum();
        team.each(shape.keys / N, [&](std::int64_t v) {
            auto values = load<N>(from + v * N);
            for (int i = 0; i < N; ++i)
                values.at[i] = fromFloat<T>(
                    visible.contain(v * N + i) ? exponential<T>(score(toFloat(values.at[i])) - total) : 0.0F);
            store<N>(to + v * N, values);
        });
        team.once([&] {
            if (logSums != nullptr) logSums[row] = total;
        });
    }
};

struct Plus {
    STEELYARD_HD_MEMBER float operator()(float a, float b) const { return a + b; }
};

template <typename T, int N, typename Score>
struct Backward {
    AttentionRows shape;
    Score score;
    const T* scores;  // not read if the slope is constant
    const T* probabilities;
    const T* dProbabilities;
    T* dScores;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const std::int64_t first = row * shape.keys;
        const T* p = probabilities + first;
        const T* flow = dProbabilities + first;
        const float shared = team.template reduce<float>(
            shape.keys / N,
            [&](float& part, std::int64_t v) {
                const auto a = load<N>(p + v * N);
                const auto b = load<N>(flow + v * N);
                for (int i = 0; i < N; ++i) part += toFloat(a.at[i]) * toFloat(b.at[i]);
            },
            Plus{});
        team.each(shape.keys / N, [&](std::int64_t v) {
            const auto a = load<N>(p + v * N);
            auto b = load<N>(flow + v * N);
            [[maybe_unused]] Pack<T, N> raw;
            if constexpr (!Score::kConstantSlope) raw = load<N>(scores + first + v * N);
            for (int i = 0; i < N; ++i) {
                float slope = score.slope(0);
                if constexpr (!Score::kConstantSlope) slope = score.slope(toFloat(raw.at[i]));
                b.at[i] = fromFloat<T>(slope * toFloat(a.at[i]) * (toFloat(b.at[i]) - shared));
            }
            store<N>(dScores + first + v * N, b);
        });
    }
};

bool isValid(const AttentionRows& s) {
    return s.matrices >= 0 && s.tokens >= 0 && s.keys >= 1 && (!s.causal || s.keys >= s.tokens) && s.window >= 0 &&
           (s.causal || s.window == 0) && s.cap >= 0;
}

// Calls f with the score's function.
template <typename F>
Status withScore(const AttentionRows& s, const F& f) {
    return s.cap > 0 ? f(CappedScore{s.scale, s.cap}) : f(ScaledScore{s.scale});
}

Status probabilitiesOf(Stream stream, ElementType type, const AttentionRows& shape, const void* scores,
                       void* probabilities, const float* given, float* logSums) {
    if (!isValid(shape)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        return withScore(shape, [&](auto score) {
            using T = decltype(tag);
            using S = decltype(score);
            const auto* from = static_cast<const T*>(scores);
            auto* to = static_cast<T*>(probabilities);
            const std::int64_t rows = shape.matrices * shape.tokens;
            if (shape.keys % kPack<T> == 0 && areAligned(scores, probabilities))
                return softmaxTeams(stream, rows, shape.keys,
                                    Probabilities<T, kPack<T>, S>{shape, score, from, to, given, logSums});
            return softmaxTeams(stream, rows, shape.keys,
                                Probabilities<T, 1, S>{shape, score, from, to, given, logSums});
        });
    });
}

}  // namespace

Status attentionSoftmax(Stream stream, ElementType type, const AttentionRows& shape, const void* scores,
                        void* probabilities, float* logSums) {
    return probabilitiesOf(stream, type, shape, scores, probabilities, nullptr, logSums);
}

Status attentionProbabilities(Stream stream, ElementType type, const AttentionRows& shape, const void* scores,
                              const float* logSums, void* probabilities) {
    return probabilitiesOf(stream, type, shape, scores, probabilities, logSums, nullptr);
}

Status attentionSoftmaxBackward(Stream stream, ElementType type, const AttentionRows& shape, const void* scores,
                                const void* probabilities, const void* dProbabilities, void* dScores) {
    if (!isValid(shape) || (shape.cap > 0 && scores == nullptr)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        return withScore(shape, [&](auto score) {
            using T = decltype(tag);
            using S = decltype(score);
            const auto* raw = static_cast<const T*>(scores);
            const auto* p = static_cast<const T*>(probabilities);
            const auto* flow = static_cast<const T*>(dProbabilities);
            auto* to = static_cast<T*>(dScores);
            const std::int64_t rows = shape.matrices * shape.tokens;
            if (shape.keys % kPack<T> == 0 && areAligned(raw, p, flow, to))
                return softmaxTeams(stream, rows, shape.keys, Backward<T, kPack<T>, S>{shape, score, raw, p, flow, to});
            return softmaxTeams(stream, rows, shape.keys, Backward<T, 1, S>{shape, score, raw, p, flow, to});
        });
    });
}

}  // namespace steelyard::compute::cuda::kernels
