// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options/option_checks.h"

#include <fmt/format.h>

#include "engine/core/csv.h"
#include "engine/core/date.h"

namespace steelyard::cli {

std::string greaterThanZero(const std::string& text) {
    const auto value = numberFromText(text);
    return value && *value > 0 ? std::string() : fmt::format("'{}' is not a number greater than 0", text);
}

std::string notNegative(const std::string& text) {
    const auto value = numberFromText(text);
    return value && *value >= 0 ? std::string() : fmt::format("'{}' is not a number of at least 0", text);
}

std::string shareOfTime(const std::string& text) {
    const auto value = numberFromText(text);
    return value && *value > 0 && *value <= 1 ? std::string() : fmt::format("'{}' is not a share such as 0.15", text);
}

std::string day(const std::string& text) {
    return unixMillisecondsOfDate(text) ? std::string() : fmt::format("'{}' is not a day such as 2026-08-03", text);
}

}  // namespace steelyard::cli
