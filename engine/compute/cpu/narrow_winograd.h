// SPDX-License-Identifier: Apache-2.0
// Convolutions of bfloat16 data with 3x3 weights and stride 1 by Winograd's F(2x2, 3x3), on own kernels for AVX-512
// BF16: 16 multiplications instead of 36 for four pixels. Beside the library's direct ones, one more candidate to be
// tried.
//
// What is multiplied, sums of up to sixteen pixels or weights, is rounded to bfloat16 once more; the products' sums and
// the transforms are float32. With random data the error of a result is 2.6 to 2.7 times that of rounding the
// result (narrow_winograd_test.cpp). The larger F(4x4, 3x3), which would lose far more, is not used.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/cpu/compiler.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

// Source or target of a convolution, [batch, channels, height, width]; strides in elements, of sixteen channels that
// lie one after the other.
struct WinogradImage {
    std::int64_t batch = 0, channels = 0, height = 0, width = 0;
    std::int64_t sampleStride = 0, groupStride = 0, rowStride = 0, columnStride = 0;
};
// Nothing when the layout, the type or the number of channels is not one of those written for.
[[nodiscard]] std::optional<WinogradImage> winogradImage(const Desc& desc);

// How source and target lie to each other.
struct WinogradShape {
    WinogradImage source, target;
    std::int64_t top = 0, left = 0;  // padding
    int threads = 1;                 // as many as work on it, at most

    [[nodiscard]] std::int64_t tiles() const;
};

// Forward; or the gradient of the source, which is a convolution of the target's gradient with rotated weights.
struct NarrowWinograd {
    static constexpr std::int64_t kTilesAtOnce = 24;  // of a thread, in whose cache they stay

    WinogradShape shape;
    bool rotated = false;
    bool adds = false;  // to what the target holds
    bool relu = false;  // afterwards

    [[nodiscard]] static NarrowWinograd forward(const WinogradShape& shape, bool adds, bool relu);
    [[nodiscard]] static NarrowWinograd backwardData(const WinogradShape& forward);

    // How weights [filters, channels, 3, 3] have to lie.
    [[nodiscard]] Desc weightsDesc() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // `bias` of as many elements as the target has channels, or null. Scratch begins on a cache line.
    void run(const BFloat16* source, const void* weights, const float* bias, BFloat16* target, void* scratch) const;
};

// The gradient of weights and bias.
struct NarrowWinogradWeights {
    WinogradShape shape;

    [[nodiscard]] Desc gradientDesc() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // `bias` may be null.
    void run(const BFloat16* source, const BFloat16* targetGradient, float* gradient, float* bias, void* scratch) const;
};

[[nodiscard]] TrialMaker trialOf(const dnnl::engine& engine, const NarrowWinograd& convolution);
[[nodiscard]] TrialMaker trialOf(const dnnl::engine& engine, const NarrowWinogradWeights& convolution);

}  // namespace steelyard::compute::cpu
