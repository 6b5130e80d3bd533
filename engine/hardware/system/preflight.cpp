// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/preflight.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/messages/hardware.h"
#include "engine/hardware/cpu/cpu_probe.h"
#include "engine/hardware/gpu/driver_library.h"
#include "engine/hardware/system/control_groups.h"
#include "engine/hardware/system/memory_probe.h"
#include "engine/hardware/system/sensor_readings.h"

namespace steelyard::hardware {
namespace {

// One busy thread halves the speed of a job that synchronises all cores; half a thread is above idle noise.
constexpr double kBusyCpus = 0.5;
// Desktop processors start throttling at 95 to 105 degrees, GPUs at 83 to 90.
constexpr double kHotCpuCelsius = 80;
constexpr double kHotGpuCelsius = 75;
constexpr std::int64_t kLittleMemoryBytes = std::int64_t{1} << 30;
constexpr double kLittleMemoryFraction = 0.1;
constexpr std::int64_t kSwapBytes = std::int64_t{64} << 20;

using Warnings = std::vector<PreflightWarning>;

void checkPower(const SystemFiles& files, Warnings& warnings) {
    const std::string supplies = "/sys/class/power_supply";
    bool plugged = false;
    bool discharging = false;
    std::optional<double> charge;
    for (const auto& name : files.list(supplies)) {
        const std::string folder = supplies + "/" + name;
        const std::string type = files.readLine(folder + "/type").value_or("");
        // Scope "Device" is the battery of a mouse or headset.
        if (files.readLine(folder + "/scope").value_or("") == "Device") continue;
        if (type == "Mains" || type == "USB") plugged = plugged || files.readInteger(folder + "/online") == 1;
        if (type != "Battery" || files.readLine(folder + "/status") != "Discharging") continue;
        discharging = true;
        const auto percent = files.readInteger(folder + "/capacity");
        if (percent && *percent >= 0 && *percent <= 100) charge = static_cast<double>(*percent) / 100;
    }
    if (!discharging || plugged) return;
    warnings.push_back({PreflightKind::OnBattery,
                        charge ? messages::onBatteryCharged(Percent{*charge}) : messages::onBattery(), charge});
}

void checkPowerSaving(const SystemFiles& files, Warnings& warnings) {
    const auto warn = [&warnings](Message detail) {
        warnings.push_back({PreflightKind::PowerSaving, std::move(detail), std::nullopt});
    };
    const std::string policy = "/sys/devices/system/cpu/cpufreq/policy0";
    const std::string driver = files.readLine(policy + "/scaling_driver").value_or("");
    // In active mode these drivers call their normal, load-dependent policy "powersave".
    const bool ordinary = driver == "intel_pstate" || driver == "amd-pstate-epp";
    const std::string governor = readClocks(files, CpuText{}).governor;
    if (!ordinary && governor.find("powersave") != std::string::npos) {
        warn(messages::governorLimits(governor));
        return;
    }
    const std::string preference = files.readLine(policy + "/energy_performance_preference").value_or("");
    if (ordinary && (preference == "power" || preference == "balance_power")) {
        warn(messages::energyPreference(preference));
        return;
    }
    const std::string platform = files.readLine("/sys/firmware/acpi/platform_profile").value_or("");
    if (platform == "low-power" || platform == "quiet") {
        warn(messages::powerProfile(platform));
    }
}

void checkLoad(const HardwareProfile& profile, Clock& clock, const PreflightOptions& options, Warnings& warnings) {
    const auto cpus = profile.cpu.allowedCpuList.valueOr({});
    const auto before = readCpuTimes(options.files, cpus);
    if (!before) return;
    clock.sleep(options.observe);
    const auto after = readCpuTimes(options.files, cpus);
    const auto busy = after ? busyFraction(*before, *after) : std::nullopt;
    if (!busy) return;
    const int count = std::max(1, cpus.empty() ? profile.cpu.threads.valueOr(1) : static_cast<int>(cpus.size()));
    const double busyCpus = *busy * count;
    if (busyCpus < kBusyCpus) return;
    warnings.push_back({PreflightKind::OtherLoad, messages::otherLoad(fmt::format("{:.1f}", busyCpus), count), *busy});
}

void checkMemory(const SystemFiles& files, Warnings& warnings) {
    const MemoryInfo memory = readMemoryInfo(files, readControlGroups(files));  // the profile may be hours old
    if (memory.availableBytes.value && memory.totalBytes.value) {
        const std::int64_t most =
            std::min(*memory.totalBytes.value, memory.limitBytes.valueOr(*memory.totalBytes.value));
        const auto available = *memory.availableBytes.value;
        if (available < kLittleMemoryBytes ||
            static_cast<double>(available) < kLittleMemoryFraction * static_cast<double>(most)) {
            warnings.push_back({PreflightKind::LittleMemory, messages::littleMemory(Bytes(available), Bytes(most)),
                                static_cast<double>(available)});
        }
    }
    if (!memory.swapTotalBytes.value || !memory.swapFreeBytes.value) return;
    const std::int64_t swapped = *memory.swapTotalBytes.value - *memory.swapFreeBytes.value;
    if (swapped < kSwapBytes) return;
    warnings.push_back({PreflightKind::SwapInUse, messages::swapInUse(Bytes(swapped)), static_cast<double>(swapped)});
}

std::string degrees(double celsius) {
    return fmt::format("{:.0f}", celsius);
}

void checkGpus(const HardwareProfile& profile, ManagementLibrary& management, Warnings& warnings) {
    if (!management.open()) return;
    for (const auto& gpu : profile.gpus) {
        if (gpu.status != GpuStatus::Usable || !gpu.pciBusId.value) continue;
        const auto reading = management.read(*gpu.pciBusId.value);
        if (!reading) continue;
        if (reading->celsius && *reading->celsius >= kHotGpuCelsius) {
            warnings.push_back(
                {PreflightKind::HotStart, messages::gpuHot(gpu.id, degrees(*reading->celsius)), reading->celsius});
        }
        if (!reading->computeProcessIds) continue;
        const auto others = std::count_if(reading->computeProcessIds->begin(), reading->computeProcessIds->end(),
                                          [](std::int64_t id) { return id != ::getpid(); });
        if (others == 0) continue;
        warnings.push_back({PreflightKind::GpuInUse, messages::gpuInUse(gpu.id, others), static_cast<double>(others)});
    }
}

void checkQuota(const HardwareProfile& profile, Warnings& warnings) {
    const auto quota = profile.cpu.quotaCores.value;
    if (!quota || *quota >= profile.cpu.allowedCpus.valueOr(1)) return;
    if (*quota >= 1 && std::abs(*quota - std::round(*quota)) < 0.01) return;
    warnings.push_back(
        {PreflightKind::FractionalQuota, messages::fractionalQuota(fmt::format("{:.2f}", *quota)), quota});
}

}  // namespace

std::string_view toString(PreflightKind kind) {
    switch (kind) {
        case PreflightKind::OnBattery:
            return "on_battery";
        case PreflightKind::PowerSaving:
            return "power_saving";
        case PreflightKind::OtherLoad:
            return "other_load";
        case PreflightKind::HotStart:
            return "hot_start";
        case PreflightKind::LittleMemory:
            return "little_memory";
        case PreflightKind::SwapInUse:
            return "swap_in_use";
        case PreflightKind::GpuInUse:
            return "gpu_in_use";
        case PreflightKind::FractionalQuota:
            return "fractional_quota";
    }
    return {};
}

std::vector<PreflightWarning> preflight(const HardwareProfile& profile, Clock& clock, const PreflightOptions& options) {
    Warnings warnings;
    checkLoad(profile, clock, options, warnings);
    if (options.management) checkGpus(profile, *options.management, warnings);
    checkMemory(options.files, warnings);
    checkPower(options.files, warnings);
    checkPowerSaving(options.files, warnings);
    const auto celsius = readHottest(options.files, findCpuThermometers(options.files));
    if (celsius && *celsius >= kHotCpuCelsius)
        warnings.push_back({PreflightKind::HotStart, messages::processorHot(degrees(*celsius)), celsius});
    checkQuota(profile, warnings);
    return warnings;
}

}  // namespace steelyard::hardware
