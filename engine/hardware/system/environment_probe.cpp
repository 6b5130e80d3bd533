// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/environment_probe.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

struct Word {
    std::string_view seen;
    std::string_view name;
};

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

template <std::size_t N>
std::optional<std::string> firstWithin(const std::array<Word, N>& words, std::string_view text) {
    for (const auto& [seen, name] : words) {
        if (text.find(seen) != std::string_view::npos) return std::string(name);
    }
    return std::nullopt;
}

// Signatures in CPUID leaf 0x40000000, as documented by the vendors.
constexpr std::array<Word, 10> kSignatures{{{"KVMKVMKVM", "kvm"},
                                            {"Linux KVM Hv", "kvm"},
                                            {"Microsoft Hv", "hyper-v"},
                                            {"VMwareVMware", "vmware"},
                                            {"XenVMMXenVMM", "xen"},
                                            {"TCGTCGTCGTCG", "qemu"},
                                            {"VBoxVBoxVBox", "virtualbox"},
                                            {"bhyve bhyve", "bhyve"},
                                            {"prl hyperv", "parallels"},
                                            {"ACRNACRNACRN", "acrn"}}};

// Vendor strings of virtual firmware (lower case).
constexpr std::array<Word, 8> kVirtualFirmware{{{"kvm", "kvm"},
                                                {"qemu", "qemu"},
                                                {"vmware", "vmware"},
                                                {"virtualbox", "virtualbox"},
                                                {"innotek", "virtualbox"},
                                                {"xen", "xen"},
                                                {"parallels", "parallels"},
                                                {"virtual machine", "hyper-v"}}};

constexpr std::array<Word, 7> kGroupNames{{{"kubepods", "kubernetes"},
                                           {"libpod", "podman"},
                                           {"docker", "docker"},
                                           {"lxc", "lxc"},
                                           {"machine.slice", "systemd-nspawn"},
                                           {"containerd", "containerd"},
                                           {"garden", "garden"}}};

struct DmiText {
    std::string maker;
    std::string model;
};

DmiText readDmi(const SystemFiles& files) {
    const std::string folder = "/sys/class/dmi/id/";
    DmiText dmi{files.readLine(folder + "sys_vendor").value_or(""),
                files.readLine(folder + "product_name").value_or("")};
    if (dmi.model.empty()) dmi.model = files.readLine("/proc/device-tree/model").value_or("");
    // Boards without a vendor name contain the firmware's template text.
    for (std::string* text : {&dmi.maker, &dmi.model}) {
        const std::string word = lowered(*text);
        if (word.find("o.e.m") != std::string::npos || word.starts_with("default string") ||
            word.starts_with("system ") || word == "none") {
            text->clear();
        }
    }
    return dmi;
}

Fact<std::string> readMachine(const DmiText& dmi) {
    std::string name = dmi.maker;
    if (!dmi.model.empty() && !dmi.model.starts_with(dmi.maker)) name += (name.empty() ? "" : " ") + dmi.model;
    if (dmi.model.starts_with(dmi.maker) && !dmi.model.empty()) name = dmi.model;
    if (name.empty()) return unknown<std::string>(messages::notByFirmware());
    return known(std::move(name), "firmware (DMI or device tree)");
}

Fact<std::string> readContainer(const EnvironmentSources& from) {
    const auto& files = from.files;
    if (from.readVariable("KUBERNETES_SERVICE_HOST"))
        return known<std::string>("kubernetes", "KUBERNETES_SERVICE_HOST");
    if (files.exists("/run/.containerenv")) return known<std::string>("podman", "/run/.containerenv");
    if (files.exists("/.dockerenv")) return known<std::string>("docker", "/.dockerenv");
    if (files.exists("/.flatpak-info")) return known<std::string>("flatpak", "/.flatpak-info");
    for (const char* variable : {"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"}) {
        if (from.readVariable(variable)) return known<std::string>("apptainer", variable);
    }
    if (auto kind = files.readLine("/run/systemd/container")) return known(*std::move(kind), "/run/systemd/container");
    if (auto kind = from.readVariable("container"); kind && !kind->empty())
        return known(*std::move(kind), "$container");
    if (const auto groups = files.read("/proc/self/cgroup")) {
        if (auto kind = firstWithin(kGroupNames, *groups)) return known(*std::move(kind), "/proc/self/cgroup");
    }
    return known<std::string>("none", "no sign of one in the file system, the environment or the control group");
}

