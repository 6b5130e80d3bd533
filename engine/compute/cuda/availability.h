// SPDX-License-Identifier: Apache-2.0
// Message about a missing CUDA device, from the driver's answer.
#pragma once

#include <string>

#include "engine/core/message.h"

namespace steelyard::compute::cuda {

struct DriverAnswer {
    int driverVersion = 0;  // 1000 x major + 10 x minor of the newest supported CUDA version; 0: no driver
    std::string failure;    // error of the device query; empty if it succeeded
    int devices = 0;
};

// Empty if there is a device.
[[nodiscard]] Message whyNoDevice(const DriverAnswer& answer);

}  // namespace steelyard::compute::cuda
