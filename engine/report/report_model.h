// SPDX-License-Identifier: Apache-2.0
// The content of a report as plain text before escaping: the formats only lay it out. Plain values; building them is a
// pure function of the runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/bench/check/check_report.h"
#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/record.h"
#include "engine/report/report_texts.h"

namespace steelyard::report {

struct ReportColumn {
    std::string heading;
    bool isNumber = false;  // right-aligned
};

struct ReportTable {
    std::string title;
    std::string note;
    std::vector<ReportColumn> columns;
    std::vector<std::vector<std::string>> rows;  // as many cells as columns
    bool isLong = false;                         // raw data: collapsed if the format supports it
};

struct ReportBar {
    std::string label;
    double value = 0;
    std::optional<double> low, high;
    std::string valueText;
    std::size_t series = 0;  // one series per device
};

// One workload and mode; the bars share an axis starting at 0.
struct ReportChart {
    std::string title;
    std::vector<ReportBar> bars;
};

struct ReportFact {
    std::string name;
    std::string value;
};

struct RunSection {
    std::string heading;
    std::string summary;
    std::vector<ReportFact> facts;
    std::vector<ReportTable> tables;
};

struct ReportModel {
    std::string title;
    std::string writtenBy;
    std::vector<ReportChart> charts;  // across all runs
    std::vector<RunSection> runs;
    std::vector<ReportTable> comparisons;  // each further run compared with the first
    std::vector<ReportTable> rawData;
};

struct ReportStamp {
    std::string programVersion;
    std::int64_t writtenUnixMs = 0;
};

// `betweenRuns`: run-to-run variation on the machine, for comparing records without visits.
[[nodiscard]] ReportModel buildReport(std::span<const bench::RunRecord> runs, const ReportStamp& stamp,
                                      const ReportTexts& texts, const bench::Variance& betweenRuns = {});

// The last machine check: a row per part, its verdict as the note.
[[nodiscard]] ReportTable checkTable(const bench::CheckReport& check, const ReportTexts& texts);

}  // namespace steelyard::report
