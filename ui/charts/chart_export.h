// SPDX-License-Identifier: Apache-2.0
// A chart as a file: PNG, SVG, PDF as it is drawn, CSV as its data, all from the same spec. Files are written whole or
// not at all (temporary file, rename). Fails with PermissionDenied, NotFound, DiskFull or IoFailed. Drawing a chart
// needs the GUI thread; what takes a drawn chart may run in any, for one chart in one thread at a time.
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
    QSizeF size{960, 540};  // CSS pixels, 96 to the inch; higher where the rows of a chart need it
    double mostHeight = std::numeric_limits<double>::infinity();
    double pixelRatio = 2;  // of a PNG
    ChartStyle style;       // paper: the light theme, unless asked otherwise
};

// The light theme in the application's font.
[[nodiscard]] ExportOptions paperOptions();

// A chart drawn once, for every format.
struct DrawnChart {
    ChartSpec spec;
    ExportOptions options;
    QPicture picture;
};
// GUI thread.
[[nodiscard]] DrawnChart drawChart(const ChartSpec& spec, const ExportOptions& options);
// Of its own size on whatever the painter paints: a picture by itself grows with the resolution of the device.
void paintPicture(QPainter& painter, const QPicture& picture);

[[nodiscard]] QImage chartImage(const DrawnChart& chart);
[[nodiscard]] QByteArray chartSvg(const DrawnChart& chart);
[[nodiscard]] QByteArray chartPdf(const DrawnChart& chart);
// RFC 4180, UTF-8, numbers with a point and all their digits; unknown fields are empty.
[[nodiscard]] QByteArray chartCsv(const ChartSpec& spec);
// The same as chartCsv with tabs, for spreadsheets that take a paste.
[[nodiscard]] QString chartTabText(const ChartSpec& spec);

[[nodiscard]] Result<void> exportChart(const DrawnChart& chart, const QString& file, ExportFormat format);

// Writes a file whole or not at all. Also for other exports of the window.
[[nodiscard]] Result<void> writeFile(const QString& file, const QByteArray& content);

}  // namespace steelyard::ui
