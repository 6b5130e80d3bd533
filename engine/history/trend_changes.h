// SPDX-License-Identifier: Apache-2.0
// Where the times of one case changed for good, in a trend of many runs. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/history/history_store.h"

namespace steelyard::history {

struct TrendChange {
    std::size_t position = 0;  // of the first point of the new level
    double ratio = 1;          // its median over that of the level before; below 1 is faster

    friend bool operator==(const TrendChange&, const TrendChange&) = default;
};

// A change: the point's 95 % interval lies beside the intervals of all points since the last change in the same state
// of the machine, and its median is at least 2 % from the median of those (bench::kPracticalDifference). What has no
// interval (one visit, or a record of an earlier version) or was disturbed neither changes anything nor counts as part
// of a level. Points in the order of time.
[[nodiscard]] std::vector<TrendChange> trendChanges(std::span<const TrendPoint> points);

}  // namespace steelyard::history
