// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/cpu/cpu_probe.h"
#include "engine/hardware/cpu/cpu_topology.h"
#include "engine/hardware/detect.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/gpu/gpu_probe.h"
#include "engine/hardware/gpu/pci_scan.h"
#include "engine/hardware/profile/profile_json.h"
#include "engine/hardware/profile/redaction.h"
#include "engine/hardware/system/control_groups.h"
#include "engine/hardware/system/sensor_readings.h"
#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

constexpr std::size_t kMostPerFile = 4096;

class Report {
public:
    explicit Report(const SystemFiles& files) : m_files(files) {}

    void heading(std::string_view title) { m_text += fmt::format("\n## {}\n\n", title); }
    void line(std::string_view name, std::string_view value) { m_text += fmt::format("{}: {}\n", name, value); }

    void missing(const std::string& path, const Error& error) {
        line(path, error.kind == ErrorKind::NotFound ? "not there" : error.detail.text);
    }

    // The file unchanged, or up to its first empty line, or the reason why it cannot be read.
    void file(const std::string& path, bool firstBlockOnly = false) {
        const auto text = m_files.read(path, kMostPerFile);
        if (!text) {
            missing(path, text.error());
            return;
        }
        std::string_view shown = trimmed(*text);
        if (firstBlockOnly) shown = shown.substr(0, shown.find("\n\n"));
        m_text += shown.find('\n') == std::string_view::npos ? fmt::format("{}: {}\n", path, shown)
                                                             : fmt::format("{}:\n{}\n", path, shown);
    }

    // Only lines that start with one of the words; others may be confidential.
    void lines(const std::string& path, std::initializer_list<std::string_view> words) {
        const auto text = m_files.read(path);
        if (!text) {
            missing(path, text.error());
            return;
        }
        m_text += path + ":\n";
        for (std::string_view each : splitText(*text, '\n')) {
            if (std::any_of(words.begin(), words.end(), [each](auto word) { return each.starts_with(word); })) {
                m_text += std::string(each) + "\n";
            }
        }
    }

    [[nodiscard]] const SystemFiles& files() const { return m_files; }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    const SystemFiles& m_files;
    std::string m_text;
};

std::optional<std::string> variableOf(const DetectOptions& options, const char* name) {
    if (options.readVariable) return options.readVariable(name);
    const char* value = std::getenv(name);
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

void addProcessor(const DetectOptions& options, Report& report) {
    report.heading("Processor");
    report.file("/proc/cpuinfo", /*firstBlockOnly=*/true);
    report.line("hypervisor signature",
                options.hypervisorSignature ? options.hypervisorSignature() : readHypervisorSignature());
    report.line("topology", describeTopology(options.topology));
    std::string cpus;
    for (int cpu : options.affinity.value_or(readAffinity())) cpus += (cpus.empty() ? "" : ",") + std::to_string(cpu);
    report.line("affinity mask", cpus);
    for (const char* name : {"online", "present", "isolated", "smt/active"}) {
        report.file(std::string("/sys/devices/system/cpu/") + name);
    }
    for (const char* name : {"/sys/devices/cpu_core/cpus", "/sys/devices/cpu_atom/cpus"}) {
        if (report.files().exists(name)) report.file(name);
    }
    const std::string policy = "/sys/devices/system/cpu/cpufreq/policy0/";
    for (const char* name : {"scaling_driver", "scaling_governor", "cpuinfo_max_freq", "base_frequency",
                             "scaling_cur_freq", "energy_performance_preference"}) {
        report.file(policy + name);
    }
    for (const auto& path : findCpuThermometers(report.files())) report.file(path);
    report.file("/proc/loadavg");
    report.file("/proc/pressure/cpu");
}

void addMemory(Report& report) {
    report.heading("Memory and control groups");
    report.lines("/proc/meminfo", {"Mem", "Swap", "HugePages", "Hugepagesize", "AnonHugePages"});
    report.file("/sys/kernel/mm/transparent_hugepage/enabled");
    report.file("/proc/self/cgroup");
    report.lines("/proc/self/status", {"Cpus_allowed_list", "Mems_allowed_list", "Threads", "VmRSS", "VmHWM"});
    const ControlGroupLimits limits = readControlGroups(report.files());
    report.line("CPU quota",
                limits.cpus ? fmt::format("{} by {}", *limits.cpus, limits.cpuSource) : limits.cpuReason.text);
    report.line("memory limit", limits.memoryBytes
                                    ? fmt::format("{} bytes by {}", *limits.memoryBytes, limits.memorySource)
                                    : limits.memoryReason.text);
}

void addCards(const DetectOptions& options, Report& report) {
    report.heading("GPUs");
    for (const auto& card : scanPciCards(report.files())) {
        report.line(card.busId,
                    fmt::format("{:04x}:{:04x} {} driver \"{}\"", card.vendor, card.device, card.name, card.driver));
    }
    report.file("/proc/driver/nvidia/version");
    for (const char* name : {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"}) {
        report.line(name, variableOf(options, name).value_or("not set"));
    }
    // Only whether it is set: its folders may contain user names.
    report.line("LD_LIBRARY_PATH", variableOf(options, "LD_LIBRARY_PATH") ? "set" : "not set");
    if (!options.probeGpus) return;
    const auto driver = options.driver ? options.driver : openDriverLibrary();
    const auto opened = driver->open();
    report.line("libcuda.so.1", opened ? "found" : describe(opened.error()));
    int version = 0;
    if (opened && driver->version(version) == 0) report.line("CUDA of the driver", cudaVersionText(version));
    const auto management = options.management ? options.management : openManagementLibrary();
    const auto managed = management->open();
    report.line("libnvidia-ml.so.1", managed ? "found" : describe(managed.error()));
}

void addSystem(Report& report) {
    report.heading("System");
    report.lines("/etc/os-release", {"NAME=", "PRETTY_NAME=", "VERSION_ID=", "ID="});
    report.file("/proc/sys/kernel/osrelease");
    for (const char* name : {"sys_vendor", "product_name", "product_version", "bios_version"}) {
        report.file(std::string("/sys/class/dmi/id/") + name);
    }
    for (const char* path : {"/.dockerenv", "/run/.containerenv", "/run/systemd/container"}) {
        report.line(path, report.files().exists(path) ? "there" : "not there");
    }
}

std::vector<std::string> secretsOf(const HardwareProfile& profile, const DetectOptions& options) {
    std::vector<std::string> secrets;
    const auto add = [&secrets](const std::optional<std::string>& text) {
        if (text && !text->empty()) secrets.push_back(*text);
    };
    add(profile.environment.hostname.value);
    add(options.files.readLine("/proc/sys/kernel/hostname"));
    for (const char* name : {"USER", "LOGNAME", "SUDO_USER", "HOME", "HOSTNAME"}) {
        const auto value = variableOf(options, name);
        // "root" identifies no person, and is part of many paths.
        if (value && *value != "root" && *value != "/root" && *value != "/") add(value);
    }
    return secrets;
}

}  // namespace

std::string doctorReport(const HardwareProfile& profile, const DetectOptions& options) {
    Report report(options.files);
    addSystem(report);
    addProcessor(options, report);
    addMemory(report);
    addCards(options, report);
    HardwareProfile shown = profile;
    shown.environment.hostname = unknown<std::string>(messages::removedFromReport());
    report.heading("Profile");
    return "# Steelyard: what was read from this computer\n" +
           redacted(report.text() + toJson(shown, 2) + "\n", secretsOf(profile, options));
}

}  // namespace steelyard::hardware
