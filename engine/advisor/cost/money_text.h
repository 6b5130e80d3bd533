// SPDX-License-Identifier: Apache-2.0
// US dollars as text: "12.30"; below one dollar two significant digits, "0.0064". Pure function.
#pragma once

#include <fmt/format.h>

#include <string>

namespace steelyard::advisor {

[[nodiscard]] inline std::string usdText(double usd) {
    return usd >= 1 || usd <= 0 ? fmt::format("{:.2f}", usd) : fmt::format("{:.2g}", usd);
}

}  // namespace steelyard::advisor
