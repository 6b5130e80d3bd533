// SPDX-License-Identifier: Apache-2.0
// Reading and writing whole files. Stateless functions; any thread. Errors have the file's path as subject and the
// system's message as detail.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "engine/core/error.h"

namespace steelyard {

// An open file, closed by the destructor.
class FileDescriptor {
public:
    explicit FileDescriptor(int value) : m_value(value) {}
    ~FileDescriptor() { (void)close(); }
    FileDescriptor(FileDescriptor&& other) noexcept : m_value(std::exchange(other.m_value, -1)) {}
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    [[nodiscard]] int get() const { return m_value; }
    // Some file systems report a full disk only here.
    [[nodiscard]] bool close();

private:
    int m_value;
};

// For reading. Anything but a regular file (a folder, a pipe, a terminal) is InvalidArgument, without blocking.
[[nodiscard]] Result<FileDescriptor> openRegularFile(const std::filesystem::path& file);

// Like openRegularFile(); a file larger than maximumBytes is also InvalidArgument.
[[nodiscard]] Result<std::string> readFile(const std::filesystem::path& file, std::int64_t maximumBytes);

// Atomic replacement: writes a temporary file in the same folder, syncs it and renames it, so the target has either its
// old or its complete new content. Symbolic links are followed and the mode of an existing file is kept. Anything but a
// regular file (a terminal, a pipe) is written directly. The folder must exist. A new file has the permissions allowed
// by the umask, or 0600 with OwnerOnly.
enum class FileRights { ByUmask, OwnerOnly };
[[nodiscard]] Result<void> writeFileAtomically(const std::filesystem::path& file, std::string_view content,
                                               FileRights rights = FileRights::ByUmask);

// Creates the missing folders of a path with mode 0700. Existing folders keep their permissions.
[[nodiscard]] Result<void> createPrivateFolders(const std::filesystem::path& folder);

// The program's user data folder: $XDG_DATA_HOME/steelyard, or ~/.local/share/steelyard if it is unset or relative (XDG
// Base Directory Specification). The environment is passed in; either may be null. Without `home` the password database
// is used; empty if that has no entry, or if `home` is relative.
[[nodiscard]] std::filesystem::path userDataFolder(const char* xdgDataHome, const char* home);

// The cache folder: $XDG_CACHE_HOME/steelyard, or ~/.cache/steelyard, by the same rules.
[[nodiscard]] std::filesystem::path userCacheFolder(const char* xdgCacheHome, const char* home);

}  // namespace steelyard
