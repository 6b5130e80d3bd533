// SPDX-License-Identifier: Apache-2.0
// Drops overlapping elements of a drawing, so that charts of ten thousand points stay responsive. The data can still be
// hovered, listed and exported. Pure functions and a value; coordinates are in pixels or proportional units.
#pragma once

#include <QList>
#include <QPointF>
#include <QRectF>
#include <vector>

#include "ui/charts/chart_geometry.h"

namespace steelyard::ui {

// From this number of marks on, a chart draws them smaller and drops covered ones.
inline constexpr std::size_t kManyMarks = 1000;

// A line through points of ascending x: keeps the first, lowest, highest and last point of each column, in order, which
// preserves its appearance. Few points, and lines that go back, are unchanged.
[[nodiscard]] QList<QPointF> thinnedLine(const QList<QPointF>& points, int columns);

// Vertical intervals at whole pixels: merges those in one column.
[[nodiscard]] std::vector<DrawnInterval> thinnedIntervals(const std::vector<DrawnInterval>& intervals);

// Occupied positions of a drawing, in cells of a few pixels, per series.
class TakenCells {
public:
    TakenCells(const QRectF& area, double cell);
    // Occupies the cell of a position; false if it was occupied. Positions outside always succeed.
    [[nodiscard]] bool take(int series, const QPointF& position);

private:
    QRectF m_area;
    double m_cell;
    int m_columns = 0, m_rows = 0;
    std::vector<std::vector<bool>> m_taken;  // by series
};

}  // namespace steelyard::ui
