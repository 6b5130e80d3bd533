// SPDX-License-Identifier: Apache-2.0
// What should be known before a measurement starts. Warns, never refuses: a list of findings, worst first, empty when
// all is well. What cannot be read raises no warning. Reads the CPU times twice, 200 ms apart, unless given less; any
// thread.
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
    PowerSaving,      // governor or energy preference that holds the clock down; detail names it
    OtherLoad,        // value: busy fraction of the allowed CPUs before the start
    HotStart,         // value: degrees Celsius; detail names the device
    LittleMemory,     // value: available bytes
    SwapInUse,        // value: used bytes
    GpuInUse,         // value: other processes that compute on it; detail is the GPU's id
    FractionalQuota,  // value: CPUs granted, not a whole number: the last thread will be stopped and started
};
[[nodiscard]] std::string_view toString(PreflightKind kind);

struct PreflightWarning {
    PreflightKind kind = PreflightKind::OtherLoad;
    Message detail;               // with the figures
    std::optional<double> value;  // see PreflightKind

    friend bool operator==(const PreflightWarning&, const PreflightWarning&) = default;
};

struct PreflightOptions {
    SystemFiles files;
    std::shared_ptr<ManagementLibrary> management;  // unset: GPUs are not asked
    Seconds observe{0.2};                           // how long to watch the CPU load
};

[[nodiscard]] std::vector<PreflightWarning> preflight(const HardwareProfile& profile, Clock& clock,
                                                      const PreflightOptions& options = {});

}  // namespace steelyard::hardware
