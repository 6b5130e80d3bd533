// SPDX-License-Identifier: Apache-2.0
// Softmax and losses. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/softmax_loss.h"

#include "engine/compute/cuda/kernels/attention/softmax_rows.h"
#include "engine/compute/cuda/kernels/pointwise/activation_math.h"

namespace steelyard::compute::cuda::kernels {
namespace {

template <typename T, int N>
struct Softmax {
    const T* x;
    T* y;
    std::int64_t classes;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const T* from = x + row * classes;
        T* to = y + row * classes;
        const auto sums = exponentialSums<N>(team, from, classes);
        // The maximum is excluded before the logarithm: its sum with the rest would round away small losses.
        const float largest = sums.largest, rest = sums.logRest();
        team.each(classes / N, [&](std::int64_t v) {
            auto values = load<N>(from + v * N);
            for (int i = 0; i < N; ++i)
                values.at[i] = fromFloat<T>(exponential<T>(toFloat(values.at[i]) - largest - rest));
            store<N>(to + v * N, values);
        });
    }
};

template <typename T, int N>
struct SoftmaxLoss {
    CrossEntropy c;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const std::int64_t first = row * c.classes;
        const T* from = static_cast<const T*>(c.logits) + first;
        const std::int64_t label = c.labels[row];
        const float chosen = toFloat(from[label]);  // before the reduction's barrier: the logits may be overwritten
        const auto sums = exponentialSums<N>(team, from, c.classes);
        const float largest = sums.largest, rest = sums.logRest();
        team.once([&] { c.rowLosses[row] = (largest - chosen) + rest; });
        if (c.probabilities == nullptr && c.gradient == nullptr) return;
        const float factor = c.gradientScale * (c.lossScale != nullptr ? c.lossScale->scale : 1.0F);
        team.each(c.classes / N, [&](std::int64_t v) {
            const auto in = load<N>(from + v * N);
            Pack<T, N> p, g;
            if (c.gradient != nullptr && c.accumulate) g = load<N>(static_cast<const T*>(c.gradient) + first + v * N);
            const auto chosenAt = static_cast<int>(label - v * N);
            for (int i = 0; i < N; ++i) {
                const float probability = exponential<T>(toFloat(in.at[i]) - largest - rest);
                const float before = c.gradient != nullptr && c.accumulate ? toFloat(g.at[i]) : 0.0F;
                p.at[i] = fromFloat<T>(probability);
                g.at[i] = fromFloat<T>(before + factor * (probability - (i == chosenAt ? 1.0F : 0.0F)));
            }
            if (c.probabilities != nullptr) store<N>(static_cast<T*>(c.probabilities) + first + v * N, p);
            if (c.gradient != nullptr) store<N>(static_cast<T*>(c.gradient) + first + v * N, g);
        });
    }
};

template <typename T>
struct SigmoidLoss {
    CrossEntropy c;

    STEELYARD_HD_MEMBER void operator()(std::int64_t row) const {
        const float x = toFloat(static_cast<const T*>(c.logits)[row]);
        const std::int32_t label = c.labels[row];
        const float towards = label == 1 ? x : -x, magnitude = towards < 0.0F ? -towards : towards;
        c.rowLosses[row] = (towards < 0.0F ? -towards : 0.0F) + std::log1p(std::exp(-magnitude));
        const float probability = logistic(x);
        if (c.gradient != nullptr) {
            auto& g = static_cast<T*>(c.gradient)[row];
            const float factor = c.gradientScale * (c.lossScale != nullptr ? c.lossScale->scale : 1.0F);
            const float value = factor * (probability - static_cast<float>(label));
            g = fromFloat<T>(c.accumulate ? toFloat(g) + value : value);
        }
        if (c.probabilities != nullptr) static_cast<T*>(c.probabilities)[row] = fromFloat<T>(probability);
    }
};

template <typename T>
struct LossGradient {
    CrossEntropy c;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const auto [row, column] = split(first, c.classes);
        const std::int32_t label = c.labels[row];
        const auto chosenAt = static_cast<int>(label - column);
        const float factor = c.gradientScale * (c.lossScale != nullptr ? c.lossScale->scale : 1.0F);
        const auto p = load<N>(static_cast<const T*>(c.probabilities) + first);
        Pack<T, N> g;
        if (c.accumulate) g = load<N>(static_cast<const T*>(c.gradient) + first);
        for (int i = 0; i < N; ++i) {
            // One class: the label is the target itself (sigmoid).
            const float target = c.classes == 1 ? static_cast<float>(label) : (i == chosenAt ? 1.0F : 0.0F);
            const float value = factor * (toFloat(p.at[i]) - target);
            g.at[i] = fromFloat<T>(c.accumulate ? toFloat(g.at[i]) + value : value);
        }
        store<N>(static_cast<T*>(c.gradient) + first, g);
    }
};

struct Mean {
    const float* rowLosses;
    std::int64_t rows;
    float* loss;
    float* total;
    float weight;
    bool accumulateTotal;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t /*row*/) const {
        const double sum = team.template reduce<double>(
            rows, [&](double& part, std::int64_t i) { part += static_cast<double>(rowLosses[i]); }, PlusWide{});
        team.once([&] {
            const double mean = sum / static_cast<double>(rows);
            *loss = static_cast<float>(mean);
            if (total == nullptr) return;
            const double share = static_cast<double>(weight) * mean;
            *total = static_cast<float>(accumulateTotal ? static_cast<double>(*total) + share : share);
        });
    }
};

}  // namespace

Status softmaxForward(Stream stream, ElementType type, const void* x, void* y, std::int64_t rows,
                      std::int64_t classes) {
    if (classes < 1) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto* from = static_cast<const T*>(x);
        auto* to = static_cast<T*>(y);
        if (classes % kPack<T> == 0 && areAligned(x, y))
            return softmaxTeams(stream, rows, classes, Softmax<T, kPack<T>>{from, to, classes});
        return softmaxTeams(stream, rows, classes, Softmax<T, 1>{from, to, classes});
    });
}

Status softmaxCrossEntropy(Stream stream, ElementType type, const CrossEntropy& c) {
    if (c.classes < 1) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        if (c.classes % kPack<T> == 0 && areAligned(c.logits, c.probabilities, c.gradient))
            return softmaxTeams(stream, c.rows, c.classes, SoftmaxLoss<T, kPack<T>>{c});
        return softmaxTeams(stream, c.rows, c.classes, SoftmaxLoss<T, 1>{c});
    });
}

Status sigmoidCrossEntropy(Stream stream, ElementType type, const CrossEntropy& c) {
    if (c.classes != 1) return kInvalidValue;
    return withType(type, [&](auto tag) { return elements(stream, c.rows, SigmoidLoss<decltype(tag)>{c}); });
}

Status crossEntropyBackward(Stream stream, ElementType type, const CrossEntropy& c) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return packs<kPack<T>>(stream, c.rows * c.classes,
                               c.classes % kPack<T> == 0 && areAligned(c.probabilities, c.gradient),
                               LossGradient<T>{c});
    });
}

Status meanLoss(Stream stream, const float* rowLosses, std::int64_t rows, float* loss, float* total, float weight,
                bool accumulateTotal) {
    if (rows < 1) return kInvalidValue;
    return teams<256>(stream, 1, Mean{rowLosses, rows, loss, total, weight, accumulateTotal});
}

}  // namespace steelyard::compute::cuda::kernels
