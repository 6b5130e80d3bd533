// SPDX-License-Identifier: Apache-2.0
// Character-level functions of text.h.
#include <fmt/format.h>

#include "engine/data/text/text.h"

#include "engine/core/messages/data.h"

namespace steelyard::data {
namespace {

constexpr ByteView::size_type kMarkBytes = 3;

struct Lead {
    int continuation = -1;  // number of following bytes; -1: not a lead byte
    char32_t bits = 0;
    char32_t smallest = 0;  // smaller values are overlong forms
};

Lead leadOf(std::uint8_t byte) {
    if (byte < 0x80) return {0, byte, 0};
    if (byte >= 0xc2 && byte < 0xe0) return {1, byte & 0x1fU, 0x80};
    if (byte >= 0xe0 && byte < 0xf0) return {2, byte & 0x0fU, 0x800};
    if (byte >= 0xf0 && byte < 0xf5) return {3, byte & 0x07U, 0x10000};
    return {};
}

bool startsWithMark(ByteView bytes) {
    return bytes.size() >= kMarkBytes && bytes[0] == 0xef && bytes[1] == 0xbb && bytes[2] == 0xbf;
}

}  // namespace

Result<std::u32string> decodeUtf8(ByteView bytes, const std::string& file) {
    std::u32string text;
    text.reserve(bytes.size());
    std::size_t i = startsWithMark(bytes) ? kMarkBytes : 0;
    while (i < bytes.size()) {
        const auto lead = leadOf(bytes[i]);
        const auto start = static_cast<std::int64_t>(i);
        if (lead.continuation < 0) return corrupt(file, start, messages::notUtf8(fmt::format("0x{:02x}", bytes[i])));
        auto value = lead.bits;
        ++i;
        for (int k = 0; k < lead.continuation; ++k, ++i) {
            if (i >= bytes.size() || (bytes[i] & 0xc0U) != 0x80) {
                return corrupt(file, start, messages::utf8Incomplete());
            }
            value = value << 6 | (bytes[i] & 0x3fU);
        }
        const bool surrogate = value >= 0xd800 && value < 0xe000;
        if (value < lead.smallest || surrogate || value > 0x10ffff) {
            return corrupt(file, start, messages::utf8Invalid());
        }
        if (value == 0) return corrupt(file, start, messages::nulCharacter());
        const bool second = value == U'\n' && i >= 2 && bytes[i - 2] == '\r';
        if (second) continue;  // the "\r" has become the line's end
        text.push_back(value == U'\r' ? U'\n' : value);
    }
    return text;
}

std::string encodeUtf8(std::u32string_view text) {
    std::string bytes;
    const auto put = [&](char32_t value) { bytes.push_back(static_cast<char>(value)); };
    for (const auto c : text) {
        if (c < 0x80) {
            put(c);
        } else if (c < 0x800) {
            put(0xc0 | c >> 6);
            put(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            put(0xe0 | c >> 12);
            put(0x80 | (c >> 6 & 0x3f));
            put(0x80 | (c & 0x3f));
        } else {
            put(0xf0 | c >> 18);
            put(0x80 | (c >> 12 & 0x3f));
            put(0x80 | (c >> 6 & 0x3f));
            put(0x80 | (c & 0x3f));
        }
    }
    return bytes;
}

char32_t toLower(char32_t c) {
    if (c >= U'A' && c <= U'Z') return c + 0x20;
    if (c >= 0xc0 && c <= 0xde && c != 0xd7) return c + 0x20;     // Latin-1; 0xd7 is the multiplication sign
    if (c >= 0x391 && c <= 0x3a9 && c != 0x3a2) return c + 0x20;  // Greek; 0x3a2 is unassigned
    if (c >= 0x410 && c <= 0x42f) return c + 0x20;                // Cyrillic
    if (c >= 0x400 && c <= 0x40f) return c + 0x50;                // Cyrillic extensions
    return c;
}

}  // namespace steelyard::data
