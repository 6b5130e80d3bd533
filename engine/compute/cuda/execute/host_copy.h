// SPDX-License-Identifier: Apache-2.0
// A copy between host and device alone, for its bandwidth (engine/compute/host_copies.h), over whatever opens devices.
#pragma once

#include <memory>

#include "engine/compute/cuda/compile/library_call.h"
#include "engine/compute/host_copies.h"

namespace steelyard::compute::cuda {

// The device is open; its set is kept. OutOfMemory where one of the sides does not fit.
[[nodiscard]] Result<std::unique_ptr<HostCopy>> makeHostCopy(std::shared_ptr<DeviceSet> device,
                                                             const CopyRequest& request);

}  // namespace steelyard::compute::cuda
