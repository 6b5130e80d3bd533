// SPDX-License-Identifier: Apache-2.0
#include "ui/export/report_document.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QGuiApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextObjectInterface>
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/core/messages/app.h"
#include "engine/report/report_writer.h"
#include "ui/text/plain.h"

namespace steelyard::ui {
namespace {

constexpr int kChartObject = QTextFormat::UserObject + 1;
constexpr int kChartIndex = QTextFormat::UserProperty + 1;
constexpr double kChartHeight = 320;
constexpr double kMostChartHeight = 980;  // per page
constexpr double kDotsPerInch = 96;
constexpr int kPdfResolution = 600;
constexpr double kMarginX = 48, kMarginTop = 52, kMarginBottom = 60;
constexpr std::size_t kManyColumns = 8;
constexpr double kWideTableText = 9;     // 7 pt on paper
constexpr double kMostLeadHeight = 520;  // of the chart on the first page
constexpr QChar kMark(0xE000);           // private use area: placeholder of a chart

class ReportWords {
    Q_DECLARE_TR_FUNCTIONS(ReportWords)

public:
    static QString summary() { return tr("Summary"); }
    static QString charts() { return tr("Charts"); }
    static QString sameForAll(const QString& facts) { return tr("The same for all: %1.").arg(facts); }
    static QString pageOf(int page, int pages) { return tr("Page %1 of %2").arg(page).arg(pages); }
};

double heightOf(const QPicture& chart) {
    return chart.boundingRect().bottom() + 1;
}

// Draws the charts of a document.
class ChartObjects final : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    ChartObjects(const std::vector<QPicture>& charts, double scale, QObject* parent)
        : QObject(parent), m_charts(charts), m_scale(scale) {}
    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override {
        const auto index = static_cast<std::size_t>(format.property(kChartIndex).toInt());
        const double drawn = index < m_charts.size() ? heightOf(m_charts[index]) : 0;
        return QSizeF(kReportWidth, std::max(kChartHeight, drawn)) * m_scale;
    }
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int,
                    const QTextFormat& format) override {
        const auto index = static_cast<std::size_t>(format.property(kChartIndex).toInt());
        if (index >= m_charts.size()) return;
        // QPicture brings its own clipping, so a chart of the next page would reach into the margin of this one.
        const bool isPaged = document->pageSize().height() > 0;
        if (isPaged && painter->hasClipping() && !painter->clipBoundingRect().contains(rect.center())) return;
        painter->save();
        painter->translate(rect.topLeft());
        painter->scale(m_scale, m_scale);
        paintPicture(*painter, m_charts[index]);
        painter->restore();
    }

private:
    std::vector<QPicture> m_charts;
    double m_scale = 1;
};

QString escaped(const std::string& text) {
    return plain(text).toHtmlEscaped();
}
// A rate does not break at its slash: "samples/s".
QString unbrokenCell(const std::string& text) {
    static const QRegularExpression kPerSecond(QStringLiteral("/(s|秒)$"));
    return escaped(text).replace(kPerSecond, QStringLiteral("/%1\\1").arg(QChar(0x2060)));
}
QString element(const char* name, const QString& content) {
    return QStringLiteral("<%1>%2</%1>\n").arg(QLatin1String(name), content);
}

// Keeps a heading from being separated from its content at the end of a page.
QString newPage(const QString& heading) {
    return QStringLiteral("<h2 style=\"page-break-before: always\">%1</h2>\n").arg(heading);
}

// For tables wider than a page: values that are the same in every row move to the note.
report::ReportTable narrowed(report::ReportTable table) {
    if (table.columns.size() <= kManyColumns || table.rows.size() < 2) return table;
    QStringList same;
    for (std::size_t column = table.columns.size(); column-- > 1;) {
        const auto& value = table.rows.front()[column];
        if (!std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return row[column] == value; }))
            continue;
        same.prepend(QStringLiteral("%1 %2").arg(plain(table.columns[column].heading), plain(value)));
        const auto at = static_cast<std::ptrdiff_t>(column);
        table.columns.erase(table.columns.begin() + at);
        for (auto& row : table.rows) row.erase(row.begin() + at);
    }
    if (same.isEmpty()) return table;
    if (!table.note.empty()) table.note += ' ';
    table.note += ReportWords::sameForAll(same.join(QStringLiteral("; "))).toStdString();
    return table;
}

