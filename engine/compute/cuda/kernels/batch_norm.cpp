// SPDX-License-Identifier: Apache-2.0
// Batch normalisation. Compiled twice: as C++ for the twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/channel_sums.h"
#include "engine/compute/cuda/kernels/execution.h"
#include "engine/compute/cuda/kernels/moments.h"
#include "engine/compute/cuda/kernels/normalisation.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// y = scale (x - mean) inverse + offset (+ residual) (ReLU). inverse is given, or computed from a variance.
template <typename T>
struct Apply {
    ChannelAxes axes;
    const T* x;
    const float* scale;
    const float* offset;
    const float* mean;
    const float* inverse;  // or null:
    const float* variance;
    float epsilon;
    const T* residual;
    bool relu;
    T* y;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const std::int64_t channel = split(divided(first, axes.inner), axes.channels).rest;
        const auto in = load<N>(x + first);
        Pack<T, N> add, out;
        if (residual != nullptr) add = load<N>(residual + first);
        for (int i = 0; i < N; ++i) {
            const std::int64_t c = axes.inner == 1 ? channel + i : channel;
            const float factor = inverse != nullptr ? inverse[c] : 1.0F / std::sqrt(variance[c] + epsilon);
            float value = scale[c] * ((toFloat(in.at[i]) - mean[c]) * factor) + offset[c];
            if (residual != nullptr) value += toFloat(add.at[i]);
            out.at[i] = fromFloat<T>(relu && !(value > 0.0F) ? 0.0F : value);
        }
        store<N>(y + first, out);
    }
};

template <typename T>
bool packsFit(const ChannelAxes& axes) {
    return (axes.inner == 1 ? axes.channels : axes.inner) % kPack<T> == 0;
}

template <typename T>
struct TakeMoments {
    const T* x;
    STEELYARD_HD_MEMBER void operator()(Moments& moments, std::int64_t at, std::int64_t /*channel*/,
                                        std::int64_t /*outer*/) const {
        moments.take(toFloat(x[at]));
    }
};

struct StoreMoments {
    float epsilon, momentum;
    float* runningMean;
    float* runningVariance;
    float* savedMean;
    float* savedInverse;
    STEELYARD_HD_MEMBER void operator()(std::int64_t c, const Moments& whole) const {
        const float mean = whole.mean(), variance = whole.variance();
        savedMean[c] = mean;
        savedInverse[c] = 1.0F / std::sqrt(variance + epsilon);
        if (runningMean != nullptr) runningMean[c] += momentum * (mean - runningMean[c]);
        if (runningVariance != nullptr) runningVariance[c] += momentum * (variance - runningVariance[c]);
    }
};

template <typename T>
struct TakeGradients {
    const T* x;
    const T* y;  // null: no ReLU
    const T* dy;
    const float* mean;
    const float* inverse;
    STEELYARD_HD_MEMBER void operator()(TwoSums& sums, std::int64_t at, std::int64_t channel,
                                        std::int64_t /*outer*/) const {
        if (y != nullptr && !(toFloat(y[at]) > 0.0F)) return;
        const float flow = toFloat(dy[at]);
        sums.plain += flow;
        sums.weighted += flow * ((toFloat(x[at]) - mean[channel]) * inverse[channel]);
    }
};

struct StoreGradients {
    float* dScale;
    float* dOffset;
    bool accumulate;
    TwoSums* whole;  // [channels]
    STEELYARD_HD_MEMBER void operator()(std::int64_t c, const TwoSums& sums) const {
        dScale[c] = accumulate ? dScale[c] + sums.weighted : sums.weighted;
        dOffset[c] = accumulate ? dOffset[c] + sums.plain : sums.plain;
        whole[c] = sums;
    }
};

template <typename T>
struct ApplyBack {
    ChannelAxes axes;
    BatchNormGradients g;
    const TwoSums* sums;
    float count;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const std::int64_t channel = split(divided(first, axes.inner), axes.channels).rest;
        const auto in = load<N>(static_cast<const T*>(g.x) + first);
        auto flow = load<N>(static_cast<const T*>(g.dy) + first);
        if (g.relu) {
            const auto outputs = load<N>(static_cast<const T*>(g.y) + first);
            for (int i = 0; i < N; ++i)
                if (!(toFloat(outputs.at[i]) > 0.0F)) flow.at[i] = fromFloat<T>(0.0F);
        }
        if (g.dResidual != nullptr) put<N>(static_cast<T*>(g.dResidual) + first, flow, g.accumulateResidual);
        if (g.dx == nullptr) return;
        Pack<T, N> out;
        for (int i = 0; i < N; ++i) {
            const std::int64_t c = axes.inner == 1 ? channel + i : channel;
            const float normal = (toFloat(in.at[i]) - g.savedMean[c]) * g.savedInverse[c];
            const float rest = toFloat(flow.at[i]) - sums[c].plain / count - normal * (sums[c].weighted / count);
            const float value = g.scale[c] * g.savedInverse[c] * rest;
            const float before = g.accumulate ? toFloat(static_cast<const T*>(g.dx)[first + i]) : 0.0F;
            out.at[i] = fromFloat<T>(before + value);
        }
        store<N>(static_cast<T*>(g.dx) + first, out);
    }

    template <int N>
    STEELYARD_HD_MEMBER static void put(T* to, Pack<T, N> values, bool accumulate) {
        if (accumulate) {
            const auto before = load<N>(to);
            for (int i = 0; i < N; ++i) values.at[i] = fromFloat<T>(toFloat(before.at[i]) + toFloat(values.at[i]));
        }
        store<N>(to, values);
    }
};

