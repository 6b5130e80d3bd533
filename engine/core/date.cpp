// SPDX-License-Identifier: Apache-2.0
#include "engine/core/date.h"

#include <charconv>
#include <chrono>

namespace steelyard {

std::optional<std::int64_t> unixMillisecondsOfDate(std::string_view date) {
    if (date.size() != 10 || date[4] != '-' || date[7] != '-') return std::nullopt;
    const auto number = [&](std::size_t at, std::size_t length) {
        unsigned value = 0;
        const auto* const end = date.data() + at + length;
        const auto [stop, error] = std::from_chars(date.data() + at, end, value);
        return error == std::errc() && stop == end ? value : 0;
    };
    const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(number(0, 4))),
                                          std::chrono::month(number(5, 2)), std::chrono::day(number(8, 2))};
    if (!day.ok() || day.year() < std::chrono::year(1970)) return std::nullopt;
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::sys_days(day).time_since_epoch()).count();
}

}  // namespace steelyard
