// SPDX-License-Identifier: Apache-2.0
#include "engine/data/files/byte_source.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/core/file_io.h"
#include "engine/core/messages/data.h"

namespace steelyard::data {
namespace {

constexpr std::int64_t kGrowth = 65536;  // bytes

class FileSource final : public ByteSource {
public:
    FileSource(std::string name, std::int64_t size, FileDescriptor descriptor)
        : ByteSource(std::move(name), size), m_descriptor(std::move(descriptor)) {}

protected:
    Result<std::size_t> readSome(std::int64_t offset, std::span<std::uint8_t> target) const override {
        while (true) {
            const auto count = ::pread(m_descriptor.get(), target.data(), target.size(), offset);
            if (count >= 0) return static_cast<std::size_t>(count);
            if (errno != EINTR) return Failure(errorFromErrno(errno, name()));
        }
    }

private:
    FileDescriptor m_descriptor;
};

class MemorySource final : public ByteSource {
public:
    MemorySource(std::string name, ByteView bytes)
        : ByteSource(std::move(name), static_cast<std::int64_t>(bytes.size())), m_bytes(bytes) {}

protected:
    Result<std::size_t> readSome(std::int64_t offset, std::span<std::uint8_t> target) const override {
        const auto rest = m_bytes.subspan(static_cast<std::size_t>(std::min(offset, size())));
        const auto count = std::min(rest.size(), target.size());
        if (count > 0) std::memcpy(target.data(), rest.data(), count);
        return count;
    }

private:
    ByteView m_bytes;
};

class SourceStream final : public ByteStream {
public:
    explicit SourceStream(ByteSourcePtr source) : m_source(std::move(source)) {}

    Result<std::size_t> read(std::span<std::uint8_t> target) override {
        const auto left = static_cast<std::size_t>(m_source->size() - m_position);
        const auto count = std::min(left, target.size());
        TRY(m_source->read(m_position, target.first(count)));
        m_position += static_cast<std::int64_t>(count);
        return count;
    }
    const std::string& name() const override { return m_source->name(); }

private:
    ByteSourcePtr m_source;
    std::int64_t m_position = 0;
};

}  // namespace

Failure corrupt(std::string file, std::int64_t offset, Message detail) {
    return Failure(Error{ErrorKind::CorruptData, std::move(file), std::move(detail), offset, {}, {}});
}

Result<void> ByteSource::read(std::int64_t offset, std::span<std::uint8_t> target) const {
    if (offset < 0) return fail(ErrorKind::InvalidArgument, m_name, messages::negativeOffset());
    while (!target.empty()) {
        ASSIGN(const auto count, readSome(offset, target));
        if (count == 0) return corrupt(m_name, std::min(offset, m_size), messages::endsEarly());
        offset += static_cast<std::int64_t>(count);
        target = target.subspan(count);
    }
    return {};
}

Result<ByteSourcePtr> openFile(const std::filesystem::path& path) {
    ASSIGN(auto descriptor, openRegularFile(path));
    struct stat facts {};
    if (::fstat(descriptor.get(), &facts) != 0) return Failure(errorFromErrno(errno, path.string()));
    return std::make_shared<FileSource>(path.string(), facts.st_size, std::move(descriptor));
}

ByteSourcePtr viewBytes(std::string name, ByteView bytes) {
    return std::make_shared<MemorySource>(std::move(name), bytes);
}

Result<std::vector<std::uint8_t>> readAll(const ByteSource& source, std::int64_t limit) {
    if (source.size() > limit) {
        return fail(ErrorKind::InvalidArgument, source.name(), messages::fileTooLarge(source.size(), limit));
    }
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(source.size()));
    TRY(source.read(0, bytes));
    return bytes;
}

Result<std::vector<std::uint8_t>> readWholeFile(const std::filesystem::path& path, std::int64_t limit) {
    ASSIGN(const auto source, openFile(path));
    return readAll(*source, limit);
}

std::unique_ptr<ByteStream> streamOf(ByteSourcePtr source) {
    return std::make_unique<SourceStream>(std::move(source));
}

Result<void> readExactly(ByteStream& stream, std::int64_t offset, std::int64_t count,
                         std::vector<std::uint8_t>& target) {
    std::int64_t have = 0;
    while (have < count) {
        // Doubling bounds the memory to twice the received bytes, and the copies to their total.
        const auto step = std::min(count - have, std::max(have, kGrowth));
        const auto before = target.size();
        target.resize(before + static_cast<std::size_t>(step));
        ASSIGN(const auto got, stream.read(std::span(target).subspan(before)));
        have += static_cast<std::int64_t>(got);
        if (std::cmp_less(got, step)) {
            return corrupt(stream.name(), offset + have, messages::bytesMissing(count - have));
        }
    }
    return {};
}

}  // namespace steelyard::data
