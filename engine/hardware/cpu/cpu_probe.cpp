// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/cpu/cpu_probe.h"

#include <sched.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstring>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

constexpr const char* kPolicies = "/sys/devices/system/cpu/cpufreq";

struct NamePair {
    std::string_view from;
    std::string_view to;
};

constexpr std::array<NamePair, 4> kVendors{
    {{"GenuineIntel", "Intel"}, {"AuthenticAMD", "AMD"}, {"HygonGenuine", "Hygon"}, {"CentaurHauls", "Zhaoxin"}}};

// Main ID register: implementer and part (technical reference manuals of Arm and the vendors).
constexpr std::array<NamePair, 9> kArmImplementers{{{"0x41", "Arm"},
                                                    {"0x42", "Broadcom"},
                                                    {"0x46", "Fujitsu"},
                                                    {"0x48", "HiSilicon"},
                                                    {"0x4e", "NVIDIA"},
                                                    {"0x50", "Ampere"},
                                                    {"0x51", "Qualcomm"},
                                                    {"0x61", "Apple"},
                                                    {"0xc0", "Ampere"}}};
constexpr std::array<NamePair, 14> kArmParts{{{"0xd03", "Cortex-A53"},
                                              {"0xd05", "Cortex-A55"},
                                              {"0xd08", "Cortex-A72"},
                                              {"0xd0b", "Cortex-A76"},
                                              {"0xd0c", "Neoverse-N1"},
                                              {"0xd40", "Neoverse-V1"},
                                              {"0xd41", "Cortex-A78"},
                                              {"0xd44", "Cortex-X1"},
                                              {"0xd46", "Cortex-A510"},
                                              {"0xd48", "Cortex-X2"},
                                              {"0xd49", "Neoverse-N2"},
                                              {"0xd4f", "Neoverse-V2"},
                                              {"0xd83", "Neoverse-V3AE"},
                                              {"0xd84", "Neoverse-V3"}}};

template <std::size_t N>
std::string translated(const std::array<NamePair, N>& table, std::string_view word, std::string_view fallback) {
    for (const auto& [from, to] : table) {
        if (from == word) return std::string(to);
    }
    return std::string(fallback);
}

std::string singleSpaced(std::string_view text) {
    std::string out;
    for (std::string_view word : splitText(text, ' ')) {
        if (!out.empty()) out += ' ';
        out += word;
    }
    return out;
}

std::string armName(std::string_view block) {
    const auto implementer = valueOfKey(block, "CPU implementer");
    const auto part = valueOfKey(block, "CPU part");
    if (!implementer || !part) return {};
    const std::string maker = translated(kArmImplementers, *implementer, "Implementer " + std::string(*implementer));
    if (*implementer != "0x41") return maker + " core " + std::string(*part);
    return maker + " " + translated(kArmParts, *part, "core " + std::string(*part));
}

// "Intel(R) Xeon(R) CPU @ 2.60GHz": the base clock if no other source has it.
std::optional<double> clockInName(std::string_view name) {
    const auto at = name.rfind('@');
    if (at == std::string_view::npos || !name.ends_with("GHz")) return std::nullopt;
    const auto ghz = parseReal(name.substr(at + 1, name.size() - at - 4));
    if (!ghz || *ghz <= 0) return std::nullopt;
    return *ghz * 1000;
}

std::vector<std::string> policyFolders(const SystemFiles& files) {
    std::vector<std::string> folders;
    for (const auto& name : files.list(kPolicies)) {
        if (name.starts_with("policy")) folders.push_back(std::string(kPolicies) + "/" + name);
    }
    return folders;
}

// Maximum of a file over all clock domains, in kHz.
std::optional<double> largestMhz(const SystemFiles& files, const std::vector<std::string>& folders, const char* name) {
    std::optional<double> largest;
    for (const auto& folder : folders) {
        const auto khz = files.readInteger(folder + name);
        if (!khz || *khz <= 0) continue;
        largest = std::max(largest.value_or(0), static_cast<double>(*khz) / 1000);
    }
    return largest;
}

}  // namespace

