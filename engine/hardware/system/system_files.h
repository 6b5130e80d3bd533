// SPDX-License-Identifier: Apache-2.0
// The files of the system (/proc, /sys, /etc) below a root that is passed in, so that tests can describe another
// computer. Reads are bounded in size; every failure is a value. Stateless but for the root; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::hardware {

class SystemFiles {
public:
    static constexpr std::size_t kDefaultLimit = 64 * 1024;

    SystemFiles() = default;  // the running system
    explicit SystemFiles(std::string root) : m_root(std::move(root)) {}

    // The file's text, at most `limit` bytes of it (the rest is not read). Paths are absolute: "/proc/meminfo".
    [[nodiscard]] Result<std::string> read(std::string_view path, std::size_t limit = kDefaultLimit) const;
    // Without white space at both ends; nothing when it cannot be read or is empty.
    [[nodiscard]] std::optional<std::string> readLine(std::string_view path) const;
    // A whole number, "0x10de" too; nothing when it cannot be read as one.
    [[nodiscard]] std::optional<std::int64_t> readInteger(std::string_view path) const;
    // Names in a folder, sorted, at most 4096; empty when there is no such folder.
    [[nodiscard]] std::vector<std::string> list(std::string_view path) const;
    [[nodiscard]] bool exists(std::string_view path) const;
    // The last part of what a symbolic link points to; nothing when it is none.
    [[nodiscard]] std::optional<std::string> linkName(std::string_view path) const;

    [[nodiscard]] const std::string& root() const { return m_root; }

private:
    std::string m_root;
};

}  // namespace steelyard::hardware
