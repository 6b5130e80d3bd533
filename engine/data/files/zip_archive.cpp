// SPDX-License-Identifier: Apache-2.0
#include "engine/data/files/zip_archive.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <utility>

#include "engine/data/files/little_endian.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kEndBytes = 22;  // end of central directory, without its comment
constexpr std::int64_t kMostComment = 65535;
constexpr std::int64_t kEntryBytes = 46;  // entry of the directory, without name, extra field and comment
constexpr std::int64_t kLocalBytes = 30;  // local header, without name and extra field
constexpr std::uint32_t kEndMark = 0x06054b50;
constexpr std::uint32_t kEntryMark = 0x02014b50;
constexpr std::uint32_t kLocalMark = 0x04034b50;
constexpr std::uint32_t kInZip64 = 0xffffffff;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;

struct Directory {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    int entries = 0;
};

Result<Directory> findDirectory(const ByteSource& source) {
    const auto tailBytes = std::min(source.size(), kEndBytes + kMostComment);
    const auto tailOffset = source.size() - tailBytes;
    std::vector<std::uint8_t> tail(static_cast<std::size_t>(tailBytes));
    TRY(source.read(tailOffset, tail));
    for (auto i = tailBytes - kEndBytes; i >= 0; --i) {
        const auto end = ByteView(tail).subspan(static_cast<std::size_t>(i));
        if (little32(end, 0) != kEndMark) continue;
        const Directory directory{little32(end, 16), little32(end, 12), little16(end, 10)};
        const auto at = tailOffset + i;
        if (directory.offset == kInZip64) return fail(ErrorKind::Unsupported, source.name(), "a Zip64 archive");
        if (directory.offset + directory.bytes > at) {
            return corrupt(source.name(), at, "the directory would reach beyond its end mark");
        }
        return directory;
    }
    return corrupt(source.name(), source.size(), "no ZIP directory: not a ZIP archive, or it ends early");
}

}  // namespace

Result<std::vector<ZipEntry>> readZipDirectory(const ByteSource& source) {
    ASSIGN(const auto directory, findDirectory(source));
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(directory.bytes));
    TRY(source.read(directory.offset, bytes));

    std::vector<ZipEntry> entries;
    std::int64_t position = 0;
    for (int i = 0; i < directory.entries; ++i) {
        const auto at = directory.offset + position;
        const auto rest = ByteView(bytes).subspan(static_cast<std::size_t>(position));
        if (std::cmp_less(rest.size(), kEntryBytes) || little32(rest, 0) != kEntryMark) {
            return corrupt(source.name(), at, "a directory entry is damaged");
        }
        const std::int64_t nameBytes = little16(rest, 28);
        const auto entryBytes = kEntryBytes + nameBytes + little16(rest, 30) + little16(rest, 32);
        if (std::cmp_less(rest.size(), entryBytes)) return corrupt(source.name(), at, "a directory entry ends early");
        if (little32(rest, 20) == kInZip64 || little32(rest, 24) == kInZip64 || little32(rest, 42) == kInZip64) {
            return fail(ErrorKind::Unsupported, source.name(), "a Zip64 archive");
        }
        ZipEntry entry{{},
                       little16(rest, 8),
                       little16(rest, 10),
                       little32(rest, 16),
                       little32(rest, 20),
                       little32(rest, 24),
                       little32(rest, 42)};
        entry.name.assign(reinterpret_cast<const char*>(rest.data()) + kEntryBytes,
                          static_cast<std::size_t>(nameBytes));
        entries.push_back(std::move(entry));
        position += entryBytes;
    }
    return entries;
}

Result<std::vector<std::uint8_t>> readZipEntry(const ByteSource& source, const ZipEntry& entry, std::int64_t limit) {
    if ((entry.flags & kEncrypted) != 0) return fail(ErrorKind::Unsupported, source.name(), "an encrypted archive");
    if (entry.method != kStored && entry.method != kDeflated) {
        return fail(ErrorKind::Unsupported, source.name(), fmt::format("compression method {}", entry.method));
    }
    if (entry.bytes > limit) {
        return corrupt(source.name(), entry.offset,
                       fmt::format("{} of {} bytes, more than the {} it may have", entry.name, entry.bytes, limit));
    }
    std::vector<std::uint8_t> header(kLocalBytes);
    TRY(source.read(entry.offset, header));
    if (little32(header, 0) != kLocalMark) return corrupt(source.name(), entry.offset, "a local header is damaged");
    const auto start = entry.offset + kLocalBytes + little16(header, 26) + little16(header, 28);
    if (entry.compressedBytes > source.size() - start) {
        return corrupt(source.name(), source.size(), fmt::format("{} ends early", entry.name));
    }
    if (entry.method == kStored && entry.bytes != entry.compressedBytes) {
        return corrupt(source.name(), entry.offset, "a stored entry with two lengths");
    }
    std::vector<std::uint8_t> packed(static_cast<std::size_t>(entry.compressedBytes));
    TRY(source.read(start, packed));
    auto bytes = entry.method == kStored ? Result<std::vector<std::uint8_t>>(std::move(packed))
                                         : inflateExactly(packed, entry.bytes, source.name(), start);
    if (!bytes) return bytes;
    if (crc32_z(0, bytes->data(), bytes->size()) != entry.crc) {
        return corrupt(source.name(), start, fmt::format("wrong checksum of {}", entry.name));
    }
    return bytes;
}

}  // namespace steelyard::data
