// SPDX-License-Identifier: Apache-2.0
// Total device memory used by a step, including handles and workspaces of libraries. Optional interface of an
// Executable.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/compute/backend.h"

namespace steelyard::compute {

class DeviceMemoryUse {
public:
    DeviceMemoryUse() = default;
    DeviceMemoryUse(const DeviceMemoryUse&) = delete;
    DeviceMemoryUse& operator=(const DeviceMemoryUse&) = delete;
    virtual ~DeviceMemoryUse() = default;
    // Maximum decrease of free memory, in bytes, since the device was opened for this executable, before its libraries
    // were. Includes what other programs allocated in the meantime. Unset before the first step.
    [[nodiscard]] virtual std::optional<std::int64_t> devicePeakBytes() const = 0;
};

[[nodiscard]] inline std::optional<std::int64_t> devicePeakBytes(const Executable& executable) {
    const auto* use = dynamic_cast<const DeviceMemoryUse*>(&executable);
    return use == nullptr ? std::nullopt : use->devicePeakBytes();
}

}  // namespace steelyard::compute
