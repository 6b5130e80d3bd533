// SPDX-License-Identifier: Apache-2.0
// Description of a computer and of the resources available to a job, as plain values: copied freely between threads,
// processes, files and the database. Each fact has its source; a fact that could not be read has no value but a reason
// (unknown is never 0), and each may be overridden by the user (profile_facts.h). Nothing here can fail.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/message.h"

namespace steelyard::hardware {

inline constexpr std::string_view kUserSource = "user";

// A value with its provenance. Known: value and source are set. Unknown: no value, and reason is set.
template <typename T>
struct Fact {
    std::optional<T> value;
    std::string source;  // "/proc/meminfo", "hwloc", "sched_getaffinity", "libcuda.so.1", "user"
    Message reason;      // why there is no value

    [[nodiscard]] bool isKnown() const { return value.has_value(); }
    [[nodiscard]] T valueOr(T fallback) const { return value.value_or(std::move(fallback)); }

    friend bool operator==(const Fact&, const Fact&) = default;
};

template <typename T>
[[nodiscard]] Fact<T> known(T value, std::string source) {
    return Fact<T>{std::move(value), std::move(source), {}};
}
template <typename T>
[[nodiscard]] Fact<T> unknown(Message reason, std::string source = {}) {
    return Fact<T>{std::nullopt, std::move(source), std::move(reason)};
}

// One kind of core of a hybrid processor; other processors have one kind.
struct CpuKind {
    int efficiencyRank = 0;  // 0 is the slowest kind; a higher rank is a faster core
    std::string name;        // "performance", "efficiency", "low-power efficiency"; "uniform" when there is one kind
    int cores = 0;           // physical
    std::vector<int> cpus;   // logical CPU numbers of the system
    std::optional<double> maxMhz;

    friend bool operator==(const CpuKind&, const CpuKind&) = default;
};

// All caches of the same level, type and size.
struct CacheInfo {
    int level = 0;
    std::string type;        // unified | data | instruction
    std::int64_t bytes = 0;  // per cache
    int count = 0;
    int sharedByThreads = 0;  // logical CPUs sharing one cache

    friend bool operator==(const CacheInfo&, const CacheInfo&) = default;
};

struct NumaNode {
    int index = 0;  // the system's number
    std::vector<int> cpus;
    std::optional<std::int64_t> memoryBytes;

    friend bool operator==(const NumaNode&, const NumaNode&) = default;
};

enum class TopologyKind { Machine, Package, Numa, Cache, Core, Thread };
[[nodiscard]] std::string_view toString(TopologyKind kind);
[[nodiscard]] std::optional<TopologyKind> topologyKindFromString(std::string_view name);

// The machine as a tree, for drawing: machine > package > NUMA node > L3 cache > core > thread; levels that do not
// exist or are not reported are omitted.
struct TopologyNode {
    TopologyKind kind = TopologyKind::Machine;
    int index = -1;                      // the system's number; -1 if it has none
    std::optional<std::int64_t> bytes;   // of a cache or a NUMA node
    std::optional<int> cacheLevel;       // of a cache
    std::optional<int> efficiencyRank;   // of a core of a hybrid processor
    bool allowed = true;                 // at least partly available to this process
    std::vector<std::string> pciBusIds;  // GPUs near this node; see GpuInfo::pciBusId
    std::vector<TopologyNode> children;

    friend bool operator==(const TopologyNode&, const TopologyNode&) = default;
};

struct CpuInfo {
    Fact<std::string> name;          // "AMD EPYC 9354 32-Core Processor"
    Fact<std::string> vendor;        // "AMD", "Intel", "Arm", ...
    Fact<std::string> architecture;  // "x86_64", "aarch64"
    Fact<int> packages;
    Fact<int> cores;         // physical, of the machine
    Fact<int> threads;       // logical CPUs of the machine
    Fact<int> allowedCores;  // physical cores with at least one CPU available to this process
    Fact<int> allowedCpus;   // logical CPUs available to this process
    Fact<std::vector<int>> allowedCpuList;
    Fact<double> quotaCores;  // CPU quota of the control groups, in CPUs; unknown with a reason if unlimited
    Fact<int> usableThreads;  // recommended for a job: min(allowedCores, floor(quotaCores)), at least 1
    Fact<std::vector<CpuKind>> kinds;
    Fact<std::vector<CacheInfo>> caches;
    Fact<std::vector<std::string>>
        isa;  // sse4_2, avx, avx2, fma, avx512, avx512_vnni, avx512_bf16, amx_bf16, neon, ...
    Fact<std::vector<NumaNode>> numa;
    Fact<double> baseMhz;
    Fact<double> maxMhz;
    Fact<double> currentMhz;
    Fact<std::string> governor;
    TopologyNode topology;

