// SPDX-License-Identifier: Apache-2.0
// Whole files in, whole files out. Functions without state; any thread. Failures carry the file's path as subject and
// the system's message as detail.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/core/error.h"

namespace steelyard {

// A folder, or a file larger than maximumBytes, is InvalidArgument.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& file, std::int64_t maximumBytes);

// Writes a temporary file beside the target, synchronises it and renames it: afterwards the target holds either its old
// content or all of the new. A link is followed, the mode of an existing file is kept, and what is not a regular file
// (a terminal, a pipe) is simply written to. The folder must exist.
[[nodiscard]] Result<void> writeFileAtomically(const std::filesystem::path& file, std::string_view content);

// Where this program keeps a user's data: $XDG_DATA_HOME/steelyard, or ~/.local/share/steelyard where that is unset or
// relative (XDG Base Directory Specification). The environment is passed in; either may be null.
[[nodiscard]] std::filesystem::path userDataFolder(const char* xdgDataHome, const char* home);

// Where it keeps what it can make again: $XDG_CACHE_HOME/steelyard, or ~/.cache/steelyard in the same way. Empty where
// there is neither.
[[nodiscard]] std::filesystem::path userCacheFolder(const char* xdgCacheHome, const char* home);

}  // namespace steelyard
