// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/thinning.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace steelyard::ui {
namespace {

constexpr qsizetype kKeptOfAColumn = 4;

// Appends the kept points of points[begin, end).
void keepOf(const QList<QPointF>& points, qsizetype begin, qsizetype end, QList<QPointF>& kept) {
    const auto from = points.begin() + begin;
    const auto [lowest, highest] =
        std::minmax_element(from, points.begin() + end, [](const auto& a, const auto& b) { return a.y() < b.y(); });
    qsizetype chosen[kKeptOfAColumn] = {begin, lowest - points.begin(), highest - points.begin(), end - 1};
    std::sort(std::begin(chosen), std::end(chosen));
    const auto* last = std::unique(std::begin(chosen), std::end(chosen));
    for (const auto* one = std::begin(chosen); one != last; ++one) kept << points[*one];
}

}  // namespace

QList<QPointF> thinnedLine(const QList<QPointF>& points, int columns) {
    if (columns < 1 || points.size() <= kKeptOfAColumn * columns) return points;
    const bool rising =
        std::is_sorted(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.x() < b.x(); });
    const double width = points.back().x() - points.front().x();
    if (!rising || width <= 0) return points;
    const auto columnOf = [&](const QPointF& point) {
        return std::min(columns - 1, static_cast<int>((point.x() - points.front().x()) / width * columns));
    };
    QList<QPointF> kept;
    for (qsizetype begin = 0; begin < points.size();) {
        const int column = columnOf(points[begin]);
        qsizetype end = begin + 1;
        while (end < points.size() && columnOf(points[end]) == column) ++end;
        keepOf(points, begin, end, kept);
        begin = end;
    }
    return kept;
}

std::vector<DrawnInterval> thinnedIntervals(const std::vector<DrawnInterval>& intervals) {
    std::map<std::pair<int, long>, DrawnInterval> columns;  // by series and pixel
    for (const auto& interval : intervals) {
        const auto [found, isNew] = columns.try_emplace({interval.ref.series, std::lround(interval.x)}, interval);
        if (isNew) continue;
        found->second.yLow = std::max(found->second.yLow, interval.yLow);
        found->second.yHigh = std::min(found->second.yHigh, interval.yHigh);
    }
    std::vector<DrawnInterval> result;
    result.reserve(columns.size());
    for (const auto& column : columns) result.push_back(column.second);
    return result;
}

TakenCells::TakenCells(const QRectF& area, double cell)
    : m_area(area),
      m_cell(cell),
      m_columns(static_cast<int>(area.width() / cell) + 1),
      m_rows(static_cast<int>(area.height() / cell) + 1) {}

bool TakenCells::take(int series, const QPointF& position) {
    if (!m_area.contains(position)) return true;
    const auto row = static_cast<std::size_t>((position.y() - m_area.top()) / m_cell);
    const auto column = static_cast<std::size_t>((position.x() - m_area.left()) / m_cell);
    const auto index = static_cast<std::size_t>(series);
    if (m_taken.size() <= index) m_taken.resize(index + 1);
    auto& cells = m_taken[index];
    if (cells.empty()) cells.resize(static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows));
    const auto place = row * static_cast<std::size_t>(m_columns) + column;
    if (cells[place]) return false;
    cells[place] = true;
    return true;
}

}  // namespace steelyard::ui
