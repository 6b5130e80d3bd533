// SPDX-License-Identifier: Apache-2.0
// The files of a folder. Internal to engine/data; may throw std::bad_alloc.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::data {

// Lower case of an ASCII letter, independent of the locale; other characters are unchanged.
[[nodiscard]] char lowerAscii(char c);

// Regular files in `folder` with one of the given suffixes (lower case, e.g. ".txt"), sorted by name.
[[nodiscard]] Result<std::vector<std::filesystem::path>> listFiles(const std::filesystem::path& folder,
                                                                   std::initializer_list<std::string_view> endings);

}  // namespace steelyard::data
