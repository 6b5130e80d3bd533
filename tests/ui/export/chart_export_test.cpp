// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_export.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QXmlStreamReader>

namespace steelyard::ui {
namespace {

ChartSpec sample() {
    ChartSpec spec;
    spec.title = QStringLiteral("Memory <and> \"speed\" & co");
    spec.y = {QStringLiteral("Step time"), QStringLiteral("ms"), ChartScale::Linear, {}};
    spec.categories = {QStringLiteral("LeNet-5, small"), QStringLiteral("ResNet-50")};
    ChartPoint first;
    first.y = 0.1;
    first.interval = ChartInterval{1.0 / 3.0, 2.0};
    ChartPoint second;
    second.reason = QStringLiteral("not run");
    spec.series.push_back({QStringLiteral("CPU"), 0, false, {first, second}});
    ChartPoint predicted;
    predicted.y = 12.75;
    predicted.basis = Basis::Predicted;
    spec.series.push_back({QStringLiteral("GPU"), 1, false, {predicted, predicted}});
    return spec;
}

DrawnChart drawn() {
    return drawChart(sample(), paperOptions());
}

QByteArray contentOf(const QString& name) {
    QFile file(name);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return file.readAll();
}

TEST(ChartExport, SvgIsXmlAndItsWordsAreText) {
    QTemporaryDir folder;
    const auto file = folder.filePath(QStringLiteral("chart.svg"));
    ASSERT_TRUE(exportChart(drawn(), file, ExportFormat::Svg).has_value());
    QXmlStreamReader reader(contentOf(file));
    QString text;
    int shapes = 0;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isCharacters()) text += reader.text().toString() + QLatin1Char('\n');
        if (reader.isStartElement() && reader.name() != QLatin1String("g")) ++shapes;
    }
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    EXPECT_TRUE(text.contains(sample().title));
    EXPECT_TRUE(text.contains(QStringLiteral("ResNet-50"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("Step time (ms)")));
    EXPECT_GT(shapes, 10);
}

TEST(ChartExport, CsvCarriesEveryValueExactly) {
    const auto lines = QString::fromUtf8(chartCsv(sample())).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 5);
    EXPECT_EQ(lines[0], QStringLiteral("series,category,x_unit,value,unit,low,high,basis,reason,note"));
    EXPECT_EQ(lines[1], QStringLiteral("CPU,\"LeNet-5, small\",,0.1,ms,0.3333333333333333,2,measured,,"));
    EXPECT_EQ(lines[2], QStringLiteral("CPU,ResNet-50,,,ms,,,,not run,"));
    EXPECT_EQ(lines[3], QStringLiteral("GPU,\"LeNet-5, small\",,12.75,ms,,,predicted,,"));
    EXPECT_EQ(lines[1].split(QLatin1Char(',')).at(4).toDouble(), 0.1);
}

// Names come from imported files, and a spreadsheet would evaluate them.
TEST(ChartExport, NoFieldIsAFormula) {
    auto spec = sample();
    spec.categories[0] = QStringLiteral("=1+1");
    spec.series[0].name = QStringLiteral("@SUM(A1)");
    const auto csv = QString::fromUtf8(chartCsv(spec)).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    ASSERT_GT(csv.size(), 1);
    EXPECT_TRUE(csv[1].startsWith(QStringLiteral("'@SUM(A1),'=1+1,"))) << csv[1].toStdString();
    const auto tabs = chartTabText(spec).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    ASSERT_GT(tabs.size(), 1);
    EXPECT_TRUE(tabs[1].startsWith(QStringLiteral("'@SUM(A1)\t'=1+1\t"))) << tabs[1].toStdString();
}

TEST(ChartExport, PdfIsOnePageOfTheChartsSize) {
    const auto pdf = chartPdf(drawn());
    EXPECT_TRUE(pdf.startsWith("%PDF-1."));
    EXPECT_TRUE(pdf.contains("/MediaBox [0 0 720"));  // 960 pixels at 96 dpi
    EXPECT_EQ(pdf.count("/Type /Page\n"), 1);
}

TEST(ChartExport, PngHasTheAskedSizeAndContent) {
    QTemporaryDir folder;
    const auto file = folder.filePath(QStringLiteral("chart.png"));
    ASSERT_TRUE(exportChart(drawn(), file, ExportFormat::Png).has_value());
    const QImage image(file);
    EXPECT_EQ(image.size(), QSize(1920, 1080));
    EXPECT_EQ(image.pixelColor(2, 2), QColor(Qt::white));
    bool coloured = false;
    for (int x = 0; x < image.width() && !coloured; ++x) coloured = image.pixelColor(x, 950).saturation() > 100;
    EXPECT_TRUE(coloured);
}

TEST(ChartExport, SaysWhyAFileCannotBeWritten) {
    const auto missing = exportChart(drawn(), QStringLiteral("/nonexistent-folder/a.csv"), ExportFormat::Csv);
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().kind, ErrorKind::NotFound);
    EXPECT_EQ(missing.error().subject, "/nonexistent-folder/a.csv");
}

TEST(ChartExport, AnOldFileSurvivesAFailure) {
    QTemporaryDir folder;
    const auto file = folder.filePath(QStringLiteral("chart.csv"));
    ASSERT_TRUE(writeFile(file, "old").has_value());
    ASSERT_TRUE(QFile::exists(file));
    ASSERT_TRUE(exportChart(drawn(), file, ExportFormat::Csv).has_value());
    EXPECT_TRUE(contentOf(file).startsWith("series,"));
}

TEST(ChartExport, FileStemIsSafe) {
    EXPECT_EQ(fileStem(sample()), QStringLiteral("memory-and-speed-co"));
    EXPECT_EQ(fileStem({}), QStringLiteral("chart"));
}

}  // namespace
}  // namespace steelyard::ui
