// SPDX-License-Identifier: Apache-2.0
#include "engine/core/file_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace steelyard {
namespace {

class Descriptor {
public:
    explicit Descriptor(int value) : m_value(value) {}
    ~Descriptor() { (void)close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return m_value; }
    // Some file systems report a full disk only here.
    [[nodiscard]] bool close() { return m_value < 0 || ::close(std::exchange(m_value, -1)) == 0; }

private:
    int m_value;
};

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
    Descriptor descriptor(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (descriptor.get() < 0 || !writeAll(descriptor.get(), content) || !descriptor.close()) return failed(errno, file);
    return {};
}

// The names of a folder are data of their own: without this a power cut may undo the rename.
void synchroniseFolder(const std::filesystem::path& folder) {
    const Descriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) (void)::fsync(descriptor.get());
}

Result<void> replace(const std::filesystem::path& target, mode_t mode, std::string_view content) {
    std::string temporary = target.string() + ".XXXXXX";
    Descriptor descriptor(::mkostemp(temporary.data(), O_CLOEXEC));
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

}  // namespace

Result<std::string> readFile(const std::filesystem::path& file, std::int64_t maximumBytes) {
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (descriptor.get() < 0 || ::fstat(descriptor.get(), &status) != 0) return failed(errno, file);
    if (S_ISDIR(status.st_mode)) return fail(ErrorKind::InvalidArgument, file.string(), "it is a folder");
    std::string content;
    // Read to the end instead of trusting the size: files below /proc and pipes tell none.
    while (true) {
        constexpr std::size_t kChunk = std::size_t{1} << 20;
        if (std::cmp_greater(content.size(), maximumBytes)) {
            return fail(ErrorKind::InvalidArgument, file.string(), fmt::format("larger than {} bytes", maximumBytes));
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

Result<void> writeFileAtomically(const std::filesystem::path& file, std::string_view content) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) {
        if (errno != ENOENT) return failed(errno, file);
        return replace(file, modeOfNewFiles(), content);
    }
    if (S_ISDIR(status.st_mode)) return fail(ErrorKind::InvalidArgument, file.string(), "it is a folder");
    if (!S_ISREG(status.st_mode)) return writeThrough(file, content);
    if (::faccessat(AT_FDCWD, file.c_str(), W_OK, AT_EACCESS) != 0) return failed(errno, file);
    std::error_code error;
    const auto target = std::filesystem::canonical(file, error);
    if (error) return failed(error.value(), file);
    return replace(target, status.st_mode & 07777, content);
}

std::filesystem::path userDataFolder(const char* xdgDataHome, const char* home) {
    std::filesystem::path folder = xdgDataHome == nullptr ? "" : xdgDataHome;
    if (!folder.is_absolute()) folder = std::filesystem::path(home == nullptr ? "" : home) / ".local" / "share";
    return folder / "steelyard";
}

std::filesystem::path userCacheFolder(const char* xdgCacheHome, const char* home) {
    std::filesystem::path folder = xdgCacheHome == nullptr ? "" : xdgCacheHome;
    if (!folder.is_absolute()) {
        if (home == nullptr || *home == 0) return {};
        folder = std::filesystem::path(home) / ".cache";
    }
    return folder / "steelyard";
}

}  // namespace steelyard
