// SPDX-License-Identifier: Apache-2.0
// Sums (or any merged Partial) over all elements of each channel of [outer, channels, inner], in two stages: slices of
// a channel into a workspace, then the slices of each channel, always cut the same way. Internal to kernels/.
//   take(partial, position, channel, outer)   adds one element
//   Partial::merged(other)                     or + for float
//   finish(channel, whole)                     writes the result
#pragma once

#include "engine/compute/cuda/kernels/execution.h"

namespace steelyard::compute::cuda::kernels {

struct MergePartials {
    STEELYARD_HD_MEMBER float operator()(float a, float b) const { return a + b; }
    template <typename Partial>
    STEELYARD_HD_MEMBER Partial operator()(const Partial& a, const Partial& b) const {
        return a.merged(b);
    }
};

struct StoreSum {
    float* sums;
    bool accumulate;
    STEELYARD_HD_MEMBER void operator()(std::int64_t channel, float sum) const {
        sums[channel] = accumulate ? sums[channel] + sum : sum;
    }
};

// How many parts a channel is cut into: enough threads to fill a device, no more than there are rows.
[[nodiscard]] inline std::int64_t slicesOf(const ChannelAxes& axes) {
    constexpr std::int64_t kThreads = std::int64_t{1} << 17, kTeams = 2048, kTeamElements = 2048, kMost = 1024;
    const std::int64_t channels = axes.channels > 0 ? axes.channels : 1;
    const std::int64_t wanted = axes.inner == 1 ? kThreads / channels : kTeams / channels;
    const std::int64_t possible = axes.inner == 1 ? axes.outer : ceilDivided(axes.perChannel(), kTeamElements);
    std::int64_t slices = wanted < possible ? wanted : possible;
    if (slices > kMost) slices = kMost;
    return slices > 0 ? slices : 1;
}

template <typename Partial>
[[nodiscard]] std::int64_t channelSumsWorkspace(const ChannelAxes& axes) {
    return paddedBytes(slicesOf(axes) * axes.channels * static_cast<std::int64_t>(sizeof(Partial)));
}

// inner = 1: neighbouring threads take neighbouring channels, each thread every slices-th row.
template <typename Partial, typename Take>
struct SumRowsOfSlice {
    ChannelAxes axes;
    std::int64_t slices, pitch;  // pitch: from one row to the next, in elements
    Take take;
    Partial* partials;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [slice, channel] = split(i, axes.channels);
        Partial sum{};
        for (std::int64_t row = slice; row < axes.outer; row += slices) take(sum, row * pitch + channel, channel, row);
        partials[i] = sum;
    }
};

// inner > 1: a team takes a slice of one channel, neighbouring threads neighbouring pixels.
template <typename Partial, typename Take>
struct SumPixelsOfSlice {
    ChannelAxes axes;
    std::int64_t slices;
    Take take;
    Partial* partials;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t i) const {
        const auto at = split(i, axes.channels);
        const std::int64_t slice = at.quotient, channel = at.rest;  // Clang 14 captures no structured binding
        const std::int64_t all = axes.perChannel(), size = (all + slices - 1) / slices;
        const std::int64_t first = slice * size, rest = all - first, count = rest < size ? rest : size;
        const auto whole = team.template reduce<Partial>(
            count > 0 ? count : 0,
            [&](Partial& sum, std::int64_t k) {
                const auto [outer, pixel] = split(first + k, axes.inner);
                take(sum, (outer * axes.channels + channel) * axes.inner + pixel, channel, outer);
            },
            MergePartials{});
        team.once([&] { partials[i] = whole; });
    }
};

template <typename Partial, typename Finish>
struct SumSlices {
    std::int64_t channels, slices;
    const Partial* partials;
    Finish finish;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t channel) const {
        const auto whole = team.template reduce<Partial>(
            slices,
            [&](Partial& sum, std::int64_t slice) { sum = MergePartials{}(sum, partials[slice * channels + channel]); },
            MergePartials{});
        team.once([&] { finish(channel, whole); });
    }
};

// pitch: between rows, where inner = 1 and they do not touch; 0: channels.
template <typename Partial, typename Take, typename Finish>
Status channelSums(Stream stream, const ChannelAxes& axes, const Take& take, const Finish& finish, void* workspace,
                   std::int64_t pitch = 0) {
    const std::int64_t slices = slicesOf(axes);
    auto* partials = static_cast<Partial*>(workspace);
    const Status status =
        axes.inner == 1
            ? elements(stream, slices * axes.channels,
                       SumRowsOfSlice<Partial, Take>{axes, slices, pitch > 0 ? pitch : axes.channels, take, partials})
            : teams<256>(stream, slices * axes.channels, SumPixelsOfSlice<Partial, Take>{axes, slices, take, partials});
    if (status != kOk) return status;
    return teams<32>(stream, axes.channels, SumSlices<Partial, Finish>{axes.channels, slices, partials, finish});
}

}  // namespace steelyard::compute::cuda::kernels
