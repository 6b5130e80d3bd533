// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_painter.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/charts/chart_painter_detail.h"

namespace steelyard::ui {

using namespace chartpainting;

namespace {
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
    if (!geometry.rows) line(geometry.yCaptionBox, spec.y.caption(), Qt::AlignLeft | Qt::AlignVCenter);
    const auto& across = geometry.rows ? spec.y : spec.x;
    line(geometry.xCaptionBox, across.caption(), Qt::AlignHCenter | Qt::AlignVCenter);
}

// The painter's font is that of the labels.
void paintCategories(QPainter& painter, const ChartGeometry& geometry, const ChartStyle& style) {
    const QFontMetricsF metrics(painter.font());
    painter.setPen(style.theme.text);
    for (const auto& category : geometry.categories) {
        if (geometry.rows) {
            auto font = painter.font();
            font.setWeight(category.own ? QFont::DemiBold : QFont::Normal);
            painter.setFont(font);
            painter.drawText(category.box, Qt::AlignRight | Qt::AlignVCenter, category.lines.front());
            continue;
        }
        if (geometry.slantedCategories) {
            painter.save();
            painter.translate(category.box.center().x() + metrics.height() / 2, category.box.top());
            painter.rotate(-kCategorySlant);
            const double width = metrics.horizontalAdvance(category.lines.front()) + 2;
            painter.drawText(QRectF(-width, -metrics.height() / 2, width, metrics.height()),
                             Qt::AlignRight | Qt::AlignVCenter, category.lines.front());
            painter.restore();
            continue;
        }
        double top = category.box.top();
        for (const auto& text : category.lines) {
            painter.drawText(QRectF(category.box.left(), top, category.box.width(), metrics.height()),
                             Qt::AlignHCenter | Qt::AlignVCenter, text);
            top += metrics.height();
        }
    }
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
        painter.setPen(QPen(geometry.rows ? soft(style.theme.line, 0.75) : style.theme.line, 1));
        painter.drawLine(QPointF(crisp(tick.position), geometry.rows ? plot.top() : plot.bottom()),
                         QPointF(crisp(tick.position), plot.bottom() + 4));
        painter.setPen(style.theme.muted);
        // Below the tick, but inside the chart.
        const double width = metrics.horizontalAdvance(tick.label) + 2;
        const double left = std::max(std::min(tick.position - width / 2, geometry.size.width() - width - 2), 0.0);
        painter.drawText(QRectF(left, plot.bottom() + 6, width, metrics.height()), Qt::AlignHCenter | Qt::AlignTop,
                         tick.label);
    }
    paintCategories(painter, geometry, style);
    if (geometry.rows) {
        painter.setPen(QPen(soft(style.theme.line, 0.45), 1));
        for (const auto& category : geometry.categories) {
            const double y = crisp(category.box.center().y());
            if (spec.kind == ChartKind::Dots) painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        }
    } else if (spec.kind == ChartKind::Dots) {  // a faint lane per category connects the marks with the label
        painter.setPen(QPen(soft(style.theme.line, 0.45), 1));
        for (std::size_t index = 1; index < geometry.categories.size(); ++index) {
            const double x = crisp(geometry.categories[index].box.left() - 2);
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        }
    }
}

// Around a reference line.
void paintNear(QPainter& painter, const ChartGeometry& geometry, const ChartStyle& style) {
    const auto& plot = geometry.plot;
    for (const auto& reference : geometry.references) {
        if (!reference.near || !reference.vertical) continue;
        const auto [left, right] = *reference.near;
        const QRectF band(QPointF(left, plot.top()), QPointF(right, plot.bottom()));
        painter.fillRect(band.intersected(plot), soft(style.theme.muted, 0.16));
    }
}

// Where a point would be over a limit.
void paintForbidden(QPainter& painter, const ChartGeometry& geometry, const ChartStyle& style) {
    const auto& plot = geometry.plot;
    for (const auto& reference : geometry.references) {
        if (!reference.limit) continue;
        auto beyond = plot;
        if (reference.vertical) {
            beyond.setLeft(std::clamp(reference.position, plot.left(), plot.right()));
        } else {
            beyond.setBottom(std::clamp(reference.position, plot.top(), plot.bottom()));
        }
        painter.fillRect(beyond, soft(style.theme.caution, 0.12));
    }
}

void paintReferences(QPainter& painter, const ChartGeometry& geometry, const ChartStyle& style) {
    painter.setFont(labelFont(style));
    const QFontMetricsF metrics(painter.font());
    const auto& plot = geometry.plot;
    for (const auto& reference : geometry.references) {
        painter.setPen(reference.limit ? QPen(style.theme.caution, 1.6, Qt::DashLine)
                                       : QPen(style.theme.text, 1.2, Qt::DashLine));
        const double x = crisp(reference.position);
        if (reference.vertical) {
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        } else {
            painter.drawLine(QPointF(plot.left(), reference.position), QPointF(plot.right(), reference.position));
        }
    }
    // No line crosses the label of another. Labels of vertical lines are stacked, since the lines may be close; those
    // of other lines stand at the right, where a vertical line may be.
    double row = 0;
    std::vector<QRectF> level;
    for (const auto& reference : geometry.references) {
        if (reference.vertical) continue;
        const double width = metrics.horizontalAdvance(reference.label) + 8;
        level.emplace_back(plot.right() - width, reference.position - metrics.height() - 2, width,
                           metrics.height() + 4);  // with the line
    }
    painter.setPen(style.theme.text);
    for (const auto& reference : geometry.references) {
        const double width = metrics.horizontalAdvance(reference.label) + 8;
        QRectF box(plot.right() - width, reference.position - metrics.height() - 2, width, metrics.height());
        if (reference.vertical) {
            const double x = crisp(reference.position);
            const bool room = x + width + 2 < plot.right();
            box.moveTopLeft(QPointF(room ? x + 3 : x - width - 3, plot.top() + 2 + row));
            if (geometry.rows) box.moveTop(plot.top() - metrics.height() - 2);
            for (const auto& other : level)
                if (box.intersects(other)) box.moveTop(other.bottom() + 1);
            row += metrics.height() + 2;
        }
        painter.fillRect(box, soft(style.theme.surface, 0.85));
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, reference.label);
    }
}

void paintLegendSwatch(QPainter& painter, const DrawnLegend& entry, const QPointF& centre, const ChartStyle& style) {
    const auto own = entry.hollow ? style.theme.muted : seriesColour(style, entry.colour);
    const auto whole = roleColour(style, entry.role, own);
    const auto colour = entry.faint ? soft(whole, 0.55) : whole;
    const double size = entry.faint ? 6 : 9;
    const MarkerLook marker{seriesMarker(entry.colour), colour, style.theme.surface, entry.hollow, size};
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

// Both intervals of the points of a Scatter, in the series' colour: thin, since there are many.
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
        paintForbidden(painter, geometry, style);
        paintNear(painter, geometry, style);
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
    if (geometry.rows && spec.kind != ChartKind::Dots)
        painter.drawLine(QPointF(crisp(geometry.plot.left()), geometry.plot.top()),
                         QPointF(crisp(geometry.plot.left()), geometry.plot.bottom()));
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

}  // namespace steelyard::ui
