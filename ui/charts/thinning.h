// SPDX-License-Identifier: Apache-2.0
// Leaving out what would be drawn over itself, so that charts of ten thousand points stay fluid. What is left out of a
// drawing is still hovered, listed and exported as data. Pure functions and a value; coordinates are pixels, or any
// unit that is proportional to them.
#pragma once

#include <QList>
#include <QPointF>
#include <QRectF>
#include <vector>

#include "ui/charts/chart_geometry.h"

namespace steelyard::ui {

// From so many marks on, a chart draws them smaller and leaves out those that others cover.
inline constexpr std::size_t kManyMarks = 1000;

// A line through points of rising x: of each column the first, the lowest, the highest and the last, in their order,
// which is all that can be seen of it. Few points, and a line that goes back, come back as they are.
[[nodiscard]] QList<QPointF> thinnedLine(const QList<QPointF>& points, int columns);

// Upright intervals at whole pixels: those in one column become one, from the lowest end to the highest.
[[nodiscard]] std::vector<DrawnInterval> thinnedIntervals(const std::vector<DrawnInterval>& intervals);

// Which places of a drawing have a mark already, in cells of a few pixels, for each series by itself.
class TakenCells {
public:
    TakenCells(const QRectF& area, double cell);
    // Takes the cell of a position; false when it was taken. What lies outside is never taken.
    [[nodiscard]] bool take(int series, const QPointF& position);

private:
    QRectF m_area;
    double m_cell;
    int m_columns = 0, m_rows = 0;
    std::vector<std::vector<bool>> m_taken;  // by series
};

}  // namespace steelyard::ui
