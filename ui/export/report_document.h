// SPDX-License-Identifier: Apache-2.0
// A report as a document of real text with its charts as drawings: what the preview shows and what is printed to PDF.
// Files are written whole or not at all. Drawing charts needs the GUI thread; what takes drawn charts (pictures, one
// for each chart of the content) may run in any.
#pragma once

#include <QByteArray>
#include <QPicture>
#include <QString>
#include <QStringList>
#include <QTextDocument>
#include <functional>
#include <memory>
#include <vector>

#include "engine/core/error.h"
#include "ui/charts/chart_export.h"
#include "ui/presenters/report_presenter.h"

namespace steelyard::ui {

// Width of the text on an A4 page, CSS pixels.
inline constexpr double kReportWidth = 698;

// A chart as it stands in a report. GUI thread.
[[nodiscard]] QPicture reportPicture(const ChartSpec& chart);
[[nodiscard]] std::vector<QPicture> reportPictures(const std::vector<ChartSpec>& charts);

// On white, whatever the palette: it is paper.
[[nodiscard]] std::unique_ptr<QTextDocument> reportDocument(const ReportContent& content,
                                                            const std::vector<QPicture>& pictures);

// A4, text as text, page numbers at the foot. Empty when `stopped` said so between two pages.
using Stopped = std::function<bool()>;
[[nodiscard]] QByteArray reportPdf(const ReportContent& content, const std::vector<QPicture>& pictures,
                                   const Stopped& stopped);

// By the suffix: .pdf .html .md .csv .json; InvalidArgument for another one, Cancelled when stopped.
[[nodiscard]] Result<void> writeReportFile(const ReportContent& content, const std::vector<QPicture>& pictures,
                                           const QString& file, const Stopped& stopped);
// With its charts drawn on the way. GUI thread.
[[nodiscard]] Result<void> writeReportFile(const ReportContent& content, const QString& file);
// All formats, in a folder that is there.
[[nodiscard]] Result<void> writeReportDocuments(const ReportContent& content, const std::vector<QPicture>& pictures,
                                                const QString& folder, const Stopped& stopped);
// Each chart as PNG, SVG, PDF and CSV, named by its title; the folder is made. Cancelled when stopped.
[[nodiscard]] Result<void> writeCharts(const std::vector<DrawnChart>& charts, const QString& folder,
                                       const Stopped& stopped);
// With its charts drawn on the way: the number of charts. GUI thread.
[[nodiscard]] Result<int> writeCharts(const std::vector<ChartSpec>& charts, const QString& folder);

}  // namespace steelyard::ui
