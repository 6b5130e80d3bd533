// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/gpu/pci_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

constexpr const char* kDevices = "/sys/bus/pci/devices";
constexpr std::size_t kPciIdsLimit = 4 * 1024 * 1024;

// PCI Code and ID Assignment Specification: base class 03 is a display controller, 12 a processing accelerator.
bool isCard(std::int64_t classCode) {
    return (classCode >> 16) == 0x03 || (classCode >> 16) == 0x12;
}

std::optional<int> smallCount(std::optional<std::int64_t> value, std::int64_t least) {
    if (!value || *value < least || *value > 1024) return std::nullopt;
    return static_cast<int>(*value);
}

std::string cardNames(const SystemFiles& files) {
    for (const char* path : {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"}) {
        if (auto text = files.read(path, kPciIdsLimit)) return *std::move(text);
    }
    return {};
}

}  // namespace

std::optional<int> pcieGenerationOfSpeed(std::string_view speed) {
    struct Pair {
        double gigatransfers;
        int generation;
    };
    constexpr std::array<Pair, 6> kSpeeds{{{2.5, 1}, {5, 2}, {8, 3}, {16, 4}, {32, 5}, {64, 6}}};
    const auto words = splitText(trimmed(speed), ' ');
    const auto value = words.empty() ? std::nullopt : parseReal(words[0]);
    if (!value) return std::nullopt;
    for (const auto& [gigatransfers, generation] : kSpeeds) {
        if (*value == gigatransfers) return generation;
    }
    return std::nullopt;
}

std::string nameInPciIds(std::string_view text, std::int64_t vendor, std::int64_t device) {
    // "10de  NVIDIA Corporation" and below it "\t2684  AD102 [GeForce RTX 4090]"; two tabs are subsystems.
    const std::string vendorKey = fmt::format("\n{:04x}  ", vendor);
    auto at = text.starts_with(vendorKey.substr(1)) ? 0 : text.find(vendorKey);
    if (at == std::string_view::npos) return {};
    const std::string deviceKey = fmt::format("\t{:04x}  ", device);
    at = text.find('\n', at + 1);
    while (at != std::string_view::npos) {
        const auto end = text.find('\n', at + 1);
        const std::string_view line = text.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
        const bool below = line.starts_with('\t') || line.starts_with('#') || line.empty();
        if (!below) return {};
        if (line.starts_with(deviceKey)) return std::string(trimmed(line.substr(deviceKey.size())));
        at = end;
    }
    return {};
}

std::string normalizedBusId(std::string_view id) {
    std::string out(trimmed(id));
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto domain = out.find(':');
    if (domain != std::string::npos && domain > 4 && out.compare(0, domain - 4, std::string(domain - 4, '0')) == 0) {
        out.erase(0, domain - 4);
    }
    return out;
}

std::vector<PciCard> scanPciCards(const SystemFiles& files) {
    std::vector<PciCard> cards;
    for (const auto& busId : files.list(kDevices)) {
        const std::string folder = std::string(kDevices) + "/" + busId;
        const auto vendor = files.readInteger(folder + "/vendor");
        const auto classCode = files.readInteger(folder + "/class");
        if (!vendor || !classCode || !isCard(*classCode)) continue;
        if (*vendor != kVendorNvidia && *vendor != kVendorAmd && *vendor != kVendorIntel) continue;
        PciCard card;
        card.busId = busId;
        card.vendor = *vendor;
        card.device = files.readInteger(folder + "/device").value_or(0);
        card.driver = files.linkName(folder + "/driver").value_or("");
        card.pcieGeneration = pcieGenerationOfSpeed(files.readLine(folder + "/max_link_speed").value_or(""));
        card.pcieWidth = smallCount(files.readInteger(folder + "/max_link_width"), 1);
        card.numaNode = smallCount(files.readInteger(folder + "/numa_node"), 0);  // -1: unknown
        card.memoryBytes = files.readInteger(folder + "/mem_info_vram_total");
        cards.push_back(std::move(card));
    }
    if (cards.empty()) return cards;
    const std::string names = cardNames(files);
    for (auto& card : cards) card.name = nameInPciIds(names, card.vendor, card.device);
    return cards;
}

}  // namespace steelyard::hardware
