// SPDX-License-Identifier: Apache-2.0
// A report as a text document with its charts as drawings, for the preview and for PDF. Files are written atomically.
// Drawing charts needs the GUI thread; functions that take drawn charts (pictures, one per chart of the content) may
// run in any thread.
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

// Text width on an A4 page, CSS pixels.
inline constexpr double kReportWidth = 698;

// A chart as drawn in a report. GUI thread.
[[nodiscard]] QPicture reportPicture(const ChartSpec& chart);
[[nodiscard]] std::vector<QPicture> reportPictures(const std::vector<ChartSpec>& charts);

// Always black on white, regardless of the palette. `scale`: factor of text and charts, for screens with large text.
[[nodiscard]] std::unique_ptr<QTextDocument> reportDocument(const ReportContent& content,
                                                            const std::vector<QPicture>& pictures, double scale = 1);

// The pages that are not empty: a forced page break may leave an empty one.
[[nodiscard]] std::vector<int> pagesWithContent(const QTextDocument& document);

// A4, with selectable text and page numbers. Empty if `stopped` returned true between two pages.
using Stopped = std::function<bool()>;
[[nodiscard]] QByteArray reportPdf(const ReportContent& content, const std::vector<QPicture>& pictures,
                                   const Stopped& stopped);

// By suffix: .pdf .html .md .csv .json; otherwise InvalidArgument. Cancelled if stopped.
[[nodiscard]] Result<void> writeReportFile(const ReportContent& content, const std::vector<QPicture>& pictures,
                                           const QString& file, const Stopped& stopped);
// Also draws the charts. GUI thread.
[[nodiscard]] Result<void> writeReportFile(const ReportContent& content, const QString& file);
// All formats, to an existing folder.
[[nodiscard]] Result<void> writeReportDocuments(const ReportContent& content, const std::vector<QPicture>& pictures,
                                                const QString& folder, const Stopped& stopped);
// Each chart as PNG, SVG, PDF and CSV, named after its title; creates the folder. Cancelled if stopped.
[[nodiscard]] Result<void> writeCharts(const std::vector<DrawnChart>& charts, const QString& folder,
                                       const Stopped& stopped);
// Also draws the charts; returns their number. GUI thread.
[[nodiscard]] Result<int> writeCharts(const std::vector<ChartSpec>& charts, const QString& folder);

}  // namespace steelyard::ui
