// SPDX-License-Identifier: Apache-2.0
#include "engine/history/packed_samples.h"

#include <zlib.h>

#include <bit>

#include "engine/core/messages/history.h"

namespace steelyard::history {
namespace {

constexpr std::size_t kBytes = 8;                              // per double
constexpr std::int64_t kMaximumCount = std::int64_t{1} << 27;  // 1 GiB: a damaged count must not exhaust the memory

const Bytef* bytes(std::string_view text) {
    return reinterpret_cast<const Bytef*>(text.data());
}

// Byte by byte, so that the file is independent of the byte order.
std::string toBytes(std::span<const double> samples) {
    std::string plain;
    plain.reserve(samples.size() * kBytes);
    for (const double sample : samples) {
        auto bits = std::bit_cast<std::uint64_t>(sample);
        for (std::size_t i = 0; i < kBytes; ++i, bits >>= 8) plain.push_back(static_cast<char>(bits & 0xff));
    }
    return plain;
}

std::vector<double> fromBytes(const std::string& plain) {
    std::vector<double> samples(plain.size() / kBytes);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        std::uint64_t bits = 0;
        for (std::size_t j = kBytes; j-- > 0;) bits = (bits << 8) | static_cast<unsigned char>(plain[i * kBytes + j]);
        samples[i] = std::bit_cast<double>(bits);
    }
    return samples;
}

}  // namespace

std::uint32_t checksum(std::string_view text) {
    return static_cast<std::uint32_t>(::crc32_z(::crc32_z(0, nullptr, 0), bytes(text), text.size()));
}

PackedSamples packSamples(std::span<const double> samples) {
    PackedSamples packed;
    packed.count = static_cast<std::int64_t>(samples.size());
    packed.encoding = kPlainEncoding;
    packed.data = toBytes(samples);
    packed.crc32 = checksum(packed.data);
    uLongf size = ::compressBound(packed.data.size());
    std::string compressed(size, '\0');
    const int result = ::compress2(reinterpret_cast<Bytef*>(compressed.data()), &size, bytes(packed.data),
                                   packed.data.size(), Z_DEFAULT_COMPRESSION);
    if (result == Z_OK && size < packed.data.size()) {
        compressed.resize(size);
        packed.data = std::move(compressed);
        packed.encoding = kZlibEncoding;
    }
    return packed;
}

Result<std::vector<double>> unpackSamples(const PackedSamples& packed) {
    const auto damaged = [](Message detail) {
        return fail(ErrorKind::CorruptData, {}, messages::damagedSamples(std::move(detail)));
    };
    if (packed.count < 0 || packed.count > kMaximumCount) return damaged(messages::wrongSize());
    const auto size = static_cast<std::size_t>(packed.count) * kBytes;
    std::string plain = packed.data;
    if (packed.encoding == kZlibEncoding) {
        plain.assign(size, '\0');
        uLongf length = size;
        const int result =
            ::uncompress(reinterpret_cast<Bytef*>(plain.data()), &length, bytes(packed.data), packed.data.size());
        if (result != Z_OK || length != size) return damaged(messages::notDecompressible());
    } else if (packed.encoding != kPlainEncoding) {
        return damaged(messages::unknownEncoding());
    }
    if (plain.size() != size) return damaged(messages::wrongSize());
    if (checksum(plain) != packed.crc32) return damaged(messages::wrongChecksum());
    return fromBytes(plain);
}

}  // namespace steelyard::history
