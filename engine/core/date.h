// SPDX-License-Identifier: Apache-2.0
// Dates in ISO 8601, "2026-08-03".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace steelyard {

// Midnight (UTC) of "2026-08-03"; nothing if the text is not a date in this form, in the years 1970 to 9999.
[[nodiscard]] std::optional<std::int64_t> unixMillisecondsOfDate(std::string_view date);

}  // namespace steelyard
