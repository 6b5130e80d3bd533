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
    // The key of a row, and of a chart's point, is the record's index in its run.
    static QString keyOf(std::size_t position);
    // -1 if the key does not belong to the run.
    static int positionOf(const QString& key, const bench::RunRecord& run);

    static TableContent table(const bench::RunRecord& run, const WorkloadCatalogue& catalogue);
    // The run and its cases as a Markdown table: workload, mode, device, status, step, interval, throughput.
    static QString markdown(const bench::RunRecord& run, const WorkloadCatalogue& catalogue);
    // For the log of a run in progress, with some of the columns.
    static TableContent emptyLog();
    static TableRow logRow(const bench::CaseRecord& record, const WorkloadCatalogue& catalogue, const QString& key);
    // For a case without a result yet.
    static TableRow queuedRow(const bench::Case& spec, bool isRunning, const WorkloadCatalogue& catalogue);
    // All details of a record, for the panel beside the chart.
    static std::vector<Detail> details(const bench::CaseRecord& record);
    // "11.4 images/s (11.2–11.6)"; the reason if there is no value.
    static QString headline(const bench::CaseRecord& record);
    // "ResNet-50 · Training · CPU · fp32 · batch 16".
    static QString title(const bench::CaseRecord& record, const WorkloadCatalogue& catalogue);
};

// Whether throughput is in samples or tokens. Micro-benchmarks count FLOP, bytes or operations and are not shown beside
// networks. Cases without a result count as networks.
[[nodiscard]] bool countsSamples(const bench::CaseRecord& record);

// The 95 % interval of the throughput, from that of the step time. Unset if either is unknown.
struct RateInterval {
    double low = 0;
    double high = 0;
};
[[nodiscard]] std::optional<RateInterval> rateInterval(const bench::CaseRecord& record, double rate);

}  // namespace steelyard::ui
