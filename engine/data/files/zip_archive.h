// SPDX-License-Identifier: Apache-2.0
// Reads entries of a ZIP archive with libzip. Internal to engine/data.
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
    // Reads the whole source, up to `limit` bytes. CorruptData if it is not a ZIP archive.
    [[nodiscard]] static Result<ZipArchive> open(const ByteSource& source, std::int64_t limit);

    // The content of an entry, up to `limit` bytes; its checksum is verified. Memory grows as bytes arrive, not to the
    // size stated by the directory. CorruptData if it is missing, damaged or larger; Unsupported if it is encrypted or
    // uses a compression method that libzip was built without.
    [[nodiscard]] Result<std::vector<std::uint8_t>> read(const std::string& entry, std::int64_t limit) const;

private:
    struct Closer {
        void operator()(zip* archive) const;
    };
    std::string m_name;
    std::vector<std::uint8_t> m_bytes;  // must outlive m_archive, which reads them
    std::unique_ptr<zip, Closer> m_archive;
};

}  // namespace steelyard::data
