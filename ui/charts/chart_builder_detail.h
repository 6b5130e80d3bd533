// SPDX-License-Identifier: Apache-2.0
// What the files of the builder share; nothing else includes it.
#pragma once

#include <cmath>
#include <optional>

#include "ui/charts/chart_spec.h"

namespace steelyard::ui::chartdetail {

constexpr double kMargin = 12;        // pixels, around the chart
constexpr double kGroupWidth = 0.72;  // share of a category its bars take at most
constexpr double kWidestBar = 64;     // pixels
constexpr double kMarkerSize = 9;     // pixels
constexpr double kFaintMarkerSize = 5;

// What may be handed to the axis: known, finite, and positive where the axis is logarithmic.
inline std::optional<double> drawable(const std::optional<double>& value, ChartScale scale) {
    if (!value || !std::isfinite(*value)) return std::nullopt;
    if (scale == ChartScale::Logarithmic && *value <= 0) return std::nullopt;
    return value;
}

inline bool isHollow(const ChartPoint& point) {
    return point.basis == Basis::Predicted;
}

}  // namespace steelyard::ui::chartdetail
