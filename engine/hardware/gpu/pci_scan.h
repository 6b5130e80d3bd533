// SPDX-License-Identifier: Apache-2.0
// Graphics and accelerator cards on the PCI bus, from /sys/bus/pci/devices: detects a card without any driver.
// Internal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hardware/system/system_files.h"

namespace steelyard::hardware {

inline constexpr std::int64_t kVendorNvidia = 0x10de;
inline constexpr std::int64_t kVendorAmd = 0x1002;
inline constexpr std::int64_t kVendorIntel = 0x8086;

struct PciCard {
    std::string busId;  // "0000:01:00.0"
    std::int64_t vendor = 0;
    std::int64_t device = 0;
    std::string name;    // from the system's pci.ids; empty if not installed or not listed
    std::string driver;  // kernel driver bound to it, "nvidia", "nouveau", "vfio-pci"; empty: none
    std::optional<int> pcieGeneration;
    std::optional<int> pcieWidth;
    std::optional<int> numaNode;
    std::optional<std::int64_t> memoryBytes;  // from AMD's kernel driver
};

// Cards of NVIDIA, AMD and Intel, by bus id.
[[nodiscard]] std::vector<PciCard> scanPciCards(const SystemFiles& files);

// "16.0 GT/s PCIe" -> 4; nothing for an unknown speed.
[[nodiscard]] std::optional<int> pcieGenerationOfSpeed(std::string_view speed);

// The device's name in a pci.ids text; empty if not listed.
[[nodiscard]] std::string nameInPciIds(std::string_view text, std::int64_t vendor, std::int64_t device);

// Normalises "00000000:01:00.0" or "0000:01:00.0", in any case, to "0000:01:00.0": libraries write the domain in 4 or 8
// digits.
[[nodiscard]] std::string normalizedBusId(std::string_view id);

}  // namespace steelyard::hardware
