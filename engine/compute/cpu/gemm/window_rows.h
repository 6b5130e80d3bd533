// SPDX-License-Identifier: Apache-2.0
// The rows of native products whose sums stay in registers over all of k (WindowProduct): contiguous rows, or windows
// of channels-last images; and their division among threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

// Rows that are windows of channels-last images, zero outside of them. A line of an image is copied with its padding if
// it has any, and so are strided pixels of narrow images, which then make full tiles. Other lines are read in place.
struct ImageWindows {
    std::int64_t height = 0, width = 0, channels = 0;
    std::int64_t kernelHeight = 1, kernelWidth = 1, strideHeight = 1, strideWidth = 1;
    std::int64_t top = 0, left = 0;            // padding
    std::int64_t outHeight = 0, outWidth = 0;  // windows per image
    std::int64_t elementBytes = 1;

    // Lines that `outLines` lines of windows read, and bytes of each.
    [[nodiscard]] std::int64_t linesOf(std::int64_t outLines) const {
        return (outLines - 1) * strideHeight + kernelHeight;
    }
    [[nodiscard]] std::int64_t pixelBytes() const { return channels * elementBytes; }
    [[nodiscard]] std::int64_t lineBytes() const { return ((outWidth - 1) * strideWidth + kernelWidth) * pixelBytes(); }
    [[nodiscard]] std::int64_t imageBytes() const { return height * width * pixelBytes(); }
    [[nodiscard]] bool isPadded() const;
    [[nodiscard]] bool areStridedPixels() const { return kernelHeight == 1 && kernelWidth == 1 && strideWidth > 1; }
    [[nodiscard]] std::int64_t features() const { return kernelHeight * kernelWidth * channels; }
    [[nodiscard]] std::int64_t rowsOfImage() const { return outHeight * outWidth; }
};

struct WindowRows {
    std::int64_t rows = 0, rowBytes = 0;  // of contiguous rows
    std::int64_t units = 0;               // columns of the result
    std::optional<ImageWindows> windows;  // x are images, each row a window: kernelHeight, kernelWidth, channels
    int threads = 1;
    std::int64_t panelColumns = kPanelColumns;

    [[nodiscard]] std::int64_t sourceBytes() const;  // of x
    [[nodiscard]] std::int64_t lineBytes() const;    // of a row that are contiguous: of a line of the kernel
    [[nodiscard]] std::int64_t scratchBytes() const;
    // Calls multiply(product, row, unit) for all panels of all rows, on `threads` threads. The product is complete but
    // for the result, whose part from `row` and `unit` on is to be written. Panels are panelWords apart.
    using Multiply = std::function<void(const WindowProduct& product, std::int64_t row, std::int64_t unit)>;
    void divide(const void* x, const void* weights, std::int64_t panelWords, void* scratch,
                const Multiply& multiply) const;
};

}  // namespace steelyard::compute::cpu
