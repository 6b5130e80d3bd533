// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/study_presenter.h"

#include <algorithm>
#include <vector>

#include "ui/text/advice_text.h"
#include "ui/text/format.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

using advisor::Configuration;
using advisor::StudyCell;
using advisor::WorkloadStudy;

QString nameOf(const Configuration& configuration) {
    return plain(configuration.name());
}

const StudyCell* cellOf(const WorkloadStudy& workload, const Configuration& configuration) {
    const auto found = std::find_if(workload.cells.begin(), workload.cells.end(),
                                    [&](const StudyCell& cell) { return cell.configuration == configuration; });
    return found == workload.cells.end() ? nullptr : &*found;
}

TableCell number(const QString& text, double sortBy) {
    return {text, {}, sortBy, {}};
}

}  // namespace

QString StudyPresenter::baseline() const {
    if (!m_options.baseline.empty()) return plain(m_options.baseline);
    return m_study.rows.empty() ? QString() : nameOf({m_study.rows.front().platform, m_study.rows.front().variant});
}

QString StudyPresenter::verdict() const {
    if (!m_report.winner) return tr("No configuration was measured on every workload, so none wins over all of them.");
    auto text = tr("Best overall: %1.").arg(nameOf(*m_report.winner));
    QStringList ranges;
    for (std::size_t i = 0; i < m_report.overall.size(); ++i) {
        const auto& range = m_report.overall[i];
        const auto name = nameOf(range.winner);
        const auto from = QLocale().toString(range.from, 'f', 2);
        if (i + 1 < m_report.overall.size()) {
            const auto to = QLocale().toString(m_report.overall[i + 1].from, 'f', 2);
            ranges << (i == 0 ? tr("%1 below %2").arg(name, to) : tr("%1 from %2 to %3").arg(name, from, to));
        } else if (i > 0) {
            ranges << tr("%1 above %2").arg(name, from);
        }
    }
    if (ranges.isEmpty()) return text + QLatin1Char(' ') + tr("It is the best at every time weight.");
    return text + QLatin1Char(' ') + tr("By time weight: %1.").arg(ranges.join(tr("; ")));
}

QString StudyPresenter::source() const {
    QStringList parts;
    for (const auto& part : {m_study.source, m_study.date, m_study.link}) {
        if (!part.empty()) parts << plain(part);
    }
    if (!m_study.notes.empty()) parts << AdviceText::studyNotes(m_study.notes);
    return parts.join(QStringLiteral(" · "));
}

