// SPDX-License-Identifier: Apache-2.0
#include "engine/history/trend_changes.h"

#include <algorithm>
#include <cmath>

namespace steelyard::history {
namespace {

constexpr double kThreshold = 0.02;

double medianOf(std::span<const TrendPoint> points) {
    std::vector<double> values;
    for (const auto& point : points) values.push_back(point.medianSeconds);
    std::ranges::sort(values);
    const auto middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool apart(const TrendPoint& a, const TrendPoint& b) {
    if (!a.ci95Low || !a.ci95High || !b.ci95Low || !b.ci95High) return false;
    return *a.ci95Low > *b.ci95High || *b.ci95Low > *a.ci95High;
}

}  // namespace

std::vector<TrendChange> trendChanges(std::span<const TrendPoint> points) {
    std::vector<TrendChange> changes;
    std::size_t start = 0;  // of the level
    for (std::size_t i = 1; i < points.size(); ++i) {
        const auto level = points.subspan(start, i - start);
        // First what is seldom so and told by the first point that is not: the median needs all of them sorted.
        const bool beside = std::ranges::all_of(level, [&](const TrendPoint& one) { return apart(points[i], one); });
        if (!beside) continue;
        const double median = medianOf(level);
        if (median <= 0) continue;
        const double ratio = points[i].medianSeconds / median;
        if (std::abs(ratio - 1) < kThreshold) continue;
        changes.push_back({i, ratio});
        start = i;
    }
    return changes;
}

}  // namespace steelyard::history
