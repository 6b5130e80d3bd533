// SPDX-License-Identifier: Apache-2.0
// Private to the SkyPilot import: its names of accelerators, and the machines of Google that carry them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/units.h"

namespace steelyard::catalog {

struct SkyPilotDevice {
    std::optional<std::string> hardware;  // id in the catalogue
    double count = 1;                     // TPU slices are named by cores or chips; here chips
};

// `memory` of one device decides between variants that share a name.
[[nodiscard]] SkyPilotDevice skyPilotDevice(std::string_view name, double count, std::optional<Bytes> memory);
[[nodiscard]] bool isTpu(std::string_view name);

// The Google machine whose price is added to an accelerator's; nothing when not known.
[[nodiscard]] std::optional<std::string> googleHost(std::string_view accelerator, double count);

}  // namespace steelyard::catalog
