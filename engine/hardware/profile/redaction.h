// SPDX-License-Identifier: Apache-2.0
// Removes identifying information about persons and computers from text that may be published. Pure. Internal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace steelyard::hardware {

// Replaces by "<removed>": each of `secrets` as a whole word (host name, user name, home folder; shorter than two
// characters: ignored), hardware addresses, UUIDs, hexadecimal ids of 24 or more digits (containers, serials), user ids
// in group names, and the values of lines labelled as a serial number.
[[nodiscard]] std::string redacted(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace steelyard::hardware
