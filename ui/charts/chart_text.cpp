// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_text.h"

#include <QLocale>

#include "ui/text/format.h"

namespace steelyard::ui {
namespace {

const ChartPoint& pointOf(const ChartSpec& spec, const PointRef& ref) {
    return spec.series[static_cast<std::size_t>(ref.series)].points[static_cast<std::size_t>(ref.point)];
}

QString withUnit(const QString& number, const QString& unit) {
    return unit.isEmpty() ? number : QStringLiteral("%1 %2").arg(number, unit);
}

// Six digits without an exponent.
QString exact(double value) {
    const QLocale locale;
    if (value != 0 && (std::abs(value) >= 1e6 || std::abs(value) < 1e-3)) return Format::number(value, locale);
    return locale.toString(value, 'g', 6);
}

}  // namespace

QString ChartText::place(const ChartSpec& spec, const PointRef& ref) {
    if (spec.hasCategories()) return spec.categories.value(ref.point);
    const auto& point = pointOf(spec, ref);
    return point.x ? withUnit(exact(*point.x), spec.x.unit) : Format::unknown();
}

QString ChartText::exactValue(const ChartSpec& spec, const ChartPoint& point) {
    return point.y ? withUnit(exact(*point.y), spec.y.unit) : Format::unknown();
}

QString ChartText::interval(const ChartPoint& point) {
    return point.interval ? QStringLiteral("%1–%2").arg(exact(point.interval->low), exact(point.interval->high))
                          : QString();
}

QString ChartText::intervalName(const ChartSpec& spec) {
    return spec.intervalName.isEmpty() ? tr("95 % interval") : spec.intervalName;
}

QString ChartText::state(const ChartPoint& point) {
    QString text;
    if (!point.y) {
        text = point.reason.isEmpty() ? tr("not measured") : point.reason;
    } else {
        switch (point.basis) {
            case Basis::Measured:
                text = tr("measured");
                break;
            case Basis::Predicted:
                text = tr("predicted");
                break;
            case Basis::Imported:
                text = tr("imported");
                break;
        }
    }
    if (point.role == PointRole::Doubtful) text += QStringLiteral("; ") + tr("disturbed by other programs");
    return point.note.isEmpty() ? text : QStringLiteral("%1; %2").arg(text, point.note);
}

QString ChartText::hover(const ChartSpec& spec, const PointRef& ref) {
    const auto& point = pointOf(spec, ref);
    const auto place = spec.hasCategories() ? ChartText::place(spec, ref)
                                            : QStringLiteral("%1 %2").arg(spec.x.title, ChartText::place(spec, ref));
    auto text = QStringLiteral("%1 · %2\n").arg(place, spec.series[static_cast<std::size_t>(ref.series)].name);
    if (!point.label.isEmpty()) text.prepend(point.label + QLatin1Char('\n'));
    text += exactValue(spec, point);
    if (point.interval) text += QLatin1Char('\n') + intervalName(spec) + QLatin1Char(' ') + interval(point);
    if (point.xInterval) {
        text +=
            QStringLiteral("\n%1 %2–%3").arg(spec.x.title, exact(point.xInterval->low), exact(point.xInterval->high));
    }
    return text + QLatin1Char('\n') + state(point);
}

QString ChartText::description(const ChartSpec& spec) {
    if (!spec.description.isEmpty()) return spec.description;
    if (!spec.hasValues()) return spec.emptyText;
    std::optional<std::pair<double, QString>> low;
    std::optional<std::pair<double, QString>> high;
    for (int series = 0; series < static_cast<int>(spec.series.size()); ++series) {
        const auto& one = spec.series[static_cast<std::size_t>(series)];
        for (int index = 0; index < static_cast<int>(one.points.size()); ++index) {
            const auto& y = one.points[static_cast<std::size_t>(index)].y;
            if (!y) continue;
            const auto name = QStringLiteral("%1, %2").arg(place(spec, {series, index}), one.name);
            if (!low || *y < low->first) low = {*y, name};
            if (!high || *y > high->first) high = {*y, name};
        }
    }
    return tr("%1 from %2 (%3) to %4 (%5).")
        .arg(spec.y.caption(), Format::number(low->first), low->second, Format::number(high->first), high->second);
}

}  // namespace steelyard::ui
