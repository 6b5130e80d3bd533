// SPDX-License-Identifier: Apache-2.0
// Byte source for readers: a file, or memory (tests and fuzzers). Positioned reads without a shared position;
// thread-safe. Owned by the data set that reads from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace steelyard::data {

using ByteView = std::span<const std::uint8_t>;

// CorruptData at an offset of a file.
[[nodiscard]] Failure corrupt(std::string file, std::int64_t offset, Message detail);

class ByteSource {
public:
    virtual ~ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] std::int64_t size() const { return m_size; }

    // Fills the whole target. CorruptData ("ends early", offset = end of the data) if the source is shorter.
    [[nodiscard]] Result<void> read(std::int64_t offset, std::span<std::uint8_t> target) const;

protected:
    ByteSource(std::string name, std::int64_t size) : m_name(std::move(name)), m_size(size) {}
    // Bytes read, at least 1 unless `offset` is at the end of the source.
    [[nodiscard]] virtual Result<std::size_t> readSome(std::int64_t offset, std::span<std::uint8_t> target) const = 0;

private:
    std::string m_name;
    std::int64_t m_size = 0;
};

using ByteSourcePtr = std::shared_ptr<const ByteSource>;

// A regular file; anything else (a pipe, a device) is refused. Symbolic links are followed.
[[nodiscard]] Result<ByteSourcePtr> openFile(const std::filesystem::path& path);

// Bytes that outlive the source.
[[nodiscard]] ByteSourcePtr viewBytes(std::string name, ByteView bytes);

// Reads the whole source; InvalidArgument if it is larger than `limit`.
[[nodiscard]] Result<std::vector<std::uint8_t>> readAll(const ByteSource& source, std::int64_t limit);
[[nodiscard]] Result<std::vector<std::uint8_t>> readWholeFile(const std::filesystem::path& path, std::int64_t limit);

// Sequential bytes, from a source or decompressed from one.
class ByteStream {
public:
    virtual ~ByteStream() = default;
    ByteStream() = default;
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;

    // Reads up to the target's size: fewer bytes only at the end.
    [[nodiscard]] virtual Result<std::size_t> read(std::span<std::uint8_t> target) = 0;
    [[nodiscard]] virtual const std::string& name() const = 0;
};

[[nodiscard]] std::unique_ptr<ByteStream> streamOf(ByteSourcePtr source);
// gzip (RFC 1952), with one or more members. Errors in the compressed data have the offset in the compressed file.
[[nodiscard]] std::unique_ptr<ByteStream> gunzipStream(ByteSourcePtr source);

// Exactly `count` bytes into `target`, which grows as bytes arrive, never to a size stated by a header. `offset`:
// position of the first byte, for the error of a truncated stream.
[[nodiscard]] Result<void> readExactly(ByteStream& stream, std::int64_t offset, std::int64_t count,
                                       std::vector<std::uint8_t>& target);

}  // namespace steelyard::data
