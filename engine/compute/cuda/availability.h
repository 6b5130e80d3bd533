// SPDX-License-Identifier: Apache-2.0
// Why there is no CUDA device, as one sentence, from what the driver answered.
#pragma once

#include <string>

#include "engine/core/message.h"

namespace steelyard::compute::cuda {

struct DriverAnswer {
    int driverVersion = 0;  // 1000 x major + 10 x minor of the newest CUDA it supports; 0: there is no driver
    std::string failure;    // what asking for the devices failed with; empty when it did not
    int devices = 0;
};

// Empty when there is a device.
[[nodiscard]] Message whyNoDevice(const DriverAnswer& answer);

}  // namespace steelyard::compute::cuda
