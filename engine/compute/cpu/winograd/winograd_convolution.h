// SPDX-License-Identifier: Apache-2.0
// Convolutions with 3x3 weights and stride 1 by Winograd's algorithm, on native kernels. One of the
// candidates of a convolution.
//
// Of bfloat16 data, for AVX-512 BF16, F(2x2, 3x3): 16 multiplications instead of 36 for four pixels. What is
// multiplied, sums of up to sixteen pixels or weights, is rounded to bfloat16 once more; the products' sums and the
// transforms are float32. With random data the error of a result is 2.6 to 2.7 times that of rounding the result
// (winograd_convolution_test.cpp). The larger tiles, which would lose far more, are not used.
//
// Of floats, for AVX-512, F(4x4, 3x3): 36 multiplications instead of 144 for sixteen pixels. With random data the
// relative error of a result, as a root mean square, is 0.7e-6 with 64 channels and 1.6e-6 with 256.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/cpu/compile/compiler.h"
#include "engine/compute/cpu/kernels/kernels.h"

namespace steelyard::compute::cpu {

// Source or target of a convolution, [batch, channels, height, width]; strides in elements, of sixteen channels that
// lie one after the other.
struct WinogradImage {
    std::int64_t batch = 0, channels = 0, height = 0, width = 0;
    std::int64_t sampleStride = 0, groupStride = 0, rowStride = 0, columnStride = 0;
    DataKind kind = DataKind::f32;
};
// Nothing when the layout, the type or the number of channels is not one of those written for.
[[nodiscard]] std::optional<WinogradImage> winogradImage(const Desc& desc);

// How source and target, which are of the same type, lie to each other.
struct WinogradShape {
    WinogradImage source, target;
    std::int64_t top = 0, left = 0;  // padding
    int threads = 1;                 // as many as work on it, at most

    [[nodiscard]] DataKind kind() const { return source.kind; }
};

// Forward; or the gradient of the source, which is a convolution of the target's gradient with rotated weights.
struct WinogradConvolution {
    WinogradShape shape;
    bool rotated = false;
    bool adds = false;  // to what the target holds
    bool relu = false;  // afterwards

    [[nodiscard]] static WinogradConvolution forward(const WinogradShape& shape, bool adds, bool relu);
    [[nodiscard]] static WinogradConvolution backwardData(const WinogradShape& forward);

    // How weights [filters, channels, 3, 3] have to lie.
    [[nodiscard]] Desc weightsDesc() const;
    [[nodiscard]] std::int64_t scratchBytes() const;
    // Source and target as their images say. `bias` of as many elements as the target has channels, or null. Scratch
    // begins on a cache line.
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

[[nodiscard]] TrialMaker trialOf(const dnnl::engine& engine, const WinogradConvolution& convolution);
[[nodiscard]] TrialMaker trialOf(const dnnl::engine& engine, const WinogradWeights& convolution);

}  // namespace steelyard::compute::cpu
