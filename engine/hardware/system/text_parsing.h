// SPDX-License-Identifier: Apache-2.0
// Parsers for the text of system files. Pure functions: text in, value out; no value for unexpected input.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace steelyard::hardware {

[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kSpace = " \t\r\n\v\f";
    const auto first = text.find_first_not_of(kSpace);
    if (first == std::string_view::npos) return {};
    // Firmware files may end in zero bytes; they are trimmed at the end only.
    const auto last = text.find_last_not_of(std::string_view(" \t\r\n\v\f\0", 7));
    return last == std::string_view::npos ? std::string_view{} : text.substr(first, last - first + 1);
}

// Decimal, or hexadecimal after "0x"; the whole text.
[[nodiscard]] inline std::optional<std::int64_t> parseInteger(std::string_view text) {
    text = trimmed(text);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        base = 16;
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

[[nodiscard]] inline std::optional<double> parseReal(std::string_view text) {
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// Non-empty parts between separators.
[[nodiscard]] inline std::vector<std::string_view> splitText(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const auto end = text.find(separator);
        const std::string_view part = text.substr(0, end);
        if (!part.empty()) parts.push_back(part);
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return parts;
}

// The value after "key:" or "key\t:" at the start of a line; nothing if there is no such line.
[[nodiscard]] inline std::optional<std::string_view> valueOfKey(std::string_view text, std::string_view key,
                                                                char separator = ':') {
    for (std::string_view line : splitText(text, '\n')) {
        const auto colon = line.find(separator);
        if (colon == std::string_view::npos || trimmed(line.substr(0, colon)) != key) continue;
        return trimmed(line.substr(colon + 1));
    }
    return std::nullopt;
}

// "MemTotal:  24684084 kB" -> bytes.
[[nodiscard]] inline std::optional<std::int64_t> kibibytesOfKey(std::string_view text, std::string_view key) {
    auto value = valueOfKey(text, key);
    if (!value) return std::nullopt;
    if (value->ends_with("kB")) value->remove_suffix(2);
    const auto count = parseInteger(*value);
    if (!count || *count < 0 || *count > (INT64_MAX >> 10)) return std::nullopt;
    return *count * 1024;
}

// The kernel's list format, "0-3,8,10-11" -> {0,1,2,3,8,10,11}; nothing if malformed. At most 65536 entries.
[[nodiscard]] std::optional<std::vector<int>> parseCpuList(std::string_view text);

}  // namespace steelyard::hardware
