// SPDX-License-Identifier: Apache-2.0
// Summary of the last run for Home: one sentence and three figures. Pure functions.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "engine/bench/record/record.h"
#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui {

struct KeyFigure {
    QString label;     // "Training ResNet-50"
    QString value;     // "11.4"
    QString unit;      // "samples/s"
    QString interval;  // "95 %: 11.2–11.6"
    QString where;     // the device
    QString key;       // of the record
    friend bool operator==(const KeyFigure&, const KeyFigure&) = default;
};

class HomePresenter {
    Q_DECLARE_TR_FUNCTIONS(HomePresenter)

public:
    // A sentence with absolute values and, if CPU and GPU ran the same case, their ratio; what to do if there is no
    // run.
    static QString verdict(const bench::RunRecord* run, const WorkloadCatalogue& catalogue);
    // At most three: training and inference of a widely known network (otherwise of the one with the most work per
    // step), and the highest compute rate.
    static std::vector<KeyFigure> keyFigures(const bench::RunRecord& run, const WorkloadCatalogue& catalogue);
    // The verdict, the key figures and their origin, for pasting into a message. `computer` may be empty.
    static QString markdown(const bench::RunRecord& run, const WorkloadCatalogue& catalogue, const QString& computer);
    // "Quick suite, 21 Nov 2026 15:04, 14 cases".
    static QString runLine(const bench::RunRecord& run);
    // "Run benchmark (14 cases, about 90 s)".
    static QString runButton(const SuiteOption* suite);
};

}  // namespace steelyard::ui
