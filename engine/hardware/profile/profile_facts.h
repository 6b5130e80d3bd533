// SPDX-License-Identifier: Apache-2.0
// The facts of a profile as a flat list (for a table), and the user's corrections. Pure functions; any thread. A
// refused correction leaves the profile as it was.
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
    bool overridable = false;  // a single value (number, text, yes or no); lists cannot be replaced

    friend bool operator==(const FactRow&, const FactRow&) = default;
};

// In the order of the JSON.
[[nodiscard]] std::vector<FactRow> listFacts(const HardwareProfile& profile);

// Replaces one fact by the user's value; its source becomes "user". InvalidArgument when the text is not a value of the
// fact's type or is out of range (counts and sizes are positive), NotFound when there is no such fact. Facts derived
// from it (cpu.usable_threads) follow, unless they were replaced themselves.
[[nodiscard]] Result<HardwareProfile> withOverride(HardwareProfile profile, std::string_view path,
                                                   std::string_view text);

}  // namespace steelyard::hardware
