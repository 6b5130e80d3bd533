// SPDX-License-Identifier: Apache-2.0
#include "engine/bench/measure/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/core/version.h"
#include "engine/hardware/system/sensors.h"

namespace steelyard::bench {
namespace {

// Such as "4.0 x16", which reads the same in every language.
std::string pcieLink(int generation, int width) {
    return fmt::format("{}.0 x{}", generation, width);
}

}  // namespace

void recordReadings(CaseRecord& record, std::string_view when) {
    const auto reading = hardware::Sensors({}).sample();
    const auto note = [&](const char* name, const std::optional<double>& value) {
        if (value) record.conditions[fmt::format("{}_{}", name, when)] = fmt::format("{:.2f}", *value);
    };
    note("cpu_mhz", reading.cpuMhz);
    note("cpu_celsius", reading.cpuCelsius);
    note("load_average", reading.loadAverage);
    note("cpu_pressure", reading.pressureFraction);
}

void recordCircumstances(CaseRecord& record, const hardware::HardwareProfile& profile, const compute::Backend& backend,
                         int threads) {
    auto& conditions = record.conditions;
    const auto fact = [&](const char* name, const hardware::Fact<std::string>& value) {
        if (value.value) conditions[name] = *value.value;
    };
    fact("cpu", profile.cpu.name);
    fact("governor", profile.cpu.governor);
    fact("os", profile.environment.os);
    fact("kernel", profile.environment.kernel);
    fact("virtual_machine", profile.environment.virtualMachine);
    fact("container", profile.environment.container);
    if (const auto& cpus = profile.cpu.allowedCpuList.value)
        conditions["allowed_cpus"] = fmt::format("{}", fmt::join(*cpus, ","));
    if (const auto& quota = profile.cpu.quotaCores.value) conditions["quota_cores"] = fmt::format("{:.2f}", *quota);
    conditions["compiler"] = std::string(compilerVersion());
    conditions["threads"] = std::to_string(threads);
    conditions["kernels"] = record.spec.kernels.value_or("auto");
    for (const auto& [name, version] : backend.libraries()) conditions[name] = version;
}

void recordGpuCircumstances(CaseRecord& record, const hardware::GpuInfo& gpu) {
    auto& conditions = record.conditions;
    const auto fact = [&](const char* name, const hardware::Fact<std::string>& value) {
        if (value.value) conditions[name] = *value.value;
    };
    fact("gpu", gpu.name);
    fact("gpu_driver", gpu.driver);
    fact("cuda_driver", gpu.cudaVersion);
    fact("compute_capability", gpu.computeCapability);
    fact("pci_bus_id", gpu.pciBusId);
    if (gpu.pcieGeneration.value && gpu.pcieWidth.value)
        conditions["pcie_link"] = pcieLink(*gpu.pcieGeneration.value, *gpu.pcieWidth.value);
    if (gpu.powerLimitWatts.value)
        conditions["gpu_power_limit_watts"] = fmt::format("{:.0f}", *gpu.powerLimitWatts.value);
}

void recordGpuReading(CaseRecord& record, std::string_view when, const hardware::GpuReading& reading) {
    auto& conditions = record.conditions;
    const auto note = [&](const char* name, const std::optional<double>& value) {
        if (value) conditions[fmt::format("{}_{}", name, when)] = fmt::format("{:.2f}", *value);
    };
    note("gpu_mhz", reading.mhz);
    note("gpu_memory_mhz", reading.memoryMhz);
    note("gpu_celsius", reading.celsius);
    note("gpu_watts", reading.watts);
    if (reading.currentPcieGeneration && reading.currentPcieWidth)
        conditions[fmt::format("pcie_link_{}", when)] =
            pcieLink(*reading.currentPcieGeneration, *reading.currentPcieWidth);
    if (reading.computeProcessIds)
        conditions[fmt::format("gpu_processes_{}", when)] = std::to_string(reading.computeProcessIds->size());
}

}  // namespace steelyard::bench
