// SPDX-License-Identifier: Apache-2.0
// The history of one case as a chart with its changes, and as a sentence. Pure functions.
#pragma once

#include <QCoreApplication>
#include <vector>

#include "engine/history/history_store.h"
#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

class TrendPresenter {
    Q_DECLARE_TR_FUNCTIONS(TrendPresenter)

public:
    // Median time per step over days; a line at each change. Keys of the points are the runs' ids.
    static ChartSpec chart(const QString& title, const std::vector<history::TrendPoint>& points);
    static QString sentence(const std::vector<history::TrendPoint>& points);
};

}  // namespace steelyard::ui
