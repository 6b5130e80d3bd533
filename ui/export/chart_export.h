// SPDX-License-Identifier: Apache-2.0
// A chart as a file: PNG, SVG, PDF as it is drawn, CSV as its data, all from the same spec. Files are written whole or
// not at all (temporary file, rename). Fails with PermissionDenied, NotFound, DiskFull or IoFailed. GUI thread.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QString>

#include "engine/core/error.h"
#include "ui/charts/chart_painter.h"
#include "ui/charts/chart_spec.h"

namespace steelyard::ui {

enum class ExportFormat { Png, Svg, Pdf, Csv };

[[nodiscard]] QString suffixOf(ExportFormat format);

struct ExportOptions {
    QSizeF size{960, 540};  // CSS pixels, 96 to the inch
    double pixelRatio = 2;  // of a PNG
    ChartStyle style;       // paper: the light theme, unless asked otherwise
};

// The light theme in the application's font.
[[nodiscard]] ExportOptions paperOptions();

[[nodiscard]] QImage chartImage(const ChartSpec& spec, const ExportOptions& options);
[[nodiscard]] QByteArray chartSvg(const ChartSpec& spec, const ExportOptions& options);
[[nodiscard]] QByteArray chartPdf(const ChartSpec& spec, const ExportOptions& options);
// RFC 4180, UTF-8, numbers with a point and all their digits; unknown fields are empty.
[[nodiscard]] QByteArray chartCsv(const ChartSpec& spec);
// The same as chartCsv with tabs, for spreadsheets that take a paste.
[[nodiscard]] QString chartTabText(const ChartSpec& spec);

[[nodiscard]] Result<void> exportChart(const ChartSpec& spec, const QString& file, ExportFormat format,
                                       const ExportOptions& options);

// Writes a file whole or not at all. Also for other exports of the window.
[[nodiscard]] Result<void> writeFile(const QString& file, const QByteArray& content);

}  // namespace steelyard::ui
