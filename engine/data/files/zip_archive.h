// SPDX-License-Identifier: Apache-2.0
// Reads entries of a ZIP archive (PKWARE APPNOTE 6.3): stored or deflated, not encrypted, below 4 GiB (no Zip64). The
// directory at the end is what counts. Internal to engine/data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/data/files/byte_source.h"

namespace steelyard::data {

struct ZipEntry {
    std::string name;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;  // 0 stored, 8 deflated
    std::uint32_t crc = 0;
    std::int64_t compressedBytes = 0;
    std::int64_t bytes = 0;
    std::int64_t offset = 0;  // of its local header
};

[[nodiscard]] Result<std::vector<ZipEntry>> readZipDirectory(const ByteSource& source);

// The checksum is verified; nothing is allocated that the compressed bytes could not hold, nor more than `limit`.
[[nodiscard]] Result<std::vector<std::uint8_t>> readZipEntry(const ByteSource& source, const ZipEntry& entry,
                                                             std::int64_t limit);

}  // namespace steelyard::data