Fact<std::string> readVirtualMachine(const EnvironmentSources& from, const DmiText& dmi, bool wsl) {
    if (wsl) return known<std::string>("hyper-v", "/proc/sys/kernel/osrelease");
    if (from.cpu.x86 && !from.cpu.hypervisor) return known<std::string>("none", "/proc/cpuinfo flags");
    const std::string firmware = lowered(dmi.maker + " " + dmi.model);
    if (from.cpu.hypervisor) {
        const std::string signature = from.hypervisorSignature();
        if (auto name = firstWithin(kSignatures, signature)) return known(*std::move(name), "CPUID 0x40000000");
        if (auto name = firstWithin(kVirtualFirmware, firmware)) return known(*std::move(name), "firmware (DMI)");
        return known<std::string>("other", "/proc/cpuinfo flags");
    }
    if (const auto type = from.files.readLine("/sys/hypervisor/type")) return known(*type, "/sys/hypervisor/type");
    if (auto name = firstWithin(kVirtualFirmware, firmware)) return known(*std::move(name), "firmware (DMI)");
    if (from.files.exists("/proc/device-tree/hypervisor")) return known<std::string>("other", "/proc/device-tree");
    if (!dmi.maker.empty() || !dmi.model.empty()) return known<std::string>("none", "firmware (DMI or device tree)");
    return unknown<std::string>(messages::notByProcessorOrFirmware());
}

Fact<std::string> lineFact(const SystemFiles& files, const char* path) {
    if (auto line = files.readLine(path)) return known(*std::move(line), path);
    return unknown<std::string>(messages::unreadable(), path);
}

}  // namespace

std::string parseOsRelease(std::string_view text) {
    for (std::string_view key : {"PRETTY_NAME", "NAME"}) {
        auto value = valueOfKey(text, key, '=');
        if (!value) continue;
        if (value->size() >= 2 && (value->front() == '"' || value->front() == '\'') &&
            value->back() == value->front()) {
            *value = value->substr(1, value->size() - 2);
        }
        if (!value->empty()) return std::string(*value);
    }
    return {};
}

EnvironmentInfo readEnvironment(const EnvironmentSources& sources) {
    const SystemFiles& files = sources.files;
    EnvironmentInfo info;
    for (const char* path : {"/etc/os-release", "/usr/lib/os-release"}) {
        const auto text = files.read(path);
        std::string name = text ? parseOsRelease(*text) : std::string();
        if (name.empty()) continue;
        info.os = known(std::move(name), path);
        break;
    }
    if (!info.os.isKnown()) info.os = unknown<std::string>(messages::noOsRelease());
    info.kernel = lineFact(files, "/proc/sys/kernel/osrelease");
    info.hostname = lineFact(files, "/proc/sys/kernel/hostname");
    const DmiText dmi = readDmi(files);
    info.machine = readMachine(dmi);
    info.container = readContainer(sources);
    if (info.kernel.isKnown()) {
        const bool wsl = lowered(*info.kernel.value).find("microsoft") != std::string::npos;
        info.wsl = known(wsl, info.kernel.source);
    } else {
        info.wsl = unknown<bool>(info.kernel.reason, info.kernel.source);
    }
    info.virtualMachine = readVirtualMachine(sources, dmi, info.wsl.valueOr(false));
    return info;
}

}  // namespace steelyard::hardware
