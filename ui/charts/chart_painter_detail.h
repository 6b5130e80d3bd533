// SPDX-License-Identifier: Apache-2.0
// Shared by the parts of the painter: series colours, one-pixel lines, mark layers.
#pragma once

#include <QColor>
#include <cmath>

#include "ui/charts/chart_painter.h"

namespace steelyard::ui::chartpainting {

inline QColor seriesColour(const ChartStyle& style, int colour) {
    return style.theme.series[static_cast<std::size_t>(colour) % style.theme.series.size()];
}

inline QColor roleColour(const ChartStyle& style, PointRole role, const QColor& ordinary) {
    switch (role) {
        case PointRole::Own:
            return style.theme.accent;
        case PointRole::Doubtful:
            return style.theme.caution;
        case PointRole::Better:
            return style.theme.good;
        case PointRole::Worse:
            return style.theme.bad;
        case PointRole::Ordinary:
            break;
    }
    return ordinary;
}

inline Marker seriesMarker(int colour) {
    return static_cast<Marker>(colour % 7);
}

inline QColor soft(const QColor& colour, double alpha) {
    auto result = colour;
    result.setAlphaF(static_cast<float>(alpha));
    return result;
}

// Centre of a crisp one-pixel line, at half a pixel.
inline double crisp(double value) {
    return std::floor(value) + 0.5;
}

void paintBands(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style);
void paintLineBands(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style);
void paintMarks(QPainter& painter, const ChartSpec& spec, const ChartGeometry& geometry, const ChartStyle& style);
void paintPointLabels(QPainter& painter, const ChartGeometry& geometry, const ChartStyle& style);

}  // namespace steelyard::ui::chartpainting
