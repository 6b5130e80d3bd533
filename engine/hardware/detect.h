// SPDX-License-Identifier: Apache-2.0
// Detects the hardware. All sources of the probes are passed in; the defaults are the running system. Takes tens of
// milliseconds, or up to a second if an NVIDIA driver has to start: do not call it on the GUI thread. Fails only if the
// topology cannot be read at all; anything else missing is an unknown fact with its reason.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/hardware/profile/hardware_profile.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

class DriverLibrary;
class ManagementLibrary;

// Source of the topology. Synthetic and Xml describe another computer (tests, reports from users); FileRoot reads a
// copied /sys and /proc and sets an environment variable while it loads, so it is for tests only.
struct TopologySource {
    enum class Kind { ThisSystem, Synthetic, Xml, FileRoot };
    Kind kind = Kind::ThisSystem;
    std::string text;  // description, XML text, or root folder

    // Kinds of cores to register on a topology without them, slowest first: logical CPUs of each.
    std::vector<std::vector<int>> cpuKinds;
};

struct DetectOptions {
    SystemFiles files;
    TopologySource topology;
    std::optional<std::vector<int>> affinity;  // logical CPUs of this process; unset: sched_getaffinity
    std::function<std::optional<std::string>(const std::string&)> readVariable;  // unset: the environment
    std::function<std::string()> hypervisorSignature;  // CPUID leaf 0x40000000; unset: the real one
    std::shared_ptr<DriverLibrary> driver;             // unset: libcuda.so.1
    std::shared_ptr<ManagementLibrary> management;     // unset: libnvidia-ml.so.1
    std::vector<BackendInfo> backends;                 // from the registry of engine/compute; copied to the profile
    int minimumComputeCapability = 75;                 // 10 x major + minor: minimum of the GPU backend
    bool probeGpus = true;
};

[[nodiscard]] Result<HardwareProfile> detect(const DetectOptions& options = {});

// The raw readings behind a profile as text, for a bug report: without host name, user names, serial numbers, hardware
// addresses and unique ids. Cannot fail; unreadable items are listed as such.
[[nodiscard]] std::string doctorReport(const HardwareProfile& profile, const DetectOptions& options = {});

}  // namespace steelyard::hardware
