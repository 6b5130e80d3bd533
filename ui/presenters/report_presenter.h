// SPDX-License-Identifier: Apache-2.0
// Content of a report: the engine's tables translated, the summary, the recommendation and the charts. The preview, the
// PDF and all other formats are generated from this value. Pure functions.
#pragma once

#include <QCoreApplication>
#include <QStringList>
#include <optional>
#include <vector>

#include "engine/advisor/evidence/backtest.h"
#include "engine/bench/check/check_report.h"
#include "engine/bench/record/record.h"
#include "engine/report/report_writer.h"
#include "ui/charts/chart_spec.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/presenters/advice/language_question.h"
#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui {

struct ReportContent {
    std::vector<bench::RunRecord> runs;  // none or one
    QStringList summary;                 // sentences at the beginning
    report::ReportModel model;
    report::ReportOptions options;
    std::vector<report::ReportTable> advice;  // choices and ranking
    std::vector<report::ReportTable> prices;  // of the recommendation
    std::vector<report::ReportTable> backtest;
    std::vector<report::ReportTable> check;  // of the machine, if it is the run's
    std::vector<ChartSpec> charts;
};

// Parts of a report; missing ones are omitted.
struct ReportSources {
    const bench::RunRecord* run = nullptr;
    const AdviceAnswer* advice = nullptr;
    const LanguageAnswer* language = nullptr;
    const advisor::BacktestReport* backtest = nullptr;
    const bench::CheckReport* check = nullptr;
    advisor::PurchaseRequest purchase;
    bool rawSamples = true;
};

class ReportPresenter {
    Q_DECLARE_TR_FUNCTIONS(ReportPresenter)

public:
    static ReportContent content(const ReportSources& sources, const WorkloadCatalogue& catalogue,
                                 const report::ReportStamp& stamp);
    // For a run: speed, memory and sweeps, as available.
    static std::vector<ChartSpec> chartsOf(const bench::RunRecord& run, const WorkloadCatalogue& catalogue);
    static std::vector<ChartSpec> chartsOf(const AdviceAnswer& answer, const advisor::PurchaseRequest& plan);
    static std::vector<ChartSpec> chartsOf(const LanguageAnswer& answer);
    // The most expensive case of the run, as a question for the advisor; unset if it has no result.
    static std::optional<AdviceQuestion> questionAbout(const bench::RunRecord& run, const AdviceOptions& options);

private:
    static TableContent choicesTable(const AdvicePresenter& presenter);
    static report::ReportTable backtestTable(const advisor::BacktestReport& backtest);
    static void addAdvice(ReportContent& content, const AdviceAnswer& answer, const advisor::PurchaseRequest& purchase);
    static void addLanguage(ReportContent& content, const LanguageAnswer& answer);
};

}  // namespace steelyard::ui
