// SPDX-License-Identifier: Apache-2.0
// Private to the SkyPilot import: its accelerator names, and the Google machine types that host them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/units.h"

namespace steelyard::catalog {

struct SkyPilotDevice {
    std::optional<std::string> hardware;  // id in the catalogue
    double count = 1;                     // TPU slices are named by cores or chips; here in chips
};

// The memory of one device selects among variants with the same name.
[[nodiscard]] SkyPilotDevice skyPilotDevice(std::string_view name, double count, std::optional<Bytes> memory);
[[nodiscard]] bool isTpu(std::string_view name);

// The Google machine type whose price is added to an accelerator's; nothing if unknown.
[[nodiscard]] std::optional<std::string> googleHost(std::string_view accelerator, double count);

}  // namespace steelyard::catalog
