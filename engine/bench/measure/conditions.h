// SPDX-License-Identifier: Apache-2.0
// What a record says of the circumstances of its measurement: machine, system, libraries, clocks and load.
#pragma once

#include <string_view>

#include "engine/bench/record/record.h"
#include "engine/compute/backend.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::bench {

// Clocks, temperature and load now, as "cpu_mhz_start" and so on. `when`: start | end.
void recordReadings(CaseRecord& record, std::string_view when);
// What does not change while a case runs. `threads`: that it uses.
void recordCircumstances(CaseRecord& record, const hardware::HardwareProfile& profile, const compute::Backend& backend,
                         int threads);

// The GPU of a case: what it is (driver, PCIe link, power limit), and how it is now, as "gpu_mhz_start" and so on.
void recordGpuCircumstances(CaseRecord& record, const hardware::GpuInfo& gpu);
void recordGpuReading(CaseRecord& record, std::string_view when, const hardware::GpuReading& reading);

}  // namespace steelyard::bench
