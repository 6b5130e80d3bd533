// SPDX-License-Identifier: Apache-2.0
// Checks before a measurement. Returns warnings, worst first, empty if there are none; never refuses. Unreadable values
// raise no warning. Reads the CPU times twice, 200 ms apart by default; any thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/clock.h"
#include "engine/hardware/profile/hardware_profile.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

class ManagementLibrary;

enum class PreflightKind {
    OnBattery,        // value: charge as a fraction
    PowerSaving,      // governor or energy preference that limits the clock; detail names it
    OtherLoad,        // value: busy fraction of the allowed CPUs before the start
    HotStart,         // value: degrees Celsius; detail names the device
    LittleMemory,     // value: available bytes
    SwapInUse,        // value: used bytes
    GpuInUse,         // value: number of other processes computing on it; detail is the GPU's id
    FractionalQuota,  // value: CPUs granted, not an integer: the last thread will be throttled
};
[[nodiscard]] std::string_view toString(PreflightKind kind);

struct PreflightWarning {
    PreflightKind kind = PreflightKind::OtherLoad;
    Message detail;               // with the values
    std::optional<double> value;  // see PreflightKind

    friend bool operator==(const PreflightWarning&, const PreflightWarning&) = default;
};

struct PreflightOptions {
    SystemFiles files;
    std::shared_ptr<ManagementLibrary> management;  // unset: GPUs are not checked
    Seconds observe{0.2};                           // sampling period of the CPU load
};

[[nodiscard]] std::vector<PreflightWarning> preflight(const HardwareProfile& profile, Clock& clock,
                                                      const PreflightOptions& options = {});

}  // namespace steelyard::hardware
