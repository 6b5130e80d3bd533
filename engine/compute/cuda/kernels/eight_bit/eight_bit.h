// SPDX-License-Identifier: Apache-2.0
// Kernels of int8 inference (plan/quantisation.h): products of bytes with exact 32-bit sums, and what surrounds them.
// Images are [B, H, W, C]; other tensors are rows of features. An element of a tensor in 8 bits stands for itself times
// the step of its grid, which is a factor of the arguments.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/compute/cuda/kernels/normalisation/normalisation.h"
#include "engine/compute/cuda/kernels/pointwise/pointwise.h"
#include "engine/compute/cuda/kernels/pointwise/shaping.h"

namespace steelyard::compute::cuda::kernels {

enum class StoredAs : std::uint8_t { Float, Signed, Unsigned };  // float32, int8 of -127 to 127, uint8

[[nodiscard]] constexpr std::int64_t bytesOf(StoredAs type) {
    return type == StoredAs::Float ? 4 : 1;
}

// Rows of x that a product reads. Each output pixel is a row: the pixels of its window, and of each of them the
// channels of a group. A dense layer has images of one pixel.
struct ByteWindows {
    std::int64_t batch = 0, height = 1, width = 1;
    std::int64_t channels = 0;  // of a group
    std::int64_t groups = 1;
    std::int64_t pitch = 0;  // between pixels, at least channels * groups
    std::int64_t kernelHeight = 1, kernelWidth = 1;
    std::int64_t strideHeight = 1, strideWidth = 1;
    std::int64_t top = 0, left = 0;  // padding with zeros
    std::int64_t outHeight = 1, outWidth = 1;

    [[nodiscard]] constexpr std::int64_t rows() const { return batch * outHeight * outWidth; }
    [[nodiscard]] constexpr std::int64_t depth() const { return kernelHeight * kernelWidth * channels; }
    friend bool operator==(const ByteWindows&, const ByteWindows&) = default;
};

// y = activation(factors[unit] sum + offsets[unit] + shortcutFactor shortcut), as float32; in 8 bits times `inverse`,
// rounded to nearest, ties to even, and limited to the grid. y and shortcut are [rows, units]; they may be the same.
struct ByteResults {
    const float* factors = nullptr;
    const float* offsets = nullptr;
    const void* shortcut = nullptr;  // may be absent
    StoredAs shortcutType = StoredAs::Float;
    float shortcutFactor = 1;
    Activation activation = Activation::None;
    void* y = nullptr;
    StoredAs type = StoredAs::Float;
    float inverse = 1;
};

// Tiles of sums of a block: 128 rows by 128 units, 64 by 64, or 16 by 128.
enum class ByteTile : std::uint8_t { Large, Small, FewRows };

// Products on tensor cores. weights: int8, [units, weightPitch(depth)], in the order [kernelHeight, kernelWidth,
// channels], with zeros behind; `units` is over all groups. Needs compute capability 7.5.
inline constexpr std::int64_t kByteDepth = 64;
[[nodiscard]] constexpr std::int64_t weightPitch(std::int64_t depth) {
    return (depth + kByteDepth - 1) / kByteDepth * kByteDepth;
}
[[nodiscard]] Status byteProduct(Stream stream, ByteTile tile, const ByteWindows& windows, StoredAs source,
                                 const void* x, const std::int8_t* weights, std::int64_t units,
                                 const ByteResults& results);

// A convolution with one channel per group. weights: int8, [kernelHeight, kernelWidth, units].
[[nodiscard]] Status byteDepthwise(Stream stream, const ByteWindows& windows, StoredAs source, const void* x,
                                   const std::int8_t* weights, std::int64_t units, const ByteResults& results);

// factors[u] = steps[u] inputStep s, offsets[u] = bias[u], or with a batch normalisation offset + (bias - mean) s,
// where s = scale / sqrt(variance + epsilon), else 1. steps, bias and norm.scale may be null: 1, 0 and no
// normalisation.
[[nodiscard]] Status byteFactors(Stream stream, const float* steps, float inputStep, const float* bias,
                                 const BatchNormParameters& norm, const float* mean, const float* variance,
                                 float* factors, float* offsets, std::int64_t units);

// Rows of Float32 in 8 bits, with zeros from `length` to yPitch, a multiple of 4.
[[nodiscard]] Status toBytes(Stream stream, const float* x, std::int64_t rows, std::int64_t length, void* y,
                             std::int64_t yPitch, StoredAs type, float inverse);

// y = activation(sum of factors[k] x[k]), in 8 bits times `inverse` and rounded. With scales, the first term is
// multiplied by scales[channel], and offsets[channel] is added; as in ChannelAxes, an element i has the channel i /
// inner % channels. y may be one of x of the same type.
struct ByteTerms {
    const void* x[kMostAddends] = {};
    StoredAs types[kMostAddends] = {};
    float factors[kMostAddends] = {};
    int count = 0;
    const float* scales = nullptr;
    const float* offsets = nullptr;
    std::int64_t channels = 1, inner = 1;
    Activation activation = Activation::None;
};
[[nodiscard]] Status addBytes(Stream stream, const ByteTerms& terms, void* y, StoredAs type, float inverse,
                              std::int64_t n);

// y[b, c] = factor times the sum over pixels of x[b, pixel, c]; y is Float32.
[[nodiscard]] Status sumOfPixels(Stream stream, StoredAs type, const void* x, float* y, std::int64_t batch,
                                 std::int64_t pixels, std::int64_t channels, float factor);

// On bytes of either sign, which keep their grid: maximum or average (rounded) of windows (shaping.cpp has the rest).
[[nodiscard]] Status poolBytes(Stream stream, StoredAs type, bool largest, const PoolWindow& w, const void* x, void* y);
// As copyRows and transpose do.
[[nodiscard]] Status copyRowsOfBytes(Stream stream, const void* x, std::int64_t xPitch, void* y, std::int64_t yPitch,
                                     std::int64_t rows, std::int64_t length);
[[nodiscard]] Status transposeBytes(Stream stream, const void* x, void* y, std::int64_t batch, std::int64_t rows,
                                    std::int64_t columns);

}  // namespace steelyard::compute::cuda::kernels
