// SPDX-License-Identifier: Apache-2.0
// Records of cases as rows and details. Pure functions.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "engine/bench/record/record.h"
#include "ui/presenters/workload_catalogue.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

class RecordsPresenter {
    Q_DECLARE_TR_FUNCTIONS(RecordsPresenter)

public:
    // The key of a row, and of a chart's point, is the position of the record in its run.
    static QString keyOf(std::size_t position);
    // -1 when the key is none of the run's.
    static int positionOf(const QString& key, const bench::RunRecord& run);

    static TableContent table(const bench::RunRecord& run, const WorkloadCatalogue& catalogue);
    // What the run is, and its cases as a Markdown table: workload, mode, device, status, step, interval, throughput.
    static QString markdown(const bench::RunRecord& run, const WorkloadCatalogue& catalogue);
    // For the log of a run in progress: the same columns, some of them.
    static TableContent emptyLog();
    static TableRow logRow(const bench::CaseRecord& record, const WorkloadCatalogue& catalogue, const QString& key);
    // Of a case that has no result yet.
    static TableRow queuedRow(const bench::Case& spec, bool isRunning, const WorkloadCatalogue& catalogue);
    // Everything known about one record, for the panel beside the chart.
    static std::vector<Detail> details(const bench::CaseRecord& record);
    // "11.4 images/s (11.2–11.6)"; the reason when there is no value.
    static QString headline(const bench::CaseRecord& record);
    // "ResNet-50 · Training · CPU · fp32 · batch 16".
    static QString title(const bench::CaseRecord& record, const WorkloadCatalogue& catalogue);
};

// Does the case work through samples or tokens? A micro-case counts FLOP, bytes or operations and has no place beside
// networks. What did not run is taken as a network's.
[[nodiscard]] bool countsSamples(const bench::CaseRecord& record);

// The 95 % interval of the throughput, from that of the step time. Unset when either is unknown.
struct RateInterval {
    double low = 0;
    double high = 0;
};
[[nodiscard]] std::optional<RateInterval> rateInterval(const bench::CaseRecord& record, double rate);

}  // namespace steelyard::ui
