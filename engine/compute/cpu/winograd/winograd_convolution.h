// SPDX-License-Identifier: Apache-2.0
// 3x3 convolutions with stride 1 by Winograd's algorithm on native kernels. A candidate for convolutions.
//
// bfloat16, AVX-512 BF16, F(2x2, 3x3): 16 multiplications instead of 36 for four pixels. The factors, sums of up to
// sixteen pixels or weights, are rounded to bfloat16 once more; sums of products and transforms are float32. With
// random data the error is 2.6 to 2.7 times that of rounding the result (winograd_convolution_test.cpp). Larger tiles
// would lose far more precision and are not used.
//
// float, AVX-512 or AVX2, F(4x4, 3x3): 36 multiplications instead of 144 for sixteen pixels. With random data the
// relative RMS error is 0.7e-6 with 64 channels and 1.6e-6 with 256.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

// Source or target of a convolution, [batch, channels, height, width]; strides in elements, in groups of sixteen
// channels. These are contiguous, or with AVX2 also in halves.
struct WinogradImage {
    std::int64_t batch = 0, channels = 0, height = 0, width = 0;
    std::int64_t sampleStride = 0, groupStride = 0, rowStride = 0, columnStride = 0;
    DataKind kind = DataKind::f32;
    std::int64_t halfStride = 8;  // from the first eight channels of a group to the others
};
// Unset if layout, type or channel count are not supported.
[[nodiscard]] std::optional<WinogradImage> winogradImage(const Desc& desc);

// Geometry of source and target, which have the same type.
struct WinogradShape {
    WinogradImage source, target;
    std::int64_t top = 0, left = 0;  // padding
    int threads = 1;                 // maximum number

    [[nodiscard]] DataKind kind() const { return source.kind; }
};

// Forward; or the gradient of the source, a convolution of the target's gradient with rotated weights.
struct WinogradConvolution {
    WinogradShape shape;
    bool rotated = false;
    bool adds = false;  // accumulates into the target
    bool relu = false;  // applied last

    [[nodiscard]] static WinogradConvolution forward(const WinogradShape& shape, bool adds, bool relu);
    [[nodiscard]] static WinogradConvolution backwardData(const WinogradShape& forward);

    // Required layout of the weights [filters, channels, 3, 3].
    [[nodiscard]] Desc weightsDesc() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // Source and target as described by their images. `bias`: one element per target channel, or null. Scratch must be
    // aligned to a cache line.
    void run(const void* source, const void* weights, const float* bias, void* target, void* scratch) const;
};

// The gradient of weights and bias.
struct WinogradWeights {
    WinogradShape shape;

    [[nodiscard]] Desc weightsDesc() const;  // of the gradient
    [[nodiscard]] std::int64_t scratchBytes() const;
    // `bias` may be null.
    void run(const void* source, const void* targetGradient, float* gradient, float* bias, void* scratch) const;
};

// coldWeights: these are read from memory, not those of a gradient. If it adds, the target is too.
[[nodiscard]] TrialMaker trialOf(const dnnl::engine& engine, const WinogradConvolution& convolution, bool coldWeights);
[[nodiscard]] TrialMaker trialOf(const dnnl::engine& engine, const WinogradWeights& convolution, bool coldWeights);

}  // namespace steelyard::compute::cpu
