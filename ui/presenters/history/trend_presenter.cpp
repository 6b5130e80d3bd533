// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/history/trend_presenter.h"

#include <algorithm>

#include "engine/history/trend_changes.h"
#include "ui/text/format.h"

namespace steelyard::ui {
namespace {

constexpr double kMsPerMinute = 60'000, kMsPerHour = 60 * kMsPerMinute, kMsPerDay = 24 * kMsPerHour;
constexpr std::size_t kFewRuns = 5;  // fewer are equally spaced

// Time since the first run, in a unit that separates the runs; a few runs are equally spaced.
struct TimeAxis {
    QString title;
    double unitMs = kMsPerDay;
    std::int64_t firstUnixMs = 0;
    bool evenly = false;

    [[nodiscard]] double at(const std::vector<history::TrendPoint>& points, std::size_t index) const {
        if (evenly) return static_cast<double>(index + 1);
        return static_cast<double>(points[index].startedUnixMs - firstUnixMs) / unitMs;
    }
};

TimeAxis timeAxis(const std::vector<history::TrendPoint>& points) {
    const auto first = points.front().startedUnixMs;
    if (points.size() < kFewRuns) return {TrendPresenter::tr("Runs"), 1, first, true};
    const auto span = static_cast<double>(points.back().startedUnixMs - first);
    if (span < 2 * kMsPerHour)
        return {TrendPresenter::tr("Minutes since %1").arg(Format::dateTime(first)), kMsPerMinute, first};
    if (span < 2 * kMsPerDay)
        return {TrendPresenter::tr("Hours since %1").arg(Format::dateTime(first)), kMsPerHour, first};
    return {TrendPresenter::tr("Days since %1").arg(Format::date(first)), kMsPerDay, first};
}

// Date of the measurement and reliability of the result.
QString noteOf(const history::TrendPoint& point, const ScaledUnit& unit) {
    auto note = Format::dateTime(point.startedUnixMs);
    if (point.roundTripSeconds)
        note += QLatin1Char('\n') + TrendPresenter::tr("machine state: %1 ns between the cores")
                                        .arg(Format::number(*point.roundTripSeconds * 1e9));
    if (point.otherStateSeconds)
        note += QLatin1Char('\n') + TrendPresenter::tr("in the other state: %1 %2")
                                        .arg(Format::number(*point.otherStateSeconds / unit.divisor), unit.unit);
    return note;
}

}  // namespace

ChartSpec TrendPresenter::chart(const QString& title, const std::vector<history::TrendPoint>& points) {
    ChartSpec chart;
    chart.kind = ChartKind::Lines;
    chart.title = title;
    chart.emptyText = tr("This case was measured once only. Measure it again to see a trend.");
    if (points.size() < 2) return chart;
    double largest = 0;
    for (const auto& point : points) largest = std::max(largest, point.medianSeconds);
    const auto unit = Format::secondsUnit(largest);
    chart.subtitle = tr("on the same computer, with the same settings");
    const auto axis = timeAxis(points);
    chart.x = {axis.title, {}, ChartScale::Linear, {}, {}};
    chart.y = {tr("Median time per step"), unit.unit, ChartScale::Linear, {}};
    ChartSeries series{tr("time per step"), 0};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto& point = points[i];
        ChartPoint one;
        one.x = axis.at(points, i);
        if (axis.evenly) {
            chart.x.ticks.push_back(*one.x);
            chart.x.tickTexts << Format::dateTime(point.startedUnixMs);
        }
        if (point.disturbed) one.role = PointRole::Doubtful;
        one.y = point.medianSeconds / unit.divisor;
        if (point.ci95Low && point.ci95High)
            one.interval = ChartInterval{*point.ci95Low / unit.divisor, *point.ci95High / unit.divisor};
        one.key = QString::fromStdString(point.runId);
        one.note = noteOf(point, unit);
        series.points.push_back(std::move(one));
    }
    chart.series.push_back(std::move(series));
    for (const auto& change : history::trendChanges(points)) {
        const auto percent = Format::percent(std::abs(change.ratio - 1));
        chart.references.push_back(
            {change.ratio < 1 ? tr("%1 less time").arg(percent) : tr("%1 more time").arg(percent),
             axis.at(points, change.position), true});
    }
    return chart;
}

QString TrendPresenter::sentence(const std::vector<history::TrendPoint>& points) {
    if (points.size() < 2) return tr("This case was measured once only. Measure it again to see a trend.");
    const auto changes = history::trendChanges(points);
    const int count = static_cast<int>(points.size());
    if (changes.empty()) return tr("%n run(s): no evidence of a change.", nullptr, count);
    const auto& last = changes.back();
    const auto when = Format::dateTime(points[last.position].startedUnixMs);
    const auto percent = Format::percent(std::abs(last.ratio - 1));
    const auto runs = tr("%n run(s)", nullptr, count);
    const auto changed = tr("%n change(s)", nullptr, static_cast<int>(changes.size()));
    // "5 times slower" is easier to read than "403 % more time".
    const double factor = last.ratio < 1 ? 1 / last.ratio : last.ratio;
    const auto amount = factor < 2 ? percent : Format::times(factor);
    return (last.ratio < 1 ? tr("%1, %2: faster by %3 since %4.") : tr("%1, %2: slower by %3 since %4."))
        .arg(runs, changed, amount, when);
}

}  // namespace steelyard::ui
