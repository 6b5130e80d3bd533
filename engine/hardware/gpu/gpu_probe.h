// SPDX-License-Identifier: Apache-2.0
// Detects GPUs in stages, each with a reason for failure: card on the PCI bus -> driver library -> driver version ->
// devices of the driver -> the program's backend. Internal to this folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/profile/hardware_profile.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

// The CUDA version of the backend, encoded as by cuDriverGetVersion: 1000 x major + 10 x minor.
inline constexpr int kNeededCudaVersion = 13000;

struct GpuSources {
    const SystemFiles& files;
    std::function<std::optional<std::string>(const std::string&)> readVariable;
    DriverLibrary& driver;
    ManagementLibrary& management;
    const std::vector<BackendInfo>& backends;
    int minimumComputeCapability = 75;
};

struct GpuReport {
    std::vector<GpuInfo> gpus;
    Message reason;  // why there are no GPUs
};

[[nodiscard]] GpuReport probeGpus(const GpuSources& sources);

// "13.0" for 13000.
[[nodiscard]] std::string cudaVersionText(int version);

// The version in "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  ..."; empty if there is none.
[[nodiscard]] std::string parseKernelModuleVersion(std::string_view text);

}  // namespace steelyard::hardware
