// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the host twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/reduction.h"

#include "engine/compute/cuda/kernels/execution/execution.h"
#include "engine/compute/cuda/kernels/normalisation/channel_sums.h"

namespace steelyard::compute::cuda::kernels {
namespace {

struct Plus {
    STEELYARD_HD_MEMBER float operator()(float a, float b) const { return a + b; }
};

// inner = 1: a team computes a mean, its threads read neighbouring values.
template <typename T>
struct MeanOfRow {
    const T* x;
    T* y;
    std::int64_t middle;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t row) const {
        const T* from = x + row * middle;
        const float sum = team.template reduce<float>(
            middle, [&](float& part, std::int64_t i) { part += toFloat(from[i]); }, Plus{});
        team.once([&] { y[row] = fromFloat<T>(sum / static_cast<float>(middle)); });
    }
};

// inner > 1: a thread computes a mean; neighbouring threads read neighbouring values.
template <typename T>
struct MeanOfColumn {
    const T* x;
    T* y;
    MeanAxes axes;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        constexpr int kAtOnce = 8;  // outstanding loads
        const auto [outer, inner] = split(i, axes.inner);
        const T* from = x + outer * axes.middle * axes.inner + inner;
        float sum = 0.0F;
        for (std::int64_t m = 0; m < axes.middle; m += kAtOnce) {
            float values[kAtOnce];
            STEELYARD_UNROLL
            for (int k = 0; k < kAtOnce; ++k)
                values[k] = m + k < axes.middle ? toFloat(from[(m + k) * axes.inner]) : 0.0F;
            for (int k = 0; k < kAtOnce; ++k) sum += values[k];
        }
        y[i] = fromFloat<T>(sum / static_cast<float>(axes.middle));
    }
};

// A pack has one source if inner = 1, otherwise neighbouring ones.
template <typename T>
struct MeanBack {
    const T* dy;
    T* dx;
    MeanAxes axes;
    bool accumulate;

    template <int N>
    STEELYARD_HD_MEMBER void run(std::int64_t first) const {
        const auto [row, inner] = split(first, axes.inner);
        const T* from = dy + divided(row, axes.middle) * axes.inner + inner;
        Pack<T, N> flow, out;
        if (axes.inner == 1)
            for (int i = 0; i < N; ++i) flow.at[i] = *from;
        else
            flow = load<N>(from);
        if (accumulate) out = load<N>(static_cast<const T*>(dx) + first);
        const float share = 1.0F / static_cast<float>(axes.middle);
        for (int i = 0; i < N; ++i) {
            const float before = accumulate ? toFloat(out.at[i]) : 0.0F;
            out.at[i] = fromFloat<T>(before + toFloat(flow.at[i]) * share);
        }
        store<N>(dx + first, out);
    }
};

}  // namespace

std::int64_t sumChannelsWorkspace(const ChannelAxes& axes) {
    return channelSumsWorkspace<float>(axes);
}

Status sumChannels(Stream stream, ElementType type, const void* x, const ChannelAxes& axes, float* sums,
                   bool accumulate, void* workspace) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return channelSums<float, kPack<T>>(stream, axes, areAligned(x), TakeValue<T>{static_cast<const T*>(x)},
                                            StoreSum{sums, accumulate}, workspace);
    });
}

Status sumRows(Stream stream, ElementType type, const void* x, std::int64_t rows, std::int64_t columns,
               std::int64_t pitch, float* sums, bool accumulate, void* workspace) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        return channelSums<float, kPack<T>>(stream, {rows, columns, 1}, areAligned(x),
                                            TakeValue<T>{static_cast<const T*>(x)}, StoreSum{sums, accumulate},
                                            workspace, pitch);
    });
}

Status meanForward(Stream stream, ElementType type, const MeanAxes& axes, const void* x, void* y) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const auto* from = static_cast<const T*>(x);
        auto* to = static_cast<T*>(y);
        if (axes.inner == 1) return teams<32>(stream, axes.outer, MeanOfRow<T>{from, to, axes.middle});
        return elements(stream, axes.outer * axes.inner, MeanOfColumn<T>{from, to, axes});
    });
}

Status meanBackward(Stream stream, ElementType type, const MeanAxes& axes, const void* dy, void* dx, bool accumulate) {
    return withType(type, [&](auto tag) {
        using T = decltype(tag);
        const std::int64_t together = axes.inner == 1 ? axes.middle : axes.inner;
        return packs<kPack<T>>(stream, axes.outer * axes.middle * axes.inner,
                               together % kPack<T> == 0 && areAligned(dy, dx),
                               MeanBack<T>{static_cast<const T*>(dy), static_cast<T*>(dx), axes, accumulate});
    });
}

}  // namespace steelyard::compute::cuda::kernels
