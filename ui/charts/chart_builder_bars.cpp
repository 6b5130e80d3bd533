// SPDX-License-Identifier: Apache-2.0
// Charts with categories: bars beside each other, stacks, marks.
#include <QBarSeries>
#include <QBarSet>
#include <QChart>
#include <QFontMetricsF>
#include <QStackedBarSeries>
#include <QValueAxis>
#include <QtMath>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_builder.h"
#include "ui/charts/chart_builder_detail.h"
#include "ui/charts/label_wrap.h"
#include "ui/text/format.h"

namespace steelyard::ui {

using namespace chartdetail;

namespace {

// A category narrower than so many lines are high has its label slanted when words would be broken.
constexpr double kWideEnoughForWords = 5;

}  // namespace

void BuiltChart::addBars() {
    const bool stacked = m_spec.kind == ChartKind::StackedBars;
    if (stacked) {
        m_bars = new QStackedBarSeries(m_chart);
    } else {
        m_bars = new QBarSeries(m_chart);
    }
    const auto categories = static_cast<std::size_t>(m_spec.categories.size());
    // A stack with a predicted part is drawn by the overlay as a whole, for nothing may stand in the place of that
    // part.
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
            // Zero keeps the place: a value left out would move the following bars to other categories.
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
        // It ends below its category's middle and begins not before the left edge of the chart.
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
    return m_geometry.plot.width() / categories * group / m_slotCount;
}

void BuiltChart::placeGroupedMark(PointRef ref, const ChartPoint& point) {
    if (ref.point >= m_spec.categories.size()) return;
    const auto& series = m_spec.series[static_cast<std::size_t>(ref.series)];
    const double centre = slotCentre(ref.series, ref.point);
    const auto y = drawable(point.y, m_spec.y.scale);
    if (!y) {
        if (!series.asMark) m_geometry.unknowns.push_back({ref, map(centre, m_yScale.low) - QPointF(0, 7)});
        return;
    }
    DrawnMark mark;
    mark.ref = ref;
    mark.centre = map(centre, *y);
    mark.hollow = isHollow(point);
    if (series.asMark) {
        const double half =
            m_geometry.plot.width() / static_cast<double>(m_spec.categories.size()) * m_groupWidth * 0.58;
        mark.box = QRectF(mark.centre.x() - half, mark.centre.y() - 3, 2 * half, 6);
    } else if (m_spec.kind == ChartKind::GroupedBars) {
        mark.bar = true;
        const double foot = map(centre, 0).y();
        mark.box = QRectF(QPointF(mark.centre.x() - slotWidth() / 2, mark.centre.y()),
                          QPointF(mark.centre.x() + slotWidth() / 2, foot))
                       .normalized();
    } else {
        mark.box = QRectF(mark.centre - QPointF(kMarkerSize, kMarkerSize) / 2, QSizeF(kMarkerSize, kMarkerSize));
    }
    m_geometry.marks.push_back(mark);
    placeInterval(ref, point, mark.centre.x(), std::clamp(slotWidth() * 0.22, 3.0, 7.0));
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
            const auto foot = map(category, total);
            total += *y;
            DrawnMark mark;
            mark.ref = {series, category};
            mark.centre = map(category, total);
            mark.bar = true;
            mark.hollow = isHollow(*point);
            mark.overlaid = overlaid && !mark.hollow;
            mark.box =
                QRectF(mark.centre.x() - slotWidth() / 2, mark.centre.y(), slotWidth(), foot.y() - mark.centre.y());
            m_geometry.marks.push_back(mark);
        }
        if (!any) m_geometry.unknowns.push_back({{0, category}, map(category, m_yScale.low) - QPointF(0, 7)});
    }
}

void BuiltChart::placeValueLabels() {
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
    if (widest + 2 > slotWidth()) return;  // all of them or none
    for (std::size_t index = 0; index < labels.size(); ++index) m_geometry.marks[index].valueLabel = labels[index];
}

}  // namespace steelyard::ui