ChartSpec StudyPresenter::relative(Measure measure) const {
    const bool time = measure == Measure::Time;
    ChartSpec chart;
    chart.kind = ChartKind::Dots;
    chart.title = time ? tr("Relative time") : tr("Relative cost");
    chart.subtitle = tr("%1 · %2 is 1").arg(AdviceText::studyTitle(m_study.title), baseline());
    chart.emptyText = tr("The table has no rows.");
    chart.y = {
        time ? tr("Time of an epoch") : tr("Cost of an epoch"), QStringLiteral("×"), ChartScale::Logarithmic, {}};
    chart.references.push_back({tr("as %1").arg(baseline()), 1});
    std::vector<Configuration> configurations;
    for (const auto& workload : m_report.workloads) {
        for (const auto& cell : workload.cells) {
            if (std::find(configurations.begin(), configurations.end(), cell.configuration) == configurations.end())
                configurations.push_back(cell.configuration);
        }
    }
    for (const auto& configuration : configurations) chart.categories << nameOf(configuration);
    int colour = 0;
    for (const auto& workload : m_report.workloads) {
        ChartSeries series{plain(workload.workload), colour++ % 7};
        for (const auto& configuration : configurations) {
            ChartPoint point;
            point.basis = Basis::Imported;
            point.note = plain(m_study.source);
            const auto* cell = cellOf(workload, configuration);
            if (cell && workload.baseline) {
                point.y = time ? cell->relativeTime : cell->relativeCost;
            } else {
                point.reason = cell ? tr("the baseline was not measured on this workload") : tr("not in the table");
            }
            series.points.push_back(std::move(point));
        }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

ChartSpec StudyPresenter::timeAgainstCost(std::size_t index) const {
    ChartSpec chart;
    chart.kind = ChartKind::Scatter;
    chart.title = tr("Time against cost");
    chart.emptyText = tr("The table has no rows.");
    if (index >= m_report.workloads.size()) return chart;
    const auto& workload = m_report.workloads[index];
    chart.subtitle = QStringLiteral("%1 · %2").arg(plain(workload.workload), AdviceText::studyTitle(m_study.title));
    chart.x = {tr("Time of an epoch"), QStringLiteral("s"), ChartScale::Logarithmic, {}};
    chart.y = {tr("Cost of an epoch"), plain(symbolOf(Currency::UsDollar)), ChartScale::Logarithmic, {}};
    ChartSeries line{tr("no machine beats these on both time and price"), 1, false, {}, true};
    ChartSeries front{tr("best trade-offs"), 0};
    ChartSeries others{tr("the others"), 6};
    for (const auto& cell : workload.cells) {
        ChartPoint point;
        point.basis = Basis::Imported;
        point.x = cell.epochSeconds;
        point.y = cell.usdPerEpoch;
        point.label = nameOf(cell.configuration);
        point.note = plain(m_study.source);
        if (cell.onPareto) {
            line.points.push_back(point);
            line.points.back().label.clear();  // the mark itself has it
        }
        (cell.onPareto ? front : others).points.push_back(std::move(point));
    }
    std::sort(line.points.begin(), line.points.end(),
              [](const ChartPoint& a, const ChartPoint& b) { return *a.x < *b.x; });
    if (line.points.size() > 1) chart.series.push_back(std::move(line));
    for (auto* series : {&front, &others}) {
        if (!series->points.empty()) chart.series.push_back(std::move(*series));
    }
    return chart;
}

TableContent StudyPresenter::winners() const {
    TableContent content;
    const auto weight = Format::number(m_options.timeWeight);
    content.columns = {{tr("Workload"), false, {}},
                       {tr("Cheapest"), false, {}},
                       {tr("Cost of an epoch"), true, {}},
                       {tr("Fastest"), false, {}},
                       {tr("Time of an epoch"), true, {}},
                       {tr("Wins at weight %1").arg(weight), false, tr("Minimises cost × time^weight")}};
    for (const auto& workload : m_report.workloads) {
        const auto& cheapest = workload.cells[workload.cheapest];
        const auto& fastest = workload.cells[workload.fastest];
        TableRow row;
        row.key = plain(workload.workload);
        row.cells = {{plain(workload.workload), {}, {}, {}},
                     {nameOf(cheapest.configuration), {}, {}, {}},
                     number(Format::usDollars(cheapest.usdPerEpoch), cheapest.usdPerEpoch),
                     {nameOf(fastest.configuration), {}, {}, {}},
                     number(Format::seconds(fastest.epochSeconds), fastest.epochSeconds),
                     {nameOf(workload.cells[workload.winner].configuration), {}, {}, Tone::Good}};
        content.rows.push_back(std::move(row));
    }
    return content;
}

TableContent StudyPresenter::variants() const {
    TableContent content;
    content.columns = {{tr("Platform"), false, {}},
                       {tr("Variant"), false, {}},
                       {tr("Against"), false, {}},
                       {tr("Median speed-up"), true, {}},
                       {tr("Faster on"), true, {}},
                       {tr("Verdict"), false, tr("A two-sided sign test at the 5 % level over the workloads")}};
    for (const auto& effect : m_report.variants) {
        Tone tone = Tone::Neutral;
        if (effect.verdict == advisor::VariantVerdict::Pays) tone = Tone::Good;
        if (effect.verdict == advisor::VariantVerdict::Costs) tone = Tone::Bad;
        TableRow row;
        row.key = plain(effect.platform + "\n" + effect.variant);
        row.cells = {
            {plain(effect.platform), {}, {}, {}},
            {plain(effect.variant), {}, {}, {}},
            {plain(effect.against), {}, {}, {}},
            number(Format::times(effect.medianSpeedUp), effect.medianSpeedUp),
            number(tr("%1 of %2").arg(effect.faster).arg(effect.workloads), static_cast<double>(effect.faster)),
            {AdviceText::name(effect.verdict), {}, {}, tone}};
        content.rows.push_back(std::move(row));
    }
    return content;
}

TableContent StudyPresenter::figures() const {
    TableContent content;
    content.columns = {
        {tr("Workload"), false, {}},
        {tr("Configuration"), false, {}},
        {tr("Time of an epoch"), true, {}},
        {tr("$/h"), true, {}},
        {tr("Cost of an epoch"), true, {}},
        {tr("Relative time"), true, {}},
        {tr("Relative cost"), true, {}},
        {tr("Break-even price"), true, tr("Factor on its price at which it costs as much as the baseline")},
        {tr("Best trade-off"), false, tr("No machine beats it on both time and price")}};
    for (const auto& workload : m_report.workloads) {
        for (const auto& cell : workload.cells) {
            const bool known = workload.baseline.has_value();
            const auto ratio = [&](double value) {
                return known
                           ? number(QLocale().toString(value, 'f', 4), value)
                           : TableCell{Format::unknown(), tr("the baseline was not measured on this workload"), {}, {}};
            };
            TableRow row;
            row.key = plain(workload.workload) + QLatin1Char('\n') + nameOf(cell.configuration);
            row.cells = {{plain(workload.workload), {}, {}, {}},
                         {nameOf(cell.configuration), {}, {}, {}},
                         number(Format::seconds(cell.epochSeconds), cell.epochSeconds),
                         number(Format::usDollars(cell.usdPerHour), cell.usdPerHour),
                         number(Format::usDollars(cell.usdPerEpoch), cell.usdPerEpoch),
                         ratio(cell.relativeTime),
                         ratio(cell.relativeCost),
                         ratio(cell.breakEvenMultiplier),
                         {cell.onPareto ? tr("yes") : tr("no"),
                          {},
                          {},
                          cell.onPareto ? std::optional(Tone::Good) : std::nullopt}};
            content.rows.push_back(std::move(row));
        }
    }
    return content;
}

}  // namespace steelyard::ui
