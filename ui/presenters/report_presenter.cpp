// SPDX-License-Identifier: Apache-2.0
#include "ui/presenters/report_presenter.h"

#include <map>

#include "engine/advisor/rank/advice_json.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/presenters/advice/language_presenter.h"
#include "ui/presenters/home_presenter.h"
#include "ui/presenters/results/disturbance_presenter.h"
#include "ui/presenters/results/results_presenter.h"
#include "ui/presenters/results/roofline_presenter.h"
#include "ui/presenters/results/sweep_presenter.h"
#include "ui/text/advice_text.h"
#include "ui/text/format.h"
#include "ui/text/message_text.h"
#include "ui/text/plain.h"
#include "ui/text/report_text.h"

namespace steelyard::ui {
namespace {

constexpr std::size_t kRanked = 12, kRankedOfAKind = 4;

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
    for (const auto mode : plan::kModes) {
        if (presenter.hasMode(mode)) charts.push_back(presenter.speed(mode, SpeedUnit::SamplesPerSecond));
    }
    charts.push_back(presenter.memory());
    const SweepPresenter sweeps(run, catalogue);
    if (sweeps.hasBatchSweep()) charts.push_back(sweeps.batchSweep());
    if (sweeps.hasThreadScaling()) charts.push_back(sweeps.threadScaling());
    if (sweeps.hasGpuScaling()) charts.push_back(sweeps.gpuScaling());
    if (RooflinePresenter::hasRoofline(run))
        charts.push_back(RooflinePresenter::chart(run, catalogue, presenter.subtitle()));
    std::erase_if(charts, [](const ChartSpec& chart) { return !chart.hasValues(); });
    return charts;
}

std::vector<ChartSpec> ReportPresenter::chartsOf(const AdviceAnswer& answer, const advisor::PurchaseRequest& plan) {
    const AdvicePresenter presenter(answer);
    std::vector<ChartSpec> charts{presenter.timeAgainstCost()};
    for (auto& chart : presenter.relative()) charts.push_back(std::move(chart));
    charts.push_back(presenter.buyOrRent(plan));
    std::erase_if(charts, [](const ChartSpec& chart) { return !chart.hasValues(); });
    return charts;
}

std::vector<ChartSpec> ReportPresenter::chartsOf(const LanguageAnswer& answer) {
    const LanguagePresenter presenter(answer);
    std::vector<ChartSpec> charts{presenter.speedAgainstCost(), presenter.costByLoad(), presenter.memory()};
    std::erase_if(charts, [](const ChartSpec& chart) { return !chart.hasValues(); });
    return charts;
}

std::optional<AdviceQuestion> ReportPresenter::questionAbout(const bench::RunRecord& run,
                                                             const AdviceOptions& options) {
    const bench::CaseRecord* heaviest = nullptr;
    const auto work = [](const bench::CaseRecord& record) {
        const double training = record.spec.mode == plan::Mode::Train ? 1e30 : 0;  // training comes first
        return training + record.flopsPerStep.value_or(0);
    };
    for (const auto& record : run.records) {
        if (record.status != bench::Status::Ok || !options.find(record.spec.workload)) continue;
        if (!heaviest || work(record) > work(*heaviest)) heaviest = &record;
    }
    if (!heaviest) return std::nullopt;
    const auto& workload = *options.find(heaviest->spec.workload);
    return withUsual({}, workload, workload.usual(heaviest->spec.mode));
}

void ReportPresenter::addAdvice(ReportContent& content, const AdviceAnswer& answer,
                                const advisor::PurchaseRequest& purchase) {
    const AdvicePresenter presenter(answer);
    content.summary << presenter.verdict();
    if (const auto text = presenter.priceCaution(); !text.isEmpty()) content.summary << text;
    if (const auto text = presenter.sensitivity(); !text.isEmpty()) content.summary << text;
    content.summary << presenter.footing() << presenter.buyOrRentSentence(purchase);
    const auto title = tr("Recommendation: %1").arg(presenter.job());
    content.advice.push_back(reportTable(choicesTable(presenter), title, {}));
    auto ranking = presenter.table(true, 2);
    ranking.columns.resize(5);
    if (ranking.rows.size() > kRanked) ranking.rows.resize(kRanked);
    for (auto& row : ranking.rows) row.cells.resize(5);
    content.advice.push_back(
        reportTable(ranking, tr("Ranking"), tr("The best first; the window shows all, with why each lost.")));
    content.prices = {
        reportTable(presenter.pricesInFront(), tr("Prices"),
                    tr("Of the machines recommended and of those that none beats in both time and cost."))};
}

// The best offers for a language model, or the devices that it fits on.
void ReportPresenter::addLanguage(ReportContent& content, const LanguageAnswer& answer) {
    const LanguagePresenter presenter(answer);
    content.summary << presenter.verdict();
    if (const auto text = presenter.sensitivity(); !text.isEmpty()) content.summary << text;
    content.summary << presenter.footing();
    const auto title =
        QStringLiteral("%1: %2").arg(LanguagePresenter::task(answer.question.task), plain(answer.job.model.spec.title));
    const bool isFit = answer.question.task == LanguageTask::Fit;
    auto ranking = isFit ? presenter.devices() : presenter.offers(true);
    if (!isFit) {  // the best of each kind: to rent, to buy, APIs
        std::map<QString, std::size_t> seen;
        std::erase_if(ranking.rows, [&](const TableRow& row) { return ++seen[row.cells[1].text] > kRankedOfAKind; });
    }
    if (ranking.rows.size() > kRanked) ranking.rows.resize(kRanked);
    if (answer.question.task == LanguageTask::Chat || answer.question.task == LanguageTask::Serve) {
        // Their number is in the reasons, and the page is narrow.
        constexpr std::ptrdiff_t kMachines = 6;
        ranking.columns.erase(ranking.columns.begin() + kMachines);
        for (auto& row : ranking.rows) row.cells.erase(row.cells.begin() + kMachines);
    }
    content.advice.push_back(
        reportTable(ranking, title, tr("The best first; the window shows all, with why each lost.")));
}

TableContent ReportPresenter::choicesTable(const AdvicePresenter& presenter) {
    TableContent table;
    table.columns = {{tr("Choice"), false, {}},         {tr("Machine"), false, {}},        {tr("Device"), false, {}},
                     {tr("Time (estimate)"), true, {}}, {tr("Cost (estimate)"), true, {}}, {tr("Why"), false, {}}};
    for (const auto& choice : presenter.choices()) {
        const auto withBand = [](const QString& value, const QString& band) {
            return QStringLiteral("%1 (%2)").arg(value, band);
        };
        TableRow row;
        for (const auto& text : {choice.heading, choice.machine, choice.device, withBand(choice.time, choice.timeBand),
                                 withBand(choice.cost, choice.costBand), choice.reasons.join(QStringLiteral("; "))})
            row.cells.push_back({text, {}, {}, {}});
        table.rows.push_back(std::move(row));
    }
    return table;
}

report::ReportTable ReportPresenter::backtestTable(const advisor::BacktestReport& backtest) {
    TableContent table;
    table.columns = {{tr("Class"), false, {}},
                     {tr("Measurements"), true, {}},
                     {tr("Median error"), true, {}},
                     {tr("90th percentile"), true, {}},
                     {tr("Within interval"), true, {}}};
    for (const auto& summary : backtest.classes) {
        TableRow row;
        row.cells = {
            {AdviceText::backtestClass(summary.name), {}, {}, {}},
            {Format::integer(static_cast<std::int64_t>(summary.rows)), {}, {}, {}},
            {Format::percent(summary.median), {}, {}, {}},
            {Format::percent(summary.p90), {}, {}, {}},
            {summary.coverageUnseen ? Format::percent(*summary.coverageUnseen) : Format::unknown(), {}, {}, {}}};
        table.rows.push_back(std::move(row));
    }
    return reportTable(
        table, tr("Prediction accuracy"),
        tr("The predictor on published measurements. Devices and families that are left out were not part of the fit; "
           "transferred rows use the shipped constants. The error is predicted over measured, minus one; the last "
           "column is the fraction within an 80 % interval that was fitted without the device or the family."));
}

ReportContent ReportPresenter::content(const ReportSources& sources, const WorkloadCatalogue& catalogue,
                                       const report::ReportStamp& stamp) {
    ReportContent content;
    content.options.texts = ReportText::texts();
    content.options.texts.ofMessage = [](const Message& message) { return MessageText::text(message).toStdString(); };
    content.options.texts.ofWorkload = [catalogue](std::string_view workload) {
        return catalogue.titleOf(std::string(workload));
    };
    content.options.texts.ofCondition = [](std::string_view condition) {
        return MessageText::condition(condition).toStdString();
    };
    content.options.stamp = stamp;
    if (sources.run) {
        content.runs.push_back(*sources.run);
        content.summary << HomePresenter::verdict(sources.run, catalogue);
        if (const auto caution = DisturbancePresenter::banner(*sources.run); !caution.isEmpty())
            content.summary << caution;
        content.charts = chartsOf(*sources.run, catalogue);
    }
    content.model = report::buildReport(content.runs, stamp, content.options.texts);
    if (!sources.rawSamples) content.model.rawData.clear();
    if (sources.advice) {
        addAdvice(content, *sources.advice, sources.purchase);
        for (auto& chart : chartsOf(*sources.advice, sources.purchase)) content.charts.push_back(std::move(chart));
    }
    if (sources.language) {
        addLanguage(content, *sources.language);
        for (auto& chart : chartsOf(*sources.language)) content.charts.push_back(std::move(chart));
    }
    if (sources.backtest) content.backtest = {backtestTable(*sources.backtest)};
    if (sources.check && sources.run && sources.check->computer == sources.run->computer)
        content.check = {report::checkTable(*sources.check, content.options.texts)};
    // For the formats that the engine writes.
    for (const auto* tables : {&content.check, &content.advice, &content.prices, &content.backtest})
        content.options.advice.insert(content.options.advice.end(), tables->begin(), tables->end());
    if (sources.advice)
        content.options.adviceJson = {advisor::adviceJson(sources.advice->request, sources.advice->advice)};
    if (sources.language) content.options.adviceJson.push_back(sources.language->json);
    return content;
}

}  // namespace steelyard::ui
