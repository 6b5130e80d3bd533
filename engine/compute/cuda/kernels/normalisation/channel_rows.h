// SPDX-License-Identifier: Apache-2.0
// Elementwise operations over [rows, channels] with per-channel values: a thread loads those of its N neighbouring
// channels once and processes several rows. Internal to kernels/. `work` has
//   kept<N>(channel)       loads them
//   read<N>(at)            loads N elements
//   write<N>(kept, in, at) computes and stores
//   run<N>(at)             the same for N elements of one channel, if channels are not contiguous
#pragma once

#include "engine/compute/cuda/kernels/execution/execution.h"

namespace steelyard::compute::cuda::kernels {

// At: rows with outstanding loads per thread. From the last row to the first: what the preceding pass has read last is
// still in a device's cache.
template <int N, int At, typename Work>
struct RowsOfChannels {
    static constexpr std::int64_t kNear = 32;       // distance of a thread's rows
    std::int64_t rows, channels, rowsEach, chunks;  // chunks of kNear * rowsEach rows
    Work work;

    STEELYARD_HD_MEMBER void operator()(std::int64_t i) const {
        const auto [group, pack] = split(i, channels / N);
        const std::int64_t chunk = chunks - 1 - group / kNear, first = chunk * kNear * rowsEach;
        const std::int64_t end = first + kNear * rowsEach < rows ? first + kNear * rowsEach : rows;
        const std::int64_t channel = pack * N;
        const auto kept = work.template kept<N>(channel);
        using In = decltype(work.template read<N>(channel));
        for (std::int64_t row = first + group % kNear; row < end; row += At * kNear) {
            In in[At];
            STEELYARD_UNROLL
            for (int r = 0; r < At; ++r)
                if (row + r * kNear < end) in[r] = work.template read<N>((row + r * kNear) * channels + channel);
            STEELYARD_UNROLL
            for (int r = 0; r < At; ++r)
                if (row + r * kNear < end) work.template write<N>(kept, in[r], (row + r * kNear) * channels + channel);
        }
    }
};

// `kept` of N neighbouring channels is only possible if their pointers are aligned, too.
template <int N, int At, typename Work>
Status overChannels(Stream stream, const ChannelAxes& axes, bool aligned, bool keptAligned, const Work& work) {
    if (axes.elements() == 0) return kOk;
    if (axes.inner != 1) return packs<N>(stream, axes.elements(), aligned && axes.inner % N == 0, work);
    if (!aligned || !keptAligned || axes.channels % N != 0) return packs<1>(stream, axes.elements(), true, work);
    constexpr std::int64_t kThreads = std::int64_t{1} << 17, kMostRows = 2 * At;
    const std::int64_t packsOfRow = axes.channels / N, turns = axes.outer * packsOfRow / kThreads;
    const std::int64_t rowsEach = turns < 1 ? 1 : turns > kMostRows ? kMostRows : turns;
    using Rows = RowsOfChannels<N, At, Work>;
    const std::int64_t chunks = ceilDivided(axes.outer, Rows::kNear * rowsEach);
    return elements(stream, chunks * Rows::kNear * packsOfRow, Rows{axes.outer, axes.channels, rowsEach, chunks, work});
}

}  // namespace steelyard::compute::cuda::kernels
