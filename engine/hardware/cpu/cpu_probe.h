// SPDX-License-Identifier: Apache-2.0
// Name, features and clocks of the processor, from /proc/cpuinfo and /sys/devices/system/cpu, and the CPUs available to
// this process. Parsers are pure; probes read through SystemFiles. Internal to this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hardware/profile/hardware_profile.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

// The first processor of /proc/cpuinfo.
struct CpuText {
    std::string name;
    std::string vendor;
    std::vector<std::string> isa;
    bool hypervisor = false;    // CPUID reports a hypervisor (x86 only)
    bool countsCycles = false;  // the kernel's "cpu MHz" is a measurement, not a constant
    bool x86 = false;
};
[[nodiscard]] CpuText parseCpuInfo(std::string_view text);

// Maps the kernel's feature names (x86 flags, Arm Features) to this program's.
[[nodiscard]] std::vector<std::string> isaNames(const std::vector<std::string_view>& flags);

struct ClockReading {
    std::optional<double> baseMhz;
    std::optional<double> maxMhz;
    std::string governor;  // "performance, powersave" when CPUs differ; empty when unknown
    std::string baseSource;
    std::string maxSource;
};
[[nodiscard]] ClockReading readClocks(const SystemFiles& files, const CpuText& text);

// Mean clock of up to eight of the CPUs, spread over the list. Not set if the system does not report it.
[[nodiscard]] std::optional<double> readCurrentMhz(const SystemFiles& files, const std::vector<int>& cpus,
                                                   bool countsCycles);

// The logical CPUs this process may run on (sched_getaffinity); empty if the call fails.
[[nodiscard]] std::vector<int> readAffinity();

// CPUID leaf 0x40000000: "KVMKVMKVM"; empty on other architectures than x86.
[[nodiscard]] std::string readHypervisorSignature();

// min(allowed cores, floor(quota)), at least 1; if the cores are unknown, allowed CPUs are used instead.
[[nodiscard]] Fact<int> deriveUsableThreads(const CpuInfo& cpu);

}  // namespace steelyard::hardware
