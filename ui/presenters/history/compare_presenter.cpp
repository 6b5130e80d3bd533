// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/history/compare_presenter.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/bench/compare/run_comparison.h"
#include "engine/bench/protocol/distributions.h"
#include "engine/bench/protocol/verdict.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"

namespace steelyard::ui {
namespace {

// `compared`: the compared time, if any.
TableCell medianCell(const bench::CaseRecord& record, std::optional<double> compared) {
    if (!record.stepSeconds) {
        const auto why = record.reason.empty() ? StatusText::name(record.status) : MessageText::text(record.reason);
        return {Format::unknown(), why, {}, {}};
    }
    const auto& step = *record.stepSeconds;
    if (compared && bench::isOfOtherState(record, *compared))
        return {Format::number(*compared / kMillisecond),
                ComparePresenter::tr("In the machine state that both runs had; in the one it was in most: %1 ms")
                    .arg(Format::number(step.median / kMillisecond)),
                *compared,
                {}};
    auto text = Format::number(step.median / kMillisecond);
    if (step.ci95Low && step.ci95High) {
        text += QStringLiteral(" (%1)").arg(Format::range(*step.ci95Low / kMillisecond, *step.ci95High / kMillisecond));
    }
    return {text, ComparePresenter::tr("n = %1").arg(Format::integer(step.n)), step.median, {}};
}

TableCell verdictCell(const bench::Comparison& comparison) {
    auto cell = TableCell{
        StatusText::name(comparison.verdict), StatusText::reason(comparison), {}, StatusText::tone(comparison.verdict)};
    if (const auto& test = comparison.test) {
        const auto evidence = (test->betweenRuns ? ComparePresenter::tr("t-test between runs, p = %1")
                                                 : ComparePresenter::tr("t-test between visits, p = %1"))
                                  .arg(QLocale().toString(test->pValue, 'g', 2));
        cell.hover = cell.hover.isEmpty() ? evidence : QStringLiteral("%1 %2").arg(cell.hover, evidence);
    }
    if (comparison.reason == bench::Reason::Disturbed) {
        cell.text = ComparePresenter::tr("not comparable: CPU busy");
        cell.tone = Tone::Caution;
    }
    cell.sortBy = static_cast<double>(comparison.verdict);
    return cell;
}

// Reported first if all cases shifted by one factor.
QString shiftText(const bench::MachineShift& shift) {
    const auto percent = Format::percent(std::abs(shift.ratio - 1));
    if (shift.arithmeticMoved)
        return (shift.ratio > 1 ? ComparePresenter::tr("The whole machine is %1 slower than before.")
                                : ComparePresenter::tr("The whole machine is %1 faster than before."))
            .arg(percent);
    return (shift.ratio > 1 ? ComparePresenter::tr(
                                  "Every case is about %1 slower, but the machine's arithmetic and memory are not: "
                                  "the program or its libraries differ.")
                            : ComparePresenter::tr(
                                  "Every case is about %1 faster, but the machine's arithmetic and memory are not: "
                                  "the program or its libraries differ."))
        .arg(percent);
}

// Interval of the ratio, from the test between visits or runs.
std::optional<ChartInterval> intervalOf(const bench::Comparison& comparison) {
    const auto& test = comparison.test;
    if (!test) return std::nullopt;
    const double half = bench::studentQuantile(bench::kSignificance, test->degrees) * test->standardError;
    return ChartInterval{test->ratio * std::exp(-half), test->ratio * std::exp(half)};
}

// Only if the results were compared: those of different machine states, or of a busy machine, say nothing about the
// change.
TableCell changeCell(const bench::Comparison& comparison) {
    if (!comparison.ratio || comparison.reason == bench::Reason::OtherState ||
        comparison.reason == bench::Reason::Disturbed)
        return {Format::unknown(), StatusText::reason(comparison), {}, {}};
    if (const auto interval = intervalOf(comparison))
        return {QStringLiteral("%1 (%2)").arg(Format::number(*comparison.ratio),
                                              Format::range(interval->low, interval->high)),
                {},
                comparison.ratio,
                {}};
    return {Format::number(*comparison.ratio), {}, comparison.ratio, {}};
}

PointRole roleOf(bench::Verdict verdict) {
    if (verdict == bench::Verdict::Faster) return PointRole::Better;
    return verdict == bench::Verdict::Slower ? PointRole::Worse : PointRole::Ordinary;
}

ChartPoint changePoint(const bench::Comparison& comparison) {
    ChartPoint point;
    const auto& test = comparison.test;
    if (!test) {
        point.reason = StatusText::reason(comparison);
        return point;
    }
    point.y = test->ratio;
    point.interval = intervalOf(comparison);
    point.role = roleOf(comparison.verdict);
    point.note = StatusText::name(comparison.verdict);
    const double change = test->ratio - 1;
    if (comparison.verdict == bench::Verdict::NoEvidence)
        point.value = ComparePresenter::tr("no evidence");
    else
        point.value = (change > 0 ? ComparePresenter::tr("%1 slower") : ComparePresenter::tr("%1 faster"))
                          .arg(Format::percent(std::abs(change)));
    return point;
}

// Cases with the short names of the table; sorted by change.
ChartSpec forest(const TableContent& table, const std::vector<bench::ComparedCase>& pairs) {
    ChartSpec chart;
    chart.kind = ChartKind::Dots;
    chart.rows = true;
    chart.title = ComparePresenter::tr("Change of the time per step");
    chart.emptyText = ComparePresenter::tr("No case of the two runs can be compared.");
    chart.y = {ComparePresenter::tr("Time after over time before, less is better"), {}, ChartScale::Logarithmic, {}};
    chart.references.push_back({ComparePresenter::tr("no change"), 1, false, false,
                                ChartInterval{1 - bench::kPracticalDifference, 1 + bench::kPracticalDifference}});
    std::vector<std::size_t> order(pairs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto ratioOf = [&](std::size_t index) {
        const auto& test = pairs[index].comparison.test;
        return test ? test->ratio : 0;
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return ratioOf(a) > ratioOf(b); });
    ChartSeries series;
    series.name = ComparePresenter::tr("after / before");
    for (const auto index : order) {
        chart.categories << table.rows[index].cells.front().text;
        series.points.push_back(changePoint(pairs[index].comparison));
        series.points.back().key = table.rows[index].key;
    }
    chart.series.push_back(std::move(series));
    return chart;
}

void count(RunComparison& result, bench::Verdict verdict) {
    switch (verdict) {
        case bench::Verdict::Faster:
            ++result.faster;
            break;
        case bench::Verdict::Slower:
            ++result.slower;
            break;
        case bench::Verdict::NoEvidence:
            ++result.noEvidence;
            break;
        case bench::Verdict::NotComparable:
            ++result.notComparable;
            break;
    }
}

// Omits parts common to all cases, such as the device; the full name is shown on hover.
void shortenCases(TableContent& table) {
    const auto separator = QStringLiteral(" · ");
    std::vector<QStringList> names;
    for (const auto& row : table.rows) names.push_back(row.cells.front().text.split(separator));
    if (names.size() < 2) return;
    QStringList common;
    for (const auto& part : names.front().mid(1))
        if (std::all_of(names.begin(), names.end(), [&](const auto& name) { return name.mid(1).contains(part); }))
            common << part;
    for (std::size_t i = 0; i < names.size(); ++i) {
        auto& cell = table.rows[i].cells.front();
        QStringList shown{names[i].front()};
        for (const auto& part : names[i].mid(1))
            if (!common.contains(part)) shown << part;
        cell.hover = std::exchange(cell.text, shown.join(separator));
    }
}

}  // namespace

QString ComparePresenter::runName(const bench::RunRecord& run) {
    QStringList parts{StatusText::suite(run.suite), Format::dateTime(run.startedUnixMs)};
    if (!run.computer.empty()) parts << QString::fromStdString(run.computer);
    return parts.join(QStringLiteral(", "));
}

RunComparison ComparePresenter::compare(const bench::RunRecord& base, const bench::RunRecord& other, bench::Scope scope,
                                        const WorkloadCatalogue& catalogue, const bench::Variance& betweenRuns) {
    RunComparison result;
    result.table.columns = {{tr("Case"), false, {}},
                            {tr("Verdict"), false, {}},
                            {tr("Change"), true, tr("Ratio of the times with its interval; below 1 is faster")},
                            {tr("Before (ms)"), true, runName(base)},
                            {tr("After (ms)"), true, runName(other)},
                            {tr("Why"), false, {}}};
    const auto pairs = bench::compareRuns(base, other, betweenRuns, scope);
    for (const auto& pair : pairs) {
        const auto& record = pair.base;
        const auto& second = pair.other;
        const auto& comparison = pair.comparison;
        count(result, comparison.verdict);
        TableRow row;
        row.key = QString::fromStdString(bench::caseHash(record.spec));
        row.cells = {{RecordsPresenter::title(record, catalogue), {}, {}, {}},
                     verdictCell(comparison),
                     changeCell(comparison),
                     medianCell(record, comparison.test ? std::optional(comparison.test->baseSeconds) : std::nullopt),
                     medianCell(second, comparison.test ? std::optional(comparison.test->otherSeconds) : std::nullopt),
                     {StatusText::reason(comparison), {}, {}, {}}};
        result.table.rows.push_back(std::move(row));
    }
    shortenCases(result.table);
    result.chart = forest(result.table, pairs);
    result.chart.subtitle =
        tr("Before: %1. After: %2. Grey: within ±%3 %, too small to count as a change.")
            .arg(runName(base), runName(other), Format::integer(std::lround(100 * bench::kPracticalDifference)));
    const int common = static_cast<int>(result.table.rows.size());
    result.unmatched = static_cast<int>(base.records.size() + other.records.size()) - 2 * common;
    if (common == 0) {
        result.summary = tr("The two runs have no case in common.");
        return result;
    }
    const auto shift = scope == bench::Scope::SameDevice ? bench::machineShiftOf(pairs) : std::nullopt;
    if (shift) result.summary = shiftText(*shift) + QLatin1Char(' ');
    result.summary +=
        tr("Of %n common case(s): %1 faster, %2 slower, %3 without evidence of a difference.", nullptr, common)
            .arg(Format::integer(result.faster), Format::integer(result.slower), Format::integer(result.noEvidence));
    if (result.notComparable > 0)
        result.summary += QLatin1Char(' ') + tr("%n cannot be compared.", nullptr, result.notComparable);
    if (result.unmatched > 0)
        result.summary += QLatin1Char(' ') + tr("%n case(s) only in one of the runs.", nullptr, result.unmatched);
    return result;
}

}  // namespace steelyard::ui
