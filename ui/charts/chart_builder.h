// SPDX-License-Identifier: Apache-2.0
// Draws a ChartSpec with Qt Charts. Qt draws solid bars and lines and maps values to positions; ChartPainter draws the
// rest on top, from the geometry that this class computes whenever the plot area changes. Unknown values, NaN and
// non-positive values on a logarithmic axis never reach Qt Charts. GUI thread. The scene owns the chart.
#pragma once

#include <QGraphicsScene>
#include <QList>
#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "ui/charts/chart_geometry.h"
#include "ui/charts/chart_painter.h"
#include "ui/charts/chart_spec.h"
#include "ui/charts/ticks.h"

class QAbstractBarSeries;
class QChart;
class QLineSeries;
class QPainter;
class QPen;
class QValueAxis;

namespace steelyard::ui {

class BuiltChart : public QObject {
    Q_OBJECT

public:
    BuiltChart(ChartSpec spec, ChartStyle style);
    ~BuiltChart() override;

    // The height in pixels at which the rows of a chart fit their text; 0 without rows.
    [[nodiscard]] static double heightOfRows(const ChartSpec& spec, const ChartStyle& style);
    // Lays everything out for a size; fast enough for every resize event.
    void resize(const QSizeF& size);
    // Draws the whole chart into a rectangle of its size (an image, a page, an SVG file).
    void render(QPainter& painter);

    [[nodiscard]] QGraphicsScene* scene() { return &m_scene; }
    [[nodiscard]] QChart* chart() { return m_chart; }
    [[nodiscard]] const ChartSpec& spec() const { return m_spec; }
    [[nodiscard]] const ChartStyle& style() const { return m_style; }
    [[nodiscard]] const ChartGeometry& geometry() const { return m_geometry; }
    [[nodiscard]] const AxisScale& yScale() const { return m_yScale; }
    [[nodiscard]] const AxisScale& xScale() const { return m_xScale; }

private:
    class LayerItem;

    void chooseScales();
    void addAxes();
    void addBars();
    void addLines();
    void addStretches(const ChartSeries& series);
    void addCurve(const ChartSeries& series);
    void addLine(const QList<QPointF>& points, const QPen& pen);
    void layOutLegend(double top, double width);
    double layOutCategories(double left, double width, double room);  // returns their height, at most about `room`
    void setPlotArea(const QSizeF& size, const QRectF& plot);
    [[nodiscard]] QRectF layOutRows(const QSizeF& size, double top);
    void shareSlots();
    [[nodiscard]] QString valueText(const ChartPoint& point) const;
    [[nodiscard]] QRectF barBox(double centre, double foot, double end) const;
    [[nodiscard]] QPointF footOf(double centre) const;
    double slantCategories(double left, double slot, double room);
    void computeGeometry();
    void placeTicks();
    void placePoints();
    void placeGroupedMark(PointRef ref, const ChartPoint& point);
    void placeStackedMarks();
    void placeNumberMark(PointRef ref, const ChartPoint& point);
    void placeInterval(PointRef ref, const ChartPoint& point, double x, double halfCap);
    void placeValueLabels();
    void placeRowValues();
    void placeReferences();
    void placePointLabels();
    [[nodiscard]] QPointF map(double axisX, double y) const;
    [[nodiscard]] double slotCentre(int series, int category) const;
    [[nodiscard]] double slotWidth() const;  // pixels
    [[nodiscard]] QString tickLabel(const AxisScale& scale, double tick) const;
    [[nodiscard]] bool isBarChart() const;

    ChartSpec m_spec;
    ChartStyle m_style;
    AxisScale m_xScale;
    AxisScale m_yScale;
    ChartGeometry m_geometry;
    std::vector<int> m_slots;  // series -> its slot among the bars of a category, -1: none
    int m_slotCount = 1;
    QGraphicsScene m_scene;
    QChart* m_chart = nullptr;             // owned by the scene
    QLineSeries* m_ruler = nullptr;        // has no points; guarantees a series for mapping
    QAbstractBarSeries* m_bars = nullptr;  // only in bar charts
    double m_groupWidth = 0.72;            // fraction of a category that its bars occupy
    QValueAxis* m_xAxis = nullptr;
    QValueAxis* m_yAxis = nullptr;
    LayerItem* m_overlay = nullptr;
};

}  // namespace steelyard::ui
