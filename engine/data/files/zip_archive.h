// SPDX-License-Identifier: Apache-2.0
// Reads entries of a ZIP archive by libzip. Internal to engine/data.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/files/byte_source.h"

struct zip;

namespace steelyard::data {

// An archive in memory. Not thread-safe.
class ZipArchive {
public:
    // Reads the whole source, of at most `limit` bytes. CorruptData when it is not a ZIP archive.
    [[nodiscard]] static Result<ZipArchive> open(const ByteSource& source, std::int64_t limit);

    // The content of an entry, at most `limit` bytes; its checksum is verified. Memory grows with the bytes that
    // arrive, not with the size that the directory states. CorruptData when it is missing, damaged or larger;
    // Unsupported when it is encrypted or compressed by a method that libzip was built without.
    [[nodiscard]] Result<std::vector<std::uint8_t>> read(const std::string& entry, std::int64_t limit) const;

private:
    struct Closer {
        void operator()(zip* archive) const;
    };
    std::string m_name;
    std::vector<std::uint8_t> m_bytes;  // outlive m_archive, which reads them
    std::unique_ptr<zip, Closer> m_archive;
};

}  // namespace steelyard::data
