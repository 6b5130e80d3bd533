// SPDX-License-Identifier: Apache-2.0
// Records the conditions of a measurement: machine, system, libraries, clocks and load.
#pragma once

#include <string_view>

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::bench {

// Current clocks, temperature and load, as "cpu_mhz_start" and so on. `when`: start | end.
void recordReadings(CaseRecord& record, std::string_view when);
// Conditions that are constant during a case. `threads`: number that the case uses.
void recordCircumstances(CaseRecord& record, const hardware::HardwareProfile& profile, const compute::Backend& backend,
                         int threads);

// The GPU of a case: driver, PCIe link, power limit, and its current state as "gpu_mhz_start" and so on.
void recordGpuCircumstances(CaseRecord& record, const hardware::GpuInfo& gpu);
void recordGpuReading(CaseRecord& record, std::string_view when, const hardware::GpuReading& reading);

}  // namespace steelyard::bench
