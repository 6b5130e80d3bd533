// SPDX-License-Identifier: Apache-2.0
// Readings shared by the sensors, the preflight checks and the diagnostic report. Parsers are pure. Internal to this
// folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

// CPU time in kernel ticks, summed over a set of CPUs.
struct CpuTimes {
    std::int64_t busy = 0;
    std::int64_t total = 0;
    std::int64_t stolen = 0;  // taken by the hypervisor; part of `busy`
    int cpus = 0;             // number of CPUs
};
// From the lines "cpu0 ...", "cpu1 ..." of /proc/stat; all CPUs if the list is empty. Nothing if none of them is
// present.
[[nodiscard]] std::optional<CpuTimes> parseCpuTimes(std::string_view stat, const std::vector<int>& cpus);
[[nodiscard]] std::optional<CpuTimes> readCpuTimes(const SystemFiles& files, const std::vector<int>& cpus);
// Busy fraction between two readings, 0..1; nothing if no tick has elapsed.
[[nodiscard]] std::optional<double> busyFraction(const CpuTimes& before, const CpuTimes& after);

// Files with the processor's temperature in millidegrees; the maximum is used. Empty: none.
[[nodiscard]] std::vector<std::string> findCpuThermometers(const SystemFiles& files);
[[nodiscard]] std::optional<double> readHottest(const SystemFiles& files, const std::vector<std::string>& paths);

// Energy counters of the processor packages (RAPL), in microjoules, wrapping at `range`.
struct EnergyCounter {
    std::string path;
    std::int64_t range = 0;
};
[[nodiscard]] std::vector<EnergyCounter> findEnergyCounters(const SystemFiles& files);
// Joules between two readings of a counter, which may have wrapped once.
[[nodiscard]] double joulesBetween(std::int64_t before, std::int64_t after, std::int64_t range);

// "some avg10=1.25 avg60=..." of /proc/pressure/cpu -> 0.0125.
[[nodiscard]] std::optional<double> parsePressure(std::string_view text);

}  // namespace steelyard::hardware
