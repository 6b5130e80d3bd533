// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/report/export_flow.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <QWidget>

#include "ui/dialogs/dialogs.h"
#include "ui/text/error_text.h"

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

void exportChartAsking(QWidget* parent, Dialogs& dialogs, const ChartSpec& spec, ExportFormat format,
                       std::function<void(const QString& file)> written) {
    const auto suffix = QLatin1Char('.') + suffixOf(format);
    auto file = dialogs.saveFile(parent, ExportFlow::title(), fileStem(spec) + suffix, ExportFlow::filterOf(format));
    if (file.isEmpty()) return;
    if (!file.endsWith(suffix, Qt::CaseInsensitive)) file += suffix;
    auto chart = format == ExportFormat::Csv ? DrawnChart{spec, {}, QPicture()} : drawChart(spec, paperOptions());
    const auto tell = [parent = QPointer(parent), &dialogs, file, written = std::move(written)](Result<void> result) {
        if (!parent) return;
        if (result) {
            written(file);
        } else {
            dialogs.showError(parent, ExportFlow::failed(), ErrorText::full(result.error()));
        }
    };
    QThreadPool::globalInstance()->start([chart = std::move(chart), file, format, tell] {
        auto result = exportChart(chart, file, format);
        QMetaObject::invokeMethod(
            qApp, [tell, result = std::move(result)] { tell(result); }, Qt::QueuedConnection);
    });
}

}  // namespace steelyard::ui
