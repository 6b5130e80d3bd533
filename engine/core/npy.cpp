// SPDX-License-Identifier: Apache-2.0
#include "engine/core/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "engine/core/half.h"
#include "engine/core/messages/data.h"

namespace steelyard {
namespace {

namespace messages = data::messages;

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::size_t kMostNpyHeader = 65536;  // real ones have 118 bytes
constexpr std::size_t kMostNpyRank = 64;       // limit of NumPy 2

Failure corruptNpy(const std::string& subject, std::size_t offset, Message why) {
    return Failure(Error{ErrorKind::CorruptData, subject, std::move(why), static_cast<std::int64_t>(offset), {}, {}});
}

// Parses the header's dictionary, a Python literal written by NumPy with these three keys in this order (the format
// requires sorted keys, and readers may rely on it).
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
    // "()", "(25000,)", "(2, 3)".
    std::optional<std::vector<std::int64_t>> tuple() {
        std::vector<std::int64_t> numbers;
        if (!accept("(")) return std::nullopt;
        while (!accept(")")) {
            const auto next = number();
            if (!next || numbers.size() == kMostNpyRank) return std::nullopt;
            numbers.push_back(*next);
            if (accept(",")) continue;
            if (numbers.size() < 2 || !accept(")")) return std::nullopt;
            break;
        }
        return numbers;
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
    header.isFortran = text.accept("True");
    if (!header.isFortran && !text.accept("False")) return std::nullopt;
    if (!text.accept(",") || !text.accept("'shape'") || !text.accept(":")) return std::nullopt;
    auto shape = text.tuple();
    if (!shape) return std::nullopt;
    text.accept(",");
    if (!text.accept("}") || !text.atEnd()) return std::nullopt;
    header.type = *type;
    header.shape = std::move(*shape);
    return header;
}

template <class T>
double loadNumber(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
}
double loadHalf(const char* from) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    return static_cast<double>(fromHalf(bits));
}
double loadBool(const char* from) {
    return *from != 0 ? 1 : 0;
}

template <class T>
T converted(double value) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(value);
    } else {
        // The largest 64-bit integers are not representable: compare with the next power of two.
        constexpr auto kLeast = static_cast<double>(std::numeric_limits<T>::min());
        constexpr auto kBeyond = 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
        const double whole = std::nearbyint(value);
        if (!(whole > kLeast)) return std::isnan(whole) ? T{0} : std::numeric_limits<T>::min();
        return whole >= kBeyond ? std::numeric_limits<T>::max() : static_cast<T>(whole);
    }
}
template <class T>
void storeNumber(char* to, double value) {
    const T number = converted<T>(value);
    std::memcpy(to, &number, sizeof number);
}
void storeHalf(char* to, double value) {
    const auto bits = toHalf(static_cast<float>(value));
    std::memcpy(to, &bits, sizeof bits);
}
void storeBool(char* to, double value) {
    *to = value != 0 ? 1 : 0;
}

struct NpyType {
    std::string_view name;
    std::size_t bytes;
    double (*load)(const char*);
    void (*store)(char*, double);
};
constexpr NpyType kNpyTypes[]{{"<f2", 2, loadHalf, storeHalf},
                              {"<f4", 4, loadNumber<float>, storeNumber<float>},
                              {"<f8", 8, loadNumber<double>, storeNumber<double>},
                              {"|i1", 1, loadNumber<std::int8_t>, storeNumber<std::int8_t>},
                              {"<i2", 2, loadNumber<std::int16_t>, storeNumber<std::int16_t>},
                              {"<i4", 4, loadNumber<std::int32_t>, storeNumber<std::int32_t>},
                              {"<i8", 8, loadNumber<std::int64_t>, storeNumber<std::int64_t>},
                              {"|u1", 1, loadNumber<std::uint8_t>, storeNumber<std::uint8_t>},
                              {"<u2", 2, loadNumber<std::uint16_t>, storeNumber<std::uint16_t>},
                              {"<u4", 4, loadNumber<std::uint32_t>, storeNumber<std::uint32_t>},
                              {"<u8", 8, loadNumber<std::uint64_t>, storeNumber<std::uint64_t>},
                              {"|b1", 1, loadBool, storeBool}};

