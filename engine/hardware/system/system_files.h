// SPDX-License-Identifier: Apache-2.0
// System files (/proc, /sys, /etc) below a configurable root, so that tests can simulate another computer. Reads are
// bounded in size; every failure is a value. Stateless but for the root; any thread.
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

    // The file's text, up to `limit` bytes. Paths are absolute: "/proc/meminfo".
    [[nodiscard]] Result<std::string> read(std::string_view path, std::size_t limit = kDefaultLimit) const;
    // Trimmed; nothing if it cannot be read or is empty.
    [[nodiscard]] std::optional<std::string> readLine(std::string_view path) const;
    // An integer, also "0x10de"; nothing if it cannot be parsed.
    [[nodiscard]] std::optional<std::int64_t> readInteger(std::string_view path) const;
    // Names in a folder, sorted, at most 4096; empty if there is no such folder.
    [[nodiscard]] std::vector<std::string> list(std::string_view path) const;
    [[nodiscard]] bool exists(std::string_view path) const;
    // The last path component of a symbolic link's target; nothing if it is not a link.
    [[nodiscard]] std::optional<std::string> linkName(std::string_view path) const;

    [[nodiscard]] const std::string& root() const { return m_root; }

private:
    std::string m_root;
};

}  // namespace steelyard::hardware
