// SPDX-License-Identifier: Apache-2.0
// The topology from hwloc, converted to plain values; hwloc's types are used in the .cpp file only. Internal.
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
    std::optional<int> cores;  // unset if the system does not distinguish cores from threads
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

// `affinity`: the CPUs this process may run on; unset means all of the topology's.
[[nodiscard]] Result<TopologyReading> readTopology(const TopologySource& source,
                                                   const std::optional<std::vector<int>>& affinity);

// "Package:1 L3:1 Core:2 PU:1", for the diagnostic report; the error's text when there is none.
[[nodiscard]] std::string describeTopology(const TopologySource& source);

}  // namespace steelyard::hardware
