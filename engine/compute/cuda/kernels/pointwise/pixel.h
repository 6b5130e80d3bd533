// SPDX-License-Identifier: Apache-2.0
// Position of an image element, in either layout. Internal to kernels/.
#pragma once

#include "engine/compute/cuda/kernels/execution/portable.h"

namespace steelyard::compute::cuda::kernels {

struct Pixel {
    std::int64_t sample, channel, row, column;
};

STEELYARD_HD Pixel pixelOf(const ImageLayout& l, std::int64_t at) {
    if (l.channelsLast) {
        const auto [pixel, channel] = split(at, l.channels);
        const auto [line, column] = split(pixel, l.width);
        const auto [sample, row] = split(line, l.height);
        return {sample, channel, row, column};
    }
    const auto [line, column] = split(at, l.width);
    const auto [plane, row] = split(line, l.height);
    const auto [sample, channel] = split(plane, l.channels);
    return {sample, channel, row, column};
}

STEELYARD_HD std::int64_t positionOf(const ImageLayout& l, const Pixel& p) {
    if (l.channelsLast) return ((p.sample * l.height + p.row) * l.width + p.column) * l.channels + p.channel;
    return ((p.sample * l.channels + p.channel) * l.height + p.row) * l.width + p.column;
}

}  // namespace steelyard::compute::cuda::kernels
