// SPDX-License-Identifier: Apache-2.0
// Comparison of two runs, case by case: the engine's verdicts as rows, a forest plot and a sentence. Pure functions.
#pragma once

#include <QCoreApplication>

#include "engine/bench/compare/comparison.h"
#include "engine/bench/record/record.h"
#include "ui/charts/chart_spec.h"
#include "ui/presenters/workload_catalogue.h"
#include "ui/text/table_content.h"

namespace steelyard::ui {

struct RunComparison {
    TableContent table;
    // One row per case: ratio of the times with its 95 % interval, the largest slowdown first.
    ChartSpec chart;
    QString summary;  // "Of 14 common cases 3 are faster, 1 is slower, 10 show no evidence of a difference."
    int faster = 0;
    int slower = 0;
    int noEvidence = 0;
    int notComparable = 0;
    int unmatched = 0;  // cases in only one of the runs
};

class ComparePresenter {
    Q_DECLARE_TR_FUNCTIONS(ComparePresenter)

public:
    // The older run is the base. Cases are matched by everything that defines them except the hardware's name.
    // `betweenRuns`: run-to-run variance, for records without visits.
    static RunComparison compare(const bench::RunRecord& base, const bench::RunRecord& other, bench::Scope scope,
                                 const WorkloadCatalogue& catalogue, const bench::Variance& betweenRuns = {});
    // "Quick, 21 Nov 2026 15:04, workshop".
    static QString runName(const bench::RunRecord& run);
};

}  // namespace steelyard::ui
