// SPDX-License-Identifier: Apache-2.0
// What a computer is, and what of it a deep-learning job may use, as plain values: copied freely between threads,
// processes, files and the database. Each fact carries where it came from; a fact that could not be read has no value
// and says why (unknown is never 0), and any of them may be replaced by the user (profile_facts.h). Nothing here can
// fail.
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

// One kind of core of a hybrid processor; a processor whose cores are all alike has one kind.
struct CpuKind {
    int efficiencyRank = 0;  // 0 is the slowest kind; a higher rank is a faster core
    std::string name;        // "performance", "efficiency", "low-power efficiency"; "uniform" when there is one kind
    int cores = 0;           // physical
    std::vector<int> cpus;   // logical CPUs by the system's numbers
    std::optional<double> maxMhz;

    friend bool operator==(const CpuKind&, const CpuKind&) = default;
};

// All caches of one level, type and size together.
struct CacheInfo {
    int level = 0;
    std::string type;        // unified | data | instruction
    std::int64_t bytes = 0;  // of one
    int count = 0;
    int sharedByThreads = 0;  // logical CPUs behind one

    friend bool operator==(const CacheInfo&, const CacheInfo&) = default;
};

struct NumaNode {
    int index = 0;  // by the system's numbers
    std::vector<int> cpus;
    std::optional<std::int64_t> memoryBytes;

    friend bool operator==(const NumaNode&, const NumaNode&) = default;
};

enum class TopologyKind { Machine, Package, Numa, Cache, Core, Thread };
[[nodiscard]] std::string_view toString(TopologyKind kind);
[[nodiscard]] std::optional<TopologyKind> topologyKindFromString(std::string_view name);

// The machine as a tree, for drawing: machine > package > NUMA node > L3 cache > core > thread; a level that the
// machine does not have, or does not tell, is left out.
struct TopologyNode {
    TopologyKind kind = TopologyKind::Machine;
    int index = -1;                      // by the system's numbers; -1 where it has none
    std::optional<std::int64_t> bytes;   // of a cache or a NUMA node
    std::optional<int> cacheLevel;       // of a cache
    std::optional<int> efficiencyRank;   // of a core of a hybrid processor
    bool allowed = true;                 // this process may use it, or some of it
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
    Fact<int> allowedCores;  // physical cores with at least one CPU this process may run on
    Fact<int> allowedCpus;   // logical CPUs this process may run on
    Fact<std::vector<int>> allowedCpuList;
    Fact<double> quotaCores;  // CPU time granted by control groups, in CPUs; unknown with a reason when unlimited
    Fact<int> usableThreads;  // what a job should use: min(allowedCores, floor(quotaCores)), at least 1
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
    Fact<std::int64_t> availableBytes;  // what a job could take now: the smaller of the machine's and the group's rest
    Fact<std::int64_t> limitBytes;      // by control groups; unknown with a reason when unlimited
    Fact<std::int64_t> swapTotalBytes;
    Fact<std::int64_t> swapFreeBytes;

    friend bool operator==(const MemoryInfo&, const MemoryInfo&) = default;
};

enum class GpuStatus {
    Usable,             // driver, device and backend are there
    UnsupportedVendor,  // present, but this program has no backend for it
    DriverMissing,      // card without a driver library
    DriverTooOld,
    DriverFailed,    // the driver is there and refused: reason has its words
    NotVisible,      // the driver does not show this card (CUDA_VISIBLE_DEVICES, container, MIG)
    TooOld,          // compute capability below what the backend was built for
    BackendMissing,  // the card works, the program's GPU backend could not be loaded
};
[[nodiscard]] std::string_view toString(GpuStatus status);
[[nodiscard]] std::optional<GpuStatus> gpuStatusFromString(std::string_view name);

struct GpuInfo {
    std::string id;      // "cuda:0", counted as the driver does; "pci:0000:01:00.0" when no driver counts it
    std::string vendor;  // "NVIDIA", "AMD", "Intel"
    GpuStatus status = GpuStatus::DriverMissing;
    Message reason;  // empty when usable
    Fact<std::string> name;
    Fact<std::string> pciBusId;           // "0000:01:00.0"
    Fact<std::string> computeCapability;  // "8.9"
    Fact<std::int64_t> memoryBytes;
    Fact<std::int64_t> memoryUsedBytes;  // by everybody, at the time of detection
    Fact<std::string> driver;            // "580.65.06"
    Fact<std::string> cudaVersion;       // newest that the driver supports, "13.0"
    Fact<int> multiprocessors;
    Fact<double> maxMhz;
    Fact<double> memoryBytesPerSecond;  // memory clock x bus width, as the driver tells
    Fact<int> pcieGeneration;           // of the link as it can be, not as it idles
    Fact<int> pcieWidth;
    Fact<double> powerLimitWatts;
    Fact<int> numaNode;

    friend bool operator==(const GpuInfo&, const GpuInfo&) = default;
};

struct EnvironmentInfo {
    Fact<std::string> os;      // "Debian GNU/Linux 13 (trixie)"
    Fact<std::string> kernel;  // "6.12.48-amd64"
    Fact<std::string> hostname;
    Fact<std::string> machine;         // maker and model, where the firmware tells
    Fact<std::string> container;       // "docker", "podman", "lxc", "kubernetes", ...; "none"
    Fact<std::string> virtualMachine;  // "kvm", "vmware", "hyper-v", ...; "none"
    Fact<bool> wsl;

    friend bool operator==(const EnvironmentInfo&, const EnvironmentInfo&) = default;
};

struct BackendInfo {
    std::string name;  // "cpu", "cuda", "reference"
    bool loaded = false;
    Message reason;  // why not loaded; empty when loaded

    friend bool operator==(const BackendInfo&, const BackendInfo&) = default;
};

struct HardwareProfile {
    CpuInfo cpu;
    MemoryInfo memory;
    std::vector<GpuInfo> gpus;
    Message gpuReason;  // why gpus is empty; empty when it is not
    EnvironmentInfo environment;
    std::vector<BackendInfo> backends;

    friend bool operator==(const HardwareProfile&, const HardwareProfile&) = default;
};

}  // namespace steelyard::hardware