const NpyType* findNpyType(std::string_view name) {
    const auto* found = std::ranges::find(kNpyTypes, name, &NpyType::name);
    return found == std::end(kNpyTypes) ? nullptr : found;
}

std::string npyTypeNames() {
    std::vector<std::string_view> names;
    for (const auto& type : kNpyTypes) names.push_back(type.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Result<NpyHeader> readNpyHeader(std::string_view bytes, const std::string& subject) {
    if (!bytes.starts_with(kNpyMagic)) return corruptNpy(subject, 0, messages::notNumpy());
    if (bytes.size() < 12) return corruptNpy(subject, bytes.size(), messages::endsEarly());
    const auto byteAt = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
    const auto version = byteAt(6);
    if (version < 1 || version > 3) return corruptNpy(subject, 6, messages::npyVersion(version));
    const std::size_t start = version == 1 ? 10 : 12;
    std::size_t length = byteAt(8) | byteAt(9) << 8;
    if (version > 1) length |= byteAt(10) << 16 | byteAt(11) << 24;
    if (length > kMostNpyHeader) return corruptNpy(subject, 8, messages::headerBytes(length));
    if (length > bytes.size() - start) return corruptNpy(subject, bytes.size(), messages::endsEarly());
    auto header = parseHeaderText(bytes.substr(start, length));
    if (!header) return corruptNpy(subject, start, messages::npyHeader());
    header->dataOffset = static_cast<std::int64_t>(start + length);
    return *header;
}

Result<NpyArray> readNpy(std::string_view bytes, const std::string& subject) {
    ASSIGN(auto header, readNpyHeader(bytes, subject));
    const auto* type = findNpyType(header.type);
    if (type == nullptr) return corruptNpy(subject, 10, messages::npyType(header.type, npyTypeNames()));
    // In one dimension both orders are the same.
    const auto longAxes = std::ranges::count_if(header.shape, [](auto extent) { return extent > 1; });
    if (header.isFortran && longAxes > 1) return corruptNpy(subject, 10, messages::fortranOrder());
    std::int64_t count = 1;
    for (const auto extent : header.shape)
        if (__builtin_mul_overflow(count, extent, &count)) return corruptNpy(subject, 10, messages::shapeTooLarge());
    const auto start = static_cast<std::size_t>(header.dataOffset);
    const auto available = bytes.size() - start;
    if (available % type->bytes != 0 || !std::cmp_equal(count, available / type->bytes))
        return corruptNpy(subject, start, messages::tooFewBytes(available, count));
    NpyArray array{std::move(header.type), std::move(header.shape), {}};
    array.values.resize(available / type->bytes);
    for (std::size_t i = 0; i < array.values.size(); ++i)
        array.values[i] = type->load(bytes.data() + start + i * type->bytes);
    return array;
}

std::string npyBytes(std::string_view type, const std::vector<std::int64_t>& shape, std::span<const double> values) {
    const auto* stored = findNpyType(type);
    if (stored == nullptr) stored = findNpyType("<f4");
    auto header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", stored->name,
                              fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
    // Magic number, version and length take ten bytes; the data start at a multiple of 64.
    header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
    header += '\n';
    std::string file(kNpyMagic);
    file += {'\x01', '\0', static_cast<char>(header.size() & 0xFF), static_cast<char>(header.size() >> 8)};
    file += header;
    const auto start = file.size();
    file.resize(start + values.size() * stored->bytes);
    for (std::size_t i = 0; i < values.size(); ++i) stored->store(file.data() + start + i * stored->bytes, values[i]);
    return file;
}

}  // namespace steelyard
