// SPDX-License-Identifier: Apache-2.0
// Asking where to and writing a chart: the same on every page. GUI thread.
#pragma once

#include <QString>
#include <functional>

#include "ui/charts/chart_export.h"
#include "ui/charts/chart_spec.h"

class QWidget;

namespace steelyard::ui {

class Dialogs;

// The chart is drawn here and written in a thread of the pool. `written` is called with the file's name in the GUI
// thread, later; never when the user changed their mind, the failure was shown to them, or the parent is gone.
void exportChartAsking(QWidget* parent, Dialogs& dialogs, const ChartSpec& spec, ExportFormat format,
                       std::function<void(const QString& file)> written);

}  // namespace steelyard::ui
