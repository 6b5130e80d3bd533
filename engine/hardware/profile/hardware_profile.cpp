// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/profile/hardware_profile.h"

#include <array>

namespace steelyard::hardware {
namespace {

template <typename Enum, std::size_t N>
std::string_view nameOf(const std::array<std::pair<Enum, std::string_view>, N>& names, Enum value) {
    for (const auto& [key, name] : names) {
        if (key == value) return name;
    }
    return {};
}

template <typename Enum, std::size_t N>
std::optional<Enum> valueOf(const std::array<std::pair<Enum, std::string_view>, N>& names, std::string_view text) {
    for (const auto& [key, name] : names) {
        if (name == text) return key;
    }
    return std::nullopt;
}

constexpr std::array<std::pair<TopologyKind, std::string_view>, 6> kTopologyNames{{
    {TopologyKind::Machine, "machine"},
    {TopologyKind::Package, "package"},
    {TopologyKind::Numa, "numa"},
    {TopologyKind::Cache, "cache"},
    {TopologyKind::Core, "core"},
    {TopologyKind::Thread, "thread"},
}};

constexpr std::array<std::pair<GpuStatus, std::string_view>, 8> kGpuStatusNames{{
    {GpuStatus::Usable, "usable"},
    {GpuStatus::UnsupportedVendor, "unsupported_vendor"},
    {GpuStatus::DriverMissing, "driver_missing"},
    {GpuStatus::DriverTooOld, "driver_too_old"},
    {GpuStatus::DriverFailed, "driver_failed"},
    {GpuStatus::NotVisible, "not_visible"},
    {GpuStatus::TooOld, "too_old"},
    {GpuStatus::BackendMissing, "backend_missing"},
}};

}  // namespace

std::string_view toString(TopologyKind kind) {
    return nameOf(kTopologyNames, kind);
}
std::optional<TopologyKind> topologyKindFromString(std::string_view name) {
    return valueOf(kTopologyNames, name);
}

std::string_view toString(GpuStatus status) {
    return nameOf(kGpuStatusNames, status);
}
std::optional<GpuStatus> gpuStatusFromString(std::string_view name) {
    return valueOf(kGpuStatusNames, name);
}

}  // namespace steelyard::hardware
