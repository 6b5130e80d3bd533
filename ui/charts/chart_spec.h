// SPDX-License-Identifier: Apache-2.0
// What a chart says, as a plain value: titles, units, series with intervals, reference lines. The same spec is drawn,
// listed as a table, exported and put into the report, so they cannot differ. Presenters make specs, ChartBuilder draws
// them. Values are in the axis' unit; an unset value is unknown and carries its reason, it is never 0.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace steelyard::ui {

enum class ChartKind {
    GroupedBars,  // categories x series, from zero
    StackedBars,  // categories, the series on top of each other
    Dots,         // categories x series as marks: for values that need a logarithmic axis, where bars would mislead
    Lines,        // numbers on both axes, points joined in the order given
    Scatter       // numbers on both axes, marks only
};

enum class ChartScale { Linear, Logarithmic };

// How a value came to be: measured is drawn solid, predicted hollow or hatched, imported solid with its source on
// hover.
enum class Basis { Measured, Predicted, Imported };

// What a point means beside its series.
enum class PointRole {
    Ordinary,
    Own,       // of this computer among others: the accent colour, its category in bold
    Doubtful,  // measured while other programs used the processor: the colour of a caution
    Better,    // of a comparison: the colours of good and bad
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
    QString note;    // one more line on hover: a source, a warning
    QString key;     // of the record behind the point; handed back on a click
    QString label;   // written beside the mark of a Scatter where it collides with nothing
    QString value;   // in a chart of rows, written at the right instead of the number
    friend bool operator==(const ChartPoint&, const ChartPoint&) = default;
};

struct ChartSeries {
    QString name;
    int colour = 0;       // 0..6: series colour and marker of the theme; a device keeps its own on every chart
    bool asMark = false;  // in bar charts: a mark across the bar instead of a bar (a measured total on a stack)
    std::vector<ChartPoint> points;  // in charts with categories: one per category, in their order
    bool guide = false;     // in charts of numbers: dotted, thin, without marks and without data (an ideal, a limit)
    bool unmarked = false;  // in charts of lines: without marks at its points (a curve of many)
    bool faint = false;     // of a Scatter: small marks without bands, behind the others (what was not chosen)
    friend bool operator==(const ChartSeries&, const ChartSeries&) = default;
};

struct ReferenceLine {
    QString label;
    double value = 0;       // on the y axis
    bool vertical = false;  // or on the x axis, in charts of numbers
    friend bool operator==(const ReferenceLine&, const ReferenceLine&) = default;
};

struct ChartAxis {
    QString title;
    QString unit;
    ChartScale scale = ChartScale::Linear;
    std::vector<double> ticks;  // fixed ticks (the batch sizes of a sweep); empty: chosen by the builder
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
    QString description;  // one sentence for who cannot see the chart
    QString emptyText;    // what to do when there is nothing to draw
    ChartAxis x;
    ChartAxis y;
    QStringList categories;
    std::vector<ChartSeries> series;
    std::vector<ReferenceLine> references;
    QString origin;        // which run or day, for the name of a file: "2026-11-24-1602"; may be empty
    QString intervalName;  // what an interval of this chart is; empty: the 95 % interval
    bool rows = false;     // of charts with categories: a row each, from the top; the axis of values lies across
    friend bool operator==(const ChartSpec&, const ChartSpec&) = default;

    [[nodiscard]] bool hasCategories() const {
        return kind == ChartKind::GroupedBars || kind == ChartKind::StackedBars || kind == ChartKind::Dots;
    }
    [[nodiscard]] bool hasRows() const { return rows && hasCategories(); }
    // False when there is not a single known value.
    [[nodiscard]] bool hasValues() const;
};

// A name for files: lower case letters, digits and dashes of the title, and the origin; never empty.
[[nodiscard]] QString fileStem(const ChartSpec& spec);

}  // namespace steelyard::ui
