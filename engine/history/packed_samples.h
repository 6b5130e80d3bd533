// SPDX-License-Identifier: Apache-2.0
// Private to this folder: raw samples as a BLOB. Little-endian IEEE doubles, compressed with zlib if smaller; the
// checksum covers the uncompressed bytes. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::history {

inline constexpr std::string_view kPlainEncoding = "f64le";
inline constexpr std::string_view kZlibEncoding = "f64le+zlib";

struct PackedSamples {
    std::int64_t count = 0;
    std::string encoding;
    std::uint32_t crc32 = 0;
    std::string data;
};

// CRC-32 as in zlib and PNG.
[[nodiscard]] std::uint32_t checksum(std::string_view bytes);

[[nodiscard]] PackedSamples packSamples(std::span<const double> samples);
// CorruptData if the block was not written by packSamples() or is damaged.
[[nodiscard]] Result<std::vector<double>> unpackSamples(const PackedSamples& packed);

}  // namespace steelyard::history
