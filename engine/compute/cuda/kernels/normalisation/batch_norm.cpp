// SPDX-License-Identifier: Apache-2.0
// Batch normalisation. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/normalisation/channel_rows.h"
#include "engine/compute/cuda/kernels/normalisation/channel_sums.h"
#include "engine/compute/cuda/kernels/normalisation/moments.h"
#include "engine/compute/cuda/kernels/normalisation/normalisation.h"

namespace steelyard::compute::cuda::kernels {
namespace {

STEELYARD_HD std::int64_t channelOf(const ChannelAxes& axes, std::int64_t at) {
    return split(divided(at, axes.inner), axes.channels).rest;
}

// y = scale (x - mean) inverse + offset (+ residual) (ReLU). inverse is given, or computed from a variance.
template <typename T>
struct Apply {
    ChannelAxes axes;
    const T* x;
    const float* scale;
    const float* offset;
    const float* mean;
    const float* inverse;  // if null, computed from
    const float* variance;
    float epsilon;
    const T* residual;
    bool relu;
    T* y;

    template <int N>
    struct Kept {
        Pack<float, N> mean, factor, offset;
    };
    template <int N>
    struct In {
        Pack<T, N> x, residual;
    };

    template <int N>
    STEELYARD_HD_MEMBER Kept<N> kept(std::int64_t channel) const {
        Kept<N> k{load<N>(mean + channel), load<N>(scale + channel), load<N>(offset + channel)};
        const auto spread = load<N>((inverse != nullptr ? inverse : variance) + channel);
        for (int i = 0; i < N; ++i)
            k.factor.at[i] *= inverse != nullptr ? spread.at[i] : inverseRoot(spread.at[i] + epsilon);
        return k;
    }
    template <int N>
    STEELYARD_HD_MEMBER In<N> read(std::int64_t at) const {
        In<N> in;
        in.x = load<N>(x + at);
        if (residual != nullptr) in.residual = load<N>(residual + at);
        return in;
    }
    // K: N, or 1 if all are of one channel.
    template <int N, int K>
    STEELYARD_HD_MEMBER void write(const Kept<K>& k, const In<N>& in, std::int64_t at) const {
        Pack<T, N> out;
        for (int i = 0; i < N; ++i) {
            const int c = K == 1 ? 0 : i;
            float value = (toFloat(in.x.at[i]) - k.mean.at[c]) * k.factor.at[c] + k.offset.at[c];
            if (residual != nullptr) value += toFloat(in.residual.at[i]);
            out.at[i] = fromFloat<T>(relu && !(value > 0.0F) ? 0.0F : value);
        }
        store<N>(y + at, out);
    }
    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t at) const {
        write<N>(kept<1>(channelOf(axes, at)), read<N>(at), at);
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

// Sums of g and of g (x - mean).
template <typename T>
struct TakeGradients {
    const T* x;
    const T* y;  // null: no ReLU
    const T* dy;
    const float* mean;

    template <int N>
    struct In {
        Pack<T, N> x, y, dy;
    };

    template <int N>
    STEELYARD_HD_MEMBER Pack<float, N> kept(std::int64_t channel) const {
        return load<N>(mean + channel);
    }
    template <int N>
    STEELYARD_HD_MEMBER In<N> read(std::int64_t at, std::int64_t /*outer*/) const {
        In<N> in;
        in.x = load<N>(x + at);
        in.dy = load<N>(dy + at);
        if (y != nullptr) in.y = load<N>(y + at);
        return in;
    }
    template <int K, int N>
    STEELYARD_HD_MEMBER void take(TwoSums& sums, const Pack<float, K>& means, int k, const In<N>& in, int i) const {
        const float flow = y == nullptr || toFloat(in.y.at[i]) > 0.0F ? toFloat(in.dy.at[i]) : 0.0F;
        sums.plain += flow;
        sums.weighted += flow * (toFloat(in.x.at[i]) - means.at[k]);
    }
};

// Terms that ApplyBack subtracts per channel: the mean of g, and the mean of g x^ times inverse.
struct StoreGradients {
    const float* inverse;
    float* dScale;
    float* dOffset;
    bool accumulate;
    float count;
    float* plain;     // [channels]
    float* weighted;  // [channels]
    STEELYARD_HD_MEMBER void operator()(std::int64_t c, const TwoSums& sums) const {
        const float whole = sums.weighted * inverse[c];
        dScale[c] = accumulate ? dScale[c] + whole : whole;
        dOffset[c] = accumulate ? dOffset[c] + sums.plain : sums.plain;
        plain[c] = sums.plain / count;
        weighted[c] = whole / count * inverse[c];
    }
};

template <typename T>
struct ApplyBack {
    ChannelAxes axes;
    BatchNormGradients g;
    const float* plain;
    const float* weighted;

    template <int N>
    struct Kept {
        Pack<float, N> mean, factor, plain, weighted;
    };
    template <int N>
    struct In {
        Pack<T, N> x, y, dy;
    };

    template <int N>
    STEELYARD_HD_MEMBER Kept<N> kept(std::int64_t channel) const {
        Kept<N> k{load<N>(g.savedMean + channel), load<N>(g.scale + channel), load<N>(plain + channel),
                  load<N>(weighted + channel)};
        const auto inverse = load<N>(g.savedInverse + channel);
        for (int i = 0; i < N; ++i) k.factor.at[i] *= inverse.at[i];
        return k;
    }
    template <int N>
    STEELYARD_HD_MEMBER In<N> read(std::int64_t at) const {
        In<N> in;
        in.x = load<N>(static_cast<const T*>(g.x) + at);
        in.dy = load<N>(static_cast<const T*>(g.dy) + at);
        if (g.relu) in.y = load<N>(static_cast<const T*>(g.y) + at);
        return in;
    }
    // K: N, or 1 if all are of one channel.
    template <int N, int K>
    STEELYARD_HD_MEMBER void write(const Kept<K>& k, const In<N>& in, std::int64_t at) const {
        auto flow = in.dy;
        for (int i = 0; i < N; ++i)
            if (g.relu && !(toFloat(in.y.at[i]) > 0.0F)) flow.at[i] = fromFloat<T>(0.0F);
        if (g.dResidual != nullptr) put<N>(static_cast<T*>(g.dResidual) + at, flow, g.accumulateResidual);
        if (g.dx == nullptr) return;
        T* dx = static_cast<T*>(g.dx) + at;
        Pack<T, N> out;
        if (g.accumulate) out = load<N>(static_cast<const T*>(dx));
        for (int i = 0; i < N; ++i) {
            const int c = K == 1 ? 0 : i;
            const float from = (toFloat(in.x.at[i]) - k.mean.at[c]) * k.weighted.at[c];
            const float value = k.factor.at[c] * (toFloat(flow.at[i]) - k.plain.at[c] - from);
            out.at[i] = fromFloat<T>(g.accumulate ? toFloat(out.at[i]) + value : value);
        }
        store<N>(dx, out);
    }
    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t at) const {
        write<N>(kept<1>(channelOf(axes, at)), read<N>(at), at);
    }

    template <int N>
    STEELYARD_HD_MEMBER static void put(T* to, Pack<T, N> values, bool accumulate) {
        if (accumulate) {
            const auto before = load<N>(static_cast<const T*>(to));
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

constexpr int kApplyRows = 4, kApplyBackRows = 2;  // rows with outstanding loads per thread

std::int64_t partialBytes(const ChannelAxes& axes) {
    return channelSumsWorkspace<Moments>(axes);  // the larger of the two kinds of partials
}

}  // namespace

Status batchNormApply(Stream stream, ElementType type, const ChannelAxes& axes, const void* x,
                      const BatchNormParameters& p, const float* mean, const float* variance, const void* residual,
                      bool relu, void* y) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return overChannels<kPack<T>, kApplyRows>(
            stream, axes, areAligned(x, residual, y), areAligned(p.scale, p.offset, mean, variance),
            Apply<T>{axes, static_cast<const T*>(x), p.scale, p.offset, mean, nullptr, variance, p.epsilon,
                     static_cast<const T*>(residual), relu, static_cast<T*>(y)});
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
    return partialBytes(axes) + 2 * paddedBytes(axes.channels * static_cast<std::int64_t>(sizeof(float)));
}

Status batchNormForward(Stream stream, ElementType type, const ChannelAxes& axes, const void* x,
                        const BatchNormParameters& p, float momentum, float* runningMean, float* runningVariance,
                        float* savedMean, float* savedInverse, const void* residual, bool relu, void* y,
                        void* workspace) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const Status status = channelSums<Moments, kPack<T>>(
            stream, axes, areAligned(x), TakeValue<T>{static_cast<const T*>(x)},
            StoreMoments{p.epsilon, momentum, runningMean, runningVariance, savedMean, savedInverse}, workspace);
        if (status != kOk) return status;
        return overChannels<kPack<T>, kApplyRows>(
            stream, axes, areAligned(x, residual, y), areAligned(p.scale, p.offset, savedMean, savedInverse),
            Apply<T>{axes, static_cast<const T*>(x), p.scale, p.offset, savedMean, savedInverse, nullptr, p.epsilon,
                     static_cast<const T*>(residual), relu, static_cast<T*>(y)});
    });
}

