// SPDX-License-Identifier: Apache-2.0
// What a report contains, as plain text before any escaping: the formats lay it out and may not add to it. Plain
// values; building them is a pure function of the runs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/bench/protocol/visit_variance.h"
#include "engine/bench/record/record.h"
#include "engine/report/report_texts.h"

namespace steelyard::report {

struct ReportColumn {
    std::string heading;
    bool isNumber = false;  // aligned to the right
};

struct ReportTable {
    std::string title;
    std::string note;
    std::vector<ReportColumn> columns;
    std::vector<std::vector<std::string>> rows;  // as many cells as columns
    bool isLong = false;                         // raw data: folded away where the format can
};

struct ReportBar {
    std::string label;
    double value = 0;
    std::optional<double> low, high;
    std::string valueText;
    std::size_t series = 0;  // one per device
};

// One workload and mode; the bars share an axis that begins at 0.
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
    std::vector<ReportChart> charts;  // over all runs
    std::vector<RunSection> runs;
    std::vector<ReportTable> comparisons;  // each further run with the first
    std::vector<ReportTable> rawData;
};

struct ReportStamp {
    std::string programVersion;
    std::int64_t writtenUnixMs = 0;
};

// `betweenRuns`: how much results vary from run to run on the machine, for comparing records without visits.
[[nodiscard]] ReportModel buildReport(std::span<const bench::RunRecord> runs, const ReportStamp& stamp,
                                      const ReportTexts& texts, const bench::Variance& betweenRuns = {});

}  // namespace steelyard::report