std::vector<std::string> isaNames(const std::vector<std::string_view>& flags) {
    const auto has = [&flags](std::string_view flag) {
        return std::find(flags.begin(), flags.end(), flag) != flags.end();
    };
    constexpr std::array<NamePair, 26> kNames{{
        {"sse4_2", "sse4_2"},
        {"avx", "avx"},
        {"f16c", "f16c"},
        {"fma", "fma"},
        {"avx2", "avx2"},
        {"avx_vnni", "avx_vnni"},
        {"avx512_vnni", "avx512_vnni"},
        {"avx512_bf16", "avx512_bf16"},
        {"avx512_fp16", "avx512_fp16"},
        {"amx_tile", "amx_tile"},
        {"amx_int8", "amx_int8"},
        {"amx_bf16", "amx_bf16"},
        {"amx_fp16", "amx_fp16"},
        {"avx10_2", "avx10_2"},
        {"asimd", "neon"},
        {"asimdhp", "neon_fp16"},
        {"asimddp", "neon_dot"},
        {"bf16", "neon_bf16"},
        {"i8mm", "neon_i8mm"},
        {"sve", "sve"},
        {"sve2", "sve2"},
        {"svebf16", "sve_bf16"},
        {"sme", "sme"},
        {"sme2", "sme2"},
        {"altivec", "altivec"},
        {"vsx", "vsx"},
    }};
    std::vector<std::string> names;
    for (const auto& [flag, name] : kNames) {
        // "avx512" stands for the five subsets that all server cores since 2017 have and that libraries require.
        const bool beforeAvx512Parts = flag == "avx512_vnni";
        if (beforeAvx512Parts && has("avx512f") && has("avx512cd") && has("avx512bw") && has("avx512dq") &&
            has("avx512vl")) {
            names.emplace_back("avx512");
        }
        if (has(flag)) names.emplace_back(name);
    }
    return names;
}

CpuText parseCpuInfo(std::string_view text) {
    const auto end = text.find("\n\n");
    const std::string_view block = text.substr(0, end);
    CpuText cpu;
    cpu.x86 = valueOfKey(block, "vendor_id").has_value();
    if (const auto vendor = valueOfKey(block, "vendor_id")) {
        cpu.vendor = translated(kVendors, *vendor, *vendor);
    } else if (const auto implementer = valueOfKey(block, "CPU implementer")) {
        cpu.vendor = translated(kArmImplementers, *implementer, *implementer);
    }
    if (const auto name = valueOfKey(block, "model name")) {
        cpu.name = singleSpaced(*name);
    } else if (const auto power = valueOfKey(block, "cpu")) {
        cpu.name = singleSpaced(*power);
    } else {
        cpu.name = armName(block);
    }
    auto flags = valueOfKey(block, "flags");
    if (!flags) flags = valueOfKey(block, "Features");
    if (flags) {
        const auto words = splitText(*flags, ' ');
        const auto has = [&words](std::string_view word) {
            return std::find(words.begin(), words.end(), word) != words.end();
        };
        cpu.isa = isaNames(words);
        cpu.hypervisor = has("hypervisor");
        cpu.countsCycles = has("aperfmperf");
    }
    return cpu;
}

ClockReading readClocks(const SystemFiles& files, const CpuText& text) {
    ClockReading clocks;
    const auto folders = policyFolders(files);
    clocks.maxMhz = largestMhz(files, folders, "/cpuinfo_max_freq");
    clocks.maxSource = "cpufreq cpuinfo_max_freq";
    clocks.baseMhz = largestMhz(files, folders, "/base_frequency");
    clocks.baseSource = "cpufreq base_frequency";
    if (!clocks.baseMhz) {
        const auto nominal = files.readInteger("/sys/devices/system/cpu/cpu0/acpi_cppc/nominal_freq");  // MHz
        if (nominal && *nominal > 0) clocks.baseMhz = static_cast<double>(*nominal);
        clocks.baseSource = "acpi_cppc nominal_freq";
    }
    if (!clocks.baseMhz) {
        clocks.baseMhz = clockInName(text.name);
        clocks.baseSource = "processor name";
    }
    std::vector<std::string> governors;
    for (const auto& folder : folders) {
        if (auto governor = files.readLine(folder + "/scaling_governor")) governors.push_back(std::move(*governor));
    }
    std::sort(governors.begin(), governors.end());
    governors.erase(std::unique(governors.begin(), governors.end()), governors.end());
    for (const auto& governor : governors) clocks.governor += (clocks.governor.empty() ? "" : ", ") + governor;
    return clocks;
}