Status batchNormBackward(Stream stream, ElementType type, const ChannelAxes& axes, const BatchNormGradients& g,
                         void* workspace) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        auto* plain = reinterpret_cast<float*>(static_cast<char*>(workspace) + partialBytes(axes));
        auto* weighted = plain + paddedBytes(axes.channels * 4) / 4;
        const auto* y = g.relu ? static_cast<const T*>(g.y) : nullptr;
        const bool keptAligned = areAligned(g.scale, g.savedMean, g.savedInverse, workspace);
        const Status status = channelSums<TwoSums, kPack<T>>(
            stream, axes, areAligned(g.x, y, g.dy) && (axes.inner != 1 || keptAligned),
            TakeGradients<T>{static_cast<const T*>(g.x), y, static_cast<const T*>(g.dy), g.savedMean},
            StoreGradients{g.savedInverse, g.dScale, g.dOffset, g.accumulateParameters,
                           static_cast<float>(axes.perChannel()), plain, weighted},
            workspace);
        if (status != kOk || (g.dx == nullptr && g.dResidual == nullptr)) return status;
        return overChannels<kPack<T>, kApplyBackRows>(stream, axes, areAligned(g.x, y, g.dy, g.dx, g.dResidual),
                                                      keptAligned, ApplyBack<T>{axes, g, plain, weighted});
    });
}

}  // namespace steelyard::compute::cuda::kernels
