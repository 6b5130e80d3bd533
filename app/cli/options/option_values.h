// SPDX-License-Identifier: Apache-2.0
// Comma-separated option values, "a,b", parsed; errors name the option. Include from .cpp files only.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "app/cli/command_context.h"
#include "engine/core/error.h"
#include "engine/core/messages/app.h"

namespace steelyard::cli {

// Integers from 1 to `largest`.
template <typename Number>
[[nodiscard]] Result<std::vector<Number>> wholeNumbers(const std::string& text, const char* option,
                                                       std::int64_t largest) {
    std::vector<Number> numbers;
    for (const auto& part : splitList(text)) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
        if (error != std::errc{} || end != part.data() + part.size() || number < 1 || number > largest)
            return fail(ErrorKind::InvalidArgument, option, app::messages::notAWholeNumber(part, largest));
        numbers.push_back(static_cast<Number>(number));
    }
    return numbers;
}

// Words from a fixed list.
template <typename Words>
[[nodiscard]] Result<std::vector<std::string>> knownWords(const std::string& text, const char* option,
                                                          const Words& allowed) {
    auto words = splitList(text);
    for (const auto& word : words)
        if (std::find(std::begin(allowed), std::end(allowed), word) == std::end(allowed))
            return fail(ErrorKind::InvalidArgument, option,
                        app::messages::notOneOf(word, fmt::format("{}", fmt::join(allowed, ", "))));
    return words;
}

// Values of an enumeration, limited to `all`.
template <typename Values>
[[nodiscard]] auto namedValues(const std::string& text, const char* option, const Values& all)
    -> Result<std::vector<typename Values::value_type>> {
    using Enum = typename Values::value_type;
    std::vector<std::string_view> names;
    for (const auto value : all) names.push_back(toString(value));
    ASSIGN(const auto words, knownWords(text, option, names));
    std::vector<Enum> values;
    for (const auto& word : words) values.push_back(*fromName(std::type_identity<Enum>(), word));
    return values;
}

}  // namespace steelyard::cli
