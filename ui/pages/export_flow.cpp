// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/export_flow.h"

#include <QCoreApplication>

#include "ui/text/error_text.h"
#include "ui/widgets/dialogs.h"

namespace steelyard::ui {
namespace {

struct ExportFlow {
    Q_DECLARE_TR_FUNCTIONS(ExportFlow)

public:
    static QString filterOf(ExportFormat format) {
        switch (format) {
            case ExportFormat::Png:
                return tr("Images (*.png)");
            case ExportFormat::Svg:
                return tr("Drawings (*.svg)");
            case ExportFormat::Pdf:
                return tr("PDF documents (*.pdf)");
            case ExportFormat::Csv:
                return tr("Tables (*.csv)");
        }
        return {};
    }
    static QString title() { return tr("Export the chart"); }
    static QString failed() { return tr("The chart was not exported"); }
};

}  // namespace

std::optional<QString> exportChartAsking(QWidget* parent, Dialogs& dialogs, const ChartSpec& spec,
                                         ExportFormat format) {
    const auto suffix = QLatin1Char('.') + suffixOf(format);
    auto file = dialogs.saveFile(parent, ExportFlow::title(), fileStem(spec) + suffix, ExportFlow::filterOf(format));
    if (file.isEmpty()) return std::nullopt;
    if (!file.endsWith(suffix, Qt::CaseInsensitive)) file += suffix;
    const auto written = exportChart(spec, file, format, paperOptions());
    if (written) return file;
    dialogs.showError(parent, ExportFlow::failed(), ErrorText::full(written.error()));
    return std::nullopt;
}

}  // namespace steelyard::ui
