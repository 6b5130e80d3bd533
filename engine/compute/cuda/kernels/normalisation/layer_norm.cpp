// SPDX-License-Identifier: Apache-2.0
// Layer normalisation. Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/normalisation/channel_sums.h"
#include "engine/compute/cuda/kernels/normalisation/moments.h"
#include "engine/compute/cuda/kernels/normalisation/normalisation.h"
#include "engine/compute/cuda/kernels/normalisation/row_teams.h"

namespace steelyard::compute::cuda::kernels {
namespace {

// N: neighbours per thread and access.
template <typename T, int N>
struct Forward {
    const T* x;
    const float* scale;
    const float* offset;
    float epsilon;
    T* y;
    float* savedMean;
    float* savedInverse;
    std::int64_t features;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const T* from = x + row * features;
        T* to = y + row * features;
        const auto moments = team.template reduce<Moments>(
            features / N,
            [&](Moments& part, std::int64_t v) {
                const auto in = load<N>(from + v * N);
                for (int i = 0; i < N; ++i) part.take(toFloat(in.at[i]));
            },
            MergePartials{});
        const float mean = moments.mean(), inverse = 1.0F / std::sqrt(moments.variance() + epsilon);
        team.each(features / N, [&](std::int64_t v) {
            auto values = load<N>(from + v * N);
            const auto factors = load<N>(scale + v * N), offsets = load<N>(offset + v * N);
            for (int i = 0; i < N; ++i) {
                const float normal = (toFloat(values.at[i]) - mean) * inverse;
                values.at[i] = fromFloat<T>(factors.at[i] * normal + offsets.at[i]);
            }
            store<N>(to + v * N, values);
        });
        team.once([&] {
            if (savedMean != nullptr) savedMean[row] = mean;
            if (savedInverse != nullptr) savedInverse[row] = inverse;
        });
    }
};

template <typename T, int N>
struct Backward {
    const T* x;
    const T* dy;
    T* dx;
    bool accumulate;
    const float* scale;
    const float* savedMean;
    const float* savedInverse;
    std::int64_t features;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const std::int64_t first = row * features;
        const float mean = savedMean[row], inverse = savedInverse[row];
        const auto sums = team.template reduce<TwoSums>(
            features / N,
            [&](TwoSums& part, std::int64_t v) {
                const auto in = load<N>(x + first + v * N);
                const auto flow = load<N>(dy + first + v * N);
                const auto factors = load<N>(scale + v * N);
                for (int i = 0; i < N; ++i) {
                    const float g = factors.at[i] * toFloat(flow.at[i]);
                    part.plain += g;
                    part.weighted += g * ((toFloat(in.at[i]) - mean) * inverse);
                }
            },
            MergePartials{});
        const auto count = static_cast<float>(features);
        const float plain = sums.plain / count, weighted = sums.weighted / count;
        team.each(features / N, [&](std::int64_t v) {
            const auto in = load<N>(x + first + v * N);
            const auto flow = load<N>(dy + first + v * N);
            const auto factors = load<N>(scale + v * N);
            Pack<T, N> out;
            if (accumulate) out = load<N>(dx + first + v * N);
            for (int i = 0; i < N; ++i) {
                const float before = accumulate ? toFloat(out.at[i]) : 0.0F;
                const float normal = (toFloat(in.at[i]) - mean) * inverse;
                const float g = factors.at[i] * toFloat(flow.at[i]);
                out.at[i] = fromFloat<T>(before + inverse * (g - plain - normal * weighted));
            }
            store<N>(dx + first + v * N, out);
        });
    }
};

template <typename T>
struct TakeParameters {
    const T* x;
    const T* dy;
    const float* mean;
    const float* inverse;

    struct Nothing {};
    template <int N>
    struct In {
        Pack<T, N> x, dy;
        float mean, inverse;
    };

    template <int N>
    STEELYARD_HD_MEMBER Nothing kept(std::int64_t /*feature*/) const {
        return {};
    }
    template <int N>
    STEELYARD_HD_MEMBER In<N> read(std::int64_t at, std::int64_t row) const {
        return {load<N>(x + at), load<N>(dy + at), mean[row], inverse[row]};
    }
    template <int N>
    STEELYARD_HD_MEMBER void take(TwoSums& sums, const Nothing& /*kept*/, int /*k*/, const In<N>& in, int i) const {
        const float flow = toFloat(in.dy.at[i]);
        sums.plain += flow;
        sums.weighted += flow * ((toFloat(in.x.at[i]) - in.mean) * in.inverse);
    }
};

struct StoreParameters {
    float* dScale;
    float* dOffset;
    bool accumulate;
    STEELYARD_HD_MEMBER void operator()(std::int64_t f, const TwoSums& sums) const {
        dScale[f] = accumulate ? dScale[f] + sums.weighted : sums.weighted;
        dOffset[f] = accumulate ? dOffset[f] + sums.plain : sums.plain;
    }
};

}  // namespace

Status layerNormForward(Stream stream, ElementType type, const void* x, const float* scale, const float* offset,
                        float epsilon, void* y, float* savedMean, float* savedInverse, std::int64_t rows,
                        std::int64_t features) {
    if (features < 1) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto launch = [&](auto work) { return rowTeams(stream, rows, features, work); };
        const auto* from = static_cast<const T*>(x);
        auto* to = static_cast<T*>(y);
        if (features % kPack<T> == 0 && areAligned(x, y, scale, offset))
            return launch(Forward<T, kPack<T>>{from, scale, offset, epsilon, to, savedMean, savedInverse, features});
        return launch(Forward<T, 1>{from, scale, offset, epsilon, to, savedMean, savedInverse, features});
    });
}

std::int64_t layerNormWorkspace(std::int64_t rows, std::int64_t features) {
    return channelSumsWorkspace<TwoSums>({rows, features, 1});
}

Status layerNormBackward(Stream stream, ElementType type, const LayerNormGradients& g, std::int64_t rows,
                         std::int64_t features, void* workspace) {
    if (features < 1) return kInvalidValue;
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto* x = static_cast<const T*>(g.x);
        const auto* dy = static_cast<const T*>(g.dy);
        auto* dx = static_cast<T*>(g.dx);
        // Parameters first: dx may alias dy.
        const Status status = channelSums<TwoSums, kPack<T>>(
            stream, {rows, features, 1}, areAligned(x, dy), TakeParameters<T>{x, dy, g.savedMean, g.savedInverse},
            StoreParameters{g.dScale, g.dOffset, g.accumulateParameters}, workspace);
        if (status != kOk || dx == nullptr) return status;
        if (features % kPack<T> == 0 && areAligned(x, dy, dx, g.scale))
            return rowTeams(
                stream, rows, features,
                Backward<T, kPack<T>>{x, dy, dx, g.accumulate, g.scale, g.savedMean, g.savedInverse, features});
        return rowTeams(stream, rows, features,
                        Backward<T, 1>{x, dy, dx, g.accumulate, g.scale, g.savedMean, g.savedInverse, features});
    });
}

}  // namespace steelyard::compute::cuda::kernels
