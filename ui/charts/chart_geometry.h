// SPDX-License-Identifier: Apache-2.0
// Geometry of a drawn chart in its coordinates (pixels, y downwards). Created by ChartBuilder from Qt Charts' mapping,
// painted by ChartPainter, used for hovering and clicking, and checked by tests. Plain values.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <optional>
#include <utility>
#include <vector>

#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

// Identifies a point of a spec.
struct PointRef {
    int series = 0;
    int point = 0;
    friend bool operator==(const PointRef&, const PointRef&) = default;
};

// A drawn value: the bar's rectangle, or the marker around centre.
struct DrawnMark {
    PointRef ref;
    QRectF box;
    QPointF centre;  // of the marker; for a bar: middle of its top edge
    bool bar = false;
    bool hollow = false;    // predicted
    bool overlaid = false;  // a solid bar that Qt Charts does not draw, stacked on a predicted one
    bool unmarked = false;  // an unmarked point of a curve, for hovering
    PointRole role = PointRole::Ordinary;
    QString valueLabel;  // drawn above, or at the right end of a row, if it fits; otherwise empty
};

struct DrawnInterval {
    PointRef ref;
    double x = 0;     // rows: y
    double yLow = 0;  // low end of the interval (the larger pixel value); rows: x
    double yHigh = 0;
    double halfCap = 4;
    bool across = false;   // rows
    bool openLow = false;  // the interval goes on beyond the axis
    bool openHigh = false;
};

// An interval along x.
struct DrawnBand {
    PointRef ref;
    double y = 0;
    double xLow = 0, xHigh = 0;
};

// A label beside a mark; it overlaps no mark and no other label, and is inside the plot.
struct DrawnPointLabel {
    PointRef ref;
    QRectF box;
    QString text;
};

// An unknown value: a dash at the base of its position.
struct DrawnUnknown {
    PointRef ref;
    QPointF position;
};

struct DrawnTick {
    double position = 0;  // x or y pixel
    QString label;
};

inline constexpr double kCategorySlant = 60;  // degrees from the horizontal

struct DrawnCategory {
    QRectF box;         // below the plot, as wide as the category; rows: left of it, as high as the row
    QStringList lines;  // wrapped, at most four; one if slanted, and for rows
    bool elided = false;
    bool own = false;  // bold
};

struct DrawnReference {
    double position = 0;  // y pixel, or x pixel of a vertical line
    QString label;
    bool vertical = false;
    bool limit = false;
    std::optional<std::pair<double, double>> near;  // pixels across the line
};

enum class LegendLook { Marker, MarkerOnLine, Line, Square, MarkAcross, Guide };

struct DrawnLegend {
    QRectF box;
    QString text;
    int colour = 0;
    LegendLook look = LegendLook::Marker;
    bool hollow = false;                   // the entry that explains hollow marks; belongs to no series
    PointRole role = PointRole::Ordinary;  // or the role whose colour it explains
    bool faint = false;                    // as the marks of its series
};

struct ChartGeometry {
    QSizeF size;
    QRectF titleBox, subtitleBox, yCaptionBox, xCaptionBox;
    QRectF plot;
    std::vector<DrawnMark> marks;
    std::vector<DrawnInterval> intervals;
    std::vector<DrawnBand> bands;
    std::vector<DrawnPointLabel> pointLabels;
    std::vector<DrawnUnknown> unknowns;
    std::vector<DrawnTick> xTicks, yTicks;
    std::vector<DrawnCategory> categories;
    bool slantedCategories =
        false;               // slanted up to the middle of their category, if it is too narrow for horizontal labels
    bool rows = false;       // categories are rows
    double valuesRight = 0;  // rows: right end of the value labels
    std::vector<DrawnReference> references;
    std::vector<DrawnLegend> legend;

    // The mark or dash at, or nearest within a few pixels of, a position.
    [[nodiscard]] std::optional<PointRef> pointAt(const QPointF& position) const;
    [[nodiscard]] QPointF anchorOf(const PointRef& ref) const;
};

}  // namespace steelyard::ui
