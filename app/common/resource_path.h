// SPDX-License-Identifier: Apache-2.0
// Location of the files of resources/ at run time: the source tree for a build that was not installed, otherwise
// <prefix>/share/steelyard. `executable`: absolute path of the running program.
#pragma once

#include <filesystem>

namespace steelyard::app {

[[nodiscard]] inline std::filesystem::path resourcePath(const std::filesystem::path& executable) {
    const auto installed = executable.parent_path().parent_path() / "share" / "steelyard";
    std::error_code ignored;
    if (std::filesystem::is_directory(installed, ignored)) return installed;
    // build/<preset>/bin/steelyard-cli
    return executable.parent_path() / ".." / ".." / ".." / "resources";
}

}  // namespace steelyard::app
