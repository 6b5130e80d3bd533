// SPDX-License-Identifier: Apache-2.0
#include "engine/data/formats/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/core/messages/data.h"
#include "engine/data/files/little_endian.h"
#include "engine/data/formats/pickled_lists.h"

namespace steelyard::data {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::int64_t kMostHeader = 65536;  // real ones have 118 bytes

// Reads the header's dictionary, a Python literal written by NumPy with these three keys in this order (its format
// document asks for sorted keys, and readers may rely on it).
class HeaderText {
public:
    explicit HeaderText(std::string_view text) : m_rest(text) {}

    bool accept(std::string_view token) {
        m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \n"), m_rest.size()));
        if (!m_rest.starts_with(token)) return false;
        m_rest.remove_prefix(token.size());
        return true;
    }
    std::optional<std::string> quoted() {
        if (!accept("'")) return std::nullopt;
        const auto end = m_rest.find('\'');
        if (end == std::string_view::npos) return std::nullopt;
        std::string text(m_rest.substr(0, end));
        m_rest.remove_prefix(end + 1);
        return text;
    }
    std::optional<std::int64_t> number() {
        if (!accept("")) return std::nullopt;
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
        if (problem != std::errc() || value < 0) return std::nullopt;
        m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
        return value;
    }
    [[nodiscard]] bool atEnd() { return accept("") && m_rest.empty(); }

private:
    std::string_view m_rest;
};

std::optional<NpyHeader> parseHeaderText(std::string_view literal) {
    HeaderText text(literal);
    NpyHeader header;
    if (!text.accept("{") || !text.accept("'descr'") || !text.accept(":")) return std::nullopt;
    const auto type = text.quoted();
    if (!type || !text.accept(",") || !text.accept("'fortran_order'") || !text.accept(":")) return std::nullopt;
    if (!text.accept("False") && !text.accept("True")) return std::nullopt;  // the same in one dimension
    if (!text.accept(",") || !text.accept("'shape'") || !text.accept(":") || !text.accept("(")) return std::nullopt;
    const auto length = text.number();
    if (!length || !text.accept(",") || !text.accept(")")) return std::nullopt;  // "(25000,)": one dimension
    text.accept(",");
    if (!text.accept("}") || !text.atEnd()) return std::nullopt;
    header.type = *type;
    header.length = *length;
    return header;
}

struct IntegerType {
    std::string_view name;
    std::int64_t bytes;
};

std::int64_t integerAt(ByteView bytes, std::size_t at, std::int64_t width) {
    switch (width) {
        case 8:
            return static_cast<std::int64_t>(little64(bytes, at));
        case 4:
            return static_cast<std::int32_t>(little32(bytes, at));
        default:
            return bytes[at];
    }
}

}  // namespace

Result<NpyHeader> readNpyHeader(ByteView bytes, const std::string& file) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with(kMagic)) return corrupt(file, 0, messages::notNumpy());
    if (bytes.size() < 12) return corrupt(file, static_cast<std::int64_t>(bytes.size()), messages::endsEarly());
    const auto version = bytes[6];
    if (version < 1 || version > 3) return corrupt(file, 6, messages::npyVersion(version));
    const std::int64_t start = version == 1 ? 10 : 12;
    const std::int64_t length = version == 1 ? little16(bytes, 8) : little32(bytes, 8);
    if (length > kMostHeader) return corrupt(file, 8, messages::headerBytes(length));
    if (std::cmp_greater(start + length, bytes.size())) {
        return corrupt(file, static_cast<std::int64_t>(bytes.size()), messages::endsEarly());
    }
    auto header = parseHeaderText(text.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(length)));
    if (!header) return corrupt(file, start, messages::notOneDimension());
    header->dataOffset = start + length;
    return *header;
}

Result<std::vector<std::int64_t>> readNpyIntegers(ByteView bytes, const std::string& file) {
    ASSIGN(const auto header, readNpyHeader(bytes, file));
    constexpr IntegerType kTypes[]{{"<i8", 8}, {"<i4", 4}, {"|u1", 1}, {"|b1", 1}};
    const auto* type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                    [&](const IntegerType& candidate) { return candidate.name == header.type; });
    if (type == std::end(kTypes)) return corrupt(file, 10, messages::notWholeNumbers(header.type));
    const auto available = static_cast<std::int64_t>(bytes.size()) - header.dataOffset;
    if (available % type->bytes != 0 || header.length != available / type->bytes) {
        return corrupt(file, header.dataOffset, messages::tooFewBytes(available, header.length));
    }
    std::vector<std::int64_t> values(static_cast<std::size_t>(header.length));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at = static_cast<std::size_t>(header.dataOffset) + i * static_cast<std::size_t>(type->bytes);
        values[i] = integerAt(bytes, at, type->bytes);
    }
    return values;
}

Result<TokenLists> readNpyLists(ByteView bytes, const std::string& file) {
    ASSIGN(const auto header, readNpyHeader(bytes, file));
    if (header.type != "|O") return corrupt(file, 10, messages::notLists(header.type));
    auto lists = readPickledLists(bytes.subspan(static_cast<std::size_t>(header.dataOffset)), file, header.dataOffset);
    if (lists && lists->size() != header.length) {
        return corrupt(file, header.dataOffset, messages::listCount(lists->size(), header.length));
    }
    return lists;
}

std::string npyOf(std::span<const float> values) {
    auto header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}", values.size());
    // Magic, version and length take ten bytes; the data begin at a multiple of 64.
    header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
    header += '\n';
    std::string file(kMagic);
    file += {'\x01', '\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
    file += header;
    static_assert(std::endian::native == std::endian::little);
    const auto start = file.size();
    file.resize(start + values.size_bytes());
    if (!values.empty()) std::memcpy(file.data() + start, values.data(), values.size_bytes());
    return file;
}

}  // namespace steelyard::data
