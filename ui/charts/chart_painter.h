// SPDX-License-Identifier: Apache-2.0
// Paints what Qt Charts cannot: titles, wrapped labels, ticks and grid, markers with a shape per series, hatched
// predictions, intervals with caps, dashes for unknown values, reference lines, the legend. Two layers, behind and in
// front of the series. Stateless except for the references it is given; GUI thread.
#pragma once

#include <QFont>

#include "ui/charts/chart_geometry.h"
#include "ui/charts/chart_spec.h"
#include "ui/widgets/theme.h"

class QPainter;

namespace steelyard::ui {

struct ChartStyle {
    Theme theme = Theme::light();
    QFont font;                   // base size; others are derived
    bool background = true;       // fill with the surface colour
    double reservedTopRight = 0;  // width at the top right reserved for overlaid buttons
    double reservedHeight = 38;   // and its height
};

[[nodiscard]] QFont titleFont(const ChartStyle& style);
[[nodiscard]] QFont labelFont(const ChartStyle& style);

void paintBackdrop(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style);
void paintOverlay(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style);
// The focus ring around the point selected by keyboard or mouse.
void paintFocus(QPainter& painter, const ChartGeometry& geometry, const PointRef& ref, const ChartStyle& style);

struct MarkerLook {
    Marker marker = Marker::Circle;
    QColor colour;
    QColor inside;  // fill of a hollow marker
    bool hollow = false;
    double size = 9;
};
void paintMarker(QPainter& painter, const QPointF& centre, const MarkerLook& look);
// A predicted bar: hatched over a faint fill, with an outline.
void paintHatched(QPainter& painter, const QRectF& box, const QColor& colour);

}  // namespace steelyard::ui
