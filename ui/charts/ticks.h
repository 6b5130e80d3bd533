// SPDX-License-Identifier: Apache-2.0
// Axis ranges and ticks of our own: Qt's logarithmic axis shows no labels inside one decade and drops a whole series at
// one value that is not positive, so an axis is always linear for Qt, carries log10 when it is logarithmic, and gets
// the ticks chosen here. Pure functions.
#pragma once

#include <vector>

#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

struct AxisScale {
    ChartScale scale = ChartScale::Linear;
    double low = 0;  // in data units
    double high = 1;
    std::vector<double> ticks;  // in data units, ascending, inside [low, high]

    // Data -> the linear coordinate Qt Charts sees. A value that cannot be shown on a logarithmic axis gives the low
    // end.
    [[nodiscard]] double toAxis(double value) const;
};

struct AxisRequest {
    ChartScale scale = ChartScale::Linear;
    bool fromZero = false;  // bars: the axis starts at 0
    int wantedTicks = 5;
    std::vector<double> fixedTicks;  // used as they are when not empty
    double padding = 0;              // share of the range (of its logarithm) added at both ends
};

// Values that are not finite, and those <= 0 on a logarithmic axis, are ignored. Without any value: 0..1 or 1..10.
[[nodiscard]] AxisScale axisScale(const std::vector<double>& values, const AxisRequest& request);

}  // namespace steelyard::ui
