// SPDX-License-Identifier: Apache-2.0
// Sums over all but one axis, and means over one. In two stages if one block would not saturate the device: partial
// sums into a workspace, then their sum, always in the same order.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

// sums[c] (+)= sum of x over outer and inner; x: [outer, channels, inner]. Gradients of biases (Dense: {rows, units,
// 1}), of position embeddings ({batch, T F, 1}).
[[nodiscard]] std::int64_t sumChannelsWorkspace(const ChannelAxes& axes);
[[nodiscard]] Status sumChannels(Stream stream, ElementType type, const void* x, const ChannelAxes& axes, float* sums,
                                 bool accumulate, void* workspace);
// Likewise for non-contiguous rows: row r begins at x + r pitch elements and has `columns` elements. Gradient of a
// class token: rows = batch, pitch = (T + 1) F, columns = F. Workspace: sumChannelsWorkspace({rows, columns, 1}).
[[nodiscard]] Status sumRows(Stream stream, ElementType type, const void* x, std::int64_t rows, std::int64_t columns,
                             std::int64_t pitch, float* sums, bool accumulate, void* workspace);

// Global average pooling: y[o, i] = mean over m of x[o, m, i]. Channels first: {B C, H W, 1}; channels last, and
// sequences: {B, H W or T, C}.
struct MeanAxes {
    std::int64_t outer = 1, middle = 1, inner = 1;
};
[[nodiscard]] Status meanForward(Stream stream, ElementType type, const MeanAxes& axes, const void* x, void* y);
[[nodiscard]] Status meanBackward(Stream stream, ElementType type, const MeanAxes& axes, const void* dy, void* dx,
                                  bool accumulate);

}  // namespace steelyard::compute::cuda::kernels
