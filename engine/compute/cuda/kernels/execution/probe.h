// SPDX-License-Identifier: Apache-2.0
// Kernels that measure the device.
#pragma once

#include "engine/compute/cuda/kernels/execution/types.h"

namespace steelyard::compute::cuda::kernels {

[[nodiscard]] Status empty(Stream stream);  // launch latency
// a = b + factor c over n Float32: three arrays of traffic (J. McCalpin's STREAM triad).
[[nodiscard]] Status triad(Stream stream, float* a, const float* b, const float* c, float factor, std::int64_t n);

}  // namespace steelyard::compute::cuda::kernels
