// SPDX-License-Identifier: Apache-2.0
// Sensor readings of this computer, taken a few times per second during a measurement. Not thread-safe; a sample takes
// less than a millisecond of CPU time plus the GPU driver's response, reads at most eight CPU clocks and never blocks
// on network or disk. Unreadable values are not set, never 0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/hardware/profile/hardware_profile.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

class ManagementLibrary;

struct SensorSample {
    std::optional<double> cpuLoadFraction;  // of the allowed CPUs since the previous sample, 0..1; not set in the first
    std::optional<double> cpuMhz;           // mean over the sampled CPUs
    std::optional<double> cpuCelsius;
    std::optional<double> loadAverage;          // one minute
    std::optional<double> pressureFraction;     // fraction of the last 10 s in which some task waited for a CPU, 0..1
    std::optional<std::int64_t> residentBytes;  // of this process
    std::optional<std::int64_t> peakResidentBytes;  // of this process since it started
    std::optional<std::int64_t> availableBytes;     // of the machine
    std::optional<bool> cpuThrottled;               // thermal throttling since the previous sample
    std::optional<bool> quotaThrottled;             // throttled by the control group's quota since the previous sample
    std::optional<double> cpuJoules;                // of all packages since the previous sample (RAPL); often root-only
    std::optional<double> gpuMhz;
    std::optional<double> gpuCelsius;
    std::optional<double> gpuWatts;
    std::optional<double> gpuMemoryMhz;
    std::optional<double> gpuJoules;  // of the GPU since the previous sample
    std::optional<double> gpuLoadFraction;
    std::optional<std::int64_t> gpuMemoryUsedBytes;
    std::vector<Message> gpuThrottleReasons;  // "power cap", "thermal slowdown", ...; empty: none, or not known

    // Whether any throttling was detected in this interval.
    [[nodiscard]] bool throttled() const;

    friend bool operator==(const SensorSample&, const SensorSample&) = default;
};

struct SensorOptions {
    SystemFiles files;
    std::vector<int> cpus;                          // CpuInfo::allowedCpuList; empty: all
    std::shared_ptr<ManagementLibrary> management;  // not set: no GPU readings; see openManagementLibrary()
    std::string gpuPciBusId;                        // GpuInfo::pciBusId of the GPU under test; empty: none
};

class Sensors {
public:
    explicit Sensors(SensorOptions options);
    ~Sensors();
    Sensors(Sensors&&) noexcept;
    Sensors& operator=(Sensors&&) noexcept;

    [[nodiscard]] SensorSample sample();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace steelyard::hardware
