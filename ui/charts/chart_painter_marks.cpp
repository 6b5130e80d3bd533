// SPDX-License-Identifier: Apache-2.0
// Marks, intervals, bands and their labels.
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_painter_detail.h"
#include "ui/charts/thinning.h"

namespace steelyard::ui {
namespace chartpainting {
namespace {

constexpr double kManyMarkSize = 5;
constexpr double kManyMarkCell = 3;

void paintInterval(QPainter& painter, const DrawnInterval& interval, const ChartStyle& style, bool onBar) {
    // A halo in the surface colour keeps the line visible on bars of any colour.
    const auto strokes = {std::pair{style.theme.surface, 3.6}, std::pair{style.theme.text, 1.5}};
    for (const auto& [colour, width] : strokes) {
        if (!onBar && width > 2) continue;
        painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
        const auto line = [&](double x1, double y1, double x2, double y2) {
            painter.drawLine(interval.across ? QLineF(y1, x1, y2, x2) : QLineF(x1, y1, x2, y2));
        };
        line(interval.x, interval.yLow, interval.x, interval.yHigh);
        // An open end is an arrow instead of a cap.
        const auto paintEnd = [&](double y, double other, bool open) {
            const double back = open ? std::copysign(1.5 * interval.halfCap, other - y) : 0;
            for (const double side : {-interval.halfCap, interval.halfCap})
                line(interval.x, y, interval.x + side, y + back);
        };
        paintEnd(interval.yLow, interval.yHigh, interval.openLow);
        paintEnd(interval.yHigh, interval.yLow, interval.openHigh);
    }
}

void paintManyMarks(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style) {
    for (const auto& interval : thinnedIntervals(geometry.intervals)) {
        const auto& series = spec.series[static_cast<std::size_t>(interval.ref.series)];
        painter.setPen(QPen(soft(seriesColour(style, series.colour), 0.35), 1));
        painter.drawLine(QPointF(crisp(interval.x), interval.yLow), QPointF(crisp(interval.x), interval.yHigh));
    }
    TakenCells taken(geometry.plot, kManyMarkCell);
    for (const auto& mark : geometry.marks) {
        if (mark.unmarked || !taken.take(mark.ref.series, mark.centre)) continue;
        const auto& series = spec.series[static_cast<std::size_t>(mark.ref.series)];
        const auto whole = seriesColour(style, series.colour);
        const auto colour = series.faint ? soft(whole, 0.55) : whole;
        // Shapes are indistinguishable at this size, and squares are drawn many times faster.
        const QRectF square(mark.centre.x() - kManyMarkSize / 2, mark.centre.y() - kManyMarkSize / 2, kManyMarkSize,
                            kManyMarkSize);
        painter.fillRect(square, colour);
        if (mark.hollow) painter.fillRect(square.adjusted(1, 1, -1, -1), style.theme.surface);
    }
    painter.setPen(QPen(style.theme.muted, 2, Qt::SolidLine, Qt::FlatCap));
    for (const auto& unknown : geometry.unknowns) {
        painter.drawLine(unknown.position - QPointF(2, 0), unknown.position + QPointF(2, 0));
    }
}

}  // namespace

void paintBands(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style) {
    const auto pen = [&](const PointRef& ref) {
        return QPen(soft(seriesColour(style, spec.series[static_cast<std::size_t>(ref.series)].colour), 0.55), 1.3);
    };
    for (const auto& band : geometry.bands) {
        painter.setPen(pen(band.ref));
        painter.drawLine(QPointF(band.xLow, band.y), QPointF(band.xHigh, band.y));
    }
    if (spec.kind != ChartKind::Scatter) return;
    for (const auto& interval : geometry.intervals) {
        painter.setPen(pen(interval.ref));
        painter.drawLine(QPointF(interval.x, interval.yLow), QPointF(interval.x, interval.yHigh));
    }
}

// The intervals of a line, joined to a surface and interrupted where the line is.
void paintLineBands(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style) {
    if (spec.kind != ChartKind::Lines) return;
    painter.setPen(Qt::NoPen);
    for (std::size_t first = 0; first < geometry.intervals.size();) {
        const auto series = geometry.intervals[first].ref.series;
        QPolygonF upper;
        QPolygonF lower;
        std::size_t index = first;
        for (; index < geometry.intervals.size(); ++index) {
            const auto& one = geometry.intervals[index];
            const bool follows = index == first || one.ref.point == geometry.intervals[index - 1].ref.point + 1;
            if (one.ref.series != series || !follows) break;
            upper << QPointF(one.x, one.yHigh);
            lower.prepend(QPointF(one.x, one.yLow));
        }
        painter.setBrush(soft(seriesColour(style, spec.series[static_cast<std::size_t>(series)].colour), 0.2));
        if (upper.size() > 1) painter.drawPolygon(upper + lower);
        first = index;
    }
}

void paintPointLabels(QPainter& painter, const ChartGeometry& geometry, const ChartStyle& style) {
    painter.setFont(labelFont(style));
    for (const auto& label : geometry.pointLabels) {
        painter.fillRect(label.box, soft(style.theme.surface, 0.75));
        painter.setPen(style.theme.text);
        painter.drawText(label.box, Qt::AlignCenter, label.text);
    }
}

// Very many marks are drawn smaller, and only one per cell and series.
void paintMarks(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style) {
    const bool bars = spec.kind == ChartKind::GroupedBars || spec.kind == ChartKind::StackedBars;
    if (!spec.hasCategories() && geometry.marks.size() > kManyMarks) {
        paintManyMarks(painter, spec, geometry, style);
        return;
    }
    const auto paintIntervals = [&] {
        for (const auto& interval : geometry.intervals) {
            // For a curve of many points the surface suffices.
            const bool curve = spec.series[static_cast<std::size_t>(interval.ref.series)].unmarked;
            if (!curve) paintInterval(painter, interval, style, bars);
        }
    };
    if (!bars) {
        paintBands(painter, spec, geometry, style);
        paintLineBands(painter, spec, geometry, style);
        if (spec.kind != ChartKind::Scatter) paintIntervals();  // markers are on top of their intervals, bars below
    }
    for (const auto& mark : geometry.marks) {
        if (mark.unmarked) continue;
        const auto& series = spec.series[static_cast<std::size_t>(mark.ref.series)];
        const auto colour = roleColour(style, mark.role, seriesColour(style, series.colour));
        if (mark.bar) {
            if (mark.hollow) paintHatched(painter, mark.box, colour);  // Qt draws all other solid bars
            if (mark.overlaid || (!mark.hollow && mark.role != PointRole::Ordinary)) painter.fillRect(mark.box, colour);
        } else if (series.asMark) {
            const auto& box = mark.box;
            const QLineF across(box.left(), mark.centre.y(), box.right(), mark.centre.y());
            const QLineF upright(mark.centre.x(), box.top(), mark.centre.x(), box.bottom());
            painter.setPen(QPen(style.theme.surface, 5, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(geometry.rows ? upright : across);
            painter.setPen(QPen(style.theme.text, 2.4, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(geometry.rows ? upright : across);
        } else {
            paintMarker(painter, mark.centre,
                        {seriesMarker(series.colour), series.faint ? soft(colour, 0.55) : colour, style.theme.surface,
                         mark.hollow, mark.box.width()});
        }
    }
    if (bars) paintIntervals();
    painter.setFont(labelFont(style));
    const QFontMetricsF metrics(painter.font());
    painter.setPen(style.theme.text);
    for (const auto& mark : geometry.marks) {
        if (mark.valueLabel.isEmpty()) continue;
        if (geometry.rows) {
            const QRectF box(geometry.plot.right(), mark.centre.y() - metrics.height() / 2,
                             geometry.valuesRight - geometry.plot.right(), metrics.height());
            painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, mark.valueLabel);
            continue;
        }
        double bottom = mark.box.top() - 3;
        for (const auto& interval : geometry.intervals) {
            if (interval.ref == mark.ref) bottom = std::min(bottom, interval.yHigh - 3);
        }
        painter.drawText(QRectF(mark.centre.x() - 150, bottom - metrics.height(), 300, metrics.height()),
                         Qt::AlignHCenter | Qt::AlignBottom, mark.valueLabel);
    }
    painter.setPen(QPen(style.theme.muted, 2, Qt::SolidLine, Qt::FlatCap));
    for (const auto& unknown : geometry.unknowns) {
        painter.drawLine(unknown.position - QPointF(5, 0), unknown.position + QPointF(5, 0));
    }
}

// The style's font has the base size, on paper or enlarged on the screen.

}  // namespace chartpainting

using namespace chartpainting;

void paintMarker(QPainter& painter, const QPointF& centre, const MarkerLook& look) {
    const double half = look.size / 2;
    painter.save();
    painter.setPen(QPen(look.colour, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(look.hollow ? look.inside : look.colour);
    switch (look.marker) {
        case Marker::Circle:
            painter.drawEllipse(centre, half, half);
            break;
        case Marker::Square:
            painter.drawRect(QRectF(centre.x() - half + 0.5, centre.y() - half + 0.5, 2 * half - 1, 2 * half - 1));
            break;
        case Marker::Triangle:
            painter.drawPolygon(QPolygonF{centre + QPointF(0, -half), centre + QPointF(half, half * 0.8),
                                          centre + QPointF(-half, half * 0.8)});
            break;
        case Marker::Diamond:
            painter.drawPolygon(QPolygonF{centre + QPointF(0, -half * 1.2), centre + QPointF(half * 1.05, 0),
                                          centre + QPointF(0, half * 1.2), centre + QPointF(-half * 1.05, 0)});
            break;
        case Marker::Cross:
            painter.setPen(QPen(look.colour, look.hollow ? 1.6 : 3, Qt::SolidLine, Qt::RoundCap));
            painter.drawLine(centre + QPointF(-half, -half) * 0.8, centre + QPointF(half, half) * 0.8);
            painter.drawLine(centre + QPointF(-half, half) * 0.8, centre + QPointF(half, -half) * 0.8);
            break;
        case Marker::Ring:
            painter.setBrush(look.inside);
            painter.setPen(QPen(look.colour, look.hollow ? 1.4 : 3.2));
            painter.drawEllipse(centre, half, half);
            break;
        case Marker::Bar:
            painter.drawRect(QRectF(centre.x() - half * 1.2, centre.y() - 2, half * 2.4, 4));
            break;
    }
    painter.restore();
}

void paintHatched(QPainter& painter, const QRectF& box, const QColor& colour) {
    if (box.height() <= 0 || box.width() <= 0) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(box, soft(colour, 0.14));
    painter.setClipRect(box, Qt::IntersectClip);
    painter.setPen(QPen(colour, 1.2));
    constexpr double kSpacing = 6;  // custom hatching: a brush pattern does not scale in SVG and PDF
    for (double offset = -box.height(); offset < box.width(); offset += kSpacing) {
        painter.drawLine(QPointF(box.left() + offset, box.bottom()),
                         QPointF(box.left() + offset + box.height(), box.top()));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 2));
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

}  // namespace steelyard::ui
