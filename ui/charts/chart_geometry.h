// SPDX-License-Identifier: Apache-2.0
// Where everything of a drawn chart lies, in the chart's own coordinates (pixels, y downwards). Made by ChartBuilder
// from Qt Charts' mapping, painted by ChartPainter, used for hovering and clicking, and what the tests look at. Plain
// values.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

// Position of a point in its spec.
struct PointRef {
    int series = 0;
    int point = 0;
    friend bool operator==(const PointRef&, const PointRef&) = default;
};

// A drawn value: the bar's rectangle, or the marker around centre.
struct DrawnMark {
    PointRef ref;
    QRectF box;
    QPointF centre;  // of the marker; of a bar: the middle of its top edge
    bool bar = false;
    bool hollow = false;    // predicted
    bool overlaid = false;  // a solid bar that Qt Charts does not draw: it stands on a predicted one
    bool unmarked = false;  // a point of a curve: there to be hovered
    PointRole role = PointRole::Ordinary;
    QString valueLabel;  // drawn above, or at the right end of a row, where there is room; empty otherwise
};

struct DrawnInterval {
    PointRef ref;
    double x = 0;     // of a row: y
    double yLow = 0;  // of the interval's low end (the larger pixel value); of a row: x
    double yHigh = 0;
    double halfCap = 4;
    bool across = false;  // of a row
};

// An interval along x.
struct DrawnBand {
    PointRef ref;
    double y = 0;
    double xLow = 0, xHigh = 0;
};

// The words beside a mark; they lie on no mark, on no other words, and inside the plot.
struct DrawnPointLabel {
    PointRef ref;
    QRectF box;
    QString text;
};

// An unknown value: a dash at the foot of its place.
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
    QRectF box;         // below the plot, as wide as the category; of a row: left of it, as high
    QStringList lines;  // wrapped, at most four; one where labels are slanted, and in rows
    bool elided = false;
    bool own = false;  // in bold
};

struct DrawnReference {
    double position = 0;  // y pixel, or x pixel of a vertical one
    QString label;
    bool vertical = false;
};

enum class LegendLook { Marker, MarkerOnLine, Line, Square, MarkAcross, Guide };

struct DrawnLegend {
    QRectF box;
    QString text;
    int colour = 0;
    LegendLook look = LegendLook::Marker;
    bool hollow = false;                   // the entry that explains what hollow means; belongs to no series
    PointRole role = PointRole::Ordinary;  // or what the colour of a role means
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
    bool slantedCategories = false;  // written upwards to the middle of their category, for it is too narrow for words
    bool rows = false;               // categories are rows
    double valuesRight = 0;          // of rows: right end of the value labels
    std::vector<DrawnReference> references;
    std::vector<DrawnLegend> legend;

    // The mark or dash at, or nearest within a few pixels of, a position.
    [[nodiscard]] std::optional<PointRef> pointAt(const QPointF& position) const;
    [[nodiscard]] QPointF anchorOf(const PointRef& ref) const;
};

}  // namespace steelyard::ui
