// SPDX-License-Identifier: Apache-2.0
// Private to this folder: the tables of a report, one function each. A table without rows is omitted.
#pragma once

#include "engine/report/report_model.h"

namespace steelyard::report {

[[nodiscard]] ReportTable resultsTable(const bench::RunRecord& run, const ReportTexts& texts);
[[nodiscard]] ReportTable languageTable(const bench::RunRecord& run, const ReportTexts& texts);
[[nodiscard]] ReportTable notMeasuredTable(const bench::RunRecord& run, const ReportTexts& texts);
[[nodiscard]] ReportTable conditionsTable(const bench::RunRecord& run, const ReportTexts& texts);
[[nodiscard]] ReportTable warningsTable(const bench::RunRecord& run, const ReportTexts& texts);
[[nodiscard]] ReportTable rawTable(const bench::RunRecord& run, const ReportTexts& texts);
[[nodiscard]] ReportTable comparisonTable(const bench::RunRecord& base, const bench::RunRecord& other,
                                          const ReportTexts& texts, const bench::Variance& betweenRuns);

}  // namespace steelyard::report
