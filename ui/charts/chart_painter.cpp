// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

#include "ui/charts/thinning.h"

namespace steelyard::ui {
namespace {

constexpr double kManyMarkSize = 5;
constexpr double kManyMarkCell = 3;

QColor seriesColour(const ChartStyle& style, int colour) {
    return style.theme.series[static_cast<std::size_t>(colour) % style.theme.series.size()];
}

Marker seriesMarker(int colour) {
    return static_cast<Marker>(colour % 7);
}

QColor soft(const QColor& colour, double alpha) {
    auto result = colour;
    result.setAlphaF(static_cast<float>(alpha));
    return result;
}

// Crisp one-pixel lines fall on half pixels.
double crisp(double value) {
    return std::floor(value) + 0.5;
}

void paintTitles(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style) {
    if (!spec.title.isEmpty()) {
        painter.setFont(titleFont(style));
        painter.setPen(style.theme.text);
        const QFontMetricsF metrics(painter.font());
        painter.drawText(geometry.titleBox, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(spec.title, Qt::ElideRight, geometry.titleBox.width()));
    }
    painter.setFont(labelFont(style));
    painter.setPen(style.theme.muted);
    const QFontMetricsF metrics(painter.font());
    const auto line = [&](const QRectF& box, const QString& text, int alignment) {
        if (!text.isEmpty()) painter.drawText(box, alignment, metrics.elidedText(text, Qt::ElideRight, box.width()));
    };
    line(geometry.subtitleBox, spec.subtitle, Qt::AlignLeft | Qt::AlignVCenter);
    if (!spec.hasValues()) return;
    line(geometry.yCaptionBox, spec.y.caption(), Qt::AlignLeft | Qt::AlignVCenter);
    line(geometry.xCaptionBox, spec.x.caption(), Qt::AlignHCenter | Qt::AlignVCenter);
}

void paintAxes(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style) {
    const auto& plot = geometry.plot;
    painter.setFont(labelFont(style));
    const QFontMetricsF metrics(painter.font());
    for (const auto& tick : geometry.yTicks) {
        painter.setPen(QPen(soft(style.theme.line, 0.75), 1));
        painter.drawLine(QPointF(plot.left(), crisp(tick.position)), QPointF(plot.right(), crisp(tick.position)));
        painter.setPen(style.theme.muted);
        painter.drawText(QRectF(0, tick.position - metrics.height() / 2, plot.left() - 8, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
    for (const auto& tick : geometry.xTicks) {
        painter.setPen(QPen(style.theme.line, 1));
        painter.drawLine(QPointF(crisp(tick.position), plot.bottom()),
                         QPointF(crisp(tick.position), plot.bottom() + 4));
        painter.setPen(style.theme.muted);
        painter.drawText(QRectF(tick.position - 150, plot.bottom() + 6, 300, metrics.height()),
                         Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
    painter.setPen(style.theme.text);
    for (const auto& category : geometry.categories) {
        double top = category.box.top();
        for (const auto& text : category.lines) {
            painter.drawText(QRectF(category.box.left(), top, category.box.width(), metrics.height()),
                             Qt::AlignHCenter | Qt::AlignVCenter, text);
            top += metrics.height();
        }
    }
    if (spec.kind == ChartKind::Dots) {  // a faint lane per category leads the eye from the marks to the label
        painter.setPen(QPen(soft(style.theme.line, 0.45), 1));
        for (std::size_t index = 1; index < geometry.categories.size(); ++index) {
            const double x = crisp(geometry.categories[index].box.left() - 2);
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
    }
}

void paintInterval(QPainter& painter, const DrawnInterval& interval, const ChartStyle& style, bool onBar) {
    // A halo of the surface keeps the line readable on a bar of any colour.
    const auto strokes = {std::pair{style.theme.surface, 3.6}, std::pair{style.theme.text, 1.5}};
    for (const auto& [colour, width] : strokes) {
        if (!onBar && width > 2) continue;
        painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(interval.x, interval.yLow), QPointF(interval.x, interval.yHigh));
        for (const double y : {interval.yLow, interval.yHigh}) {
            painter.drawLine(QPointF(interval.x - interval.halfCap, y), QPointF(interval.x + interval.halfCap, y));
        }
    }
}

void paintReferences(QPainter& painter, const ChartGeometry& geometry, const ChartStyle& style) {
    painter.setFont(labelFont(style));
    const QFontMetricsF metrics(painter.font());
    double row = 0;  // of upright lines: their words stand one below the other, for the lines may be close
    for (const auto& reference : geometry.references) {
        painter.setPen(QPen(style.theme.text, 1.2, Qt::DashLine));
        const double width = metrics.horizontalAdvance(reference.label) + 8;
        QRectF box(geometry.plot.right() - width, reference.position - metrics.height() - 2, width, metrics.height());
        if (reference.vertical) {
            const double x = crisp(reference.position);
            painter.drawLine(QPointF(x, geometry.plot.top()), QPointF(x, geometry.plot.bottom()));
            const bool room = x + width + 2 < geometry.plot.right();
            box.moveTopLeft(QPointF(room ? x + 3 : x - width - 3, geometry.plot.top() + 2 + row));
            row += metrics.height() + 2;
        } else {
            painter.drawLine(QPointF(geometry.plot.left(), reference.position),
                             QPointF(geometry.plot.right(), reference.position));
        }
        painter.fillRect(box, soft(style.theme.surface, 0.85));
        painter.setPen(style.theme.text);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, reference.label);
    }
}

void paintLegendSwatch(QPainter& painter, const DrawnLegend& entry, const QPointF& centre, const ChartStyle& style) {
    const auto colour = entry.hollow ? style.theme.muted : seriesColour(style, entry.colour);
    const MarkerLook marker{seriesMarker(entry.colour), colour, style.theme.surface, entry.hollow, 9};
    const QRectF swatch(centre.x() - 6, centre.y() - 6, 12, 12);
    const auto line = [&](const QPen& pen) {
        painter.setPen(pen);
        painter.drawLine(centre - QPointF(8, 0), centre + QPointF(8, 0));
    };
    switch (entry.look) {
        case LegendLook::Marker:
            paintMarker(painter, centre, marker);
            break;
        case LegendLook::MarkerOnLine:
            line(QPen(colour, 2));
            paintMarker(painter, centre, marker);
            break;
        case LegendLook::Line:
            line(QPen(colour, 2));
            break;
        case LegendLook::Square:
            if (entry.hollow) {
                paintHatched(painter, swatch, colour);
            } else {
                painter.fillRect(swatch, colour);
            }
            break;
        case LegendLook::MarkAcross:
            line(QPen(style.theme.text, 2.4, Qt::SolidLine, Qt::FlatCap));
            break;
        case LegendLook::Guide:
            line(QPen(style.theme.muted, 1.4, Qt::DotLine, Qt::FlatCap));
            break;
    }
}

void paintLegend(QPainter& painter, const ChartGeometry& geometry, const ChartStyle& style) {
    painter.setFont(labelFont(style));
    const QFontMetricsF metrics(painter.font());
    for (const auto& entry : geometry.legend) {
        paintLegendSwatch(painter, entry, QPointF(entry.box.left() + 8, entry.box.center().y()), style);
        painter.setPen(style.theme.text);
        painter.drawText(entry.box.adjusted(22, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(entry.text, Qt::ElideRight, entry.box.width() - 22));
    }
}

// Both bands of the points of a Scatter, in the colour of their series: thin, for there are many.
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

// Around a line: its intervals joined to a surface, broken where the line is.
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

// Of very many: smaller, and only where none of the same series is yet.
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
        // Shapes cannot be told apart at this size, and squares are drawn many times faster.
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

void paintMarks(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style) {
    const bool bars = spec.kind == ChartKind::GroupedBars || spec.kind == ChartKind::StackedBars;
    if (!spec.hasCategories() && geometry.marks.size() > kManyMarks) {
        paintManyMarks(painter, spec, geometry, style);
        return;
    }
    const auto paintIntervals = [&] {
        for (const auto& interval : geometry.intervals) paintInterval(painter, interval, style, bars);
    };
    if (!bars) {
        paintBands(painter, spec, geometry, style);
        paintLineBands(painter, spec, geometry, style);
        if (spec.kind != ChartKind::Scatter) paintIntervals();  // markers lie on their intervals, bars beneath
    }
    for (const auto& mark : geometry.marks) {
        if (mark.unmarked) continue;
        const auto& series = spec.series[static_cast<std::size_t>(mark.ref.series)];
        const auto colour = seriesColour(style, series.colour);
        if (mark.bar) {
            if (mark.hollow) paintHatched(painter, mark.box, colour);  // other solid bars are Qt's own
            if (mark.overlaid) painter.fillRect(mark.box, colour);
        } else if (series.asMark) {
            painter.setPen(QPen(style.theme.surface, 5, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(QPointF(mark.box.left(), mark.centre.y()), QPointF(mark.box.right(), mark.centre.y()));
            painter.setPen(QPen(style.theme.text, 2.4, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(QPointF(mark.box.left(), mark.centre.y()), QPointF(mark.box.right(), mark.centre.y()));
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

// The style's font is of the base size, on paper or enlarged on the screen.
int fontSize(const ChartStyle& style, int pixels) {
    const int base = style.font.pixelSize();
    return base > 0 ? static_cast<int>(std::lround(pixels * base / double{fontsize::kBase})) : pixels;
}

}  // namespace

QFont titleFont(const ChartStyle& style) {
    auto font = style.font;
    font.setPixelSize(fontSize(style, fontsize::kHeading));
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont labelFont(const ChartStyle& style) {
    auto font = style.font;
    font.setPixelSize(fontSize(style, fontsize::kSmall));
    return font;
}

void paintBackdrop(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style) {
    painter.setRenderHint(QPainter::Antialiasing);
    if (style.background) painter.fillRect(QRectF(QPointF(), geometry.size), style.theme.surface);
    paintTitles(painter, spec, geometry, style);
    if (spec.hasValues()) {
        paintAxes(painter, spec, geometry, style);
        return;
    }
    painter.setFont(style.font);
    painter.setPen(style.theme.muted);
    painter.drawText(geometry.plot, Qt::AlignCenter | Qt::TextWordWrap, spec.emptyText);
}

void paintOverlay(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style) {
    if (!spec.hasValues()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.theme.muted, 1));
    painter.drawLine(QPointF(geometry.plot.left(), crisp(geometry.plot.bottom())),
                     QPointF(geometry.plot.right(), crisp(geometry.plot.bottom())));
    paintMarks(painter, spec, geometry, style);
    paintReferences(painter, geometry, style);
    paintPointLabels(painter, geometry, style);
    paintLegend(painter, geometry, style);
}

void paintFocus(QPainter& painter, const ChartGeometry& geometry, const PointRef& ref, const ChartStyle& style) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.theme.accent, 2));
    for (const auto& mark : geometry.marks) {
        if (!(mark.ref == ref)) continue;
        if (mark.bar) {
            painter.drawRoundedRect(mark.box.adjusted(-3, -3, 3, 1), 3, 3);
        } else {
            painter.drawEllipse(mark.centre, 9, 9);
        }
        return;
    }
    painter.drawEllipse(geometry.anchorOf(ref), 9, 9);
}

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
    constexpr double kSpacing = 6;  // lines of our own: a brush pattern does not scale in SVG and PDF
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
