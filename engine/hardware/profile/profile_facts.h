// SPDX-License-Identifier: Apache-2.0
// The facts of a profile as a flat list (for a table), and user overrides. Pure functions; any thread. An invalid
// override leaves the profile unchanged.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/hardware/profile/hardware_profile.h"

namespace steelyard::hardware {

struct FactRow {
    std::string path;  // "cpu.allowed_cores", "gpus[0].memory_bytes": the same as in the JSON
    std::string text;  // the value in plain form, "8", "true", "avx2, fma"; empty when unknown
    std::string source;
    Message reason;  // why unknown
    bool known = false;
    bool overridable = false;  // a single value (number, text, yes or no); lists cannot be overridden

    friend bool operator==(const FactRow&, const FactRow&) = default;
};

// In the order of the JSON.
[[nodiscard]] std::vector<FactRow> listFacts(const HardwareProfile& profile);

// Overrides one fact by the user's value; its source becomes "user". InvalidArgument if the text does not match the
// fact's type or range (counts and sizes are positive), NotFound if there is no such fact. Facts derived from it
// (cpu.usable_threads) are updated, unless overridden themselves.
[[nodiscard]] Result<HardwareProfile> withOverride(HardwareProfile profile, std::string_view path,
                                                   std::string_view text);

}  // namespace steelyard::hardware
