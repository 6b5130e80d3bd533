// SPDX-License-Identifier: Apache-2.0
// Location of the running program and of the files of resources/.
#pragma once

#include <filesystem>

namespace steelyard::app {

// Absolute. A relocatable archive (packaging/bundle.sh) runs its own loader with the program as an argument, and names
// the program in argv[0].
[[nodiscard]] inline std::filesystem::path programPath(const char* argv0) {
    std::error_code error;
    auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
    const bool isLoader = executable.filename().string().starts_with("ld-linux");
    return error || isLoader ? std::filesystem::absolute(argv0) : executable;
}

// The source tree for a build that was not installed, otherwise <prefix>/share/steelyard. `executable`: absolute path
// of the running program.
[[nodiscard]] inline std::filesystem::path resourcePath(const std::filesystem::path& executable) {
    const auto installed = executable.parent_path().parent_path() / "share" / "steelyard";
    std::error_code ignored;
    if (std::filesystem::is_directory(installed, ignored)) return installed;
    // build/<preset>/bin/steelyard-cli
    return executable.parent_path() / ".." / ".." / ".." / "resources";
}

}  // namespace steelyard::app