QString tableHtml(const report::ReportTable& whole, const char* heading, double scale) {
    const auto table = narrowed(whole);
    auto html = element(heading, escaped(table.title));
    if (!table.note.empty()) html += QStringLiteral("<p class=\"muted\">%1</p>\n").arg(escaped(table.note));
    // The table of all figures has so many columns that words would be broken at the normal size.
    const bool wide = table.columns.size() > kManyColumns;
    const auto style = wide ? QStringLiteral(" style=\"font-size: %1px\"").arg(kWideTableText * scale) : QString();
    html += QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"3\"><thead><tr>");
    for (const auto& column : table.columns) {
        // Text in the last column (reason, source) gets the remaining width.
        const bool words = &column == &table.columns.back() && !column.isNumber && table.columns.size() > 3 && !wide;
        html += QStringLiteral("<th align=\"%1\"%2%3>%4</th>")
                    .arg(column.isNumber ? QStringLiteral("right") : QStringLiteral("left"),
                         words ? QStringLiteral(" width=\"36%\"") : QString(), style, escaped(column.heading));
    }
    html += QStringLiteral("</tr></thead>\n");
    bool odd = false;
    for (const auto& row : table.rows) {
        html += odd ? QStringLiteral("<tr bgcolor=\"#F6F7F9\">") : QStringLiteral("<tr>");
        odd = !odd;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool number = i < table.columns.size() && table.columns[i].isNumber;
            html += QStringLiteral("<td align=\"%1\"%2>%3</td>")
                        .arg(number ? QStringLiteral("right") : QStringLiteral("left"), style,
                             number ? unbrokenCell(row[i]) : escaped(row[i]));
        }
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</table>\n");
}

QString sectionHtml(const report::RunSection& section, double scale) {
    auto html = newPage(escaped(section.heading)) + element("p", escaped(section.summary));
    html += QStringLiteral("<table cellspacing=\"0\" cellpadding=\"2\">\n");
    for (const auto& fact : section.facts) {
        html += QStringLiteral("<tr><td class=\"muted\">%1&nbsp;&nbsp;</td><td>%2</td></tr>\n")
                    .arg(escaped(fact.name), escaped(fact.value));
    }
    html += QStringLiteral("</table>\n");
    for (const auto& table : section.tables) html += tableHtml(table, "h3", scale);
    return html;
}

// The first chart that leaves room for the answer above it.
std::optional<std::size_t> leadChart(const std::vector<QPicture>& charts) {
    const auto found = std::ranges::find_if(charts, [](const auto& one) { return heightOf(one) <= kMostLeadHeight; });
    if (found == charts.end()) return std::nullopt;
    return static_cast<std::size_t>(found - charts.begin());
}

// The answer with its cautions and one chart come first, then what it rests on.
QString reportHtml(const ReportContent& content, const std::vector<QPicture>& pictures, double scale) {
    const auto& texts = content.options.texts;
    auto html = element("h1", escaped(content.model.title)) +
                QStringLiteral("<p class=\"muted\">%1</p>\n").arg(escaped(content.model.writtenBy));
    if (!content.summary.isEmpty()) {
        html += element("h2", ReportWords::summary().toHtmlEscaped());
        bool first = true;
        for (const auto& sentence : content.summary) {
            html += first ? QStringLiteral("<p class=\"lead\">%1</p>\n").arg(sentence.toHtmlEscaped())
                          : element("p", sentence.toHtmlEscaped());
            first = false;
        }
    }
    const auto chart = [](std::size_t index) { return QStringLiteral("<p>%1%2%1</p>\n").arg(kMark).arg(index); };
    const auto lead = leadChart(pictures);
    if (lead) html += chart(*lead);
    for (const auto& table : content.advice) html += tableHtml(table, "h2", scale);
    if (pictures.size() > (lead ? 1 : 0)) html += newPage(ReportWords::charts().toHtmlEscaped());
    for (std::size_t i = 0; i < pictures.size(); ++i)
        if (i != lead) html += chart(i);
    for (const auto& section : content.model.runs) html += sectionHtml(section, scale);
    for (const auto& table : content.model.comparisons) html += tableHtml(table, "h2", scale);
    html += element("h2", escaped(texts.method));
    for (const auto& part : texts.methodParagraphs) html += element("p", escaped(part));
    for (const auto* tables : {&content.check, &content.prices, &content.backtest, &content.model.rawData})
        for (const auto& table : *tables) html += tableHtml(table, "h2", scale);
    return html;
}

