// SPDX-License-Identifier: Apache-2.0
// Asking where to and writing a chart: the same on every page. GUI thread.
#pragma once

#include <QString>
#include <optional>

#include "ui/charts/chart_spec.h"
#include "ui/export/chart_export.h"

class QWidget;

namespace steelyard::ui {

class Dialogs;

// The file written; empty when the user changed their mind or the failure was shown to them.
[[nodiscard]] std::optional<QString> exportChartAsking(QWidget* parent, Dialogs& dialogs, const ChartSpec& spec,
                                                       ExportFormat format);

}  // namespace steelyard::ui
