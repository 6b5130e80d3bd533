// SPDX-License-Identifier: Apache-2.0
#include "engine/core/file_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "engine/core/messages/core.h"

namespace steelyard {
namespace {

bool writeAll(int descriptor, std::string_view content) {
    while (!content.empty()) {
        const auto written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

Failure failed(int errnoValue, const std::filesystem::path& file) {
    return Failure(errorFromErrno(errnoValue, file.string()));
}

mode_t modeOfNewFiles() {
    const mode_t mask = ::umask(022);
    ::umask(mask);
    return 0666 & ~mask;
}

Result<void> writeThrough(const std::filesystem::path& file, std::string_view content) {
    FileDescriptor descriptor(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (descriptor.get() < 0 || !writeAll(descriptor.get(), content) || !descriptor.close()) return failed(errno, file);
    return {};
}

// Syncs the folder: otherwise a power failure may undo the rename.
void synchroniseFolder(const std::filesystem::path& folder) {
    const FileDescriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) (void)::fsync(descriptor.get());
}

Result<void> replace(const std::filesystem::path& target, mode_t mode, std::string_view content) {
    std::string temporary = target.string() + ".XXXXXX";
    FileDescriptor descriptor(::mkostemp(temporary.data(), O_CLOEXEC));
    if (descriptor.get() < 0) return failed(errno, target);
    const bool written = writeAll(descriptor.get(), content) && ::fchmod(descriptor.get(), mode) == 0 &&
                         ::fsync(descriptor.get()) == 0 && descriptor.close();
    if (!written || ::rename(temporary.c_str(), target.c_str()) != 0) {
        const int reason = errno;
        ::unlink(temporary.c_str());
        return failed(reason, target);
    }
    synchroniseFolder(target.parent_path());
    return {};
}

// $HOME, or else the home folder in the password database; empty if neither is an absolute path.
std::filesystem::path homeFolder(const char* home) {
    if (home != nullptr && *home != 0) return std::filesystem::path(home).is_absolute() ? home : "";
    struct passwd entry {};
    struct passwd* found = nullptr;
    std::string buffer(16384, '\0');
    if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return {};
    std::filesystem::path folder(found->pw_dir == nullptr ? "" : found->pw_dir);
    return folder.is_absolute() ? folder : std::filesystem::path();
}

// $XDG_..._HOME/steelyard, or steelyard in a folder below the home folder.
std::filesystem::path userFolder(const char* xdgHome, const char* home, const char* belowHome) {
    std::filesystem::path folder(xdgHome == nullptr ? "" : xdgHome);
    if (!folder.is_absolute()) {
        folder = homeFolder(home);
        if (folder.empty()) return {};
        folder /= belowHome;
    }
    return folder / "steelyard";
}

}  // namespace

bool FileDescriptor::close() {
    return m_value < 0 || ::close(std::exchange(m_value, -1)) == 0;
}

Result<FileDescriptor> openRegularFile(const std::filesystem::path& file) {
    // Without O_NONBLOCK opening a named pipe would wait for a writer.
    FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (descriptor.get() < 0 || ::fstat(descriptor.get(), &status) != 0) return failed(errno, file);
    if (S_ISDIR(status.st_mode)) return fail(ErrorKind::InvalidArgument, file.string(), messages::isAFolder());
    if (!S_ISREG(status.st_mode)) return fail(ErrorKind::InvalidArgument, file.string(), messages::notARegularFile());
    return descriptor;
}

Result<std::string> readFile(const std::filesystem::path& file, std::int64_t maximumBytes) {
    ASSIGN(const auto descriptor, openRegularFile(file));
    std::string content;
    // Read to the end instead of relying on the size: files in /proc report none.
    while (true) {
        constexpr std::size_t kChunk = std::size_t{1} << 20;
        if (std::cmp_greater(content.size(), maximumBytes)) {
            return fail(ErrorKind::InvalidArgument, file.string(), messages::largerThan(maximumBytes));
        }
        const auto filled = content.size();
        content.resize(filled + kChunk);
        const auto count = ::read(descriptor.get(), content.data() + filled, kChunk);
        const int reason = errno;
        content.resize(filled + static_cast<std::size_t>(count > 0 ? count : 0));
        if (count == 0) return content;
        if (count < 0 && reason != EINTR) return failed(reason, file);
    }
}

Result<void> writeFileAtomically(const std::filesystem::path& file, std::string_view content, FileRights rights) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) {
        if (errno != ENOENT) return failed(errno, file);
        return replace(file, rights == FileRights::OwnerOnly ? 0600 : modeOfNewFiles(), content);
    }
    if (S_ISDIR(status.st_mode)) return fail(ErrorKind::InvalidArgument, file.string(), messages::isAFolder());
    if (!S_ISREG(status.st_mode)) return writeThrough(file, content);
    if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0) return failed(errno, file);
    std::error_code error;
    const auto target = std::filesystem::canonical(file, error);
    if (error) return failed(error.value(), file);
    return replace(target, status.st_mode & 07777, content);
}

Result<void> createPrivateFolders(const std::filesystem::path& folder) {
    std::filesystem::path made;
    for (const auto& part : folder) {
        made /= part;
        if (::mkdir(made.c_str(), 0700) == 0) continue;
        // On a read-only file system or in another user's folder this is also returned for existing folders.
        const int reason = errno;
        std::error_code ignored;
        if (!std::filesystem::is_directory(made, ignored)) return failed(reason, made);
    }
    return {};
}

std::filesystem::path userDataFolder(const char* xdgDataHome, const char* home) {
    return userFolder(xdgDataHome, home, ".local/share");
}

std::filesystem::path userCacheFolder(const char* xdgCacheHome, const char* home) {
    return userFolder(xdgCacheHome, home, ".cache");
}

}  // namespace steelyard
