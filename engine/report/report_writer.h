// SPDX-License-Identifier: Apache-2.0
// Runs as a document. The texts of the report can be replaced (report_texts.h); CSV and JSON have fixed English names,
// as programs read them. Pure functions, but for writeReport(), which replaces the file atomically; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/bench/record/record.h"
#include "engine/core/error.h"
#include "engine/report/report_model.h"
#include "engine/report/report_texts.h"

namespace steelyard::report {

enum class ReportFormat { Markdown, Html, Csv, Json };
// "md", "html", "csv", "json".
[[nodiscard]] std::string_view fileSuffix(ReportFormat format);
// By the suffix (.md .markdown .html .htm .csv .json), whatever its case.
[[nodiscard]] std::optional<ReportFormat> formatOf(const std::filesystem::path& file);

struct ReportOptions {
    ReportTexts texts;
    ReportStamp stamp;
    std::vector<ReportTable> advice;        // by adviceTables(); Markdown and HTML show it
    std::vector<ReportChart> adviceCharts;  // by adviceCharts(); HTML shows them
    bench::Variance betweenRuns;            // HistoryStore::spreadBetweenRuns, where runs have records without visits
    std::vector<std::string> adviceJson;    // by advisor::adviceJson(); the member "advice" of a JSON report
};

[[nodiscard]] std::string toMarkdown(std::span<const bench::RunRecord> runs, const ReportOptions& options);
// One file that stands alone: no scripts, nothing to load, light or dark as the reader's system is.
[[nodiscard]] std::string toHtml(std::span<const bench::RunRecord> runs, const ReportOptions& options);
// RFC 4180 with \n; one row per case, units in the header, an unknown value is empty.
[[nodiscard]] std::string toCsv(std::span<const bench::RunRecord> runs);

// Without the ways to folders of data: reports are given away.
[[nodiscard]] std::string toReport(ReportFormat format, std::span<const bench::RunRecord> runs,
                                   const ReportOptions& options);
// The format by the file's suffix; InvalidArgument when it is none of the known ones.
[[nodiscard]] Result<void> writeReport(const std::filesystem::path& file, std::span<const bench::RunRecord> runs,
                                       const ReportOptions& options);

}  // namespace steelyard::report
