// SPDX-License-Identifier: Apache-2.0
// Copies between host and device for measuring bandwidth (engine/compute/host_copies.h), on top of a device provider.
#pragma once

#include <memory>

#include "engine/compute/cuda/compile/library_call.h"
#include "engine/compute/host_copies.h"

namespace steelyard::compute::cuda {

// The device is open; its set is kept alive. OutOfMemory if a side does not fit.
[[nodiscard]] Result<std::unique_ptr<HostCopy>> makeHostCopy(std::shared_ptr<DeviceSet> device,
                                                             const CopyRequest& request);

}  // namespace steelyard::compute::cuda
