// SPDX-License-Identifier: Apache-2.0
// What a step takes of a device's memory altogether, beside what the backend allocated itself: libraries keep handles
// and workspaces of their own. An Executable whose device can tell may be a DeviceMemoryUse too.
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
    // How much less was free at the worst moment, bytes: since the device was opened for this executable, before its
    // libraries were, until now. What other programs took meanwhile is in it. Unknown before the first step.
    [[nodiscard]] virtual std::optional<std::int64_t> devicePeakBytes() const = 0;
};

[[nodiscard]] inline std::optional<std::int64_t> devicePeakBytes(const Executable& executable) {
    const auto* use = dynamic_cast<const DeviceMemoryUse*>(&executable);
    return use == nullptr ? std::nullopt : use->devicePeakBytes();
}

}  // namespace steelyard::compute
