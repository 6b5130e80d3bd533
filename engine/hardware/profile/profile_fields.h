// SPDX-License-Identifier: Apache-2.0
// All fields and facts of a profile with their names, listed once for JSON, the flat list and user overrides. For this
// folder's .cpp files. A visitor of facts is called with (name, fact); the fact is const if the profile is.
#pragma once

#include <string>

#include "engine/core/fields.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::hardware {

inline auto fromName(std::type_identity<TopologyKind>, std::string_view name) {
    return topologyKindFromString(name);
}
inline auto fromName(std::type_identity<GpuStatus>, std::string_view name) {
    return gpuStatusFromString(name);
}

template <SameAs<CpuKind> T, typename Visitor>
void visitFields(T& kind, Visitor&& visit) {
    visit(field("efficiency_rank"), kind.efficiencyRank);
    visit(field("name"), kind.name);
    visit(field("cores"), kind.cores);
    visit(field("cpus"), kind.cpus);
    visit(field("max_mhz"), kind.maxMhz);
}

template <SameAs<CacheInfo> T, typename Visitor>
void visitFields(T& cache, Visitor&& visit) {
    visit(field("level"), cache.level);
    visit(field("type"), cache.type);
    visit(field("bytes"), cache.bytes);
    visit(field("count"), cache.count);
    visit(field("shared_by_threads"), cache.sharedByThreads);
}

template <SameAs<NumaNode> T, typename Visitor>
void visitFields(T& node, Visitor&& visit) {
    visit(field("index"), node.index);
    visit(field("cpus"), node.cpus);
    visit(field("memory_bytes"), node.memoryBytes);
}

template <SameAs<TopologyNode> T, typename Visitor>
void visitFields(T& node, Visitor&& visit) {
    visit(field("kind"), node.kind);
    visit(field("index").atLeast(-1), node.index);
    visit(field("allowed"), node.allowed);
    visit(field("bytes").omittedWhenEmpty(), node.bytes);
    visit(field("cache_level").omittedWhenEmpty(), node.cacheLevel);
    visit(field("efficiency_rank").omittedWhenEmpty(), node.efficiencyRank);
    visit(field("pci_bus_ids").omittedWhenEmpty(), node.pciBusIds);
    visit(field("children").omittedWhenEmpty(), node.children);
}

// The facts follow in the same object: visitGpuFacts().
template <SameAs<GpuInfo> T, typename Visitor>
void visitFields(T& gpu, Visitor&& visit) {
    visit(field("id"), gpu.id);
    visit(field("vendor"), gpu.vendor);
    visit(field("status"), gpu.status);
    visit(field("reason"), gpu.reason);
}

template <SameAs<BackendInfo> T, typename Visitor>
void visitFields(T& backend, Visitor&& visit) {
    visit(field("name"), backend.name);
    visit(field("loaded"), backend.loaded);
    visit(field("reason"), backend.reason);
}

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

// All facts, each with its full path: "gpus[0].name".
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
