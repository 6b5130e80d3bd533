// SPDX-License-Identifier: Apache-2.0
// Between the caller's values (float32, row-major as Tensor::dims) and what lies on the device: the element type, and
// for images and filters with the channels last the order [d0, d2, d3, d1]. Internal to engine/compute/cuda.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/compute/cuda/kernels/execution/types.h"
#include "engine/model/layer.h"

namespace steelyard::compute::cuda {

struct HostLayout {
    kernels::ElementType type = kernels::ElementType::F32;
    bool channelsLast = false;  // has an effect on four dimensions only
};

// dims must have as many elements as the span.
[[nodiscard]] std::vector<std::byte> toDeviceBytes(std::span<const float> values, const model::Shape& dims,
                                                   const HostLayout& layout);
void fromDeviceBytes(std::span<const std::byte> bytes, const model::Shape& dims, const HostLayout& layout,
                     std::span<float> values);

// The same of 32-bit integers, whatever the layout's type.
[[nodiscard]] std::vector<std::byte> toDeviceBytes(std::span<const std::int32_t> values, const model::Shape& dims,
                                                   const HostLayout& layout);
void fromDeviceBytes(std::span<const std::byte> bytes, const model::Shape& dims, const HostLayout& layout,
                     std::span<std::int32_t> values);

}  // namespace steelyard::compute::cuda
