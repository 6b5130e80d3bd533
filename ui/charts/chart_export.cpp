// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_export.h"

#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QFontInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cerrno>

#include "engine/core/messages/app.h"
#include "engine/core/text.h"
#include "ui/charts/chart_builder.h"
#include "ui/charts/chart_text.h"

namespace steelyard::ui {
namespace {

constexpr int kChartDotsPerInch = 96;

QString exact(const std::optional<double>& value) {
    return value ? QString::number(*value, 'g', QLocale::FloatingPointShortest) : QString();
}

QString basisName(Basis basis) {
    switch (basis) {
        case Basis::Measured:
            return QStringLiteral("measured");
        case Basis::Predicted:
            return QStringLiteral("predicted");
        case Basis::Imported:
            return QStringLiteral("imported");
    }
    return {};
}

template <typename Condition>
bool anyPoint(const ChartSpec& spec, Condition condition) {
    return std::any_of(spec.series.begin(), spec.series.end(), [&](const ChartSeries& series) {
        return std::any_of(series.points.begin(), series.points.end(), condition);
    });
}

// Rows of the chart's data, the first one the header.
std::vector<QStringList> rowsOf(const ChartSpec& spec) {
    std::vector<QStringList> rows;
    rows.push_back({QStringLiteral("series"), spec.hasCategories() ? QStringLiteral("category") : QStringLiteral("x"),
                    QStringLiteral("x_unit"), QStringLiteral("value"), QStringLiteral("unit"), QStringLiteral("low"),
                    QStringLiteral("high"), QStringLiteral("basis"), QStringLiteral("reason"), QStringLiteral("note")});
    const bool named = anyPoint(spec, [](const ChartPoint& point) { return !point.label.isEmpty(); });
    const bool bands = anyPoint(spec, [](const ChartPoint& point) { return point.xInterval.has_value(); });
    if (named) rows.back() << QStringLiteral("label");
    if (bands) rows.back() << QStringLiteral("x_low") << QStringLiteral("x_high");
    for (const auto& series : spec.series) {
        if (series.guide) continue;
        for (std::size_t index = 0; index < series.points.size(); ++index) {
            const auto& point = series.points[index];
            const auto low = point.interval ? std::optional(point.interval->low) : std::nullopt;
            const auto high = point.interval ? std::optional(point.interval->high) : std::nullopt;
            rows.push_back(
                {series.name,
                 spec.hasCategories() ? spec.categories.value(static_cast<qsizetype>(index)) : exact(point.x),
                 spec.hasCategories() ? QString() : spec.x.unit, exact(point.y), spec.y.unit, exact(low), exact(high),
                 point.y ? basisName(point.basis) : QString(), point.reason, point.note});
            if (named) rows.back() << point.label;
            if (!bands) continue;
            rows.back() << exact(point.xInterval ? std::optional(point.xInterval->low) : std::nullopt)
                        << exact(point.xInterval ? std::optional(point.xInterval->high) : std::nullopt);
        }
    }
    return rows;
}

// Names may come from imported files: prevents fields from being formulas.
QString csvField(const QString& text) {
    return QString::fromStdString(csvText(text.toStdString()));
}

// For the clipboard, where tabs and line ends separate fields.
QString tabField(const QString& text) {
    auto field = QString::fromStdString(withoutFormula(text.toStdString()));
    for (const auto separator : {'\t', '\n', '\r'}) field.replace(QLatin1Char(separator), QLatin1Char(' '));
    return field;
}

// QSvgGenerator writes title and description unescaped (seen in 6.4), which breaks the XML: they are inserted here
// instead.
QByteArray withTitle(QByteArray svg, const ChartSpec& spec) {
    const auto root = svg.indexOf("<svg");
    const auto end = root < 0 ? root : svg.indexOf('>', root);
    if (end < 0) return svg;
    const auto text = QStringLiteral("\n<title>%1</title>\n<desc>%2</desc>")
                          .arg(spec.title.toHtmlEscaped(), ChartText::description(spec).toHtmlEscaped());
    return svg.insert(end + 1, text.toUtf8());
}

Failure failureOf(const QSaveFile& device, const QString& file) {
    Error error;
    error.subject = file.toStdString();
    error.detail = Message(device.errorString().toStdString());
    error.kind = ErrorKind::IoFailed;
    if (errno == ENOSPC) {
        error.kind = ErrorKind::DiskFull;
    } else if (!QFileInfo(file).absoluteDir().exists()) {
        error.kind = ErrorKind::NotFound;
    } else if (device.error() == QFileDevice::PermissionsError || errno == EACCES || errno == EROFS) {
        error.kind = ErrorKind::PermissionDenied;
    }
    return Failure(std::move(error));
}

}  // namespace

QString suffixOf(ExportFormat format) {
    switch (format) {
        case ExportFormat::Png:
            return QStringLiteral("png");
        case ExportFormat::Svg:
            return QStringLiteral("svg");
        case ExportFormat::Pdf:
            return QStringLiteral("pdf");
        case ExportFormat::Csv:
            return QStringLiteral("csv");
    }
    return {};
}

ExportOptions paperOptions() {
    ExportOptions options;
    options.style.theme = Theme::light();
    options.style.font = paperFont();
    // A generic name ("Sans Serif") is resolved differently on each system: write the actual family.
    options.style.font.setFamily(QFontInfo(options.style.font).family());
    return options;
}

DrawnChart drawChart(const ChartSpec& spec, const ExportOptions& options) {
    BuiltChart built(spec, options.style);
    auto sized = options;
    const double rows = std::min(BuiltChart::heightOfRows(spec, options.style), options.mostHeight);
    sized.size.setHeight(std::max(options.size.height(), rows));
    built.resize(sized.size);
    QPicture picture;
    QPainter painter(&picture);
    built.render(painter);
    painter.end();
    return {spec, sized, picture};
}

void paintPicture(QPainter& painter, const QPicture& picture) {
    painter.save();
    painter.scale(static_cast<double>(picture.logicalDpiX()) / painter.device()->logicalDpiX(),
                  static_cast<double>(picture.logicalDpiY()) / painter.device()->logicalDpiY());
    painter.drawPicture(QPointF(), picture);
    painter.restore();
}

QImage chartImage(const DrawnChart& chart) {
    const auto& options = chart.options;
    QImage image((options.size * options.pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(options.pixelRatio);
    image.fill(options.style.background ? options.style.theme.surface : QColor(Qt::transparent));
    QPainter painter(&image);
    paintPicture(painter, chart.picture);
    return image;
}

QByteArray chartSvg(const DrawnChart& chart) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(kChartDotsPerInch);
    generator.setSize(chart.options.size.toSize());
    generator.setViewBox(QRectF(QPointF(), chart.options.size));
    QPainter painter(&generator);
    paintPicture(painter, chart.picture);
    painter.end();
    return withTitle(buffer.data(), chart.spec);
}

QByteArray chartPdf(const DrawnChart& chart) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kChartDotsPerInch);
    writer.setPageSize(
        QPageSize(chart.options.size * 72.0 / kChartDotsPerInch, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(chart.spec.title);
    writer.setCreator(
        QStringLiteral("%1 %2").arg(QGuiApplication::applicationDisplayName(), QCoreApplication::applicationVersion()));
    QPainter painter(&writer);
    paintPicture(painter, chart.picture);
    painter.end();
    return buffer.data();
}

QByteArray chartCsv(const ChartSpec& spec) {
    QByteArray text;
    for (const auto& row : rowsOf(spec)) {
        QStringList fields;
        for (const auto& field : row) fields << csvField(field);
        text += fields.join(QLatin1Char(',')).toUtf8() + "\r\n";
    }
    return text;
}

QString chartTabText(const ChartSpec& spec) {
    QString text;
    for (const auto& row : rowsOf(spec)) {
        QStringList fields;
        for (const auto& field : row) fields << tabField(field);
        text += fields.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

Result<void> writeFile(const QString& file, const QByteArray& content) {
    QSaveFile device(file);
    errno = 0;
    if (!device.open(QIODevice::WriteOnly)) return failureOf(device, file);
    if (device.write(content) != content.size() || !device.commit()) return failureOf(device, file);
    return {};
}

Result<void> exportChart(const DrawnChart& chart, const QString& file, ExportFormat format) {
    switch (format) {
        case ExportFormat::Svg:
            return writeFile(file, chartSvg(chart));
        case ExportFormat::Pdf:
            return writeFile(file, chartPdf(chart));
        case ExportFormat::Csv:
            return writeFile(file, chartCsv(chart.spec));
        case ExportFormat::Png:
            break;
    }
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    if (!chartImage(chart).save(&buffer, "PNG")) {
        return fail(ErrorKind::Internal, file.toStdString(), app::messages::imageNotEncoded());
    }
    return writeFile(file, content);
}

}  // namespace steelyard::ui
