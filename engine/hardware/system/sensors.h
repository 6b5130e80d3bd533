// SPDX-License-Identifier: Apache-2.0
// Sensor readings of this computer, taken a few times a second during a measurement. An object belongs to one
// thread at a time; a sample costs under a millisecond of CPU time plus the GPU driver's answer, reads at most eight
// CPUs' clocks and never blocks on the network or a disk. What cannot be read is unset, never 0.
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
    std::optional<double> cpuLoadFraction;  // of the allowed CPUs since the previous sample, 0..1; unset in the first
    std::optional<double> cpuMhz;           // mean over the sampled CPUs
    std::optional<double> cpuCelsius;
    std::optional<double> loadAverage;          // one minute
    std::optional<double> pressureFraction;     // fraction of the last 10 s in which some task waited for a CPU, 0..1
    std::optional<std::int64_t> residentBytes;  // of this process
    std::optional<std::int64_t> peakResidentBytes;  // of this process since it started
    std::optional<std::int64_t> availableBytes;     // of the machine
    std::optional<bool> cpuThrottled;               // thermal throttling since the previous sample
    std::optional<bool> quotaThrottled;  // the control group's quota throttled this process since the previous sample
    std::optional<double> cpuJoules;     // by all processor packages since the previous sample (RAPL); often root-only
    std::optional<double> gpuMhz;
    std::optional<double> gpuCelsius;
    std::optional<double> gpuWatts;
    std::optional<double> gpuMemoryMhz;
    std::optional<double> gpuJoules;  // by the GPU since the previous sample
    std::optional<double> gpuLoadFraction;
    std::optional<std::int64_t> gpuMemoryUsedBytes;
    std::vector<Message> gpuThrottleReasons;  // "power cap", "thermal slowdown", ...; empty: none, or not known

    // Whether the machine was slowed down in this interval, as far as is known.
    [[nodiscard]] bool throttled() const;

    friend bool operator==(const SensorSample&, const SensorSample&) = default;
};

struct SensorOptions {
    SystemFiles files;
    std::vector<int> cpus;                          // CpuInfo::allowedCpuList; empty: all
    std::shared_ptr<ManagementLibrary> management;  // unset: no GPU readings; openManagementLibrary() has the real one
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
