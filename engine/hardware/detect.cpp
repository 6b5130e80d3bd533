// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/detect.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/cpu/cpu_probe.h"
#include "engine/hardware/cpu/cpu_topology.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/gpu/gpu_probe.h"
#include "engine/hardware/system/control_groups.h"
#include "engine/hardware/system/environment_probe.h"
#include "engine/hardware/system/memory_probe.h"

namespace steelyard::hardware {
namespace {

constexpr const char* kCpuInfoPath = "/proc/cpuinfo";

std::optional<std::string> environmentVariable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

template <typename T>
Fact<T> factOr(const std::optional<T>& value, std::string source, Message reason) {
    return value ? known(*value, std::move(source)) : unknown<T>(std::move(reason), std::move(source));
}

Fact<std::string> textFact(std::string value, const char* source, const Message& reason) {
    return value.empty() ? unknown<std::string>(reason, source) : known(std::move(value), source);
}

template <typename T>
Fact<std::vector<T>> listFact(std::vector<T> value, std::string source, const Message& reason) {
    if (value.empty()) return unknown<std::vector<T>>(reason, std::move(source));
    return known(std::move(value), std::move(source));
}

// The architecture this program was built for; a description of another computer may override it.
Fact<std::string> readArchitecture(const DetectOptions& options) {
    if (!options.files.root().empty()) return unknown<std::string>(messages::notInCopiedFiles());
    utsname name{};
    if (::uname(&name) != 0) return unknown<std::string>(messages::notBySystem(), "uname");
    return known<std::string>(name.machine, "uname");
}

void addNames(const DetectOptions& options, const CpuText& text, CpuInfo& cpu) {
    const auto notReported = messages::notByKernel();
    cpu.name = textFact(text.name, kCpuInfoPath, notReported);
    cpu.vendor = textFact(text.vendor, kCpuInfoPath, notReported);
    cpu.architecture = readArchitecture(options);
    cpu.isa = listFact(text.isa, kCpuInfoPath, messages::noKnownIsa());
}

void setNumaBytes(const std::vector<NumaNode>& nodes, TopologyNode& node) {
    if (node.kind == TopologyKind::Numa) {
        const auto found = std::find_if(nodes.begin(), nodes.end(),
                                        [&node](const NumaNode& numa) { return numa.index == node.index; });
        if (found != nodes.end()) node.bytes = found->memoryBytes;
    }
    for (auto& child : node.children) setNumaBytes(nodes, child);
}

// Neither hwloc nor the NUMA nodes' files include memory hotplugged into a virtual machine. A single node has all
// memory; several nodes whose sizes do not add up to it are ignored.
void correctNumaMemory(const Fact<std::int64_t>& total, CpuInfo& cpu) {
    if (!cpu.numa.value || !total.value) return;
    auto& nodes = *cpu.numa.value;
    if (nodes.size() == 1) {
        nodes.front().memoryBytes = total.value;
        cpu.numa.source += "; size from " + total.source;
    } else {
        double sum = 0;
        for (const auto& node : nodes) sum += static_cast<double>(node.memoryBytes.value_or(0));
        constexpr double kTolerance = 0.1;  // the kernel reserves a part of each node
        if (std::abs(sum / static_cast<double>(*total.value) - 1) > kTolerance) {
            for (auto& node : nodes) node.memoryBytes.reset();
        }
    }
    setNumaBytes(nodes, cpu.topology);
}

void addCounts(const DetectOptions& options, const TopologyReading& topology, bool virtualMachine, CpuInfo& cpu) {
    const auto noCores = messages::coresUnknown();
    cpu.packages = factOr(topology.packages, topology.source, messages::notBySystem());
    cpu.cores = factOr(topology.cores, topology.source, noCores);
    cpu.threads = known(topology.threads, topology.source);
    const std::string mask = options.affinity ? "given CPU list" : "sched_getaffinity";
    cpu.allowedCpus = known(topology.allowedCpus, mask);
    cpu.allowedCores = factOr(topology.allowedCores, mask + " and " + topology.source, noCores);
    cpu.kinds = listFact(topology.kinds, topology.source, noCores);
    const std::string cacheSource = topology.source + (virtualMachine ? " (virtual machine: may be the host's)" : "");
    cpu.caches = listFact(topology.caches, cacheSource, messages::notBySystem());
    cpu.numa = listFact(topology.numa, topology.source, messages::notBySystem());
    cpu.topology = topology.tree;
}

void addClocks(const SystemFiles& files, const CpuText& text, const TopologyReading& topology, bool virtualMachine,
               CpuInfo& cpu) {
    const auto reason = virtualMachine ? messages::notInVirtualMachine() : messages::notByKernel();
    const ClockReading clocks = readClocks(files, text);
    const bool baseFromFiles = clocks.baseMhz.has_value();
    const bool maxFromFiles = clocks.maxMhz.has_value();
    cpu.baseMhz = factOr(baseFromFiles ? clocks.baseMhz : topology.baseMhz,
                         baseFromFiles ? clocks.baseSource : topology.source, reason);
    cpu.maxMhz = factOr(maxFromFiles ? clocks.maxMhz : topology.maxMhz,
                        maxFromFiles ? clocks.maxSource : topology.source, reason);
    cpu.currentMhz = factOr(readCurrentMhz(files, cpu.allowedCpuList.valueOr({}), text.countsCycles),
                            "cpufreq scaling_cur_freq or /proc/cpuinfo", reason);
    cpu.governor = textFact(clocks.governor, "cpufreq scaling_governor", reason);
}

std::optional<std::vector<int>> allowedCpus(const DetectOptions& options) {
    if (options.affinity) return options.affinity;
    // A description of another computer is unrelated to this process.
    if (options.topology.kind != TopologySource::Kind::ThisSystem) return std::nullopt;
    auto cpus = readAffinity();
    return cpus.empty() ? std::nullopt : std::optional(std::move(cpus));
}

void collectThreads(const TopologyNode& node, std::vector<int>& cpus) {
    if (node.kind == TopologyKind::Thread && node.allowed) cpus.push_back(node.index);
    for (const auto& child : node.children) collectThreads(child, cpus);
}

// Attaches a card to its NUMA node, or to the machine if that is unknown.
bool placeCard(const std::string& busId, int numaNode, TopologyNode& node) {
    if (node.kind == TopologyKind::Numa && node.index == numaNode) {
        node.pciBusIds.push_back(busId);
        return true;
    }
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](TopologyNode& child) { return placeCard(busId, numaNode, child); });
}

