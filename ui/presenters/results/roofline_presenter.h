// SPDX-License-Identifier: Apache-2.0
// Roofline of a device, and the cases of a run on it. Both roofs are measured; a roof that was not measured is omitted.
// Pure functions.
#pragma once

#include <QCoreApplication>

#include "engine/bench/record/record.h"
#include "ui/charts/chart_spec.h"
#include "ui/presenters/workload_catalogue.h"

namespace steelyard::ui {

class RooflinePresenter {
    Q_DECLARE_TR_FUNCTIONS(RooflinePresenter)

public:
    static bool hasRoofline(const bench::RunRecord& run);
    // FLOP per byte against FLOP/s, both logarithmic. Keys of the points are record indices.
    static ChartSpec chart(const bench::RunRecord& run, const WorkloadCatalogue& catalogue, const QString& subtitle);
};

}  // namespace steelyard::ui
