// SPDX-License-Identifier: Apache-2.0
// Days as they are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace steelyard {

// Midnight (UTC) of "2026-08-03"; nothing when it is no day from 1970 to 9999 in just this form.
[[nodiscard]] std::optional<std::int64_t> unixMillisecondsOfDate(std::string_view date);

}  // namespace steelyard
