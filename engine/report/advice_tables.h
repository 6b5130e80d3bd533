// SPDX-License-Identifier: Apache-2.0
// Recommendations for the jobs of a report and the prediction error, as tables for ReportOptions. Pure functions.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/advisor/evidence/backtest.h"
#include "engine/advisor/rank/ranking.h"
#include "engine/report/report_model.h"

namespace steelyard::report {

struct AdvisedJob {
    advisor::AdviceRequest request;
    advisor::Advice advice;
    std::string headline;  // the answer in a sentence; may be empty
};

// Converts a reason to a sentence, in the report's language.
using ReasonText = std::function<std::string(const advisor::Reason&)>;

// The three choices with times, costs, bands and reasons, followed by the top of the ranking.
[[nodiscard]] std::vector<ReportTable> adviceTables(
    std::span<const AdvisedJob> jobs, const ReportTexts& texts,
    const ReasonText& reasonText = [](const advisor::Reason& reason) { return advisor::englishText(reason); });
// Cost of the top-ranked candidates, with bands, one chart per job.
[[nodiscard]] std::vector<ReportChart> adviceCharts(std::span<const AdvisedJob> jobs, const ReportTexts& texts);
// Error and coverage per class.
[[nodiscard]] ReportTable backtestTable(const advisor::BacktestReport& backtest, const ReportTexts& texts);

}  // namespace steelyard::report
