// SPDX-License-Identifier: Apache-2.0
// Device memory as plain bytes (engine/compute/raw_memory.h), on top of a device provider.
#pragma once

#include <memory>

#include "engine/compute/cuda/compile/library_call.h"
#include "engine/compute/raw_memory.h"

namespace steelyard::compute::cuda {

// The device is open; its set is kept alive. OutOfMemory if it does not fit.
[[nodiscard]] Result<std::unique_ptr<RawMemory>> makeRawMemory(std::shared_ptr<DeviceSet> device, Bytes bytes);

}  // namespace steelyard::compute::cuda
