// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/report_presenter.h"

#include "engine/advisor/advice_json.h"
#include "engine/report/advice_tables.h"
#include "ui/presenters/advice_presenter.h"
#include "ui/presenters/home_presenter.h"
#include "ui/presenters/results_presenter.h"
#include "ui/presenters/roofline_presenter.h"
#include "ui/text/advice_text.h"
#include "ui/text/report_text.h"

namespace steelyard::ui {
namespace {

report::ReportTable reportTable(const TableContent& content, const QString& title, const QString& note) {
    report::ReportTable table;
    table.title = title.toStdString();
    table.note = note.toStdString();
    for (const auto& column : content.columns) table.columns.push_back({column.title.toStdString(), column.number});
    for (const auto& row : content.rows) {
        std::vector<std::string> cells;
        for (const auto& cell : row.cells) cells.push_back(cell.text.toStdString());
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace

std::vector<ChartSpec> ReportPresenter::chartsOf(const bench::RunRecord& run, const WorkloadCatalogue& catalogue) {
    std::vector<ChartSpec> charts;
    const ResultsPresenter presenter(run, catalogue);
    for (const auto* mode : {"train", "infer"}) {
        if (presenter.hasMode(mode)) charts.push_back(presenter.speed(mode, SpeedUnit::SamplesPerSecond));
    }
    charts.push_back(presenter.memory());
    if (presenter.hasBatchSweep()) charts.push_back(presenter.batchSweep());
    if (presenter.hasThreadScaling()) charts.push_back(presenter.threadScaling());
    if (RooflinePresenter::hasRoofline(run)) charts.push_back(RooflinePresenter::chart(run, catalogue, presenter.subtitle()));
    std::erase_if(charts, [](const ChartSpec& chart) { return !chart.hasValues(); });
    return charts;
}

std::vector<ChartSpec> ReportPresenter::chartsOf(const AdviceAnswer& answer, const PurchasePlan& plan) {
    const AdvicePresenter presenter(answer);
    std::vector<ChartSpec> charts{presenter.timeAgainstCost(), presenter.relative(), presenter.buyOrRent(plan)};
    std::erase_if(charts, [](const ChartSpec& chart) { return !chart.hasValues(); });
    return charts;
}

std::optional<AdviceQuestion> ReportPresenter::questionAbout(const bench::RunRecord& run, const AdviceOptions& options) {
    const bench::CaseRecord* heaviest = nullptr;
    const auto work = [](const bench::CaseRecord& record) {
        const double training = record.spec.mode == "train" ? 1e30 : 0;  // training comes first
        return training + record.flopsPerStep.value_or(0);
    };
    for (const auto& record : run.records) {
        if (record.status != bench::Status::Ok || !options.find(record.spec.workload)) continue;
        if (!heaviest || work(record) > work(*heaviest)) heaviest = &record;
    }
    if (!heaviest) return std::nullopt;
    const auto& workload = *options.find(heaviest->spec.workload);
    AdviceQuestion question;
    question.workload = workload.id;
    question.mode = plan::modeFromString(heaviest->spec.mode).value_or(question.mode);
    question.batch = heaviest->spec.batch;
    question.precision = plan::precisionFromString(heaviest->spec.precision).value_or(question.precision);
    question.epochs = workload.epochs;
    question.samples = workload.samples.value_or(question.samples);
    return question;
}

void ReportPresenter::addAdvice(ReportContent& content, const AdviceAnswer& answer) {
    const AdvicePresenter presenter(answer);
    content.summary << presenter.verdict();
    if (const auto text = presenter.sensitivity(); !text.isEmpty()) content.summary << text;
    content.summary << presenter.footing();
    report::AdvisedJob job{answer.request, answer.advice};
    for (auto& candidate : job.advice.candidates) candidate.title = AdviceText::machine(candidate.title).toStdString();
    const auto reason = [](const advisor::Reason& one) { return AdviceText::reason(one).toStdString(); };
    content.options.advice = report::adviceTables({&job, 1}, content.options.texts, reason);
    content.options.adviceJson = {advisor::adviceJson(answer.request, answer.advice)};
    content.prices = {reportTable(presenter.pricesInFront(), tr("Prices"),
                                  tr("Of the machines recommended and of those that none beats in both time and cost."))};
}

ReportContent ReportPresenter::content(const ReportSources& sources, const WorkloadCatalogue& catalogue,
                                       const report::ReportStamp& stamp) {
    ReportContent content;
    content.options.texts = ReportText::texts();
    content.options.stamp = stamp;
    if (sources.run) {
        content.runs.push_back(*sources.run);
        content.summary << HomePresenter::verdict(sources.run, catalogue);
        content.charts = chartsOf(*sources.run, catalogue);
    }
    content.model = report::buildReport(content.runs, stamp, content.options.texts);
    if (!sources.rawSamples) content.model.rawData.clear();
    if (sources.advice) {
        addAdvice(content, *sources.advice);
        for (auto& chart : chartsOf(*sources.advice, sources.purchase)) content.charts.push_back(std::move(chart));
    }
    if (sources.backtest) content.backtest = {report::backtestTable(*sources.backtest, content.options.texts)};
    // Markdown and HTML show the tables in this order.
    for (const auto& table : content.prices) content.options.advice.push_back(table);
    for (const auto& table : content.backtest) content.options.advice.push_back(table);
    return content;
}

}  // namespace steelyard::ui
