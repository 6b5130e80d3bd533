// SPDX-License-Identifier: Apache-2.0
#include "engine/compute/cuda/availability.h"

#include <fmt/format.h>

namespace steelyard::compute::cuda {
namespace {

constexpr int kNeededVersion = 13000;

std::string versionText(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

std::string whyNoDevice(const DriverAnswer& answer) {
    if (answer.driverVersion == 0) return "there is no NVIDIA driver";
    if (answer.driverVersion < kNeededVersion)
        return fmt::format("the NVIDIA driver supports CUDA {}, {} is needed", versionText(answer.driverVersion),
                           versionText(kNeededVersion));
    if (!answer.failure.empty()) return "the NVIDIA driver refuses: " + answer.failure;
    return answer.devices > 0 ? std::string() : "the NVIDIA driver shows no device";
}

}  // namespace steelyard::compute::cuda