QString paperStyle(double scale) {
    const auto px = [scale](double size) { return QString::number(size * scale); };
    return QStringLiteral(
               "h1 { font-size: %1px; margin-bottom: 2px; }"
               "h2 { font-size: %2px; margin-top: 18px; margin-bottom: 4px; }"
               "h3 { font-size: %3px; margin-top: 12px; margin-bottom: 4px; }"
               "p { margin-top: 3px; margin-bottom: 5px; }"
               ".lead { font-size: %4px; font-weight: 600; }"
               ".muted { color: #57606A; }"
               "th { font-size: %5px; color: #57606A; background-color: #EEF1F4; }"
               "td { font-size: %5px; }")
        .arg(px(22), px(16), px(13), px(14), px(10));
}

void insertCharts(QTextDocument& document, const std::vector<QPicture>& charts, double scale) {
    auto* objects = new ChartObjects(charts, scale, &document);
    document.documentLayout()->registerHandler(kChartObject, objects);
    for (std::size_t i = 0; i < charts.size(); ++i) {
        auto cursor = document.find(QStringLiteral("%1%2%1").arg(kMark).arg(i));
        if (cursor.isNull()) continue;
        QTextCharFormat format;
        format.setObjectType(kChartObject);
        format.setProperty(kChartIndex, static_cast<int>(i));
        cursor.insertText(QString(QChar::ObjectReplacementCharacter), format);
    }
}

void paintPage(QPainter& painter, QTextDocument& document, int page, const QString& foot) {
    const auto size = document.pageSize();
    painter.save();
    painter.translate(kMarginX, kMarginTop - page * size.height());
    const QRectF part(0, page * size.height(), size.width(), size.height());
    painter.setClipRect(part);
    QAbstractTextDocumentLayout::PaintContext context;
    context.clip = part;
    context.palette.setColor(QPalette::Text, Theme::light().text);
    document.documentLayout()->draw(&painter, context);
    painter.restore();
    painter.setFont(labelFont(paperOptions().style));
    painter.setPen(Theme::light().muted);
    painter.drawText(QRectF(kMarginX, kMarginTop + size.height() + 14, size.width(), 20), Qt::AlignRight, foot);
}

// Without suffix: from the titles, numbered if they are equal.
QStringList chartFileNames(const std::vector<DrawnChart>& charts) {
    QStringList names;
    for (const auto& chart : charts) {
        const auto stem = fileStem(chart.spec);
        auto name = stem;
        for (int number = 2; names.contains(name); ++number) name = QStringLiteral("%1-%2").arg(stem).arg(number);
        names << name;
    }
    return names;
}

Failure unknownFormat(const QString& file) {
    return fail(ErrorKind::InvalidArgument, file.toStdString(), app::messages::reportEnding());
}

}  // namespace

QPicture reportPicture(const ChartSpec& chart) {
    auto options = paperOptions();
    options.size = QSizeF(kReportWidth, kChartHeight);
    options.mostHeight = kMostChartHeight;
    return drawChart(chart, options).picture;
}

std::vector<QPicture> reportPictures(const std::vector<ChartSpec>& charts) {
    std::vector<QPicture> pictures;
    for (const auto& chart : charts) pictures.push_back(reportPicture(chart));
    return pictures;
}

std::unique_ptr<QTextDocument> reportDocument(const ReportContent& content, const std::vector<QPicture>& pictures,
                                              double scale) {
    auto document = std::make_unique<QTextDocument>();
    auto font = paperOptions().style.font;
    font.setPixelSize(static_cast<int>(std::lround(12 * scale)));
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.01);  // no ligatures: who searches the PDF for "figure" finds it
    document->setDefaultFont(font);
    document->setDocumentMargin(0);
    document->setDefaultStyleSheet(paperStyle(scale));
    document->setHtml(reportHtml(content, pictures, scale));
    document->setTextWidth(kReportWidth * scale);
    insertCharts(*document, pictures, scale);
    document->setUndoRedoEnabled(false);
    return document;
}

