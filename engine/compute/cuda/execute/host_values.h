// SPDX-License-Identifier: Apache-2.0
// Converts between the caller's values (float32, row-major in Tensor::dims) and device memory: the element type, and
// for channels-last images and filters the order [d0, d2, d3, d1]. Internal to engine/compute/cuda.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/model/layer.h"

namespace steelyard::compute::cuda {

struct HostLayout {
    kernels::ElementType type = kernels::ElementType::F32;
    bool channelsLast = false;  // affects rank four only
};

// dims must have as many elements as the span.
[[nodiscard]] std::vector<std::byte> toDeviceBytes(std::span<const float> values, const model::Shape& dims,
                                                   const HostLayout& layout);
void fromDeviceBytes(std::span<const std::byte> bytes, const model::Shape& dims, const HostLayout& layout,
                     std::span<float> values);

// Likewise for 32-bit integers, regardless of the layout's type.
[[nodiscard]] std::vector<std::byte> toDeviceBytes(std::span<const std::int32_t> values, const model::Shape& dims,
                                                   const HostLayout& layout);
void fromDeviceBytes(std::span<const std::byte> bytes, const model::Shape& dims, const HostLayout& layout,
                     std::span<std::int32_t> values);

}  // namespace steelyard::compute::cuda
