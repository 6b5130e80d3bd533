// SPDX-License-Identifier: Apache-2.0
// Products of 8-bit matrices by native kernels (AVX2, VNNI, AMX), whose sums are scaled, added to a shortcut and
// rounded tile by tile: a candidate for dense layers and convolutions of Int8 plans, on channels-last rows.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "engine/compute/cpu/kernels/kernels.h"
#include "engine/compute/cpu/onednn.h"
#include "engine/compute/cpu/tuning/tuning.h"

namespace steelyard::compute::cpu {

// Rows that are windows of channels-last images, zero outside of them. A line of an image is copied with its padding if
// it has any, and read in place otherwise.
struct Int8Windows {
    std::int64_t height = 0, width = 0, channels = 0;
    std::int64_t kernelHeight = 1, kernelWidth = 1, strideHeight = 1, strideWidth = 1;
    std::int64_t top = 0, left = 0;            // padding
    std::int64_t outHeight = 0, outWidth = 0;  // windows per image

    // Lines that `outLines` lines of windows read, and bytes of each.
    [[nodiscard]] std::int64_t linesOf(std::int64_t outLines) const {
        return (outLines - 1) * strideHeight + kernelHeight;
    }
    [[nodiscard]] std::int64_t lineBytes() const { return ((outWidth - 1) * strideWidth + kernelWidth) * channels; }
    [[nodiscard]] bool isPadded() const;
    [[nodiscard]] std::int64_t features() const { return kernelHeight * kernelWidth * channels; }
};

// y = clamp(factors (x w) + offsets + shortcutFactor y, low, high), then the activation if y is Float.
struct Int8Gemm {
    std::int64_t rows = 0, features = 0, units = 0;  // x is [rows, features], y [rows, units], both contiguous
    std::optional<Int8Windows> windows;  // x are images, each row a window: kernelHeight, kernelWidth, channels
    int threads = 1;
    StoredAs source = StoredAs::Unsigned;  // not Float
    StoredAs target = StoredAs::Unsigned;  // of y
    std::optional<StoredAs> shortcut;      // what y holds before, in elements of the same size
    float shortcutFactor = 1;
    float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
    std::optional<ActivationKind> activation;
    const EightBitKernels* products = &kernels().eightBit;

    [[nodiscard]] bool runsHere() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // Weights: panels of 64 units, words of four features; in the dimensions [units, features].
    [[nodiscard]] Desc packedDesc() const;
    // Whether run() reads `start`: per unit -128 times the sum of its weights, as sumUnits() computes it.
    [[nodiscard]] bool needsStart() const { return source == StoredAs::Signed && products->needsStart; }
    void sumUnits(const void* weights, std::int32_t* start) const;
    void run(const void* x, const void* weights, const float* factors, const float* offsets, const std::int32_t* start,
             void* y, void* scratch) const;
    [[nodiscard]] TrialMaker trial(const dnnl::engine& engine) const;
};

}  // namespace steelyard::compute::cpu
