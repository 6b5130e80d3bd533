// SPDX-License-Identifier: Apache-2.0
// The topology from hwloc as plain values; hwloc's types are confined to the .cpp file. Internal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/hardware/detect.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::hardware {

struct TopologyReading {
    std::string source;  // "hwloc", with the kind of description when it is not this system
    std::optional<int> packages;
    std::optional<int> cores;  // not set if the system does not distinguish cores from threads
    std::optional<int> allowedCores;
    int threads = 0;
    int allowedCpus = 0;
    std::vector<CpuKind> kinds;
    std::vector<CacheInfo> caches;
    std::vector<NumaNode> numa;
    std::optional<double> baseMhz;  // of the fastest kind
    std::optional<double> maxMhz;
    TopologyNode tree;
};

// `affinity`: the CPUs available to this process; not set: all.
[[nodiscard]] Result<TopologyReading> readTopology(const TopologySource& source,
                                                   const std::optional<std::vector<int>>& affinity);

// "Package:1 L3:1 Core:2 PU:1", for the diagnostic report; the error's text on failure.
[[nodiscard]] std::string describeTopology(const TopologySource& source);

}  // namespace steelyard::hardware
