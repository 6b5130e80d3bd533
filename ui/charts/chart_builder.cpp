// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_builder.h"

#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QFontMetricsF>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QHorizontalBarSeries>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QStackedBarSeries>
#include <QValueAxis>
#include <QtMath>
#include <algorithm>
#include <cmath>

#include "ui/charts/label_layout.h"
#include "ui/charts/label_wrap.h"
#include "ui/charts/thinning.h"
#include "ui/text/format.h"

namespace steelyard::ui {
namespace {

constexpr double kMargin = 12;          // pixels, around the chart
constexpr double kGroupWidth = 0.72;    // maximum fraction of a category for its bars
constexpr double kWidestBar = 64;       // pixels
constexpr double kWidestRow = 18;       // pixels, of a bar in a row
constexpr double kMostForNames = 0.36;  // maximum fraction of the width for the names of rows
constexpr double kMarkerSize = 9;       // pixels
constexpr double kFaintMarkerSize = 5;

// Values that the axis can show: known, finite, and positive on a logarithmic axis.
// The ends of the intervals, as far as they may widen the axis of the values.
void addIntervals(std::vector<double>& values, const std::vector<ChartInterval>& intervals, ChartScale scale) {
    const auto reach = reachOfIntervals(values, scale);
    for (const auto& interval : intervals)
        values.insert(values.end(), {std::max(interval.low, reach.low), std::min(interval.high, reach.high)});
}

std::optional<double> drawable(const std::optional<double>& value, ChartScale scale) {
    if (!value || !std::isfinite(*value)) return std::nullopt;
    if (scale == ChartScale::Logarithmic && *value <= 0) return std::nullopt;
    return value;
}

bool isHollow(const ChartPoint& point) {
    return point.basis == Basis::Predicted;
}

}  // namespace

namespace {

constexpr double kLegendSwatch = 22;
constexpr double kLegendGap = 18;
constexpr double kMostForLabels = 0.4;  // maximum fraction of the remaining height for slanted category labels

}  // namespace

// One of the two layers around the series; a child of the chart, so that it is part of every rendering of the scene.
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
    // Bar lengths are meaningless on an axis without zero.
    if (m_spec.kind == ChartKind::GroupedBars && m_spec.y.scale == ChartScale::Logarithmic)
        m_spec.kind = ChartKind::Dots;
    m_slotCount = 0;
    for (const auto& series : m_spec.series) {
        const bool ownSlot = m_spec.kind != ChartKind::StackedBars && !series.asMark;
        m_slots.push_back(ownSlot ? m_slotCount++ : -1);
    }
    m_slotCount = std::max(m_slotCount, 1);
    if (m_spec.hasRows() && m_spec.kind == ChartKind::Dots) shareSlots();

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
    auto* categoryAxis = m_spec.hasRows() ? m_yAxis : m_xAxis;
    auto* valueAxis = m_spec.hasRows() ? m_xAxis : m_yAxis;
    categoryAxis->setRange(m_xScale.toAxis(m_xScale.low), m_xScale.toAxis(m_xScale.high));
    valueAxis->setRange(m_yScale.toAxis(m_yScale.low), m_yScale.toAxis(m_yScale.high));
    m_yAxis->setReverse(m_spec.hasRows());
    new LayerItem(*this, false);
    m_overlay = new LayerItem(*this, true);
    connect(m_chart, &QChart::plotAreaChanged, this, &BuiltChart::computeGeometry);
}

BuiltChart::~BuiltChart() = default;

// Marks of a row with a single known value are centred.
void BuiltChart::shareSlots() {
    for (qsizetype row = 0; row < m_spec.categories.size(); ++row) {
        const auto known = std::count_if(m_spec.series.begin(), m_spec.series.end(), [row](const ChartSeries& series) {
            return row < static_cast<qsizetype>(series.points.size()) &&
                   series.points[static_cast<std::size_t>(row)].y.has_value();
        });
        if (known > 1) return;
    }
    for (auto& slot : m_slots) slot = std::min(slot, 0);
    m_slotCount = 1;
}

bool BuiltChart::isBarChart() const {
    return m_spec.kind == ChartKind::GroupedBars || m_spec.kind == ChartKind::StackedBars;
}