std::vector<int> pagesWithContent(const QTextDocument& document) {
    const double height = document.pageSize().height();
    std::set<int> pages;
    for (auto block = document.begin(); block.isValid(); block = block.next()) {
        if (block.text().trimmed().isEmpty()) continue;
        const auto box = document.documentLayout()->blockBoundingRect(block);
        const int last = static_cast<int>((box.bottom() - 1) / height);
        for (int page = static_cast<int>(box.top() / height); page <= last; ++page) pages.insert(page);
    }
    return {pages.begin(), pages.end()};
}

QByteArray reportPdf(const ReportContent& content, const std::vector<QPicture>& pictures, const Stopped& stopped) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(kPdfResolution);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(plain(content.model.title));
    writer.setCreator(
        QStringLiteral("%1 %2").arg(QGuiApplication::applicationDisplayName(), QCoreApplication::applicationVersion()));
    const double scale = kPdfResolution / kDotsPerInch;
    const double pageHeight = writer.height() / scale;
    const auto document = reportDocument(content, pictures);
    document->setPageSize(QSizeF(kReportWidth, pageHeight - kMarginTop - kMarginBottom));
    QPainter painter(&writer);
    painter.scale(scale, scale);
    const auto pages = pagesWithContent(*document);
    const int count = static_cast<int>(pages.size());
    for (int number = 1; number <= count; ++number) {
        if (stopped && stopped()) return {};
        if (number > 1) writer.newPage();
        paintPage(painter, *document, pages[static_cast<std::size_t>(number - 1)], ReportWords::pageOf(number, count));
    }
    painter.end();
    return buffer.data();
}

Result<void> writeReportFile(const ReportContent& content, const std::vector<QPicture>& pictures, const QString& file,
                             const Stopped& stopped) {
    if (file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        const auto pdf = reportPdf(content, pictures, stopped);
        return pdf.isEmpty() ? fail(ErrorKind::Cancelled, file.toStdString()) : writeFile(file, pdf);
    }
    const auto format = report::formatOf(file.toStdString());
    if (!format) return unknownFormat(file);
    return writeFile(file, QByteArray::fromStdString(report::toReport(*format, content.runs, content.options)));
}

Result<void> writeReportFile(const ReportContent& content, const QString& file) {
    return writeReportFile(content, reportPictures(content.charts), file, {});
}

Result<void> writeCharts(const std::vector<DrawnChart>& charts, const QString& folder, const Stopped& stopped) {
    if (!QDir().mkpath(folder))
        return fail(ErrorKind::PermissionDenied, folder.toStdString(), app::messages::folderNotMade());
    const auto names = chartFileNames(charts);
    for (std::size_t i = 0; i < charts.size(); ++i) {
        for (const auto format : {ExportFormat::Png, ExportFormat::Svg, ExportFormat::Pdf, ExportFormat::Csv}) {
            if (stopped && stopped()) return fail(ErrorKind::Cancelled, folder.toStdString());
            const auto name = names[static_cast<qsizetype>(i)] + QLatin1Char('.') + suffixOf(format);
            const auto file = QDir(folder).filePath(name);
            if (auto written = exportChart(charts[i], file, format); !written) return written;
        }
    }
    return {};
}

Result<int> writeCharts(const std::vector<ChartSpec>& charts, const QString& folder) {
    std::vector<DrawnChart> drawn;
    for (const auto& chart : charts) drawn.push_back(drawChart(chart, paperOptions()));
    TRY(writeCharts(drawn, folder, {}));
    return static_cast<int>(charts.size());
}

Result<void> writeReportDocuments(const ReportContent& content, const std::vector<QPicture>& pictures,
                                  const QString& folder, const Stopped& stopped) {
    for (const auto* suffix : {"pdf", "html", "md", "csv", "json"}) {
        const auto file = QDir(folder).filePath(QStringLiteral("report.") + QLatin1String(suffix));
        if (auto written = writeReportFile(content, pictures, file, stopped); !written) return written;
    }
    return {};
}

}  // namespace steelyard::ui

#include "report_document.moc"
