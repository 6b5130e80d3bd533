// SPDX-License-Identifier: Apache-2.0
#include "engine/model/decoder/gguf_weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>

#include <span>

#include "engine/core/messages/model.h"
#include "engine/model/decoder/weight_blocks.h"
#include "engine/model/onnx/mapped_file.h"

namespace steelyard::model {

Result<std::shared_ptr<const GgufWeightFile>> GgufWeightFile::open(const std::string& path) {
    std::shared_ptr<GgufWeightFile> file(new GgufWeightFile);
    file->m_path = path;
    ASSIGN(file->m_file, onnx::MappedFile::open(path));
    ASSIGN(file->m_header, ggufHeaderFromBytes(path, file->m_file->bytes()));
    ASSIGN(file->m_spec, decoderFromGguf(path, file->m_header));
    if (!file->m_header.hasData) return fail(ErrorKind::InvalidArgument, path, messages::ggufWithoutData());
    file->m_data = reinterpret_cast<const std::byte*>(file->m_file->bytes().data()) + file->m_header.dataStart;
    return std::shared_ptr<const GgufWeightFile>(std::move(file));
}

std::optional<double> GgufWeightFile::number(const std::string& key) const {
    const auto found = m_header.values.find(key);
    if (found == m_header.values.end()) return std::nullopt;
    if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&found->second)) return *real;
    return std::nullopt;
}

Result<StoredMatrix> GgufWeightFile::matrix(const std::string& tensor, std::int64_t rows, std::int64_t columns,
                                            std::int64_t count) const {
    const auto* found = m_header.findTensor(tensor);
    if (found == nullptr) return fail(ErrorKind::CorruptData, m_path, messages::tensorMissing(tensor));
    auto sizes = found->sizes;
    sizes.resize(4, 1);
    if (sizes != std::vector<std::int64_t>{columns, rows, count, 1}) {
        std::vector<std::int64_t> expected{columns, rows};
        if (count > 1) expected.push_back(count);
        return fail(ErrorKind::CorruptData, m_path,
                    messages::tensorShape(tensor, fmt::format("{}", fmt::join(found->sizes, " x ")),
                                          fmt::format("{}", fmt::join(expected, " x "))));
    }
    const auto& format = formatOf(found->type);
    // GGUF has no blocks across rows; llama.cpp rejects such files, too.
    if (!hasBlocks(found->type) || columns % format.blockWeights != 0)
        return fail(ErrorKind::Unsupported, m_path,
                    messages::tensorFormat(tensor, std::string(format.name), namesOfBlocks()));
    return StoredMatrix{
        .type = found->type, .rows = rows, .columns = columns, .count = count, .data = m_data + found->offset};
}

Result<std::vector<float>> GgufWeightFile::vector(const std::string& tensor, std::int64_t length) const {
    ASSIGN(const auto stored, matrix(tensor, 1, length));
    std::vector<float> values(static_cast<std::size_t>(length));
    dequantise(stored.type, stored.data, values);
    return values;
}

void GgufWeightFile::releasePages() const {
    if (m_file == nullptr) return;
    const auto bytes = m_file->bytes();
    // A mapping is page-aligned.
    madvise(const_cast<char*>(bytes.data()), bytes.size(), MADV_DONTNEED);
}

}  // namespace steelyard::model