void BuiltChart::chooseScales() {
    std::vector<double> xs;
    std::vector<double> ys;
    std::vector<ChartInterval> xIntervals;
    std::vector<ChartInterval> yIntervals;
    std::vector<double> totals(static_cast<std::size_t>(m_spec.categories.size()), 0.0);
    for (const auto& series : m_spec.series) {
        for (std::size_t index = 0; index < series.points.size(); ++index) {
            const auto& point = series.points[index];
            if (point.x) xs.push_back(*point.x);
            if (point.xInterval && !series.faint) xIntervals.push_back(*point.xInterval);
            const auto y = drawable(point.y, m_spec.y.scale);
            if (!y) continue;
            ys.push_back(*y);
            if (m_spec.kind == ChartKind::StackedBars && !series.asMark && index < totals.size()) totals[index] += *y;
            if (point.interval && !series.faint) yIntervals.push_back(*point.interval);
        }
    }
    ys.insert(ys.end(), totals.begin(), totals.end());
    if (m_spec.kind != ChartKind::StackedBars) ys.resize(ys.size() - totals.size());
    for (const auto& reference : m_spec.references) (reference.vertical ? xs : ys).push_back(reference.value);
    addIntervals(xs, xIntervals, m_spec.x.scale);
    addIntervals(ys, yIntervals, m_spec.y.scale);
    if (const auto& span = m_spec.y.span) ys.insert(ys.end(), {span->low, span->high});

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
    bool predicted = false, doubtful = false;
    for (const auto& series : m_spec.series) {
        for (const auto& point : series.points) {
            predicted = predicted || (isHollow(point) && point.y && !series.unmarked && !series.guide);
            doubtful = doubtful || (point.role == PointRole::Doubtful && point.y);
        }
        auto look = m_spec.kind == ChartKind::Lines ? LegendLook::MarkerOnLine : LegendLook::Marker;
        if (bars) look = series.asMark ? LegendLook::MarkAcross : LegendLook::Square;
        if (series.unmarked) look = LegendLook::Line;
        if (series.guide) look = LegendLook::Guide;
        entries.push_back({{}, series.name, series.colour, look, false});
        entries.back().faint = series.faint;
    }
    if (entries.size() < 2 && !predicted) entries.clear();
    const auto own = bars ? LegendLook::Square : LegendLook::Marker;
    if (predicted) entries.push_back({{}, tr("hollow = estimate"), 0, own, true, PointRole::Ordinary});
    if (doubtful)
        entries.push_back({{}, tr("measured while other programs used the CPU"), 0, own, false, PointRole::Doubtful});
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
    const bool caption = !m_spec.hasRows() && !m_spec.y.caption().isEmpty();
    takeRow(m_geometry.yCaptionBox, caption, metrics.height() + 2, size.width() - 2 * kMargin);
    top += 6;

    if (m_spec.hasRows()) {
        setPlotArea(size, layOutRows(size, top));
        return;
    }
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
    setPlotArea(size, plot);
}

double BuiltChart::heightOfRows(const ChartSpec& spec, const ChartStyle& style) {
    if (!spec.hasRows()) return 0;
    constexpr double kAroundRows = 7;  // lines: titles, legend, axis labels
    constexpr double kRowLines = 1.45;
    return QFontMetricsF(labelFont(style)).height() *
           (kAroundRows + kRowLines * static_cast<double>(spec.categories.size()));
}

void BuiltChart::setPlotArea(const QSizeF& size, const QRectF& plot) {
    m_overlay->geometryChanges();
    m_scene.setSceneRect(QRectF(QPointF(), size));
    m_chart->resize(size);
    m_chart->setPlotArea(plot);
    computeGeometry();
}

