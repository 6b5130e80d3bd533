// SPDX-License-Identifier: Apache-2.0
// Images with a margin: a convolution whose padding differs from side to side is done on a padded copy.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

// y[b, c, top + h, left + w] = x[b, c, h, w], the margin 0. `out` is `in` with other heights and widths; one order.
[[nodiscard]] Status padImage(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out,
                              std::int64_t top, std::int64_t left, const void* x, void* y);
// The way back: y[b, c, h, w] (+)= x[b, c, top + h, left + w]; `in` is the padded image.
[[nodiscard]] Status cropImage(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out,
                               std::int64_t top, std::int64_t left, const void* x, void* y, bool accumulate);

}  // namespace steelyard::compute::cuda::kernels
