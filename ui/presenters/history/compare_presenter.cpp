// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/history/compare_presenter.h"

#include "engine/bench/compare/run_comparison.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"

namespace steelyard::ui {
namespace {

TableCell medianCell(const bench::CaseRecord& record) {
    if (!record.stepSeconds) {
        const auto why = record.reason.empty() ? StatusText::name(record.status) : MessageText::text(record.reason);
        return {Format::unknown(), why, {}, {}};
    }
    const auto& step = *record.stepSeconds;
    auto text = Format::number(step.median / kMillisecond);
    if (step.ci95Low && step.ci95High) {
        text += QStringLiteral(" (%1)").arg(Format::range(*step.ci95Low / kMillisecond, *step.ci95High / kMillisecond));
    }
    return {text, ComparePresenter::tr("n = %1").arg(Format::integer(step.n)), step.median, {}};
}

TableCell verdictCell(const bench::Comparison& comparison) {
    auto cell = TableCell{
        StatusText::name(comparison.verdict), StatusText::reason(comparison), {}, StatusText::tone(comparison.verdict)};
    if (const auto pValue = bench::pValueOf(comparison)) {
        const auto evidence = (comparison.visitTest ? ComparePresenter::tr("t-test between visits, p = %1")
                                                    : ComparePresenter::tr("Mann-Whitney p = %1"))
                                  .arg(QLocale().toString(*pValue, 'g', 2));
        cell.hover = cell.hover.isEmpty() ? evidence : QStringLiteral("%1 %2").arg(cell.hover, evidence);
    }
    cell.sortBy = static_cast<double>(comparison.verdict);
    return cell;
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

}  // namespace

QString ComparePresenter::runName(const bench::RunRecord& run) {
    QStringList parts{StatusText::suite(run.suite), Format::dateTime(run.startedUnixMs)};
    if (!run.computer.empty()) parts << QString::fromStdString(run.computer);
    return parts.join(QStringLiteral(", "));
}

RunComparison ComparePresenter::compare(const bench::RunRecord& base, const bench::RunRecord& other, bench::Scope scope,
                                        const WorkloadCatalogue& catalogue) {
    RunComparison result;
    result.table.columns = {{tr("Case"), false, {}},
                            {tr("Base (ms)"), true, runName(base)},
                            {tr("Other (ms)"), true, runName(other)},
                            {tr("Other / base"), true, tr("Ratio of the median times; below 1 is faster")},
                            {tr("Verdict"), false, {}},
                            {tr("Why"), false, {}}};
    for (const auto& pair : bench::compareRuns(base, other)) {
        const auto& record = pair.base;
        const auto& second = pair.other;
        const auto comparison =
            scope == bench::Scope::SameDevice
                ? pair.comparison
                : bench::compareRecords(record, second, {base.suiteVersion, other.suiteVersion}, scope);
        count(result, comparison.verdict);
        TableRow row;
        row.key = QString::fromStdString(bench::caseHash(record.spec));
        row.cells = {
            {RecordsPresenter::title(record, catalogue), {}, {}, {}},
            medianCell(record),
            medianCell(second),
            {comparison.ratio ? Format::number(*comparison.ratio) : Format::unknown(), {}, comparison.ratio, {}},
            verdictCell(comparison),
            {StatusText::reason(comparison), {}, {}, {}}};
        result.table.rows.push_back(std::move(row));
    }
    const int common = static_cast<int>(result.table.rows.size());
    result.unmatched = static_cast<int>(base.records.size() + other.records.size()) - 2 * common;
    if (common == 0) {
        result.summary = tr("The two runs have no case in common.");
        return result;
    }
    result.summary =
        tr("Of %n common case(s): %1 faster, %2 slower, %3 without evidence of a difference.", nullptr, common)
            .arg(Format::integer(result.faster), Format::integer(result.slower), Format::integer(result.noEvidence));
    if (result.notComparable > 0)
        result.summary += QLatin1Char(' ') + tr("%n cannot be compared.", nullptr, result.notComparable);
    if (result.unmatched > 0)
        result.summary += QLatin1Char(' ') + tr("%n case(s) only in one of the runs.", nullptr, result.unmatched);
    return result;
}

}  // namespace steelyard::ui