// Names at the left, as wide as the longest up to kMostForNames of the chart, value labels at the right, the value axis
// at the bottom, the labels of reference lines at the top.
QRectF BuiltChart::layOutRows(const QSizeF& size, double top) {
    const QFontMetricsF metrics(labelFont(m_style));
    auto bold = labelFont(m_style);
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF boldMetrics(bold);
    const auto rows = std::max<qsizetype>(m_spec.categories.size(), 1);
    m_geometry.rows = true;
    m_geometry.slantedCategories = false;
    m_geometry.yCaptionBox = {};
    m_geometry.categories.clear();
    double names = 0;
    for (const auto& name : m_spec.categories) names = std::max(names, boldMetrics.horizontalAdvance(name));
    names = std::min(names + 2, size.width() * kMostForNames);
    double values = 0;
    for (const auto& series : m_spec.series)
        for (const auto& point : series.points)
            if (point.y) values = std::max(values, metrics.horizontalAdvance(valueText(point)));
    const double left = kMargin + names + 10;
    const double labels = m_spec.references.empty() ? 0 : metrics.height() + 4;
    const double below = 6 + metrics.height() + (m_spec.y.caption().isEmpty() ? 0 : metrics.height() + 4) + kMargin - 4;
    const double right = size.width() - kMargin;
    const double width = std::max(right - left - (values > 0 ? values + 12 : 4), 20.0);
    const QRectF plot(left, top + labels, width, std::max(size.height() - top - labels - below, 20.0));
    m_geometry.valuesRight = right;
    m_geometry.xCaptionBox =
        QRectF(plot.left(), size.height() - kMargin - metrics.height() + 2, plot.width(), metrics.height());
    const double height = plot.height() / static_cast<double>(rows);
    for (qsizetype row = 0; row < m_spec.categories.size(); ++row) {
        DrawnCategory category;
        category.own = std::any_of(m_spec.series.begin(), m_spec.series.end(), [row](const ChartSeries& series) {
            const auto index = static_cast<std::size_t>(row);
            return index < series.points.size() && series.points[index].role == PointRole::Own;
        });
        category.box = QRectF(kMargin, plot.top() + height * static_cast<double>(row), names, height);
        const auto& name = m_spec.categories[row];
        const auto text = (category.own ? boldMetrics : metrics).elidedText(name, Qt::ElideRight, names);
        category.elided = text != name;
        category.lines = {text};
        m_geometry.categories.push_back(std::move(category));
    }
    if (m_bars) {
        const double widest = kWidestRow * m_slotCount / height;
        m_groupWidth = std::min(kGroupWidth, widest);
        m_bars->setBarWidth(m_groupWidth);
    }
    return plot;
}

QString BuiltChart::valueText(const ChartPoint& point) const {
    if (!point.value.isEmpty()) return point.value;
    return point.y ? Format::compact(*point.y) : QString();
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
    const auto across = [this](double value) {
        return m_spec.hasRows() ? map(0, value).x() : map(m_xScale.toAxis(m_xScale.low), value).y();
    };
    for (const auto& reference : m_spec.references) {
        if (m_spec.hasRows()) {
            if (!reference.vertical && drawable(reference.value, m_spec.y.scale)) {
                m_geometry.references.push_back({across(reference.value), reference.label, true});
                if (reference.near)
                    m_geometry.references.back().near = {across(reference.near->low), across(reference.near->high)};
            }
        } else if (reference.vertical) {
            if (m_spec.hasCategories() || !drawable(reference.value, m_spec.x.scale)) continue;
            m_geometry.references.push_back(
                {map(m_xScale.toAxis(reference.value), m_yScale.low).x(), reference.label, true, reference.limit});
        } else if (drawable(reference.value, m_spec.y.scale)) {
            m_geometry.references.push_back({across(reference.value), reference.label, false, reference.limit});
        }
    }
}

