// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as C++ for the twin, as CUDA for the device (execution.h).
#include "engine/compute/cuda/kernels/reduction.h"

#include "engine/compute/cuda/kernels/channel_sums.h"
#include "engine/compute/cuda/kernels/execution.h"

namespace steelyard::compute::cuda::kernels {
namespace {

struct Plus {
    STEELYARD_HD_MEMBER float operator()(float a, float b) const { return a + b; }
};

// inner = 1: a team takes a mean, its threads neighbouring values.
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

// inner > 1: a thread takes a mean; neighbouring threads read neighbouring values.
template <typename T>
struct MeanOfColumn {
    const T* x;
    T* y;
    MeanAxes axes;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [outer, inner] = split(i, axes.inner);
        const T* from = x + outer * axes.middle * axes.inner + inner;
        float sum = 0.0F;
        for (std::int64_t m = 0; m < axes.middle; ++m) sum += toFloat(from[m * axes.inner]);
        y[i] = fromFloat<T>(sum / static_cast<float>(axes.middle));
    }
};

template <typename T>
struct MeanBack {
    const T* dy;
    T* dx;
    MeanAxes axes;
    bool accumulate;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [row, inner] = split(i, axes.inner);
        const std::int64_t from = divided(row, axes.middle) * axes.inner + inner;
        const float share = toFloat(dy[from]) / static_cast<float>(axes.middle);
        dx[i] = fromFloat<T>(accumulate ? toFloat(dx[i]) + share : share);
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
        return elements(stream, axes.outer * axes.middle * axes.inner,
                        MeanBack<T>{static_cast<const T*>(dy), static_cast<T*>(dx), axes, accumulate});
    });
}

}  // namespace steelyard::compute::cuda::kernels
