// SPDX-License-Identifier: Apache-2.0
#include "engine/hardware/profile/redaction.h"

#include <algorithm>
#include <cctype>

#include "engine/hardware/system/text_parsing.h"

namespace steelyard::hardware {
namespace {

constexpr std::string_view kRemoved = "<removed>";
constexpr std::size_t kLongestPlainHex = 23;

bool isHex(char c) {
    return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}
bool isDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool isWord(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Whether the text is groups of hexadecimal digits of the given lengths with one separator: 8-4-4-4-12 is a UUID.
bool hasShape(std::string_view text, char separator, std::initializer_list<std::size_t> lengths) {
    const auto parts = splitText(text, separator);
    if (parts.size() != lengths.size()) return false;
    return std::equal(parts.begin(), parts.end(), lengths.begin(), [](std::string_view part, std::size_t length) {
        return part.size() == length && std::all_of(part.begin(), part.end(), isHex);
    });
}

// Length of the identifier that starts here, or 0. `inside`: the previous character belongs to the same run.
std::size_t identifierLength(std::string_view text, bool inside) {
    if (inside) return 0;
    constexpr std::size_t kUuid = 36;
    constexpr std::size_t kAddress = 17;
    for (const char separator : {'-', '_'}) {
        if (hasShape(text.substr(0, kUuid), separator, {8, 4, 4, 4, 12})) return kUuid;
    }
    for (const char separator : {':', '-'}) {
        const bool ends = text.size() == kAddress || (text.size() > kAddress && !isWord(text[kAddress]));
        if (ends && hasShape(text.substr(0, kAddress), separator, {2, 2, 2, 2, 2, 2})) return kAddress;
    }
    std::size_t digits = 0;
    while (digits < text.size() && isHex(text[digits])) ++digits;
    return digits > kLongestPlainHex ? digits : 0;
}

std::string withoutIdentifiers(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const bool inside = at > 0 && isHex(text[at - 1]) && isHex(text[at]);
        const std::size_t length = identifierLength(text.substr(at), inside);
        if (length == 0) {
            out += text[at++];
        } else {
            out += kRemoved;
            at += length;
        }
    }
    return out;
}

// "user-1000", "user@1000", "session-3": the numbers identify persons.
std::string withoutUserNumbers(std::string text) {
    for (const std::string_view prefix : {"user-", "user@", "session-", "/users/", "uid_", "/uid-"}) {
        std::size_t at = 0;
        while ((at = text.find(prefix, at)) != std::string::npos) {
            at += prefix.size();
            std::size_t end = at;
            while (end < text.size() && isDigit(text[end])) ++end;
            if (end > at) text.replace(at, end - at, "N");
        }
    }
    return text;
}

std::string withoutSecret(std::string text, const std::string& secret) {
    if (secret.size() < 2) return text;
    std::size_t at = 0;
    while ((at = text.find(secret, at)) != std::string::npos) {
        const std::size_t end = at + secret.size();
        const bool startsInside = at > 0 && isWord(text[at - 1]) && isWord(secret.front());
        const bool endsInside = end < text.size() && isWord(text[end]) && isWord(secret.back());
        if (startsInside || endsInside) {
            at = end;
            continue;
        }
        text.replace(at, secret.size(), kRemoved);
        at += kRemoved.size();
    }
    return text;
}

std::string withoutSerialNumbers(std::string_view text) {
    std::string out;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string_view line = text.substr(at, end - at);
        const auto colon = line.find(':');
        std::string name(trimmed(line.substr(0, colon)));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const bool serial = colon != std::string_view::npos && name.find("serial") != std::string::npos;
        if (serial) {
            out += std::string(line.substr(0, colon + 1)) + " " + std::string(kRemoved) + "\n";
        } else {
            out += line;
        }
        at = end;
    }
    return out;
}

}  // namespace

std::string redacted(std::string_view text, const std::vector<std::string>& secrets) {
    std::string out = withoutIdentifiers(withoutSerialNumbers(text));
    // Longest first: the home folder contains the user name.
    std::vector<std::string> ordered = secrets;
    std::sort(ordered.begin(), ordered.end(),
              [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    for (const auto& secret : ordered) out = withoutSecret(std::move(out), secret);
    return withoutUserNumbers(std::move(out));
}

}  // namespace steelyard::hardware
