// SPDX-License-Identifier: Apache-2.0
// The names of all facts of a profile, written once: JSON, the flat list and the user's corrections all walk this list.
// For the .cpp files of this folder. A visitor is called with (name, fact); the fact is const when the profile is.
#pragma once

#include <string>

#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::hardware {

template <typename Cpu, typename Visitor>
void visitCpuFacts(Cpu& cpu, Visitor&& visit) {
    visit("name", cpu.name);
    visit("vendor", cpu.vendor);
    visit("architecture", cpu.architecture);
    visit("packages", cpu.packages);
    visit("cores", cpu.cores);
    visit("threads", cpu.threads);
    visit("allowed_cores", cpu.allowedCores);
    visit("allowed_cpus", cpu.allowedCpus);
    visit("allowed_cpu_list", cpu.allowedCpuList);
    visit("quota_cores", cpu.quotaCores);
    visit("usable_threads", cpu.usableThreads);
    visit("kinds", cpu.kinds);
    visit("caches", cpu.caches);
    visit("isa", cpu.isa);
    visit("numa", cpu.numa);
    visit("base_mhz", cpu.baseMhz);
    visit("max_mhz", cpu.maxMhz);
    visit("current_mhz", cpu.currentMhz);
    visit("governor", cpu.governor);
}

template <typename Memory, typename Visitor>
void visitMemoryFacts(Memory& memory, Visitor&& visit) {
    visit("total_bytes", memory.totalBytes);
    visit("available_bytes", memory.availableBytes);
    visit("limit_bytes", memory.limitBytes);
    visit("swap_total_bytes", memory.swapTotalBytes);
    visit("swap_free_bytes", memory.swapFreeBytes);
}

template <typename Gpu, typename Visitor>
void visitGpuFacts(Gpu& gpu, Visitor&& visit) {
    visit("name", gpu.name);
    visit("pci_bus_id", gpu.pciBusId);
    visit("compute_capability", gpu.computeCapability);
    visit("memory_bytes", gpu.memoryBytes);
    visit("memory_used_bytes", gpu.memoryUsedBytes);
    visit("driver", gpu.driver);
    visit("cuda_version", gpu.cudaVersion);
    visit("multiprocessors", gpu.multiprocessors);
    visit("max_mhz", gpu.maxMhz);
    visit("memory_bytes_per_second", gpu.memoryBytesPerSecond);
    visit("pcie_generation", gpu.pcieGeneration);
    visit("pcie_width", gpu.pcieWidth);
    visit("power_limit_watts", gpu.powerLimitWatts);
    visit("numa_node", gpu.numaNode);
}

template <typename Environment, typename Visitor>
void visitEnvironmentFacts(Environment& environment, Visitor&& visit) {
    visit("os", environment.os);
    visit("kernel", environment.kernel);
    visit("hostname", environment.hostname);
    visit("machine", environment.machine);
    visit("container", environment.container);
    visit("virtual_machine", environment.virtualMachine);
    visit("wsl", environment.wsl);
}

[[nodiscard]] inline std::string gpuPath(std::size_t index) {
    return "gpus[" + std::to_string(index) + "]";
}

// All facts, each with its whole path: "gpus[0].name".
template <typename Profile, typename Visitor>
void visitFacts(Profile& profile, Visitor&& visit) {
    const auto below = [&visit](std::string prefix) {
        return [&visit, prefix = std::move(prefix)](const char* name, auto& fact) { visit(prefix + "." + name, fact); };
    };
    visitCpuFacts(profile.cpu, below("cpu"));
    visitMemoryFacts(profile.memory, below("memory"));
    for (std::size_t i = 0; i < profile.gpus.size(); ++i) visitGpuFacts(profile.gpus[i], below(gpuPath(i)));
    visitEnvironmentFacts(profile.environment, below("environment"));
}

}  // namespace steelyard::hardware
