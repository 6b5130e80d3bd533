// SPDX-License-Identifier: Apache-2.0
// The catalogue's files as text: readers that report the position of errors, and writers. The JSON library is only used
// in the .cpp. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/catalog.h"

namespace steelyard::catalog {

// resources/catalog/hardware.json
struct HardwareFile {
    std::string collected;
    std::vector<HardwareSpec> devices;
};
[[nodiscard]] Result<HardwareFile> hardwareFromJson(std::string_view name, std::string_view text);

// resources/catalog/offers/*.json
[[nodiscard]] Result<std::vector<Offer>> offersFromJson(std::string_view name, std::string_view text);

[[nodiscard]] Result<UserCatalog> userCatalogFromJson(std::string_view name, std::string_view text);
[[nodiscard]] std::string toJson(const UserCatalog& user);

// One device, one offer, and the whole catalogue, as printed by the command line: every figure and price with its
// source and date, unknown as null.
[[nodiscard]] std::string toJson(const HardwareSpec& spec, int indent = 2);
[[nodiscard]] std::string toJson(const Offer& offer, int indent = 2);
[[nodiscard]] std::string toJson(const Catalog& catalog, int indent = 2);

}  // namespace steelyard::catalog