void BuiltChart::placeTicks() {
    m_geometry.yTicks.clear();
    m_geometry.xTicks.clear();
    const bool rows = m_spec.hasRows();
    for (const double tick : m_yScale.ticks) {
        if (rows) break;
        m_geometry.yTicks.push_back({map(m_xScale.toAxis(m_xScale.low), tick).y(), tickLabel(m_yScale, tick)});
    }
    if (m_spec.hasCategories() && !rows) return;
    const QFontMetricsF metrics(labelFont(m_style));
    double free = -1e9;  // first pixel without a label
    const auto& scale = rows ? m_yScale : m_xScale;
    for (const double tick : scale.ticks) {
        const double x = rows ? map(0, tick).x() : map(m_xScale.toAxis(tick), m_yScale.low).x();
        auto label = tickLabel(scale, tick);
        if (const auto fixed = std::ranges::find(m_spec.x.ticks, tick); !rows && fixed != m_spec.x.ticks.end())
            label = m_spec.x.tickTexts.value(fixed - m_spec.x.ticks.begin(), label);
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
    const double value = m_yScale.toAxis(y);
    return m_chart->mapToPosition(m_spec.hasRows() ? QPointF(value, axisX) : QPointF(axisX, value), m_ruler);
}

void BuiltChart::placeInterval(PointRef ref, const ChartPoint& point, double x, double halfCap) {
    if (!point.interval || !std::isfinite(point.interval->low) || !std::isfinite(point.interval->high)) return;
    const double anyX = m_xScale.toAxis(m_xScale.low);
    const auto end = [&](double value) {
        const auto position = map(anyX, std::clamp(value, m_yScale.low, m_yScale.high));
        return m_spec.hasRows() ? position.x() : position.y();
    };
    DrawnInterval drawn;
    drawn.ref = ref;
    drawn.x = x;
    drawn.yLow = end(point.interval->low);
    drawn.yHigh = end(point.interval->high);
    drawn.halfCap = halfCap;
    drawn.across = m_spec.hasRows();
    drawn.openLow = point.interval->low < m_yScale.low;
    drawn.openHigh = point.interval->high > m_yScale.high;
    m_geometry.intervals.push_back(drawn);
}

QString BuiltChart::tickLabel(const AxisScale& scale, double tick) const {
    const QLocale locale;
    // Round numbers of at least five digits: "10 k", "2.5 M".
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

// Charts with categories: bars beside each other, stacks, marks.
namespace {

// Labels of categories narrower than this many line heights are slanted if words would be broken.
constexpr double kWideEnoughForWords = 5;

}  // namespace

void BuiltChart::addBars() {
    const bool stacked = m_spec.kind == ChartKind::StackedBars;
    if (m_spec.hasRows()) {
        m_bars = stacked ? static_cast<QAbstractBarSeries*>(new QHorizontalStackedBarSeries(m_chart))
                         : new QHorizontalBarSeries(m_chart);
    } else {
        m_bars = stacked ? static_cast<QAbstractBarSeries*>(new QStackedBarSeries(m_chart)) : new QBarSeries(m_chart);
    }
    const auto categories = static_cast<std::size_t>(m_spec.categories.size());
    // A stack with a predicted part is drawn by the overlay as a whole, so that nothing covers that part.
    std::vector<bool> overlaid(categories, false);
    for (const auto& series : m_spec.series) {
        for (std::size_t index = 0; stacked && index < std::min(categories, series.points.size()); ++index) {
            if (!series.asMark && isHollow(series.points[index])) overlaid[index] = true;
        }
    }
    for (const auto& series : m_spec.series) {
        if (series.asMark) continue;
        auto* set = new QBarSet(series.name, m_bars);
        set->setColor(m_style.theme.series[static_cast<std::size_t>(series.colour) % m_style.theme.series.size()]);
        set->setPen(stacked ? QPen(m_style.theme.surface, 1) : QPen(Qt::NoPen));
        for (std::size_t index = 0; index < categories; ++index) {
            // Zero as a placeholder: a missing value would shift the following bars to other categories.
            double value = 0;
            if (index < series.points.size() && !isHollow(series.points[index]) && !overlaid[index]) {
                value = drawable(series.points[index].y, m_spec.y.scale).value_or(0);
            }
            set->append(value);
        }
        m_bars->append(set);
    }
    m_chart->addSeries(m_bars);
    m_bars->attachAxis(m_xAxis);
    m_bars->attachAxis(m_yAxis);
}

double BuiltChart::layOutCategories(double left, double width, double room) {
    m_geometry.categories.clear();
    m_geometry.slantedCategories = false;
    const QFontMetricsF metrics(labelFont(m_style));
    if (!m_spec.hasCategories() || m_spec.categories.isEmpty()) return metrics.height();
    const double slot = width / static_cast<double>(m_spec.categories.size());
    qsizetype lines = 1;
    bool broken = false;
    for (qsizetype index = 0; index < m_spec.categories.size(); ++index) {
        auto wrapped = wrapLabel(m_spec.categories[index], metrics, slot - 6);
        DrawnCategory category;
        category.box = QRectF(left + slot * static_cast<double>(index) + 2, 0, slot - 4, 0);
        category.lines = std::move(wrapped.lines);
        category.elided = wrapped.elided;
        lines = std::max(lines, category.lines.size());
        broken = broken || wrapped.broken;
        m_geometry.categories.push_back(std::move(category));
    }
    if (broken && slot < kWideEnoughForWords * metrics.height()) return slantCategories(left, slot, room);
    return static_cast<double>(lines) * metrics.height();
}

double BuiltChart::slantCategories(double left, double slot, double room) {
    const QFontMetricsF metrics(labelFont(m_style));
    const double sine = std::sin(qDegreesToRadians(kCategorySlant));
    const double cosine = std::cos(qDegreesToRadians(kCategorySlant));
    m_geometry.slantedCategories = true;
    double height = metrics.height();
    for (std::size_t index = 0; index < m_geometry.categories.size(); ++index) {
        // Ends below the middle of its category and starts at the left edge of the chart at the earliest.
        const double middle = left + slot * (static_cast<double>(index) + 0.5);
        const double longest = std::min(room / sine, (middle - kMargin) / cosine) - metrics.height() / 2;
        const auto& name = m_spec.categories[static_cast<qsizetype>(index)];
        const auto text = metrics.elidedText(name, Qt::ElideRight, longest);
        auto& category = m_geometry.categories[index];
        category.lines = {text};
        category.elided = text != name;
        height = std::max(height, metrics.horizontalAdvance(text) * sine + metrics.height() * cosine);
    }
    return height;
}

double BuiltChart::slotCentre(int series, int category) const {
    const int slot = m_slots[static_cast<std::size_t>(series)];
    if (slot < 0) return category;
    const double group = m_spec.kind == ChartKind::Dots ? kGroupWidth : m_groupWidth;
    return category - group / 2 + group * (slot + 0.5) / m_slotCount;
}

double BuiltChart::slotWidth() const {
    const double group = m_spec.kind == ChartKind::Dots ? kGroupWidth : m_groupWidth;
    const double categories = static_cast<double>(std::max<qsizetype>(m_spec.categories.size(), 1));
    const double length = m_spec.hasRows() ? m_geometry.plot.height() : m_geometry.plot.width();
    return length / categories * group / m_slotCount;
}

// A bar from one value to another, as wide as its slot.
QRectF BuiltChart::barBox(double centre, double foot, double end) const {
    const auto from = map(centre, foot);
    const auto to = map(centre, end);
    const double half = slotWidth() / 2;
    if (m_spec.hasRows()) return QRectF(QPointF(from.x(), to.y() - half), QPointF(to.x(), to.y() + half)).normalized();
    return QRectF(QPointF(to.x() - half, to.y()), QPointF(to.x() + half, from.y())).normalized();
}

// The dash of an unknown value, at the base of its position.
QPointF BuiltChart::footOf(double centre) const {
    return map(centre, m_yScale.low) + (m_spec.hasRows() ? QPointF(9, 0) : QPointF(0, -7));
}

void BuiltChart::placeGroupedMark(PointRef ref, const ChartPoint& point) {
    if (ref.point >= m_spec.categories.size()) return;
    const auto& series = m_spec.series[static_cast<std::size_t>(ref.series)];
    const double centre = slotCentre(ref.series, ref.point);
    const auto y = drawable(point.y, m_spec.y.scale);
    if (!y) {
        if (!series.asMark) m_geometry.unknowns.push_back({ref, footOf(centre)});
        return;
    }
    DrawnMark mark;
    mark.ref = ref;
    mark.centre = map(centre, *y);
    mark.hollow = isHollow(point);
    mark.role = point.role;
    if (series.asMark) {
        const double length = m_spec.hasRows() ? m_geometry.plot.height() : m_geometry.plot.width();
        const double half = length / static_cast<double>(m_spec.categories.size()) * m_groupWidth * 0.58;
        mark.box = QRectF(mark.centre.x() - half, mark.centre.y() - 3, 2 * half, 6);
        if (m_spec.hasRows()) mark.box = QRectF(mark.centre.x() - 3, mark.centre.y() - half, 6, 2 * half);
    } else if (m_spec.kind == ChartKind::GroupedBars) {
        mark.bar = true;
        mark.box = barBox(centre, 0, *y);
    } else {
        mark.box = QRectF(mark.centre - QPointF(kMarkerSize, kMarkerSize) / 2, QSizeF(kMarkerSize, kMarkerSize));
    }
    m_geometry.marks.push_back(mark);
    placeInterval(ref, point, m_spec.hasRows() ? mark.centre.y() : mark.centre.x(),
                  std::clamp(slotWidth() * 0.22, 3.0, 7.0));
}

void BuiltChart::placeStackedMarks() {
    for (int category = 0; category < m_spec.categories.size(); ++category) {
        double total = 0;
        bool any = false;
        bool overlaid = false;
        const auto pointOf = [&](const ChartSeries& series) -> const ChartPoint* {
            if (series.asMark || category >= static_cast<int>(series.points.size())) return nullptr;
            return &series.points[static_cast<std::size_t>(category)];
        };
        for (const auto& series : m_spec.series) {
            const auto* point = pointOf(series);
            overlaid = overlaid || (point && isHollow(*point));
        }
        for (int series = 0; series < static_cast<int>(m_spec.series.size()); ++series) {
            const auto* point = pointOf(m_spec.series[static_cast<std::size_t>(series)]);
            const auto y = point ? drawable(point->y, m_spec.y.scale) : std::nullopt;
            if (!y) continue;
            any = true;
            const double foot = total;
            total += *y;
            DrawnMark mark;
            mark.ref = {series, category};
            mark.centre = map(category, total);
            mark.bar = true;
            mark.hollow = isHollow(*point);
            mark.overlaid = overlaid && !mark.hollow;
            mark.role = point->role;
            mark.box = barBox(category, foot, total);
            m_geometry.marks.push_back(mark);
        }
        if (!any) m_geometry.unknowns.push_back({{0, category}, footOf(category)});
    }
}

// At the right end of each row; none for rows with several values.
void BuiltChart::placeRowValues() {
    std::vector<int> marksOfRow(static_cast<std::size_t>(m_spec.categories.size()), 0);
    const auto pointOf = [this](const DrawnMark& mark) -> const ChartPoint& {
        return m_spec.series[static_cast<std::size_t>(mark.ref.series)]
            .points[static_cast<std::size_t>(mark.ref.point)];
    };
    for (const auto& mark : m_geometry.marks)
        if (m_spec.kind != ChartKind::StackedBars || !pointOf(mark).value.isEmpty())
            ++marksOfRow[static_cast<std::size_t>(mark.ref.point)];
    for (auto& mark : m_geometry.marks) {
        if (m_spec.kind == ChartKind::StackedBars && pointOf(mark).value.isEmpty()) continue;
        if (marksOfRow[static_cast<std::size_t>(mark.ref.point)] == 1) mark.valueLabel = valueText(pointOf(mark));
    }
}

void BuiltChart::placeValueLabels() {
    if (m_spec.hasRows()) {
        placeRowValues();
        return;
    }
    if (m_spec.kind != ChartKind::GroupedBars && m_spec.kind != ChartKind::Dots) return;
    const QFontMetricsF metrics(labelFont(m_style));
    double widest = 0;
    std::vector<QString> labels;
    for (const auto& mark : m_geometry.marks) {
        const auto& point =
            m_spec.series[static_cast<std::size_t>(mark.ref.series)].points[static_cast<std::size_t>(mark.ref.point)];
        labels.push_back(Format::compact(*point.y));
        widest = std::max(widest, metrics.horizontalAdvance(labels.back()));
    }
    if (widest + 2 > slotWidth()) return;  // all or none
    for (std::size_t index = 0; index < labels.size(); ++index) m_geometry.marks[index].valueLabel = labels[index];
}

// Charts of numbers on both axes: lines, curves, scattered points and their labels.
namespace {

constexpr int kLineColumns = 1000;  // resolution for thinning lines: about the pixels of a chart's width

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

// One QLineSeries per solid or dashed stretch: the cost is per series, not per point.
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
    // Wide lines that go up and down in every column are slow to draw, and look no better than thin ones.
    auto drawn = pen;
    if (points.size() > static_cast<qsizetype>(kManyMarks)) drawn.setWidthF(0);
    line->setPen(drawn);
    line->replace(thinnedLine(points, kLineColumns));
    m_chart->addSeries(line);
    line->attachAxis(m_xAxis);
    line->attachAxis(m_yAxis);
}

// One QLineSeries for all points, so that a curve of thousands stays responsive.
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
    mark.role = point.role;
    const auto& series = m_spec.series[static_cast<std::size_t>(ref.series)];
    mark.unmarked = series.unmarked;
    const double size = series.faint ? kFaintMarkerSize : kMarkerSize;
    mark.box = QRectF(mark.centre - QPointF(size, size) / 2, QSizeF(size, size));
    m_geometry.marks.push_back(mark);
    if (series.faint) return;
    placeInterval(ref, point, mark.centre.x(), 4);
    if (point.xInterval && drawable(point.xInterval->low, m_spec.x.scale)) {
        const auto end = [&](double value) {
            return map(m_xScale.toAxis(std::clamp(value, m_xScale.low, m_xScale.high)), *y).x();
        };
        m_geometry.bands.push_back({ref, mark.centre.y(), end(point.xInterval->low), end(point.xInterval->high)});
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
        // Labels may cover faint marks and thin interval lines, but no other marks.
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
