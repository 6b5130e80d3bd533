// SPDX-License-Identifier: Apache-2.0
// Detects lasting changes of a case's time in a trend of many runs. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/history/history_store.h"

namespace steelyard::history {

struct TrendChange {
    std::size_t position = 0;  // index of the first point at the new level
    double ratio = 1;          // new median over that of the previous level; below 1 is faster

    friend bool operator==(const TrendChange&, const TrendChange&) = default;
};

// A change: the point's 95 % interval is disjoint from the intervals of all points since the last change in the same
// state of the machine, and its median differs by at least 2 % from theirs (bench::kPracticalDifference). Points
// without an interval (one visit, or a record of an earlier version) and disturbed ones are ignored. Points in order of
// time.
[[nodiscard]] std::vector<TrendChange> trendChanges(std::span<const TrendPoint> points);

}  // namespace steelyard::history
