// SPDX-License-Identifier: Apache-2.0
// Sums (or any mergeable Partial) over all elements of each channel of [outer, channels, inner], in two stages: slices
// of a channel into a workspace, then the slices of each channel, with a fixed partition. Internal to kernels/. A
// `take` reads N neighbours at once and adds one element of them:
//   kept<N>(channel)              values needed for N channels from channel on (for one channel if inner > 1)
//   read<N>(position, outer)      loads
//   take(partial, kept, k, in, i) adds the i-th element of in, for the k-th channel of kept
//   Partial::merged(other)        or + for float
//   finish(channel, whole)        writes the result
#pragma once

#include "engine/compute/cuda/kernels/execution/execution_phases.h"
#include "engine/compute/cuda/kernels/normalisation/moments.h"

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

STEELYARD_HD void takeValue(float& sum, float value) {
    sum += value;
}
STEELYARD_HD void takeValue(Moments& moments, float value) {
    moments.take(value);
}

// Adds to a sum or moments.
template <typename T>
struct TakeValue {
    const T* x;

    struct Nothing {};
    template <int N>
    STEELYARD_HD_MEMBER Nothing kept(std::int64_t /*channel*/) const {
        return {};
    }
    template <int N>
    STEELYARD_HD_MEMBER Pack<T, N> read(std::int64_t at, std::int64_t /*outer*/) const {
        return load<N>(x + at);
    }
    template <int N, typename Partial>
    STEELYARD_HD_MEMBER void take(Partial& partial, const Nothing& /*kept*/, int /*k*/, const Pack<T, N>& in,
                                  int i) const {
        takeValue(partial, toFloat(in.at[i]));
    }
};

// Partition for inner = 1: a block processes `across` packs of channels with threads `across` wide and `down` deep; the
// blocks of a tile, its slices, take `down` rows in turn.
struct RowSlices {
    int across, down;
    std::int64_t tiles, slices;
};

inline constexpr int kSumThreads = 256, kSumRows = 4;  // rows with outstanding loads per thread

[[nodiscard]] inline RowSlices rowSlices(const ChannelAxes& axes, int neighbours) {
    constexpr std::int64_t kBlocks = 264, kMostAcross = 32;  // two blocks per multiprocessor of the largest devices
    const std::int64_t packs = ceilDivided(axes.channels > 0 ? axes.channels : 1, neighbours);
    RowSlices s{};
    s.across = 1;
    while (s.across < packs && s.across < kMostAcross) s.across *= 2;
    s.down = kSumThreads / s.across;
    s.tiles = ceilDivided(packs, s.across);
    const std::int64_t wanted = kBlocks / s.tiles, possible = ceilDivided(axes.outer, std::int64_t{s.down} * kSumRows);
    s.slices = wanted < possible ? wanted : possible;
    if (s.slices < 1) s.slices = 1;
    return s;
}

// Number of parts of a channel if inner > 1.
[[nodiscard]] inline std::int64_t pixelSlices(const ChannelAxes& axes) {
    constexpr std::int64_t kTeams = 2048, kTeamElements = 2048;
    const std::int64_t wanted = kTeams / (axes.channels > 0 ? axes.channels : 1);
    const std::int64_t possible = ceilDivided(axes.perChannel(), kTeamElements);
    const std::int64_t slices = wanted < possible ? wanted : possible;
    return slices > 0 ? slices : 1;
}

template <typename Partial>
[[nodiscard]] std::int64_t channelSumsWorkspace(const ChannelAxes& axes) {
    std::int64_t slices = axes.inner == 1 ? 1 : pixelSlices(axes);
    if (axes.inner == 1)
        for (const int neighbours : {1, kPack<float>, kPack<Half>}) {
            const auto cut = rowSlices(axes, neighbours).slices;
            if (cut > slices) slices = cut;
        }
    return paddedBytes(slices * axes.channels * static_cast<std::int64_t>(sizeof(Partial)));
}

struct NoState {};
template <typename Partial, int N>
struct SumShared {
    alignas(16) unsigned char bytes[sizeof(Partial) * N * kSumThreads];
    // For a thread's k-th channel.
    STEELYARD_HD_MEMBER Partial& at(int thread, int k) {
        return reinterpret_cast<Partial*>(bytes)[k * kSumThreads + thread];
    }
};

template <typename Partial, int N, typename Take>
struct SumRowsOfSlice {
    ChannelAxes axes;
    RowSlices cut;
    std::int64_t pitch;  // distance of rows, in elements
    Take take;
    Partial* partials;
    using Shared = SumShared<Partial, N>;

    template <typename Phases>
    STEELYARD_HD_MEMBER void operator()(Phases& phases, std::int64_t block) const {
        const std::int64_t slice = divided(block, cut.tiles), tile = block - slice * cut.tiles;
        phases.run([&](int thread, NoState&, Shared& all) { sum(all, thread, slice, tile); });
        for (int down = cut.down / 2; down > 0; down /= 2) {
            const int half = down * cut.across;
            phases.run([&](int thread, NoState&, Shared& all) {
                for (int i = thread; i < half * N; i += kSumThreads) {
                    const int k = i / half, to = i - k * half;
                    all.at(to, k) = MergePartials{}(all.at(to, k), all.at(to + half, k));
                }
            });
        }
        phases.run([&](int thread, NoState&, Shared& all) {
            const std::int64_t first = tile * cut.across * N;
            for (int i = thread; i < cut.across * N && first + i < axes.channels; i += kSumThreads)
                partials[slice * axes.channels + first + i] = all.at(i / N, i % N);
        });
    }

private:
    STEELYARD_HD_MEMBER void sum(Shared& all, int thread, std::int64_t slice, std::int64_t tile) const {
        const int group = thread / cut.across, pack = thread % cut.across;
        const std::int64_t channel = (tile * cut.across + pack) * N;
        Partial sums[N];
        for (int k = 0; k < N; ++k) sums[k] = Partial{};
        if (channel < axes.channels) addRows(sums, channel, slice * cut.down + group);
        for (int k = 0; k < N; ++k) all.at(thread, k) = sums[k];
    }

