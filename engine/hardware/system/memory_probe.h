// SPDX-License-Identifier: Apache-2.0
// Memory from /proc/meminfo and the control groups (not from hwloc, whose NUMA sizes are wrong after memory hotplug).
// Internal to this folder.
#pragma once

#include "engine/hardware/profile/hardware_profile.h"
#include "engine/hardware/system/control_groups.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

[[nodiscard]] MemoryInfo readMemoryInfo(const SystemFiles& files, const ControlGroupLimits& limits);

}  // namespace steelyard::hardware
