// SPDX-License-Identifier: Apache-2.0
#include "engine/data/files/zip_archive.h"

#include <fmt/format.h>
#include <zip.h>

#include <array>
#include <utility>

#include "engine/core/messages/data.h"

namespace steelyard::data {
namespace {

constexpr std::size_t kChunk = 1 << 16;

struct FileCloser {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

std::string textOf(int code) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    return text;
}

Failure failure(const std::string& file, int code, const std::string& what) {
    Message text(what.empty() ? textOf(code) : fmt::format("{}: {}", what, textOf(code)));
    switch (code) {
        case ZIP_ER_MEMORY:
            return fail(ErrorKind::OutOfMemory, file, std::move(text));
        case ZIP_ER_NOPASSWD:
        case ZIP_ER_WRONGPASSWD:
        case ZIP_ER_ENCRNOTSUPP:
        case ZIP_ER_COMPNOTSUPP:
        case ZIP_ER_MULTIDISK:
            return fail(ErrorKind::Unsupported, file, std::move(text));
        default:
            return corrupt(file, 0, std::move(text));
    }
}

}  // namespace

void ZipArchive::Closer::operator()(zip* archive) const {
    zip_discard(archive);
}

Result<ZipArchive> ZipArchive::open(const ByteSource& source, std::int64_t limit) {
    ZipArchive result;
    result.m_name = source.name();
    ASSIGN(result.m_bytes, readAll(source, limit));
    zip_error_t error;
    zip_error_init(&error);
    auto* buffer = zip_source_buffer_create(result.m_bytes.data(), result.m_bytes.size(), 0, &error);
    if (buffer != nullptr) result.m_archive.reset(zip_open_from_source(buffer, ZIP_RDONLY, &error));
    const int code = zip_error_code_zip(&error);
    zip_error_fini(&error);
    if (!result.m_archive) {
        if (buffer != nullptr) zip_source_free(buffer);
        return failure(result.m_name, code, {});
    }
    return result;
}

Result<std::vector<std::uint8_t>> ZipArchive::read(const std::string& entry, std::int64_t limit) const {
    const std::unique_ptr<zip_file_t, FileCloser> file(zip_fopen(m_archive.get(), entry.c_str(), 0));
    if (!file) return failure(m_name, zip_error_code_zip(zip_get_error(m_archive.get())), entry);
    std::vector<std::uint8_t> bytes;
    std::array<std::uint8_t, kChunk> chunk;
    while (true) {
        const auto count = zip_fread(file.get(), chunk.data(), chunk.size());
        if (count < 0) return failure(m_name, zip_error_code_zip(zip_file_get_error(file.get())), entry);
        if (count == 0) return bytes;
        if (std::cmp_greater(count, limit - static_cast<std::int64_t>(bytes.size())))
            return corrupt(m_name, 0, messages::entryTooLarge(entry, limit));
        bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + count);
    }
}

}  // namespace steelyard::data
