// SPDX-License-Identifier: Apache-2.0
// Exports a chart from its spec: PNG, SVG and PDF as drawn, CSV as data. Files are written atomically (temporary file,
// rename). Errors: PermissionDenied, NotFound, DiskFull, IoFailed. Drawing needs the GUI thread; functions that take a
// drawn chart may run in any thread, one at a time per chart.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QPicture>
#include <QSizeF>
#include <QString>
#include <limits>

#include "engine/core/error.h"
#include "ui/charts/chart_painter.h"
#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

enum class ExportFormat { Png, Svg, Pdf, Csv };

[[nodiscard]] QString suffixOf(ExportFormat format);

struct ExportOptions {
    QSizeF size{960, 540};  // CSS pixels, 96 per inch; higher if the rows of a chart need it
    double mostHeight = std::numeric_limits<double>::infinity();
    double pixelRatio = 2;  // PNG only
    ChartStyle style;       // paper: the light theme by default
};

// The light theme in the application's font.
[[nodiscard]] ExportOptions paperOptions();

// A chart drawn once, for all formats.
struct DrawnChart {
    ChartSpec spec;
    ExportOptions options;
    QPicture picture;
};
// GUI thread.
[[nodiscard]] DrawnChart drawChart(const ChartSpec& spec, const ExportOptions& options);
// Paints at its own size on any device: QPicture by itself scales with the device's resolution.
void paintPicture(QPainter& painter, const QPicture& picture);

[[nodiscard]] QImage chartImage(const DrawnChart& chart);
[[nodiscard]] QByteArray chartSvg(const DrawnChart& chart);
[[nodiscard]] QByteArray chartPdf(const DrawnChart& chart);
// RFC 4180, UTF-8, decimal points and full precision; unknown values are empty.
[[nodiscard]] QByteArray chartCsv(const ChartSpec& spec);
// Like chartCsv with tabs, for pasting into spreadsheets.
[[nodiscard]] QString chartTabText(const ChartSpec& spec);

[[nodiscard]] Result<void> exportChart(const DrawnChart& chart, const QString& file, ExportFormat format);

// Writes a file atomically. Also used for other exports of the window.
[[nodiscard]] Result<void> writeFile(const QString& file, const QByteArray& content);

}  // namespace steelyard::ui
