// SPDX-License-Identifier: Apache-2.0
// The checksums of tfrecord.h, eight bytes at a time (M. Kounavis and F. Berry, A Systematic Approach to Building High
// Performance, Software-based, CRC Generators, 2005).
#include <array>

#include "engine/data/files/little_endian.h"
#include "engine/data/formats/tfrecord.h"

namespace steelyard::data {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // Castagnoli, bits reversed

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b]: the remainder of byte b followed by k zero bytes.
constexpr Tables makeTables() {
    Tables tables{};
    for (std::uint32_t b = 0; b < 256; ++b) {
        std::uint32_t crc = b;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
        tables[0][b] = crc;
    }
    for (std::size_t k = 1; k < tables.size(); ++k) {
        for (std::size_t b = 0; b < 256; ++b) {
            const auto before = tables[k - 1][b];
            tables[k][b] = (before >> 8) ^ tables[0][before & 0xff];
        }
    }
    return tables;
}

constexpr Tables kTables = makeTables();

}  // namespace

std::uint32_t crc32c(ByteView bytes) {
    std::uint32_t crc = ~0U;
    std::size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
        const auto low = little32(bytes, i) ^ crc;
        const auto high = little32(bytes, i + 4);
        crc = kTables[7][low & 0xff] ^ kTables[6][low >> 8 & 0xff] ^ kTables[5][low >> 16 & 0xff] ^
              kTables[4][low >> 24] ^ kTables[3][high & 0xff] ^ kTables[2][high >> 8 & 0xff] ^
              kTables[1][high >> 16 & 0xff] ^ kTables[0][high >> 24];
    }
    for (; i < bytes.size(); ++i) crc = (crc >> 8) ^ kTables[0][(crc ^ bytes[i]) & 0xff];
    return ~crc;
}

std::uint32_t maskCrc(std::uint32_t crc) {
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

}  // namespace steelyard::data
