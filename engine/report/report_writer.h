// SPDX-License-Identifier: Apache-2.0
// Writes runs as a document. The report's texts can be replaced (report_texts.h); CSV and JSON have fixed English
// names, as they are read by programs. Pure functions, except writeReport(), which replaces the file atomically; any
// thread.
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
// By the suffix (.md .markdown .html .htm .csv .json), case-insensitive.
[[nodiscard]] std::optional<ReportFormat> formatOf(const std::filesystem::path& file);

struct ReportOptions {
    ReportTexts texts;
    ReportStamp stamp;
    std::vector<ReportTable> advice;        // from adviceTables(); shown in Markdown and HTML
    std::vector<ReportChart> adviceCharts;  // from adviceCharts(); shown in HTML
    bench::Variance betweenRuns;            // HistoryStore::spreadBetweenRuns, if runs have records without visits
    std::vector<std::string> adviceJson;    // by advisor::adviceJson(); the member "advice" of a JSON report
};

[[nodiscard]] std::string toMarkdown(std::span<const bench::RunRecord> runs, const ReportOptions& options);
// A self-contained file: no scripts, no external resources, light or dark by the reader's system.
[[nodiscard]] std::string toHtml(std::span<const bench::RunRecord> runs, const ReportOptions& options);
// RFC 4180 with
// ; one row per case, units in the header, unknown values are empty.
[[nodiscard]] std::string toCsv(std::span<const bench::RunRecord> runs);

// Without the paths of data folders: reports are shared.
[[nodiscard]] std::string toReport(ReportFormat format, std::span<const bench::RunRecord> runs,
                                   const ReportOptions& options);
// The format is determined by the file's suffix; InvalidArgument if it is unknown.
[[nodiscard]] Result<void> writeReport(const std::filesystem::path& file, std::span<const bench::RunRecord> runs,
                                       const ReportOptions& options);

}  // namespace steelyard::report