std::optional<double> readCurrentMhz(const SystemFiles& files, const std::vector<int>& cpus, bool countsCycles) {
    constexpr std::size_t kMost = 8;
    const std::size_t step = std::max<std::size_t>(1, cpus.size() / kMost);
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < cpus.size() && count < static_cast<int>(kMost); i += step) {
        const auto khz =
            files.readInteger("/sys/devices/system/cpu/cpu" + std::to_string(cpus[i]) + "/cpufreq/scaling_cur_freq");
        if (!khz || *khz <= 0) continue;
        sum += static_cast<double>(*khz) / 1000;
        ++count;
    }
    if (count > 0) return sum / count;
    // Without a cpufreq driver, /proc/cpuinfo is a measurement only if the kernel can count cycles; otherwise it
    // repeats the clock found at boot. Of the first CPU, which suffices to detect throttling.
    if (!countsCycles) return std::nullopt;
    const auto text = files.read("/proc/cpuinfo", 4096);
    const auto mhz = text ? valueOfKey(*text, "cpu MHz") : std::nullopt;
    return mhz ? parseReal(*mhz) : std::nullopt;
}

std::vector<int> readAffinity() {
    std::vector<int> cpus;
    // The kernel returns EINVAL if the set is smaller than its own.
    for (std::size_t bytes = sizeof(cpu_set_t); bytes <= 64 * sizeof(cpu_set_t); bytes *= 2) {
        std::vector<unsigned long> bits(bytes / sizeof(unsigned long));
        if (::sched_getaffinity(0, bytes, reinterpret_cast<cpu_set_t*>(bits.data())) != 0) {
            if (errno == EINVAL) continue;
            break;
        }
        constexpr std::size_t kWordBits = sizeof(unsigned long) * CHAR_BIT;
        for (std::size_t cpu = 0; cpu < bits.size() * kWordBits; ++cpu) {
            if ((bits[cpu / kWordBits] >> (cpu % kWordBits)) & 1UL) cpus.push_back(static_cast<int>(cpu));
        }
        break;
    }
    return cpus;
}

std::string readHypervisorSignature() {
#if defined(__x86_64__) || defined(__i386__)
    // The leaf is outside the range checked by __get_cpuid; it is valid if bit 31 of ECX in leaf 1 is set.
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & (1U << 31)) == 0) return {};
    __cpuid(0x40000000, a, b, c, d);
    std::array<char, 12> text{};
    std::memcpy(text.data(), &b, 4);
    std::memcpy(text.data() + 4, &c, 4);
    std::memcpy(text.data() + 8, &d, 4);
    return std::string(trimmed(std::string_view(text.data(), text.size())));
#else
    return {};
#endif
}

Fact<int> deriveUsableThreads(const CpuInfo& cpu) {
    std::optional<int> threads;
    std::string source;
    const auto take = [&](const Fact<int>& fact, const char* name) {
        if (!fact.value || (threads && *threads <= *fact.value)) return;
        threads = fact.value;
        source = name;
    };
    take(cpu.allowedCores, "allowed cores");
    take(cpu.allowedCpus, "allowed CPUs");
    take(cpu.cores, "cores");
    if (cpu.quotaCores.value) {
        const double whole = std::floor(std::max(1.0, *cpu.quotaCores.value));
        take(known(static_cast<int>(std::min(whole, 1e6)), {}), "CPU quota");
    }
    if (!threads) return unknown<int>(messages::countsUnknown());
    return known(std::max(1, *threads), "smallest of allowed cores, allowed CPUs and quota: " + source);
}

}  // namespace steelyard::hardware
