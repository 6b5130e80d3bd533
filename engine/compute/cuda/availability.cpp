// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/availability.h"

#include <fmt/format.h>

#include "engine/core/messages/compute.h"

namespace steelyard::compute::cuda {
namespace {

constexpr int kNeededVersion = 13000;

std::string versionText(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

Message whyNoDevice(const DriverAnswer& answer) {
    if (answer.driverVersion == 0) return messages::noDriver();
    if (answer.driverVersion < kNeededVersion)
        return messages::driverTooOld(versionText(answer.driverVersion), versionText(kNeededVersion));
    if (!answer.failure.empty()) return messages::driverFailed(answer.failure);
    return answer.devices > 0 ? Message() : messages::noDevice();
}

}  // namespace steelyard::compute::cuda
