// SPDX-License-Identifier: Apache-2.0
// A report as a document of real text with its charts as drawings: what the preview shows and what is printed to PDF.
// Files are written whole or not at all. GUI thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <QTextDocument>
#include <memory>

#include "engine/core/error.h"
#include "ui/presenters/report_presenter.h"

namespace steelyard::ui {

// Width of the text on an A4 page, CSS pixels.
inline constexpr double kReportWidth = 698;

// On white, whatever the palette: it is paper.
[[nodiscard]] std::unique_ptr<QTextDocument> reportDocument(const ReportContent& content);

// A4, text as text, page numbers at the foot.
[[nodiscard]] QByteArray reportPdf(const ReportContent& content);

// By the suffix: .pdf .html .md .csv .json; InvalidArgument for another one.
[[nodiscard]] Result<void> writeReportFile(const ReportContent& content, const QString& file);
// All formats and the charts as SVG, in a folder that is made when it is not there.
[[nodiscard]] Result<void> writeReportFolder(const ReportContent& content, const QString& folder);
// Each chart as PNG, SVG, PDF and CSV, named by its title; numbered where titles are the same. The number of charts.
[[nodiscard]] Result<int> writeCharts(const std::vector<ChartSpec>& charts, const QString& folder);

}  // namespace steelyard::ui
