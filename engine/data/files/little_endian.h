// SPDX-License-Identifier: Apache-2.0
// Reads little-endian numbers; the caller has checked the bounds. Internal to engine/data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/data/files/byte_source.h"

namespace steelyard::data {

[[nodiscard]] inline std::uint16_t little16(ByteView bytes, std::size_t at) {
    return static_cast<std::uint16_t>(bytes[at] | bytes[at + 1] << 8);
}

[[nodiscard]] inline std::uint32_t little32(ByteView bytes, std::size_t at) {
    return std::uint32_t{little16(bytes, at)} | std::uint32_t{little16(bytes, at + 2)} << 16;
}

[[nodiscard]] inline std::uint64_t little64(ByteView bytes, std::size_t at) {
    return std::uint64_t{little32(bytes, at)} | std::uint64_t{little32(bytes, at + 4)} << 32;
}

}  // namespace steelyard::data
