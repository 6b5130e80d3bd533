// SPDX-License-Identifier: Apache-2.0
// Data movement: transposes, strided rows, attention heads, the padded shortcut, pooling windows.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

// y[b, c, r] (+)= x[b, r, c]: x is [batch, rows, columns]. Channels first -> last: rows = C, columns = H W.
[[nodiscard]] Status transpose(Stream stream, ElementType type, const void* x, void* y, std::int64_t batch,
                               std::int64_t rows, std::int64_t columns, bool accumulate);

// y[r yPitch + i] (+)= x[r xPitch + i], r < rows, i < length; the caller adds offsets to the pointers. For
// concatenation and its backward pass (channels first: rows = B, length = C_k H W; last: rows = B H W, length = C_k),
// selecting a step of a sequence, and inserting a class token. xPitch 0 repeats one row.
[[nodiscard]] Status copyRows(Stream stream, ElementType type, const void* x, std::int64_t xPitch, void* y,
                              std::int64_t yPitch, std::int64_t rows, std::int64_t length, bool accumulate);
// y[r yPitch + i] = row[i], row in Float32: a learned token before each sample.
[[nodiscard]] Status writeRow(Stream stream, ElementType type, const float* row, void* y, std::int64_t yPitch,
                              std::int64_t rows, std::int64_t length);

// Attention: a part of [B, T, pitch] with `heads` heads of `width` side by side -> [B, heads, keys, width], with its
// tokens at firstKey .. firstKey + T - 1. Q: pitch = 3 F, x at 0; K at F, V at 2 F; a cache: pitch = F, firstKey = 0,
// and the new tokens after it.
struct HeadLayout {
    std::int64_t batch = 0, tokens = 0, heads = 1, width = 0;
    std::int64_t pitch = 0;  // between tokens of x, in elements; samples are tokens * pitch apart
    std::int64_t keys = 0, firstKey = 0;
};
[[nodiscard]] Status splitHeads(Stream stream, ElementType type, const HeadLayout& layout, const void* x, void* y);
// The inverse, for outputs and gradients: x(pitched) (+)= y.
[[nodiscard]] Status mergeHeads(Stream stream, ElementType type, const HeadLayout& layout, const void* y, void* x,
                                bool accumulate);

// ResNet's option A: y[b, before + c, h, w] = x[b, c, stride h, stride w], other channels 0; before = (channels of y -
// channels of x) / 2. Both in the same layout.
[[nodiscard]] Status shortcutPadForward(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out,
                                        std::int64_t stride, const void* x, void* y);
[[nodiscard]] Status shortcutPadBackward(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out,
                                         std::int64_t stride, const void* dy, void* dx, bool accumulate);

// Windows of engine/model's Pool2d: padding per side, explicit output sizes (rounded up or down).
struct PoolWindow {
    ImageLayout in, out;  // same layout
    std::int64_t kernelHeight = 1, kernelWidth = 1;
    std::int64_t strideHeight = 1, strideWidth = 1;
    std::int64_t paddingTop = 0, paddingLeft = 0;
    bool countPadding = false;  // average: divide by the whole window
};
// indices: position of the (first) maximum in the whole window, row-major; in y's order; null for inference.
// kInvalidValue with indices for windows of more than 256 positions.
[[nodiscard]] Status maxPoolForward(Stream stream, ElementType type, const PoolWindow& w, const void* x, void* y,
                                    std::uint8_t* indices);
[[nodiscard]] Status maxPoolBackward(Stream stream, ElementType type, const PoolWindow& w, const void* dy,
                                     const std::uint8_t* indices, void* dx, bool accumulate);
[[nodiscard]] Status averagePoolForward(Stream stream, ElementType type, const PoolWindow& w, const void* x, void* y);
[[nodiscard]] Status averagePoolBackward(Stream stream, ElementType type, const PoolWindow& w, const void* dy, void* dx,
                                         bool accumulate);

}  // namespace steelyard::compute::cuda::kernels