template <typename T>
struct Fold {
    const T* weights;
    std::int64_t perChannel;
    BatchNormParameters p;
    const float* mean;
    const float* variance;
    T* folded;
    T* bias;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [channel, rest] = split(i, perChannel);
        const float factor = p.scale[channel] / std::sqrt(variance[channel] + p.epsilon);
        folded[i] = fromFloat<T>(toFloat(weights[i]) * factor);
        if (rest == 0) bias[channel] = fromFloat<T>(p.offset[channel] - mean[channel] * factor);
    }
};

std::int64_t partialBytes(const ChannelAxes& axes) {
    return channelSumsWorkspace<Moments>(axes);  // the larger of the two kinds of partials
}

}  // namespace

Status batchNormApply(Stream stream, ElementType type, const ChannelAxes& axes, const void* x,
                      const BatchNormParameters& p, const float* mean, const float* variance, const void* residual,
                      bool relu, void* y) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return packs<kPack<T>>(stream, axes.elements(), packsFit<T>(axes) && areAligned(x, residual, y),
                               Apply<T>{axes, static_cast<const T*>(x), p.scale, p.offset, mean, nullptr, variance,
                                        p.epsilon, static_cast<const T*>(residual), relu, static_cast<T*>(y)});
    });
}

Status foldBatchNorm(Stream stream, ElementType type, const void* weights, std::int64_t channels,
                     std::int64_t perChannel, const BatchNormParameters& p, const float* mean, const float* variance,
                     void* foldedWeights, void* bias) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return elements(stream, channels * perChannel,
                        Fold<T>{static_cast<const T*>(weights), perChannel, p, mean, variance,
                                static_cast<T*>(foldedWeights), static_cast<T*>(bias)});
    });
}

std::int64_t batchNormWorkspace(const ChannelAxes& axes) {
    return partialBytes(axes) + paddedBytes(axes.channels * static_cast<std::int64_t>(sizeof(TwoSums)));
}

Status batchNormForward(Stream stream, ElementType type, const ChannelAxes& axes, const void* x,
                        const BatchNormParameters& p, float momentum, float* runningMean, float* runningVariance,
                        float* savedMean, float* savedInverse, const void* residual, bool relu, void* y,
                        void* workspace) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const Status status = channelSums<Moments>(
            stream, axes, TakeMoments<T>{static_cast<const T*>(x)},
            StoreMoments{p.epsilon, momentum, runningMean, runningVariance, savedMean, savedInverse}, workspace);
        if (status != kOk) return status;
        return packs<kPack<T>>(stream, axes.elements(), packsFit<T>(axes) && areAligned(x, residual, y),
                               Apply<T>{axes, static_cast<const T*>(x), p.scale, p.offset, savedMean, savedInverse,
                                        nullptr, p.epsilon, static_cast<const T*>(residual), relu, static_cast<T*>(y)});
    });
}

Status batchNormBackward(Stream stream, ElementType type, const ChannelAxes& axes, const BatchNormGradients& g,
                         void* workspace) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        auto* sums = reinterpret_cast<TwoSums*>(static_cast<char*>(workspace) + partialBytes(axes));
        const Status status = channelSums<TwoSums>(
            stream, axes,
            TakeGradients<T>{static_cast<const T*>(g.x), g.relu ? static_cast<const T*>(g.y) : nullptr,
                             static_cast<const T*>(g.dy), g.savedMean, g.savedInverse},
            StoreGradients{g.dScale, g.dOffset, g.accumulateParameters, sums}, workspace);
        if (status != kOk || (g.dx == nullptr && g.dResidual == nullptr)) return status;
        return packs<kPack<T>>(stream, axes.elements(),
                               packsFit<T>(axes) && areAligned(g.x, g.y, g.dy, g.dx, g.dResidual),
                               ApplyBack<T>{axes, g, sums, static_cast<float>(axes.perChannel())});
    });
}

}  // namespace steelyard::compute::cuda::kernels
