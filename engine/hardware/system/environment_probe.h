// SPDX-License-Identifier: Apache-2.0
// The operating environment: distribution, kernel, container, virtual machine. Internal to this folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/hardware/cpu/cpu_probe.h"
#include "engine/hardware/profile/hardware_profile.h"
#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

struct EnvironmentSources {
    const SystemFiles& files;
    const CpuText& cpu;
    std::function<std::optional<std::string>(const std::string&)> readVariable;
    std::function<std::string()> hypervisorSignature;
};

[[nodiscard]] EnvironmentInfo readEnvironment(const EnvironmentSources& sources);

// PRETTY_NAME in /etc/os-release, without its quotes; empty if there is none.
[[nodiscard]] std::string parseOsRelease(std::string_view text);

}  // namespace steelyard::hardware
