// SPDX-License-Identifier: Apache-2.0
// Private to this folder: a chart of the model as an inline SVG element. Colours are CSS classes defined by the page,
// so that they follow light and dark mode. Pure function.
#pragma once

#include <string>

#include "engine/report/report_model.h"

namespace steelyard::report {

inline constexpr std::size_t kSeriesColours = 7;

// Horizontal bars from zero with the 95 % interval as error bars, labelled with the value.
[[nodiscard]] std::string svgChart(const ReportChart& chart);

}  // namespace steelyard::report
