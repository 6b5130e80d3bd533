// SPDX-License-Identifier: Apache-2.0
// Limits by the control groups (versions 1 and 2) of this process: the tightest limit from its own group up to the
// root. hwloc and /proc/meminfo do not know them. Reads /proc/self/cgroup, /proc/self/mountinfo and the
// groups' files.
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
        memoryFreeBytes;  // of the group with the least left; caches that can be dropped count as free
    std::string memorySource;
    Message memoryReason;
    std::vector<std::string> cpuStatPaths;  // cpu.stat files that count throttling, own group first
};

[[nodiscard]] ControlGroupLimits readControlGroups(const SystemFiles& files);

}  // namespace steelyard::hardware
