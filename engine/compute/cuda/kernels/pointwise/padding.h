// SPDX-License-Identifier: Apache-2.0
// Image padding: convolutions with asymmetric padding work on a padded copy.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

// y[b, c, top + h, left + w] = x[b, c, h, w], zero elsewhere. `out` is `in` with other heights and widths, in the same
// layout.
[[nodiscard]] Status padImage(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out,
                              std::int64_t top, std::int64_t left, const void* x, void* y);
// The inverse: y[b, c, h, w] (+)= x[b, c, top + h, left + w]; `in` is the padded image.
[[nodiscard]] Status cropImage(Stream stream, ElementType type, const ImageLayout& in, const ImageLayout& out,
                               std::int64_t top, std::int64_t left, const void* x, void* y, bool accumulate);

}  // namespace steelyard::compute::cuda::kernels