void placeGpus(const std::vector<GpuInfo>& gpus, TopologyNode& machine) {
    for (const auto& gpu : gpus) {
        if (!gpu.pciBusId.value) continue;
        const bool placed = gpu.numaNode.value && placeCard(*gpu.pciBusId.value, *gpu.numaNode.value, machine);
        if (!placed) machine.pciBusIds.push_back(*gpu.pciBusId.value);
    }
}

void addGpus(const DetectOptions& options, const EnvironmentSources& environment, HardwareProfile& profile) {
    if (!options.probeGpus) {
        profile.gpuReason = messages::gpuDetectionSkipped();
        return;
    }
    const auto driver = options.driver ? options.driver : openDriverLibrary();
    const auto management = options.management ? options.management : openManagementLibrary();
    GpuReport report = probeGpus({.files = options.files,
                                  .readVariable = environment.readVariable,
                                  .driver = *driver,
                                  .management = *management,
                                  .backends = options.backends,
                                  .minimumComputeCapability = options.minimumComputeCapability});
    profile.gpus = std::move(report.gpus);
    profile.gpuReason = std::move(report.reason);
    placeGpus(profile.gpus, profile.cpu.topology);
}

}  // namespace

Result<HardwareProfile> detect(const DetectOptions& options) {
    const auto affinity = allowedCpus(options);
    const auto topology = readTopology(options.topology, affinity);
    if (!topology) return Failure(topology.error());
    const auto cpuInfo = options.files.read(kCpuInfoPath);
    const CpuText text = parseCpuInfo(cpuInfo.value_or(""));
    const EnvironmentSources sources{
        .files = options.files,
        .cpu = text,
        .readVariable = options.readVariable ? options.readVariable : environmentVariable,
        .hypervisorSignature = options.hypervisorSignature ? options.hypervisorSignature : readHypervisorSignature};

    HardwareProfile profile;
    profile.environment = readEnvironment(sources);
    const bool virtualMachine = profile.environment.virtualMachine.valueOr("none") != "none";
    CpuInfo& cpu = profile.cpu;
    addNames(options, text, cpu);
    addCounts(options, *topology, virtualMachine, cpu);
    std::vector<int> allowed;
    collectThreads(cpu.topology, allowed);
    std::sort(allowed.begin(), allowed.end());
    cpu.allowedCpuList = listFact(std::move(allowed), cpu.allowedCpus.source, messages::notBySystem());
    addClocks(options.files, text, *topology, virtualMachine, cpu);

    const ControlGroupLimits limits = readControlGroups(options.files);
    cpu.quotaCores = factOr(limits.cpus, limits.cpuSource, limits.cpuReason);
    cpu.usableThreads = deriveUsableThreads(cpu);
    profile.memory = readMemoryInfo(options.files, limits);
    correctNumaMemory(profile.memory.totalBytes, cpu);
    profile.backends = options.backends;
    addGpus(options, sources, profile);
    return profile;
}

}  // namespace steelyard::hardware
