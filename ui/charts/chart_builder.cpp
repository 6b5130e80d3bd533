// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_builder.h"

#include <QBarSeries>
#include <QChart>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_builder_detail.h"
#include "ui/text/format.h"

namespace steelyard::ui {

using namespace chartdetail;

namespace {

constexpr double kLegendSwatch = 22;
constexpr double kLegendGap = 18;
constexpr double kMostForLabels = 0.4;  // of what titles and legend leave, for slanted labels of categories

}  // namespace

// One of the two layers around the series; a child of the chart, so that it is in every rendering of the scene.
class BuiltChart::LayerItem final : public QGraphicsItem {
public:
    LayerItem(BuiltChart& owner, bool front) : QGraphicsItem(owner.m_chart), m_owner(owner), m_front(front) {
        setZValue(front ? 1000 : -1000);
        setAcceptedMouseButtons(Qt::NoButton);
    }

    QRectF boundingRect() const override { return QRectF(QPointF(), m_owner.m_geometry.size); }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override {
        const auto& owner = m_owner;
        if (!m_front) {
            paintBackdrop(*painter, owner.m_spec, owner.m_geometry, owner.m_style);
            return;
        }
        paintOverlay(*painter, owner.m_spec, owner.m_geometry, owner.m_style);
    }

    void geometryChanges() { prepareGeometryChange(); }

private:
    BuiltChart& m_owner;
    bool m_front;
};

BuiltChart::BuiltChart(ChartSpec spec, ChartStyle style) : m_spec(std::move(spec)), m_style(std::move(style)) {
    // The length of a bar means nothing on an axis without zero.
    if (m_spec.kind == ChartKind::GroupedBars && m_spec.y.scale == ChartScale::Logarithmic)
        m_spec.kind = ChartKind::Dots;
    m_slotCount = 0;
    for (const auto& series : m_spec.series) {
        const bool ownSlot = m_spec.kind != ChartKind::StackedBars && !series.asMark;
        m_slots.push_back(ownSlot ? m_slotCount++ : -1);
    }
    m_slotCount = std::max(m_slotCount, 1);

    m_chart = new QChart();
    m_scene.addItem(m_chart);
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->setMargins(QMargins());
    m_chart->setContentsMargins(0, 0, 0, 0);
    if (m_chart->layout()) m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    chooseScales();
    addAxes();
    if (isBarChart()) addBars();
    if (!m_spec.hasCategories()) addLines();
    m_xAxis->setRange(m_xScale.toAxis(m_xScale.low), m_xScale.toAxis(m_xScale.high));
    m_yAxis->setRange(m_yScale.toAxis(m_yScale.low), m_yScale.toAxis(m_yScale.high));
    new LayerItem(*this, false);
    m_overlay = new LayerItem(*this, true);
    connect(m_chart, &QChart::plotAreaChanged, this, &BuiltChart::computeGeometry);
}

BuiltChart::~BuiltChart() = default;

bool BuiltChart::isBarChart() const {
    return m_spec.kind == ChartKind::GroupedBars || m_spec.kind == ChartKind::StackedBars;
}

void BuiltChart::chooseScales() {
    std::vector<double> xs;
    std::vector<double> ys;
    std::vector<double> totals(static_cast<std::size_t>(m_spec.categories.size()), 0.0);
    for (const auto& series : m_spec.series) {
        for (std::size_t index = 0; index < series.points.size(); ++index) {
            const auto& point = series.points[index];
            if (point.x) xs.push_back(*point.x);
            if (point.xInterval && !series.faint) xs.insert(xs.end(), {point.xInterval->low, point.xInterval->high});
            const auto y = drawable(point.y, m_spec.y.scale);
            if (!y) continue;
            ys.push_back(*y);
            if (m_spec.kind == ChartKind::StackedBars && !series.asMark && index < totals.size()) totals[index] += *y;
            if (point.interval && !series.faint) ys.insert(ys.end(), {point.interval->low, point.interval->high});
        }
    }
    ys.insert(ys.end(), totals.begin(), totals.end());
    if (m_spec.kind != ChartKind::StackedBars) ys.resize(ys.size() - totals.size());
    for (const auto& reference : m_spec.references) (reference.vertical ? xs : ys).push_back(reference.value);

    AxisRequest request{m_spec.y.scale, m_spec.kind != ChartKind::Scatter, 6, m_spec.y.ticks, 0.06};
    m_yScale = axisScale(ys, request);
    if (m_spec.hasCategories()) {
        m_xScale = {
            ChartScale::Linear, -0.5, static_cast<double>(std::max<qsizetype>(m_spec.categories.size(), 1)) - 0.5, {}};
    } else {
        m_xScale = axisScale(xs, {m_spec.x.scale, false, 6, m_spec.x.ticks, m_spec.x.ticks.empty() ? 0.02 : 0.05});
    }
}

void BuiltChart::addAxes() {
    m_xAxis = new QValueAxis(m_chart);
    m_yAxis = new QValueAxis(m_chart);
    m_xAxis->setVisible(false);
    m_yAxis->setVisible(false);
    m_chart->addAxis(m_xAxis, Qt::AlignBottom);
    m_chart->addAxis(m_yAxis, Qt::AlignLeft);
    m_ruler = new QLineSeries(m_chart);
    m_chart->addSeries(m_ruler);
    m_ruler->attachAxis(m_xAxis);
    m_ruler->attachAxis(m_yAxis);
}

void BuiltChart::layOutLegend(double top, double width) {
    const QFontMetricsF metrics(labelFont(m_style));
    const bool bars = isBarChart();
    std::vector<DrawnLegend> entries;
    bool predicted = false;
    for (const auto& series : m_spec.series) {
        for (const auto& point : series.points)
            predicted = predicted || (isHollow(point) && point.y && !series.unmarked && !series.guide);
        auto look = m_spec.kind == ChartKind::Lines ? LegendLook::MarkerOnLine : LegendLook::Marker;
        if (bars) look = series.asMark ? LegendLook::MarkAcross : LegendLook::Square;
        if (series.unmarked) look = LegendLook::Line;
        if (series.guide) look = LegendLook::Guide;
        entries.push_back({{}, series.name, series.colour, look, false});
    }
    if (entries.size() < 2 && !predicted) entries.clear();
    if (predicted) {
        entries.push_back({{}, tr("hollow: predicted"), 0, bars ? LegendLook::Square : LegendLook::Marker, true});
    }
    double x = kMargin;
    double y = top;
    const double height = metrics.height() + 4;
    for (auto& entry : entries) {
        const double needed = std::min(kLegendSwatch + metrics.horizontalAdvance(entry.text) + 2, width - 2 * kMargin);
        if (x > kMargin && x + needed > width - kMargin) {
            x = kMargin;
            y += height;
        }
        entry.box = QRectF(x, y, needed, height);
        x += needed + kLegendGap;
    }
    m_geometry.legend = std::move(entries);
}

void BuiltChart::resize(const QSizeF& size) {
    const QFontMetricsF metrics(labelFont(m_style));
    const QFontMetricsF titleMetrics(titleFont(m_style));
    m_geometry.size = size;
    double top = kMargin;
    const double textWidth = std::max(size.width() - 2 * kMargin - m_style.reservedTopRight, 40.0);
    const auto takeRow = [&](QRectF& box, bool present, double height, double width) {
        box = QRectF(kMargin, top, width, present ? height : 0);
        if (present) top += height;
    };
    takeRow(m_geometry.titleBox, !m_spec.title.isEmpty(), titleMetrics.height() + 2, textWidth);
    takeRow(m_geometry.subtitleBox, !m_spec.subtitle.isEmpty(), metrics.height() + 2, textWidth);
    top = std::max(top + 6, m_style.reservedTopRight > 0 ? m_style.reservedHeight : 0.0);
    layOutLegend(top, size.width());
    if (!m_geometry.legend.empty()) top = m_geometry.legend.back().box.bottom() + 6;
    takeRow(m_geometry.yCaptionBox, !m_spec.y.caption().isEmpty(), metrics.height() + 2, size.width() - 2 * kMargin);
    top += 6;

    double tickWidth = 0;
    for (const double tick : m_yScale.ticks) {
        tickWidth = std::max(tickWidth, metrics.horizontalAdvance(tickLabel(m_yScale, tick)));
    }
    const double left = kMargin + tickWidth + 8;
    const double width = std::max(size.width() - left - kMargin - 4, 20.0);
    const double labels = layOutCategories(left, width, (size.height() - top) * kMostForLabels);
    const bool xCaption = !m_spec.x.caption().isEmpty();
    const double below = 6 + labels + (xCaption ? metrics.height() + 6 : 0) + kMargin - 4;
    const QRectF plot(left, top, width, std::max(size.height() - top - below, 20.0));
    for (auto& category : m_geometry.categories) {
        category.box.setTop(plot.bottom() + 6);
        category.box.setHeight(labels);
    }
    m_geometry.xCaptionBox =
        QRectF(plot.left(), size.height() - kMargin - metrics.height() + 2, plot.width(), metrics.height());

    if (m_bars) {
        const double widest = kWidestBar * m_slotCount * static_cast<double>(m_spec.categories.size()) / plot.width();
        m_groupWidth = std::min(kGroupWidth, widest);
        m_bars->setBarWidth(m_groupWidth);
    }
    m_overlay->geometryChanges();
    m_scene.setSceneRect(QRectF(QPointF(), size));
    m_chart->resize(size);
    m_chart->setPlotArea(plot);
    computeGeometry();
}

void BuiltChart::computeGeometry() {
    m_geometry.plot = m_chart->plotArea();
    m_geometry.marks.clear();
    m_geometry.intervals.clear();
    m_geometry.bands.clear();
    m_geometry.pointLabels.clear();
    m_geometry.unknowns.clear();
    m_geometry.references.clear();
    placeTicks();
    placePoints();
    placeValueLabels();
    placeReferences();
    placePointLabels();
    m_scene.update();
}

void BuiltChart::placeReferences() {
    for (const auto& reference : m_spec.references) {
        if (reference.vertical) {
            if (m_spec.hasCategories() || !drawable(reference.value, m_spec.x.scale)) continue;
            m_geometry.references.push_back(
                {map(m_xScale.toAxis(reference.value), m_yScale.low).x(), reference.label, true});
        } else if (drawable(reference.value, m_spec.y.scale)) {
            m_geometry.references.push_back(
                {map(m_xScale.toAxis(m_xScale.low), reference.value).y(), reference.label, false});
        }
    }
}

void BuiltChart::placeTicks() {
    m_geometry.yTicks.clear();
    m_geometry.xTicks.clear();
    for (const double tick : m_yScale.ticks) {
        m_geometry.yTicks.push_back({map(m_xScale.toAxis(m_xScale.low), tick).y(), tickLabel(m_yScale, tick)});
    }
    if (m_spec.hasCategories()) return;
    const QFontMetricsF metrics(labelFont(m_style));
    double free = -1e9;  // the first pixel not taken by a label
    for (const double tick : m_xScale.ticks) {
        const double x = map(m_xScale.toAxis(tick), m_yScale.low).x();
        auto label = tickLabel(m_xScale, tick);
        const double half = metrics.horizontalAdvance(label) / 2;
        if (x - half < free) label.clear();
        if (!label.isEmpty()) free = x + half + 8;
        m_geometry.xTicks.push_back({x, label});
    }
}

void BuiltChart::placePoints() {
    if (m_spec.kind == ChartKind::StackedBars) placeStackedMarks();
    for (int series = 0; series < static_cast<int>(m_spec.series.size()); ++series) {
        const auto& one = m_spec.series[static_cast<std::size_t>(series)];
        if (one.guide) continue;
        for (int index = 0; index < static_cast<int>(one.points.size()); ++index) {
            const auto& point = one.points[static_cast<std::size_t>(index)];
            if (!m_spec.hasCategories()) {
                placeNumberMark({series, index}, point);
            } else if (m_spec.kind != ChartKind::StackedBars || one.asMark) {
                placeGroupedMark({series, index}, point);
            }
        }
    }
}

QPointF BuiltChart::map(double axisX, double y) const {
    return m_chart->mapToPosition(QPointF(axisX, m_yScale.toAxis(y)), m_ruler);
}

void BuiltChart::placeInterval(PointRef ref, const ChartPoint& point, double x, double halfCap) {
    if (!point.interval || !std::isfinite(point.interval->low) || !std::isfinite(point.interval->high)) return;
    const double anyX = m_xScale.toAxis(m_xScale.low);
    // An end that a logarithmic axis cannot show is drawn at its foot.
    m_geometry.intervals.push_back(
        {ref, x, map(anyX, point.interval->low).y(), map(anyX, point.interval->high).y(), halfCap});
}

QString BuiltChart::tickLabel(const AxisScale& scale, double tick) const {
    const QLocale locale;
    // Round numbers of five digits and more: "10 k", "2.5 M".
    static constexpr std::pair<double, const char*> kPrefixes[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
    for (const auto& [factor, prefix] : kPrefixes) {
        if (scale.high < 9999.5 || std::fabs(tick) < factor) continue;
        return locale.toString(tick / factor, 'g', 4) + QLatin1String(prefix);
    }
    if (tick == std::round(tick) && std::fabs(tick) < 1e15) return Format::integer(std::llround(tick), locale);
    double step = std::fabs(tick);
    if (scale.scale == ChartScale::Linear && scale.ticks.size() > 1) step = scale.ticks[1] - scale.ticks[0];
    int decimals = 0;  // as many as the step needs: 0.25 has two
    for (double rest = step; decimals < 12 && std::fabs(rest - std::round(rest)) > 1e-6 * rest; rest *= 10) ++decimals;
    return locale.toString(tick, 'f', decimals);
}

void BuiltChart::render(QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    m_scene.render(&painter, QRectF(QPointF(), m_geometry.size), QRectF(QPointF(), m_geometry.size));
}

}  // namespace steelyard::ui
