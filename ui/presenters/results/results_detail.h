// SPDX-License-Identifier: Apache-2.0
// What the charts of a run share; nothing but results_*.cpp includes it.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "ui/charts/chart_spec.h"
#include "ui/presenters/results/results_presenter.h"
#include "ui/text/plain.h"

namespace steelyard::ui::resultsdetail {

// Values further apart than this are put on a logarithmic axis; on a linear one the small ones would vanish.
constexpr double kLinearSpan = 40;

// Divides every value of the chart.
inline void rescale(ChartSpec& spec, double divisor) {
    for (auto& series : spec.series) {
        for (auto& point : series.points) {
            if (point.y) *point.y /= divisor;
            if (point.interval)
                point.interval = ChartInterval{point.interval->low / divisor, point.interval->high / divisor};
        }
    }
}

struct Extremes {
    double low = 0;
    double high = 0;
};

inline Extremes extremesOf(const ChartSpec& spec) {
    Extremes result;
    for (const auto& series : spec.series) {
        for (const auto& point : series.points) {
            if (!point.y || *point.y <= 0) continue;
            result.low = result.low == 0 ? *point.y : std::min(result.low, *point.y);
            result.high = std::max(result.high, *point.y);
        }
    }
    return result;
}

// Its device's colour; the second precision of a device takes the next colour that is free.
inline int freeColour(const std::string& device, std::set<int>& taken) {
    int colour = deviceColour(device);
    for (int tries = 0; tries < 7 && taken.count(colour) > 0; ++tries) colour = (colour + 1) % 7;
    taken.insert(colour);
    return colour;
}

}  // namespace steelyard::ui::resultsdetail