    STEELYARD_HD_MEMBER void addRows(Partial (&sums)[N], std::int64_t channel, std::int64_t row) const {
        const auto kept = take.template kept<N>(channel);
        using In = decltype(take.template read<N>(row, row));
        const std::int64_t step = cut.slices * cut.down;
        for (; row < axes.outer; row += kSumRows * step) {
            In in[kSumRows];
            STEELYARD_UNROLL
            for (int r = 0; r < kSumRows; ++r)
                if (row + r * step < axes.outer)
                    in[r] = take.template read<N>((row + r * step) * pitch + channel, row + r * step);
            STEELYARD_UNROLL
            for (int r = 0; r < kSumRows; ++r)
                if (row + r * step < axes.outer)
                    for (int k = 0; k < N; ++k) take.take(sums[k], kept, k, in[r], k);
        }
    }
};

// inner > 1: a team processes a slice of one channel, neighbouring threads neighbouring packs of its pixels.
template <typename Partial, int N, typename Take>
struct SumPixelsOfSlice {
    ChannelAxes axes;
    std::int64_t slices;
    Take take;
    Partial* partials;

    template <typename Team>
    STEELYARD_HD_MEMBER void operator()(const Team& team, std::int64_t i) const {
        const auto at = split(i, axes.channels);
        const std::int64_t slice = at.quotient, channel = at.rest;  // Clang 14 cannot capture structured bindings
        const std::int64_t all = axes.perChannel() / N, size = (all + slices - 1) / slices;
        const std::int64_t first = slice * size, rest = all - first, count = rest < size ? rest : size;
        const auto kept = take.template kept<1>(channel);
        const auto whole = team.template reduce<Partial>(
            count > 0 ? count : 0,
            [&](Partial& sum, std::int64_t k) {
                const auto [outer, pixel] = split((first + k) * N, axes.inner);
                const auto in = take.template read<N>((outer * axes.channels + channel) * axes.inner + pixel, outer);
                for (int n = 0; n < N; ++n) take.take(sum, kept, 0, in, n);
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
    // A single thread.
    STEELYARD_HD_MEMBER void operator()(std::int64_t channel) const {
        Partial whole = partials[channel];
        for (std::int64_t slice = 1; slice < slices; ++slice)
            whole = MergePartials{}(whole, partials[slice * channels + channel]);
        finish(channel, whole);
    }
};

template <typename Partial, int N, typename Take>
Status sumRowSlices(Stream stream, const ChannelAxes& axes, const RowSlices& cut, std::int64_t pitch, const Take& take,
                    Partial* partials) {
    return phased<kSumThreads, NoState, SumShared<Partial, N>>(
        stream, axes.channels > 0 ? cut.slices * cut.tiles : 0,
        SumRowsOfSlice<Partial, N, Take>{axes, cut, pitch, take, partials});
}

// Neighbours: number that `take` reads at once if positions and `aligned` allow it. pitch: distance of rows if inner =
// 1 and they are not contiguous; 0: channels.
template <typename Partial, int Neighbours, typename Take, typename Finish>
Status channelSums(Stream stream, const ChannelAxes& axes, bool aligned, const Take& take, const Finish& finish,
                   void* workspace, std::int64_t pitch = 0) {
    auto* partials = static_cast<Partial*>(workspace);
    if (pitch <= 0) pitch = axes.channels;
    std::int64_t slices = 0;
    Status status = kOk;
    if (axes.inner == 1) {
        const bool packs = aligned && axes.channels % Neighbours == 0 && pitch % Neighbours == 0;
        const auto cut = rowSlices(axes, packs ? Neighbours : 1);
        slices = cut.slices;
        status = packs ? sumRowSlices<Partial, Neighbours>(stream, axes, cut, pitch, take, partials)
                       : sumRowSlices<Partial, 1>(stream, axes, cut, pitch, take, partials);
    } else {
        slices = pixelSlices(axes);
        const std::int64_t parts = slices * axes.channels;
        status =
            aligned && axes.inner % Neighbours == 0
                ? teams<256>(stream, parts, SumPixelsOfSlice<Partial, Neighbours, Take>{axes, slices, take, partials})
                : teams<256>(stream, parts, SumPixelsOfSlice<Partial, 1, Take>{axes, slices, take, partials});
    }
    if (status != kOk) return status;
    const SumSlices<Partial, Finish> join{axes.channels, slices, partials, finish};
    if (slices <= 8) return elements(stream, axes.channels, join);
    return slices <= 64 ? teams<32>(stream, axes.channels, join) : teams<256>(stream, axes.channels, join);
}

}  // namespace steelyard::compute::cuda::kernels
