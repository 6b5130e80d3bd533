// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/system/system_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

constexpr std::size_t kMostNames = 4096;

std::string below(const std::string& root, std::string_view path) {
    return root + std::string(path);
}

}  // namespace

Result<std::string> SystemFiles::read(std::string_view path, std::size_t limit) const {
    const std::string file = below(m_root, path);
    // O_NONBLOCK: a FIFO or device in place of the file must not block.
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return Failure(errorFromErrno(errno, std::string(path)));
    // Files in /proc and /sys report no size, so read until the end; the buffer grows as needed.
    std::string text;
    int failure = 0;
    while (text.size() < limit) {
        constexpr std::size_t kChunk = 4096;
        const std::size_t have = text.size();
        text.resize(have + std::min(kChunk, limit - have));
        const ssize_t got = ::read(descriptor, text.data() + have, text.size() - have);
        if (got < 0 && errno == EINTR) {
            text.resize(have);
            continue;
        }
        text.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (got < 0) failure = errno;
        if (got <= 0) break;
    }
    ::close(descriptor);
    if (failure != 0) return Failure(errorFromErrno(failure, std::string(path)));
    return text;
}

std::optional<std::string> SystemFiles::readLine(std::string_view path) const {
    const auto text = read(path, 4096);
    if (!text) return std::nullopt;
    std::string_view line = trimmed(*text);
    line = trimmed(line.substr(0, line.find('\n')));
    if (line.empty()) return std::nullopt;
    return std::string(line);
}

std::optional<std::int64_t> SystemFiles::readInteger(std::string_view path) const {
    const auto line = readLine(path);
    return line ? parseInteger(*line) : std::nullopt;
}

std::vector<std::string> SystemFiles::list(std::string_view path) const {
    std::vector<std::string> names;
    std::error_code error;
    std::filesystem::directory_iterator entry(below(m_root, path), error);
    const std::filesystem::directory_iterator end;
    while (!error && entry != end && names.size() < kMostNames) {
        names.push_back(entry->path().filename().string());
        entry.increment(error);
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool SystemFiles::exists(std::string_view path) const {
    std::error_code error;
    return std::filesystem::exists(below(m_root, path), error);
}

std::optional<std::string> SystemFiles::linkName(std::string_view path) const {
    std::error_code error;
    const auto target = std::filesystem::read_symlink(below(m_root, path), error);
    if (error || target.filename().empty()) return std::nullopt;
    return target.filename().string();
}

}  // namespace steelyard::hardware
