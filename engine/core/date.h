// SPDX-License-Identifier: Apache-2.0
// Dates in ISO 8601, "2026-08-03".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace steelyard {

// Midnight (UTC) of "2026-08-03"; nothing unless the text is a date of the years 1970 to 9999 in this form.
[[nodiscard]] std::optional<std::int64_t> unixMillisecondsOfDate(std::string_view date);

}  // namespace steelyard
