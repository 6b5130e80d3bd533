// SPDX-License-Identifier: Apache-2.0
// Removes whatever identifies a person or a particular computer from a text that may be sent to others. Pure. Internal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace steelyard::hardware {

// Replaces, as whole words, each of `secrets` (host name, user name, home folder; those under two characters are left)
// by
// "<removed>", and besides: hardware addresses, UUIDs, hexadecimal ids of 24 digits and more (containers, serials), the
// numbers of users in group names, and the values of lines that are called a serial number.
[[nodiscard]] std::string redacted(std::string_view text, const std::vector<std::string>& secrets);

}  // namespace steelyard::hardware
