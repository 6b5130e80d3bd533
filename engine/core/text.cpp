// SPDX-License-Identifier: Apache-2.0
#include "engine/core/text.h"

#include <fmt/format.h>

#include <cstdint>

#include "engine/core/csv.h"

namespace steelyard {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

// One character or ill-formed subpart at the start of a text.
struct Piece {
    std::size_t bytes = 1;
    std::uint32_t character = 0;  // if well-formed
    bool isWellFormed = false;
};

Piece firstOf(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto lead = byte(0);
    if (lead < 0x80) return {1, lead, true};
    if (lead < 0xC2 || lead > 0xF4) return {};
    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t character = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        unsigned low = 0x80, high = 0xBF;
        if (i == 1) {  // no overlong form, no surrogate, nothing above U+10FFFF
            if (lead == 0xE0) low = 0xA0;
            if (lead == 0xED) high = 0x9F;
            if (lead == 0xF0) low = 0x90;
            if (lead == 0xF4) high = 0x8F;
        }
        if (i >= text.size() || byte(i) < low || byte(i) > high) return {i, 0, false};
        character = (character << 6) | (byte(i) & 0x3FU);
    }
    return {length, character, true};
}

template <typename Visit>
void forEachPiece(std::string_view text, Visit visit) {
    while (!text.empty()) {
        const auto piece = firstOf(text);
        visit(text.substr(0, piece.bytes), piece);
        text.remove_prefix(piece.bytes);
    }
}

bool reordersLine(std::uint32_t character) {
    return (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
}

std::string shown(std::string_view text, std::string_view kept) {
    std::string result;
    result.reserve(text.size());
    forEachPiece(text, [&](std::string_view bytes, const Piece& piece) {
        const auto c = piece.character;
        if (!piece.isWellFormed) {
            for (const char byte : bytes) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
        } else if (c < 0x20 && kept.find(bytes) == std::string_view::npos) {
            result += fmt::format("\\x{:02x}", c);
        } else if ((c >= 0x7F && c < 0xA0) || reordersLine(c)) {
            result += fmt::format("\\u{:04x}", c);
        } else {
            result += bytes;
        }
    });
    return result;
}

}  // namespace

bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const auto piece = firstOf(text);
        if (!piece.isWellFormed) return false;
        text.remove_prefix(piece.bytes);
    }
    return true;
}

std::string toUtf8(std::string_view text) {
    if (isUtf8(text)) return std::string(text);
    std::string result;
    result.reserve(text.size());
    forEachPiece(
        text, [&](std::string_view bytes, const Piece& piece) { result += piece.isWellFormed ? bytes : kReplacement; });
    return result;
}

std::string visible(std::string_view text) {
    return shown(text, {});
}

std::string visibleLines(std::string_view text) {
    return shown(text, "\n\t");
}

std::size_t incompleteTail(std::string_view text) {
    for (std::size_t bytes = 1; bytes <= 3 && bytes <= text.size(); ++bytes) {
        const auto tail = text.substr(text.size() - bytes);
        const auto lead = static_cast<unsigned char>(tail.front());
        if (lead < 0x80) return 0;
        if (lead < 0xC0) continue;
        const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        const auto piece = firstOf(tail);
        return !piece.isWellFormed && piece.bytes == bytes && bytes < length && lead >= 0xC2 && lead <= 0xF4 ? bytes
                                                                                                             : 0;
    }
    return 0;
}

std::string withoutFormula(std::string_view text) {
    constexpr std::string_view kFormulaStarts = "=+-@\t\r";
    const bool isFormula =
        !text.empty() && kFormulaStarts.find(text.front()) != std::string_view::npos && !numberFromText(text);
    return (isFormula ? "'" : "") + std::string(text);
}

std::string csvText(std::string_view text) {
    std::string field;
    const auto disarmed = withoutFormula(text);
    forEachPiece(disarmed, [&](std::string_view bytes, const Piece& piece) {
        const auto c = piece.character;
        const bool isControl = (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || c == 0x7F;
        field += !piece.isWellFormed || isControl ? kReplacement : bytes;
    });
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string quoted = "\"";
    for (const char character : field) {
        if (character == '"') quoted += '"';
        quoted += character;
    }
    return quoted + "\"";
}

}  // namespace steelyard
