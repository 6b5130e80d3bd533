// SPDX-License-Identifier: Apache-2.0
// Checks the geometry produced by the builder and the pixels painted by Qt: bars have the positions of their values,
// missing values shift nothing, intervals end at their values.
#include "ui/charts/chart_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QChart>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

namespace steelyard::ui {
namespace {

ChartPoint value(double y) {
    ChartPoint point;
    point.y = y;
    return point;
}
ChartPoint unknown(const QString& reason) {
    ChartPoint point;
    point.reason = reason;
    return point;
}
ChartPoint at(double x, double y) {
    auto point = value(y);
    point.x = x;
    return point;
}

ChartSpec bars() {
    ChartSpec spec;
    spec.title = QStringLiteral("Training");
    spec.y = {QStringLiteral("Throughput"), QStringLiteral("images/s"), ChartScale::Linear, {}};
    spec.categories = {QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("C")};
    spec.series.push_back(
        {QStringLiteral("CPU"), 0, false, {value(10), unknown(QStringLiteral("out of memory")), value(30)}});
    spec.series.push_back({QStringLiteral("GPU"), 1, false, {value(20), value(40), value(5)}});
    return spec;
}

ChartStyle style() {
    ChartStyle result;
    result.font = baseFont();
    return result;
}

QImage rendered(BuiltChart& chart, QSize size) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    chart.resize(size);
    QPainter painter(&image);
    chart.render(painter);
    return image;
}

const DrawnMark& markOf(const BuiltChart& chart, PointRef ref) {
    const auto& marks = chart.geometry().marks;
    const auto found = std::find_if(marks.begin(), marks.end(), [&](const DrawnMark& mark) { return mark.ref == ref; });
    EXPECT_NE(found, marks.end());
    return *found;
}

double yOf(const BuiltChart& chart, double number) {
    const auto& plot = chart.geometry().plot;
    const auto& scale = chart.yScale();
    const double share =
        (scale.toAxis(number) - scale.toAxis(scale.low)) / (scale.toAxis(scale.high) - scale.toAxis(scale.low));
    return plot.bottom() - share * plot.height();
}

double xOf(const BuiltChart& chart, double number) {
    const auto& plot = chart.geometry().plot;
    const auto& scale = chart.yScale();  // of values, whichever way it lies
    const double share =
        (scale.toAxis(number) - scale.toAxis(scale.low)) / (scale.toAxis(scale.high) - scale.toAxis(scale.low));
    return plot.left() + share * plot.width();
}

ChartSpec rows(ChartKind kind) {
    auto spec = bars();
    spec.kind = kind;
    spec.rows = true;
    return spec;
}

TEST(ChartBuilder, RowsGoFromTheTopAndValuesToTheRight) {
    auto spec = rows(ChartKind::Dots);
    spec.series.resize(1);
    spec.series[0].points[2].interval = ChartInterval{20, 35};
    spec.series[0].points[2].value = QStringLiteral("thirty");
    spec.series[0].points[0].role = PointRole::Own;
    spec.references.push_back({QStringLiteral("limit"), 25, false, false, ChartInterval{24, 27}});
    BuiltChart chart(spec, style());
    chart.resize({800, 300});
    const auto& geometry = chart.geometry();
    ASSERT_EQ(geometry.categories.size(), 3U);
    EXPECT_LT(geometry.categories[0].box.center().y(), geometry.categories[1].box.center().y());
    EXPECT_TRUE(geometry.categories[0].own);
    EXPECT_FALSE(geometry.categories[1].own);
    const auto& first = markOf(chart, {0, 0});
    EXPECT_NEAR(first.centre.y(), geometry.categories[0].box.center().y(), 1);
    EXPECT_NEAR(first.centre.x(), xOf(chart, 10), 1);
    EXPECT_EQ(first.role, PointRole::Own);
    const auto& last = markOf(chart, {0, 2});
    EXPECT_NEAR(last.centre.x(), xOf(chart, 30), 1);
    EXPECT_EQ(last.valueLabel, QStringLiteral("thirty"));
    EXPECT_EQ(first.valueLabel, QStringLiteral("10.0"));
    ASSERT_EQ(geometry.intervals.size(), 1U);
    EXPECT_TRUE(geometry.intervals[0].across);
    EXPECT_NEAR(geometry.intervals[0].yLow, xOf(chart, 20), 1);
    EXPECT_NEAR(geometry.intervals[0].yHigh, xOf(chart, 35), 1);
    EXPECT_NEAR(geometry.intervals[0].x, last.centre.y(), 1e-6);
    ASSERT_EQ(geometry.unknowns.size(), 1U);
    EXPECT_NEAR(geometry.unknowns[0].position.y(), geometry.categories[1].box.center().y(), 1);
    ASSERT_EQ(geometry.references.size(), 1U);
    EXPECT_TRUE(geometry.references[0].vertical);
    EXPECT_NEAR(geometry.references[0].position, xOf(chart, 25), 1);
    ASSERT_TRUE(geometry.references[0].near);
    EXPECT_NEAR(geometry.references[0].near->first, xOf(chart, 24), 1);
    EXPECT_NEAR(geometry.references[0].near->second, xOf(chart, 27), 1);
    const auto image = rendered(chart, {800, 300});
    const auto between = [&](double value) { return static_cast<int>(xOf(chart, value)); };
    const int y = static_cast<int>(geometry.plot.top()) + 2;
    EXPECT_NE(image.pixelColor(between(26), y), image.pixelColor(between(28), y)) << "the grey band";
    // Names left of the plot, values right of it.
    EXPECT_LE(geometry.categories[0].box.right(), geometry.plot.left());
    EXPECT_GT(geometry.valuesRight, geometry.plot.right());
}

TEST(ChartBuilder, BarsOfRowsLieAcross) {
    BuiltChart grouped(rows(ChartKind::GroupedBars), style());
    const auto image = rendered(grouped, {800, 400});
    for (const auto& mark : grouped.geometry().marks) {
        const auto& point = grouped.spec()
                                .series[static_cast<std::size_t>(mark.ref.series)]
                                .points[static_cast<std::size_t>(mark.ref.point)];
        EXPECT_NEAR(mark.box.left(), xOf(grouped, 0), 1);
        EXPECT_NEAR(mark.box.right(), xOf(grouped, *point.y), 1);
        // The rendering of Qt Charts agrees with the geometry.
        const auto colour = style().theme.series[static_cast<std::size_t>(mark.ref.series)];
        EXPECT_EQ(image.pixelColor(mark.box.center().toPoint()), colour);
    }
    BuiltChart stacked(rows(ChartKind::StackedBars), style());
    stacked.resize({800, 400});
    EXPECT_NEAR(markOf(stacked, {1, 0}).box.left(), xOf(stacked, 10), 1);
    EXPECT_NEAR(markOf(stacked, {1, 0}).box.right(), xOf(stacked, 30), 1);
}

TEST(ChartBuilder, ManyRowsNeedHeight) {
    auto spec = rows(ChartKind::Dots);
    const double few = BuiltChart::heightOfRows(spec, style());
    for (int i = 0; i < 30; ++i) spec.categories << QString::number(i);
    EXPECT_GT(BuiltChart::heightOfRows(spec, style()), few + 30 * 15);
    spec.rows = false;
    EXPECT_EQ(BuiltChart::heightOfRows(spec, style()), 0);
}

TEST(ChartBuilder, SaysWhatTheColourOfADoubtfulPointMeans) {
    auto spec = rows(ChartKind::Dots);
    spec.series.resize(1);
    BuiltChart plain(spec, style());
    plain.resize({800, 300});
    EXPECT_TRUE(plain.geometry().legend.empty());
    spec.series[0].points[0].role = PointRole::Doubtful;
    BuiltChart doubtful(spec, style());
    doubtful.resize({800, 300});
    ASSERT_EQ(doubtful.geometry().legend.size(), 1U);
    EXPECT_EQ(doubtful.geometry().legend[0].role, PointRole::Doubtful);
}

TEST(ChartBuilder, BarsReachTheirValueAndStandOnZero) {
    BuiltChart chart(bars(), style());
    chart.resize({800, 450});
    for (const auto& mark : chart.geometry().marks) {
        const auto& point = chart.spec()
                                .series[static_cast<std::size_t>(mark.ref.series)]
                                .points[static_cast<std::size_t>(mark.ref.point)];
        EXPECT_NEAR(mark.box.top(), yOf(chart, *point.y), 0.5);
        EXPECT_NEAR(mark.box.bottom(), yOf(chart, 0), 0.5);
    }
    EXPECT_EQ(chart.geometry().marks.size(), 5U);
}

TEST(ChartBuilder, AMissingValueShiftsNoBar) {
    BuiltChart chart(bars(), style());
    const auto image = rendered(chart, {800, 450});
    const auto& plot = chart.geometry().plot;
    const double slot = plot.width() / 3;
    // The bars lie within their category, and Qt painted them there.
    for (const auto& mark : chart.geometry().marks) {
        const double left = plot.left() + slot * mark.ref.point;
        EXPECT_GT(mark.box.left(), left);
        EXPECT_LT(mark.box.right(), left + slot);
        const auto colour = Theme::light().series[static_cast<std::size_t>(mark.ref.series)];
        EXPECT_EQ(image.pixelColor(mark.box.center().toPoint()).rgb(), colour.rgb());
        EXPECT_EQ(image.pixelColor(QPointF(mark.box.left() + 2, mark.box.bottom() - 4).toPoint()).rgb(), colour.rgb());
        EXPECT_EQ(image.pixelColor(QPointF(mark.box.right() - 2, mark.box.bottom() - 4).toPoint()).rgb(), colour.rgb());
        EXPECT_NE(image.pixelColor(QPointF(mark.box.center().x(), mark.box.top() - 2).toPoint()).rgb(), colour.rgb());
    }
    ASSERT_EQ(chart.geometry().unknowns.size(), 1U);
    const auto& dash = chart.geometry().unknowns.front();
    EXPECT_EQ(dash.ref, (PointRef{0, 1}));
    EXPECT_GT(dash.position.x(), plot.left() + slot);
    EXPECT_LT(dash.position.x(), plot.left() + 2 * slot);
    EXPECT_NE(image.pixelColor(dash.position.toPoint()).rgb(), Theme::light().series[0].rgb());
}

TEST(ChartBuilder, NotANumberIsUnknown) {
    auto spec = bars();
    spec.series[0].points[0].y = std::numeric_limits<double>::quiet_NaN();
    BuiltChart chart(spec, style());
    chart.resize({800, 450});
    EXPECT_EQ(chart.geometry().marks.size(), 4U);
    EXPECT_EQ(chart.geometry().unknowns.size(), 2U);
}

TEST(ChartBuilder, IntervalCapsLieAtTheirValues) {
    auto spec = bars();
    spec.series[1].points[1].interval = ChartInterval{36, 43};
    BuiltChart chart(spec, style());
    chart.resize({800, 450});
    ASSERT_EQ(chart.geometry().intervals.size(), 1U);
    const auto& interval = chart.geometry().intervals.front();
    EXPECT_NEAR(interval.yLow, yOf(chart, 36), 0.5);
    EXPECT_NEAR(interval.yHigh, yOf(chart, 43), 0.5);
    EXPECT_NEAR(interval.x, markOf(chart, {1, 1}).box.center().x(), 0.5);
    chart.resize({500, 320});  // and follow the plot area
    EXPECT_NEAR(chart.geometry().intervals.front().yHigh, yOf(chart, 43), 0.5);
}

// Of a measurement while other programs used the CPU.
TEST(ChartBuilder, AnIntervalOfManyDecadesDoesNotSqueezeTheOthers) {
    for (const auto scale : {ChartScale::Linear, ChartScale::Logarithmic}) {
        for (const bool asRows : {false, true}) {
            auto spec = bars();
            spec.rows = asRows;
            spec.y.scale = scale;
            spec.series[0].points[0].interval = ChartInterval{9, 11};
            spec.series[1].points[1].interval = ChartInterval{4e-5, 4e7};
            BuiltChart chart(spec, style());
            chart.resize({800, 450});
            EXPECT_LT(chart.yScale().high, 1000);
            if (scale == ChartScale::Logarithmic) {
                EXPECT_GT(chart.yScale().low, 0.1);
            }
            const auto& intervals = chart.geometry().intervals;
            ASSERT_EQ(intervals.size(), 2U);
            EXPECT_FALSE(intervals[0].openLow || intervals[0].openHigh);
            EXPECT_EQ(intervals[1].openLow, scale == ChartScale::Logarithmic);
            EXPECT_TRUE(intervals[1].openHigh);
            const auto& plot = chart.geometry().plot;
            for (const double end : {intervals[1].yLow, intervals[1].yHigh}) {
                EXPECT_GE(end, (asRows ? plot.left() : plot.top()) - 0.5);
                EXPECT_LE(end, (asRows ? plot.right() : plot.bottom()) + 0.5);
            }
        }
    }
}

TEST(ChartBuilder, ALogarithmicAxisTurnsBarsIntoDots) {
    auto spec = bars();
    spec.y.scale = ChartScale::Logarithmic;
    spec.series[0].points[0].y = 0.0;
    spec.series[1].points[2].interval = ChartInterval{0, 7};
    BuiltChart chart(spec, style());
    chart.resize({800, 450});
    EXPECT_EQ(chart.geometry().unknowns.size(), 2U) << "zero cannot be shown on a logarithmic axis";
    for (const auto& mark : chart.geometry().marks) {
        EXPECT_FALSE(mark.bar);
        const auto& point =
            spec.series[static_cast<std::size_t>(mark.ref.series)].points[static_cast<std::size_t>(mark.ref.point)];
        EXPECT_NEAR(mark.centre.y(), yOf(chart, *point.y), 0.5);
    }
    ASSERT_EQ(chart.geometry().intervals.size(), 1U);
    EXPECT_TRUE(std::isfinite(chart.geometry().intervals.front().yLow));
    EXPECT_LE(chart.geometry().intervals.front().yLow, chart.geometry().plot.bottom() + 0.5);
}

TEST(ChartBuilder, StackedPartsStandOnEachOther) {
    auto spec = bars();
    spec.kind = ChartKind::StackedBars;
    spec.series[0].points[1] = value(7);
    BuiltChart chart(spec, style());
    const auto image = rendered(chart, {800, 450});
    EXPECT_NEAR(markOf(chart, {1, 1}).box.bottom(), markOf(chart, {0, 1}).box.top(), 0.5);
    EXPECT_NEAR(markOf(chart, {1, 1}).box.top(), yOf(chart, 47), 0.5);
    EXPECT_EQ(image.pixelColor(markOf(chart, {1, 1}).box.center().toPoint()).rgb(), Theme::light().series[1].rgb());
    EXPECT_EQ(image.pixelColor(markOf(chart, {0, 2}).box.center().toPoint()).rgb(), Theme::light().series[0].rgb());
}

TEST(ChartBuilder, APredictedPartOfAStackMovesNoOther) {
    auto spec = bars();
    spec.kind = ChartKind::StackedBars;
    spec.series[0].points[0].basis = Basis::Predicted;
    BuiltChart chart(spec, style());
    const auto image = rendered(chart, {800, 450});
    const auto& upper = markOf(chart, {1, 0});
    EXPECT_TRUE(markOf(chart, {0, 0}).hollow);
    EXPECT_NEAR(upper.box.top(), yOf(chart, 30), 0.5);
    EXPECT_EQ(image.pixelColor(upper.box.center().toPoint()).rgb(), Theme::light().series[1].rgb());
}

TEST(ChartBuilder, PredictedBarsAreNotFilled) {
    auto spec = bars();
    spec.series[1].points[1].basis = Basis::Predicted;
    BuiltChart chart(spec, style());
    const auto image = rendered(chart, {800, 450});
    const auto& mark = markOf(chart, {1, 1});
    EXPECT_TRUE(mark.hollow);
    int solid = 0;
    int all = 0;
    for (int y = static_cast<int>(mark.box.top()) + 4; y < static_cast<int>(mark.box.bottom()) - 4; ++y) {
        for (int x = static_cast<int>(mark.box.left()) + 4; x < static_cast<int>(mark.box.right()) - 4; ++x) {
            ++all;
            solid += image.pixelColor(x, y).rgb() == Theme::light().series[1].rgb() ? 1 : 0;
        }
    }
    EXPECT_LT(solid, all / 3);
    EXPECT_NE(chart.geometry().legend.back().text, QStringLiteral("GPU")) << "the legend says what hollow means";
}

TEST(ChartBuilder, AMarkSeriesLiesAcrossTheStack) {
    auto spec = bars();
    spec.kind = ChartKind::StackedBars;
    spec.series.push_back(
        {QStringLiteral("measured peak"), 6, true, {value(33), value(44), unknown(QStringLiteral("unknown"))}});
    BuiltChart chart(spec, style());
    chart.resize({800, 450});
    const auto& mark = markOf(chart, {2, 0});
    EXPECT_NEAR(mark.centre.y(), yOf(chart, 33), 0.5);
    EXPECT_GT(mark.box.width(), markOf(chart, {0, 0}).box.width());
}

TEST(ChartBuilder, LinesBreakAtUnknownValues) {
    ChartSpec spec;
    spec.kind = ChartKind::Lines;
    spec.x = {QStringLiteral("Batch"), {}, ChartScale::Logarithmic, {1, 2, 4, 8}};
    spec.y = {QStringLiteral("Throughput"), QStringLiteral("images/s"), ChartScale::Linear, {}};
    spec.series.push_back({QStringLiteral("CPU"), 0, false, {at(1, 10), at(2, 18), at(4, 30), at(8, 40)}});
    spec.series.front().points[2].y.reset();
    BuiltChart chart(spec, style());
    const auto image = rendered(chart, {800, 450});
    EXPECT_EQ(chart.chart()->series().size(), 2) << "the ruler and the one segment between the first two points";
    EXPECT_EQ(chart.geometry().marks.size(), 3U);
    EXPECT_EQ(chart.geometry().unknowns.size(), 1U);
    const auto middle = (markOf(chart, {0, 0}).centre + markOf(chart, {0, 1}).centre) / 2;
    bool line = false;
    for (int y = -2; y <= 2; ++y) {
        line = line || image.pixelColor((middle + QPointF(0, y)).toPoint()).rgb() == Theme::light().series[0].rgb();
    }
    EXPECT_TRUE(line);
    // Equal ratios are equal distances on a logarithmic axis.
    const double first = markOf(chart, {0, 1}).centre.x() - markOf(chart, {0, 0}).centre.x();
    EXPECT_NEAR(markOf(chart, {0, 3}).centre.x() - markOf(chart, {0, 1}).centre.x(), 2 * first, 1);
    EXPECT_THAT(chart.geometry().xTicks, testing::SizeIs(4));
}

TEST(ChartBuilder, AGuideIsNamedBesideItsLine) {
    ChartSpec spec;
    spec.kind = ChartKind::Scatter;
    spec.x = {QStringLiteral("Intensity"), {}, ChartScale::Logarithmic, {}};
    spec.y = {QStringLiteral("Rate"), {}, ChartScale::Logarithmic, {}};
    spec.series.push_back({QStringLiteral("peak"), 6, false, {at(1, 500), at(100, 500)}, true});
    spec.series.front().points.back().label = QStringLiteral("peak of CPU");
    spec.series.push_back({QStringLiteral("CPU"), 0, false, {at(2, 100), at(50, 300)}});
    BuiltChart chart(spec, style());
    chart.resize({800, 450});
    ASSERT_THAT(chart.geometry().pointLabels, testing::SizeIs(1));
    const auto& label = chart.geometry().pointLabels.front();
    EXPECT_EQ(label.text, QStringLiteral("peak of CPU"));
    EXPECT_TRUE(label.box.top() > yOf(chart, 500) || label.box.bottom() < yOf(chart, 500));
    EXPECT_NEAR(label.box.center().y(), yOf(chart, 500), 20);
}

TEST(ChartBuilder, LabelsAreWrappedNotElided) {
    auto spec = bars();
    spec.categories = {QStringLiteral("ResNet-50 training at batch 128"), QStringLiteral("B"), QStringLiteral("C")};
    BuiltChart chart(spec, style());
    chart.resize({500, 400});
    EXPECT_GT(chart.geometry().categories.front().lines.size(), 1);
    EXPECT_FALSE(chart.geometry().categories.front().elided);
    EXPECT_LE(chart.geometry().categories.front().box.bottom(), 400);
}

TEST(ChartBuilder, ManyCategoriesAreSlantedAndKeepTheirWords) {
    auto spec = bars();
    spec.categories.clear();
    for (int index = 0; index < 22; ++index) {
        spec.categories << QStringLiteral("Bidirectional network %1").arg(index);
        for (auto& series : spec.series) series.points.resize(static_cast<std::size_t>(index) + 1);
    }
    spec.series.front().points.front().y = 1;
    BuiltChart chart(spec, style());
    chart.resize({1000, 500});
    const auto& geometry = chart.geometry();
    ASSERT_TRUE(geometry.slantedCategories);
    for (std::size_t index = 3; index < geometry.categories.size(); ++index) {  // less space at the edge
        EXPECT_EQ(geometry.categories[index].lines, QStringList{spec.categories[static_cast<qsizetype>(index)]});
        EXPECT_FALSE(geometry.categories[index].elided);
    }
    EXPECT_LE(geometry.categories.front().box.bottom(), 500);
    EXPECT_GE(geometry.plot.height(), 200);
    chart.resize({4000, 500});
    EXPECT_FALSE(chart.geometry().slantedCategories);
}

TEST(ChartBuilder, ReferenceLinesAndTheirRoomOnTheAxis) {
    auto spec = bars();
    spec.references.push_back({QStringLiteral("device has 64 GiB"), 64});
    BuiltChart chart(spec, style());
    chart.resize({800, 450});
    ASSERT_EQ(chart.geometry().references.size(), 1U);
    EXPECT_NEAR(chart.geometry().references.front().position, yOf(chart, 64), 0.5);
    EXPECT_GE(chart.yScale().high, 64);
}

TEST(ChartBuilder, BarsStaySlimWhenThereAreFew) {
    ChartSpec spec = bars();
    spec.categories = {QStringLiteral("A")};
    spec.series.resize(1);
    spec.series[0].points.resize(1);
    BuiltChart chart(spec, style());
    const auto image = rendered(chart, {1200, 500});
    const auto& box = chart.geometry().marks.front().box;
    EXPECT_LE(box.width(), 65);
    const auto colour = Theme::light().series[0].rgb();
    EXPECT_EQ(image.pixelColor(QPointF(box.left() + 2, box.center().y()).toPoint()).rgb(), colour);
    EXPECT_NE(image.pixelColor(QPointF(box.left() - 3, box.center().y()).toPoint()).rgb(), colour);
}

TEST(ChartBuilder, NothingToDrawSaysWhatToDo) {
    ChartSpec spec;
    spec.emptyText = QStringLiteral("Run a benchmark to see its results here.");
    BuiltChart chart(spec, style());
    const auto image = rendered(chart, {400, 300});
    EXPECT_TRUE(chart.geometry().marks.empty());
    bool painted = false;
    for (int y = 100; y < 200 && !painted; ++y) {
        for (int x = 50; x < 350 && !painted; ++x) painted = image.pixelColor(x, y) != QColor(Qt::white);
    }
    EXPECT_TRUE(painted);
}

TEST(ChartBuilder, FindsThePointUnderTheMouse) {
    BuiltChart chart(bars(), style());
    chart.resize({800, 450});
    const auto& mark = markOf(chart, {1, 2});
    EXPECT_EQ(chart.geometry().pointAt(mark.box.center()), (PointRef{1, 2}));
    EXPECT_EQ(chart.geometry().pointAt(chart.geometry().unknowns.front().position + QPointF(2, 1)), (PointRef{0, 1}));
    EXPECT_FALSE(chart.geometry().pointAt(chart.geometry().plot.topLeft() + QPointF(3, 3)).has_value());
}

}  // namespace
}  // namespace steelyard::ui
