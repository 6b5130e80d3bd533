// SPDX-License-Identifier: Apache-2.0
// Asks for a file and exports a chart, for all pages. GUI thread.
#pragma once

#include <QString>
#include <functional>

#include "ui/charts/chart_export.h"
#include "ui/charts/chart_spec.h"

class QWidget;

namespace steelyard::ui {

class Dialogs;

// Draws the chart here and writes it in a pool thread. `written` is called later in the GUI thread with the file's
// name, unless the user cancelled, an error was shown, or the parent is gone.
void exportChartAsking(QWidget* parent, Dialogs& dialogs, const ChartSpec& spec, ExportFormat format,
                       std::function<void(const QString& file)> written);

}  // namespace steelyard::ui
