// SPDX-License-Identifier: Apache-2.0
// Charts of numbers on both axes: lines, curves, scattered points and their labels.
#include <QChart>
#include <QFontMetricsF>
#include <QLineSeries>
#include <QValueAxis>

#include "ui/charts/chart_builder.h"
#include "ui/charts/chart_builder_detail.h"
#include "ui/charts/label_layout.h"
#include "ui/charts/thinning.h"

namespace steelyard::ui {

using namespace chartdetail;

namespace {

constexpr int kLineColumns = 1000;  // of a line's thinning: about the pixels of a chart's width

}  // namespace

void BuiltChart::addLines() {
    for (const auto& series : m_spec.series) {
        if (m_spec.kind == ChartKind::Scatter && !series.guide) continue;
        if (series.unmarked || series.guide) {
            addCurve(series);
            continue;
        }
        addStretches(series);
    }
}

// One series of Qt's for each stretch of one kind, solid or dashed: what it costs is by the series, not by the point.
void BuiltChart::addStretches(const ChartSeries& series) {
    const auto colour = m_style.theme.series[static_cast<std::size_t>(series.colour) % m_style.theme.series.size()];
    QList<QPointF> stretch;
    bool dashed = false;
    const auto finish = [&] {
        if (stretch.size() > 1) addLine(stretch, QPen(colour, 2, dashed ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap));
        stretch.clear();
    };
    bool afterHollow = false;
    for (const auto& point : series.points) {
        if (!drawable(point.x, m_spec.x.scale) || !drawable(point.y, m_spec.y.scale)) {
            finish();
            continue;
        }
        const bool predicted = afterHollow || isHollow(point);
        if (stretch.size() > 1 && predicted != dashed) {
            const auto joint = stretch.back();
            finish();
            stretch << joint;
        }
        if (!stretch.isEmpty()) dashed = predicted;
        stretch << QPointF(m_xScale.toAxis(*point.x), m_yScale.toAxis(*point.y));
        afterHollow = isHollow(point);
    }
    finish();
}

void BuiltChart::addLine(const QList<QPointF>& points, const QPen& pen) {
    auto* line = new QLineSeries(m_chart);
    // Wide lines that go up and down in every column take long to draw, and look no better than thin ones.
    auto drawn = pen;
    if (points.size() > static_cast<qsizetype>(kManyMarks)) drawn.setWidthF(0);
    line->setPen(drawn);
    line->replace(thinnedLine(points, kLineColumns));
    m_chart->addSeries(line);
    line->attachAxis(m_xAxis);
    line->attachAxis(m_yAxis);
}

// One series of Qt's for all its points: a curve of thousands stays fluid.
void BuiltChart::addCurve(const ChartSeries& series) {
    const auto colour = m_style.theme.series[static_cast<std::size_t>(series.colour) % m_style.theme.series.size()];
    QList<QPointF> points;
    for (const auto& point : series.points) {
        if (drawable(point.x, m_spec.x.scale) && drawable(point.y, m_spec.y.scale))
            points << QPointF(m_xScale.toAxis(*point.x), m_yScale.toAxis(*point.y));
    }
    addLine(points, series.guide ? QPen(m_style.theme.muted, 1.4, Qt::DotLine, Qt::FlatCap)
                                 : QPen(colour, 2, Qt::SolidLine, Qt::RoundCap));
}

void BuiltChart::placeNumberMark(PointRef ref, const ChartPoint& point) {
    const auto x = drawable(point.x, m_spec.x.scale);
    if (!x) return;
    const double axisX = m_xScale.toAxis(*x);
    const auto y = drawable(point.y, m_spec.y.scale);
    if (!y) {
        m_geometry.unknowns.push_back({ref, map(axisX, m_yScale.low) - QPointF(0, 7)});
        return;
    }
    DrawnMark mark;
    mark.ref = ref;
    mark.centre = map(axisX, *y);
    mark.hollow = isHollow(point);
    const auto& series = m_spec.series[static_cast<std::size_t>(ref.series)];
    mark.unmarked = series.unmarked;
    const double size = series.faint ? kFaintMarkerSize : kMarkerSize;
    mark.box = QRectF(mark.centre - QPointF(size, size) / 2, QSizeF(size, size));
    m_geometry.marks.push_back(mark);
    if (series.faint) return;
    placeInterval(ref, point, mark.centre.x(), 4);
    if (point.xInterval && drawable(point.xInterval->low, m_spec.x.scale)) {
        m_geometry.bands.push_back({ref, mark.centre.y(), map(m_xScale.toAxis(point.xInterval->low), *y).x(),
                                    map(m_xScale.toAxis(point.xInterval->high), *y).x()});
    }
}

void BuiltChart::placePointLabels() {
    const QFontMetricsF metrics(labelFont(m_style));
    std::vector<LabelWish> wishes;
    std::vector<QRectF> obstacles;
    std::vector<DrawnPointLabel> labels;
    const auto wish = [&](PointRef ref, QPointF anchor, double clearance, bool onLine) {
        const auto& text =
            m_spec.series[static_cast<std::size_t>(ref.series)].points[static_cast<std::size_t>(ref.point)].label;
        labels.push_back({ref, {}, text});
        wishes.push_back({anchor, clearance, QSizeF(metrics.horizontalAdvance(text) + 4, metrics.height()), onLine});
    };
    for (const auto& mark : m_geometry.marks) {
        const auto& series = m_spec.series[static_cast<std::size_t>(mark.ref.series)];
        const auto& text = series.points[static_cast<std::size_t>(mark.ref.point)].label;
        // The words may cover what is faint, and the thin lines of bands, but no mark that counts.
        if (!mark.unmarked && !series.faint) obstacles.push_back(mark.box);
        if (!text.isEmpty()) wish(mark.ref, mark.centre, mark.box.width() / 2 + 4, false);
    }
    for (std::size_t index = 0; index < m_spec.series.size(); ++index) {
        const auto& series = m_spec.series[index];
        for (std::size_t i = 0; series.guide && i < series.points.size(); ++i) {
            const auto& point = series.points[i];
            if (point.label.isEmpty() || !drawable(point.x, m_spec.x.scale) || !drawable(point.y, m_spec.y.scale))
                continue;
            wish({static_cast<int>(index), static_cast<int>(i)}, map(m_xScale.toAxis(*point.x), *point.y), 2, true);
        }
    }
    for (const auto& reference : m_geometry.references) {
        if (!reference.vertical) continue;
        obstacles.push_back(QRectF(reference.position, m_geometry.plot.top(),
                                   metrics.horizontalAdvance(reference.label) + 10, metrics.height() + 4));
    }
    const auto boxes = layOutLabels(wishes, obstacles, m_geometry.plot);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (!boxes[i]) continue;
        labels[i].box = *boxes[i];
        m_geometry.pointLabels.push_back(labels[i]);
    }
}

}  // namespace steelyard::ui
