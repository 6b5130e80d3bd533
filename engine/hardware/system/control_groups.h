// SPDX-License-Identifier: Apache-2.0
// Limits of this process by control groups (v1 and v2): the tightest limit from its group up to the root. hwloc and
// /proc/meminfo ignore them. Reads /proc/self/cgroup, /proc/self/mountinfo and the groups' files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/message.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

struct ControlGroupLimits {
    std::optional<double> cpus;  // CPU seconds per second
    std::string cpuSource;       // "cgroup v2 cpu.max"
    Message cpuReason;           // why there is no limit
    std::optional<std::int64_t> memoryBytes;
    std::optional<std::int64_t>
        memoryFreeBytes;  // of the group with the least free memory; reclaimable caches count as free
    std::string memorySource;
    Message memoryReason;
    std::vector<std::string> cpuStatPaths;  // cpu.stat files with throttling counters, own group first
};

[[nodiscard]] ControlGroupLimits readControlGroups(const SystemFiles& files);

}  // namespace steelyard::hardware
