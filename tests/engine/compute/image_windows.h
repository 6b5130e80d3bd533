// SPDX-License-Identifier: Apache-2.0
// Windows of small images, and where a reference finds their elements.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/cpu/compile/layout.h"
#include "engine/compute/cpu/gemm/window_rows.h"

namespace steelyard::compute::cpu {

// Of images and kernels of the given sides, all padding and strides equal.
inline ImageWindows windowsOf(std::int64_t height, std::int64_t width, std::int64_t channels, std::int64_t kernel,
                              std::int64_t stride, std::int64_t padding) {
    const auto out = [&](std::int64_t side) { return (side + 2 * padding - kernel) / stride + 1; };
    return {.height = height,
            .width = width,
            .channels = channels,
            .kernelHeight = kernel,
            .kernelWidth = kernel,
            .strideHeight = stride,
            .strideWidth = stride,
            .top = padding,
            .left = padding,
            .outHeight = out(height),
            .outWidth = out(width)};
}

// Index of element k of a row; unset in the padding.
inline std::optional<std::int64_t> elementOf(const ImageWindows& w, std::int64_t row, std::int64_t k) {
    const auto channel = k % w.channels, tap = k / w.channels;
    const auto image = row / w.rowsOfImage(), pixel = row % w.rowsOfImage();
    const auto y = pixel / w.outWidth * w.strideHeight - w.top + tap / w.kernelWidth;
    const auto column = pixel % w.outWidth * w.strideWidth - w.left + tap % w.kernelWidth;
    if (y < 0 || y >= w.height || column < 0 || column >= w.width) return std::nullopt;
    return ((image * w.height + y) * w.width + column) * w.channels + channel;
}

// Where a layout stores element `index` of channels-last images.
inline std::int64_t storedAt(const ChannelLayout& layout, std::int64_t index) {
    const auto channel = index % layout.channels, pixel = index / layout.channels % layout.pixels;
    const auto image = index / layout.channels / layout.pixels;
    return ((image * layout.blocks + channel / layout.block) * layout.pixels + pixel) * layout.block +
           channel % layout.block;
}

}  // namespace steelyard::compute::cpu
