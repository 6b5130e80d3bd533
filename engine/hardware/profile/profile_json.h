// SPDX-License-Identifier: Apache-2.0
// A profile as JSON text, in the format of `detect`: values under cpu, memory, gpus, environment and backends (unknown
// is null), and beside them "sources", which maps the path of each fact ("cpu.cores", "gpus[0].memory_bytes") to
// {"source", "reason"}. Reading accepts unknown members and missing facts (older or newer versions) and refuses wrong
// types, naming the path. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/core/error.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::hardware {

[[nodiscard]] std::string toJson(const HardwareProfile& profile, int indent = -1);
[[nodiscard]] Result<HardwareProfile> profileFromJson(std::string_view text);

}  // namespace steelyard::hardware
