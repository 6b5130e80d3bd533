// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/option_checks.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/core/csv.h"
#include "engine/core/date.h"
#include "engine/core/limits.h"

namespace steelyard::cli {

std::string greaterThanZero(const std::string& text) {
    const auto value = numberFromText(text);
    return value && *value > 0 ? std::string() : fmt::format("'{}' is not a number greater than 0", text);
}

std::string notNegative(const std::string& text) {
    const auto value = numberFromText(text);
    return value && *value >= 0 ? std::string() : fmt::format("'{}' is not a number of at least 0", text);
}

std::string fraction(const std::string& text) {
    const auto value = numberFromText(text);
    return value && *value > 0 && *value <= 1 ? std::string()
                                              : fmt::format("'{}' is not a fraction such as 0.15", text);
}

namespace {

// Digits only: from_chars would wrap "-1" to the largest unsigned number.
template <typename Number>
std::optional<Number> wholeNumber(std::string_view text) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string checkWhole(const std::string& text, std::int64_t most) {
    const auto number = wholeNumber<std::int64_t>(text);
    return number && *number >= 1 && *number <= most
               ? std::string()
               : fmt::format("'{}' is not a whole number from 1 to {}", text, most);
}

}  // namespace

std::string batchSize(const std::string& text) {
    return checkWhole(text, kLargestBatch);
}

std::string threadCount(const std::string& text) {
    return checkWhole(text, kMostThreads);
}

std::string amount(const std::string& text) {
    const auto value = numberFromText(text);
    return value && *value > 0 && *value <= kMostSteps
               ? std::string()
               : fmt::format("'{}' is not a number above 0 and up to {:g}", text, kMostSteps);
}

std::string timeWeight(const std::string& text) {
    const auto value = numberFromText(text);
    return value && *value >= 0 && *value <= kHighestTimeWeight
               ? std::string()
               : fmt::format("'{}' is not a number from 0 to {:g}", text, kHighestTimeWeight);
}

std::string seed(const std::string& text) {
    return wholeNumber<std::uint64_t>(text) ? std::string()
                                            : fmt::format("'{}' is not a whole number from 0 to 2^64 - 1", text);
}

std::string nonEmptyList(const std::string& text) {
    return text.find_first_not_of(", ") != std::string::npos ? std::string()
                                                             : fmt::format("'{}' is an empty list", text);
}

std::string day(const std::string& text) {
    return unixMillisecondsOfDate(text) ? std::string() : fmt::format("'{}' is not a date such as 2026-08-03", text);
}

}  // namespace steelyard::cli
