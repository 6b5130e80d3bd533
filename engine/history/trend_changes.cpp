// SPDX-License-Identifier: Apache-2.0
#include "engine/history/trend_changes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/bench/protocol/statistics.h"
#include "engine/bench/protocol/verdict.h"

namespace steelyard::history {
namespace {

double medianOf(const std::vector<const TrendPoint*>& points) {
    std::vector<double> values;
    for (const auto* point : points) values.push_back(point->medianSeconds);
    std::ranges::sort(values);
    return bench::medianOfSorted(values).value_or(0);
}

bool isEvidence(const TrendPoint& point) {
    return !point.disturbed && point.ci95Low && point.ci95High;
}

bool isBeside(const TrendPoint& a, const TrendPoint& b) {
    return *a.ci95Low > *b.ci95High || *b.ci95Low > *a.ci95High;
}

}  // namespace

std::vector<TrendChange> trendChanges(std::span<const TrendPoint> points) {
    std::vector<TrendChange> changes;
    std::size_t start = 0;  // of the level
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (!isEvidence(points[i])) continue;
        std::vector<const TrendPoint*> level;
        // The cheap and selective test first: the median needs sorting.
        const bool beside = std::ranges::all_of(points.subspan(start, i - start), [&](const TrendPoint& one) {
            if (!isEvidence(one) || !bench::isSameState(one.roundTripSeconds, points[i].roundTripSeconds)) return true;
            level.push_back(&one);
            return isBeside(points[i], one);
        });
        if (!beside || level.empty()) continue;
        const double median = medianOf(level);
        if (median <= 0) continue;
        const double ratio = points[i].medianSeconds / median;
        if (std::abs(ratio - 1) < bench::kPracticalDifference) continue;
        changes.push_back({i, ratio});
        start = i;
    }
    return changes;
}

}  // namespace steelyard::history
