// SPDX-License-Identifier: Apache-2.0
// Axis ranges and ticks: Qt's logarithmic axis has no labels within a decade and drops a series with a non-positive
// value, so Qt's axis is always linear, contains log10 for logarithmic charts, and gets the ticks computed here. Pure
// functions.
#pragma once

#include <vector>

#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

struct AxisScale {
    ChartScale scale = ChartScale::Linear;
    double low = 0;  // in data units
    double high = 1;
    std::vector<double> ticks;  // in data units, ascending, inside [low, high]

    // Data -> the linear coordinate for Qt Charts. Values that a logarithmic axis cannot show map to the low end.
    [[nodiscard]] double toAxis(double value) const;
};

struct AxisRequest {
    ChartScale scale = ChartScale::Linear;
    bool fromZero = false;  // bars: the axis starts at 0
    int wantedTicks = 5;
    std::vector<double> fixedTicks;  // used unchanged if not empty
    double padding = 0;              // fraction of the range (of its logarithm) added at both ends
};

// How far the intervals of these values may widen the axis: an interval of a disturbed measurement can span many
// decades and would squeeze everything else. Beyond it they are drawn as open. Without values: no limit.
[[nodiscard]] ChartInterval reachOfIntervals(const std::vector<double>& values, ChartScale scale);

// Non-finite values, and non-positive ones on a logarithmic axis, are ignored. Without values: 0..1 or 1..10.
[[nodiscard]] AxisScale axisScale(const std::vector<double>& values, const AxisRequest& request);

}  // namespace steelyard::ui
