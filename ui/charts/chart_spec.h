// SPDX-License-Identifier: Apache-2.0
// The content of a chart as a plain value: titles, units, series with intervals, reference lines. The same spec is
// drawn, listed as a table, exported and reported, so they cannot differ. Presenters create specs, ChartBuilder draws
// them. Values are in the axis unit; an unset value is unknown, with a reason, and never 0.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace steelyard::ui {

enum class ChartKind {
    GroupedBars,  // categories x series, from zero
    StackedBars,  // categories, the series on top of each other
    Dots,         // categories x series as marks: for logarithmic axes, where bars would be misleading
    Lines,        // numbers on both axes, points connected in order
    Scatter       // numbers on both axes, marks only
};

enum class ChartScale { Linear, Logarithmic };

// Origin of a value: measured is drawn solid, predicted hollow or hatched, imported solid with its source on hover.
enum class Basis { Measured, Predicted, Imported };

// Meaning of a point beyond its series.
enum class PointRole {
    Ordinary,
    Own,       // this computer among others: accent colour, category in bold
    Doubtful,  // measured while other programs used the processor: caution colour
    Better,    // comparison: good or bad colour
    Worse,
};

struct ChartInterval {
    double low = 0;
    double high = 0;
    friend bool operator==(const ChartInterval&, const ChartInterval&) = default;
};

struct ChartPoint {
    std::optional<double> x;                 // Lines and Scatter; unset in charts with categories
    std::optional<double> y;                 // unset: unknown
    std::optional<ChartInterval> interval;   // of y
    std::optional<ChartInterval> xInterval;  // of x, in charts of numbers
    Basis basis = Basis::Measured;
    PointRole role = PointRole::Ordinary;
    QString reason;  // why y is unknown
    QString note;    // additional line on hover: a source, a warning
    QString key;     // of the record behind the point; passed on when clicked
    QString label;   // Scatter: drawn beside the mark if it does not overlap
    QString value;   // rows: shown at the right instead of the number
    friend bool operator==(const ChartPoint&, const ChartPoint&) = default;
};

struct ChartSeries {
    QString name;
    int colour = 0;       // 0..6: series colour and marker of the theme; a device has the same one in all charts
    bool asMark = false;  // bar charts: a mark across the bar instead of a bar (a measured total on a stack)
    std::vector<ChartPoint> points;  // with categories: one per category, in order
    bool guide = false;              // numeric charts: dotted, thin, without marks and data (an ideal, a limit)
    bool unmarked = false;           // line charts: without marks (a curve of many points)
    bool faint = false;              // Scatter: small marks without bands, behind the others (rejected candidates)
    friend bool operator==(const ChartSeries&, const ChartSeries&) = default;
};

struct ReferenceLine {
    QString label;
    double value = 0;                   // on the y axis
    bool vertical = false;              // on the x axis, in numeric charts
    bool limit = false;                 // values above it, or to its right, are shaded as not allowed
    std::optional<ChartInterval> near;  // of an unlimited line on the y axis: values too close to matter, in grey
    friend bool operator==(const ReferenceLine&, const ReferenceLine&) = default;
};

struct ChartAxis {
    QString title;
    QString unit;
    ChartScale scale = ChartScale::Linear;
    std::vector<double> ticks;          // fixed ticks (the batch sizes of a sweep); empty: automatic
    QStringList tickTexts;              // x axis: labels of these ticks instead of the numbers
    std::optional<ChartInterval> span;  // y axis: minimum range, the same for charts shown side by side
    friend bool operator==(const ChartAxis&, const ChartAxis&) = default;

    // "Median step time (ms)".
    [[nodiscard]] QString caption() const {
        return unit.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit);
    }
};

struct ChartSpec {
    ChartKind kind = ChartKind::GroupedBars;
    QString title;
    QString subtitle;     // conditions: device, run, date
    QString description;  // accessible description in one sentence
    QString emptyText;    // what to do if there is no data
    ChartAxis x;
    ChartAxis y;
    QStringList categories;
    std::vector<ChartSeries> series;
    std::vector<ReferenceLine> references;
    QString origin;        // which run or day, for the name of a file: "2026-11-24-1602"; may be empty
    QString intervalName;  // meaning of the intervals; empty: 95 % interval
    bool rows = false;     // charts with categories: one row each, from the top; horizontal value axis
    friend bool operator==(const ChartSpec&, const ChartSpec&) = default;

    [[nodiscard]] bool hasCategories() const {
        return kind == ChartKind::GroupedBars || kind == ChartKind::StackedBars || kind == ChartKind::Dots;
    }
    [[nodiscard]] bool hasRows() const { return rows && hasCategories(); }
    // False if no value is known.
    [[nodiscard]] bool hasValues() const;
};

// A file name from the title and the origin: lower-case letters, digits and dashes; never empty.
[[nodiscard]] QString fileStem(const ChartSpec& spec);

}  // namespace steelyard::ui
