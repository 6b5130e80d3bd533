// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/thinning.h"

#include <gtest/gtest.h>

#include <QChart>
#include <QImage>
#include <QLineSeries>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_builder.h"

namespace steelyard::ui {
namespace {

QList<QPointF> wave(int count) {
    QList<QPointF> points;
    for (int i = 0; i < count; ++i) points << QPointF(i * 0.5, std::sin(i * 0.37) * (i % 97));
    return points;
}

TEST(ThinnedLine, FewPointsStayAsTheyAre) {
    EXPECT_EQ(thinnedLine({}, 100), QList<QPointF>());
    EXPECT_EQ(thinnedLine(wave(400), 100), wave(400));
}

TEST(ThinnedLine, OfEachColumnTheExtremesStayInTheirOrder) {
    const auto all = wave(10'000);
    const auto kept = thinnedLine(all, 100);
    EXPECT_LE(kept.size(), 400);
    EXPECT_GE(kept.size(), 200);
    EXPECT_EQ(kept.front(), all.front());
    EXPECT_EQ(kept.back(), all.back());
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(), [](auto a, auto b) { return a.x() < b.x(); }));
    const auto highest = [](const QList<QPointF>& points) {
        return std::max_element(points.begin(), points.end(), [](auto a, auto b) { return a.y() < b.y(); })->y();
    };
    EXPECT_EQ(highest(kept), highest(all)) << "a single outlier is still seen";
    for (const auto& point : kept) EXPECT_TRUE(all.contains(point)) << "nothing is invented";
}

TEST(ThinnedLine, ALineThatGoesBackIsLeftAlone) {
    auto points = wave(10'000);
    points << QPointF(3, 3);
    EXPECT_EQ(thinnedLine(points, 100), points);
}

TEST(ThinnedIntervals, OneForAPixelFromTheLowestToTheHighest) {
    // y grows downwards: the low end has the larger pixel value.
    const std::vector<DrawnInterval> intervals{
        {{0, 0}, 10.2, 90, 80, 4}, {{0, 1}, 9.8, 95, 85, 4}, {{1, 0}, 10, 50, 40, 4}, {{0, 2}, 12, 70, 60, 4}};
    const auto kept = thinnedIntervals(intervals);
    ASSERT_EQ(kept.size(), 3U);
    EXPECT_EQ(kept[0].yLow, 95);
    EXPECT_EQ(kept[0].yHigh, 80);
    EXPECT_EQ(kept[2].ref.series, 1) << "each series by itself";
}

TEST(TakenCells, ACellIsTakenOnceByASeries) {
    TakenCells cells(QRectF(100, 50, 30, 30), 3);
    EXPECT_TRUE(cells.take(0, QPointF(101, 51)));
    EXPECT_FALSE(cells.take(0, QPointF(102, 52)));
    EXPECT_TRUE(cells.take(0, QPointF(104, 51)));
    EXPECT_TRUE(cells.take(2, QPointF(101, 51))) << "another series";
    EXPECT_TRUE(cells.take(0, QPointF(5, 5)) && cells.take(0, QPointF(5, 5))) << "outside nothing is taken";
    EXPECT_TRUE(cells.take(0, QPointF(130, 80))) << "the far corner";
}

// Ten thousand points: all respond to hovering, and Qt gets one line with a bounded number of points.
TEST(Thinning, AChartOfTenThousandPointsKeepsItsData) {
    ChartSpec spec;
    spec.kind = ChartKind::Lines;
    spec.title = QStringLiteral("many");
    ChartSeries series{QStringLiteral("one"), 0};
    for (int i = 0; i < 10'000; ++i) {
        ChartPoint point;
        point.x = i;
        point.y = 10 + std::sin(i * 0.01);
        point.interval = ChartInterval{*point.y - 0.1, *point.y + 0.1};
        series.points.push_back(point);
    }
    spec.series = {series};
    BuiltChart chart(spec, ChartStyle());
    chart.resize(QSizeF(900, 400));
    EXPECT_EQ(chart.geometry().marks.size(), 10'000U);
    const auto lines = chart.chart()->series();
    ASSERT_EQ(lines.size(), 2) << "the ruler and one line";
    EXPECT_LE(static_cast<QLineSeries*>(lines.back())->count(), 6000);
    const auto& mark = chart.geometry().marks[7777];
    EXPECT_EQ(chart.geometry().pointAt(mark.centre)->series, 0);
    QImage image(900, 400, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    chart.render(painter);
    painter.end();
    const int from = static_cast<int>(chart.geometry().marks.front().centre.x()) + 2;
    const int to = static_cast<int>(chart.geometry().marks.back().centre.x()) - 2;
    EXPECT_GT(to - from, 500);
    int coloured = 0;
    for (int x = from; x < to; ++x) {
        bool any = false;
        for (int y = 60; y < 360; ++y) any = any || image.pixelColor(x, y).saturation() > 100;
        coloured += any ? 1 : 0;
    }
    EXPECT_EQ(coloured, to - from) << "drawn from the first point to the last";
}

}  // namespace
}  // namespace steelyard::ui
