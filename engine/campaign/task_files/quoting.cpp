// SPDX-License-Identifier: Apache-2.0
#include "engine/campaign/task_files/quoting.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/messages/campaign.h"
#include "engine/core/text.h"

namespace steelyard::campaign {
namespace {

bool isAlphanumeric(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool consistsOf(std::string_view text, std::string_view others) {
    return std::ranges::all_of(
        text, [others](char c) { return isAlphanumeric(c) || others.find(c) != std::string_view::npos; });
}

}  // namespace

std::string shellQuoted(std::string_view text) {
    if (!text.empty() && consistsOf(text, "_-./:=@%+,")) return std::string(text);
    std::string quoted = "'";
    for (const char c : text) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

std::string commandLine(const std::vector<std::string>& words) {
    std::string line;
    for (const auto& word : words) {
        if (!line.empty()) line += ' ';
        line += shellQuoted(word);
    }
    return line;
}

std::string yamlQuoted(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
            quoted += c;
        }
    }
    return quoted + "\"";
}

std::string yamlBlock(std::string_view text, std::size_t indent) {
    std::string block = "|\n";
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        if (!line.empty()) block.append(indent, ' ').append(line);
        block += '\n';
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return block;
}

Result<void> checkLine(std::string_view what, std::string_view text) {
    // visible() changes control characters, bidirectional controls, and invalid UTF-8.
    constexpr std::string_view kLineSeparator = "\u2028", kParagraphSeparator = "\u2029", kByteOrderMark = "\ufeff";
    const auto has = [text](std::string_view part) { return text.find(part) != std::string_view::npos; };
    if (visible(text) != text || has(kLineSeparator) || has(kParagraphSeparator) || has(kByteOrderMark))
        return fail(ErrorKind::InvalidArgument, std::string(what), messages::controlCharacters());
    return {};
}

Result<void> checkPlainName(std::string_view what, std::string_view text) {
    if (text.starts_with('-') || !consistsOf(text, "-_.,:@[]"))
        return fail(ErrorKind::InvalidArgument, std::string(what), messages::notAPlainName(text));
    return {};
}

Result<void> checkDnsLabel(std::string_view what, std::string_view text) {
    const bool isLabel =
        text.size() <= 63 && !text.starts_with('-') && !text.ends_with('-') &&
        std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
    if (!isLabel) return fail(ErrorKind::InvalidArgument, std::string(what), messages::notADnsLabel(text));
    return {};
}

}  // namespace steelyard::campaign
