// SPDX-License-Identifier: Apache-2.0
#include "engine/report/escape.h"

#include <cctype>

namespace steelyard::report {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

bool isControl(char character) {
    const auto code = static_cast<unsigned char>(character);
    return (code < 0x20 && character != '\n' && character != '\t') || code == 0x7f;
}

bool isWordCharacter(std::string_view text, std::size_t index) {
    return index < text.size() && std::isalnum(static_cast<unsigned char>(text[index])) != 0;
}

}  // namespace

std::string escapeHtml(std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char character : text) {
        switch (character) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default:
                if (isControl(character)) {
                    escaped += kReplacement;
                } else {
                    escaped += character;
                }
        }
    }
    return escaped;
}

std::string escapeMarkdown(std::string_view text) {
    constexpr std::string_view kMarkup = "\\`*[]()#|~!$";
    std::string escaped;
    escaped.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char character = text[i];
        // Markdown passes HTML through, so HTML is escaped first.
        if (character == '<') {
            escaped += "&lt;";
        } else if (character == '>') {
            escaped += "&gt;";
        } else if (character == '&') {
            escaped += "&amp;";
        } else if (character == '\n' || character == '\t') {
            escaped += ' ';
        } else if (isControl(character)) {
            escaped += kReplacement;
        } else if (character == '_' && i > 0 && isWordCharacter(text, i - 1) && isWordCharacter(text, i + 1)) {
            escaped += character;  // mnist_cnn: no emphasis within a word
        } else {
            if (character == '_' || kMarkup.find(character) != std::string_view::npos) escaped += '\\';
            escaped += character;
        }
    }
    return escaped;
}

}  // namespace steelyard::report