    friend bool operator==(const CpuInfo&, const CpuInfo&) = default;
};

struct MemoryInfo {
    Fact<std::int64_t> totalBytes;
    Fact<std::int64_t> availableBytes;  // currently available to a job: the minimum of the machine's and the control
                                        // group's free memory
    Fact<std::int64_t> limitBytes;      // of the control groups; unknown with a reason if unlimited
    Fact<std::int64_t> swapTotalBytes;
    Fact<std::int64_t> swapFreeBytes;

    friend bool operator==(const MemoryInfo&, const MemoryInfo&) = default;
};

enum class GpuStatus {
    Usable,             // driver, device and backend are available
    UnsupportedVendor,  // present, but not supported by any backend
    DriverMissing,      // card without a driver library
    DriverTooOld,
    DriverFailed,    // the driver returned an error: see reason
    NotVisible,      // the driver does not show this card (CUDA_VISIBLE_DEVICES, container, MIG)
    TooOld,          // compute capability below the backend's minimum
    BackendMissing,  // the card works, but the program's GPU backend could not be loaded
};
[[nodiscard]] std::string_view toString(GpuStatus status);
[[nodiscard]] std::optional<GpuStatus> gpuStatusFromString(std::string_view name);

struct GpuInfo {
    std::string id;      // "cuda:0", counted as the driver does; "pci:0000:01:00.0" when no driver counts it
    std::string vendor;  // "NVIDIA", "AMD", "Intel"
    GpuStatus status = GpuStatus::DriverMissing;
    Message reason;  // empty if usable
    Fact<std::string> name;
    Fact<std::string> pciBusId;           // "0000:01:00.0"
    Fact<std::string> computeCapability;  // "8.9"
    Fact<std::int64_t> memoryBytes;
    Fact<std::int64_t> memoryUsedBytes;  // by all processes, at the time of detection
    Fact<std::string> driver;            // "580.65.06"
    Fact<std::string> cudaVersion;       // newest that the driver supports, "13.0"
    Fact<int> multiprocessors;
    Fact<double> maxMhz;
    Fact<double> memoryBytesPerSecond;  // memory clock x bus width, as reported by the driver
    Fact<int> pcieGeneration;           // maximum of the link, not the current one
    Fact<int> pcieWidth;
    Fact<double> powerLimitWatts;
    Fact<int> numaNode;

    friend bool operator==(const GpuInfo&, const GpuInfo&) = default;
};

struct EnvironmentInfo {
    Fact<std::string> os;      // "Debian GNU/Linux 13 (trixie)"
    Fact<std::string> kernel;  // "6.12.48-amd64"
    Fact<std::string> hostname;
    Fact<std::string> machine;         // vendor and model, if reported by the firmware
    Fact<std::string> container;       // "docker", "podman", "lxc", "kubernetes", ...; "none"
    Fact<std::string> virtualMachine;  // "kvm", "vmware", "hyper-v", ...; "none"
    Fact<bool> wsl;

    friend bool operator==(const EnvironmentInfo&, const EnvironmentInfo&) = default;
};

struct BackendInfo {
    std::string name;  // "cpu", "cuda", "reference"
    bool loaded = false;
    Message reason;  // why not loaded; empty if loaded

    friend bool operator==(const BackendInfo&, const BackendInfo&) = default;
};

struct HardwareProfile {
    CpuInfo cpu;
    MemoryInfo memory;
    std::vector<GpuInfo> gpus;
    Message gpuReason;  // why gpus is empty; otherwise empty
    EnvironmentInfo environment;
    std::vector<BackendInfo> backends;

    friend bool operator==(const HardwareProfile&, const HardwareProfile&) = default;
};

}  // namespace steelyard::hardware
