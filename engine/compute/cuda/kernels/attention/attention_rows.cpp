// SPDX-License-Identifier: Apache-2.0
// The softmax of attention. Compiled twice: as C++ for the twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/attention/softmax_rows.h"
#include "engine/compute/cuda/kernels/softmax_loss.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// Number of visible keys; row: over [matrices, tokens].
STEELYARD_HD std::int64_t visibleKeys(const AttentionRows& s, std::int64_t row) {
    return s.causal ? s.keys - s.tokens + split(row, s.tokens).rest + 1 : s.keys;
}

template <typename T, int N>
struct Probabilities {
    AttentionRows shape;
    const T* scores;
    T* probabilities;
    const float* givenLogSums;  // if null, they are computed and stored in
    float* logSums;             // optional

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const T* from = scores + row * shape.keys;
        T* to = probabilities + row * shape.keys;
        const std::int64_t visible = visibleKeys(shape, row);
        const float total = givenLogSums != nullptr
                                ? givenLogSums[row]
                                : exponentialSums<N>(team, from, shape.keys, visible, shape.scale).logSum();
        team.each(shape.keys / N, [&](std::int64_t v) {
            auto values = load<N>(from + v * N);
            for (int i = 0; i < N; ++i)
                values.at[i] = fromFloat<T>(
                    v * N + i < visible ? exponential<T>(shape.scale * toFloat(values.at[i]) - total) : 0.0F);
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

template <typename T, int N>
struct Backward {
    AttentionRows shape;
    const T* probabilities;
    const T* dProbabilities;
    T* dScores;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const T* p = probabilities + row * shape.keys;
        const T* flow = dProbabilities + row * shape.keys;
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
            for (int i = 0; i < N; ++i)
                b.at[i] = fromFloat<T>(shape.scale * toFloat(a.at[i]) * (toFloat(b.at[i]) - shared));
            store<N>(dScores + row * shape.keys + v * N, b);
        });
    }
};

bool isValid(const AttentionRows& s) {
    return s.matrices >= 0 && s.tokens >= 0 && s.keys >= 1 && (!s.causal || s.keys >= s.tokens);
}

Status probabilitiesOf(Stream stream, ElementType type, const AttentionRows& shape, const void* scores,
                       void* probabilities, const float* given, float* logSums) {
    if (!isValid(shape)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto* from = static_cast<const T*>(scores);
        auto* to = static_cast<T*>(probabilities);
        const std::int64_t rows = shape.matrices * shape.tokens;
        if (shape.keys % kPack<T> == 0 && areAligned(scores, probabilities))
            return softmaxTeams(stream, rows, shape.keys, Probabilities<T, kPack<T>>{shape, from, to, given, logSums});
        return softmaxTeams(stream, rows, shape.keys, Probabilities<T, 1>{shape, from, to, given, logSums});
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

Status attentionSoftmaxBackward(Stream stream, ElementType type, const AttentionRows& shape, const void* probabilities,
                                const void* dProbabilities, void* dScores) {
    if (!isValid(shape)) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto* p = static_cast<const T*>(probabilities);
        const auto* flow = static_cast<const T*>(dProbabilities);
        auto* to = static_cast<T*>(dScores);
        const std::int64_t rows = shape.matrices * shape.tokens;
        if (shape.keys % kPack<T> == 0 && areAligned(p, flow, to))
            return softmaxTeams(stream, rows, shape.keys, Backward<T, kPack<T>>{shape, p, flow, to});
        return softmaxTeams(stream, rows, shape.keys, Backward<T, 1>{shape, p, flow, to});
    });
}

}  // namespace steelyard::compute::cuda::kernels
