// SPDX-License-Identifier: Apache-2.0
// The report page in typical use, and the content of the files: the PDF is read with pdftotext.
#include <gtest/gtest.h>

#include <QAction>
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <QTextBrowser>

#include "tests/ui/support/test_window.h"
#include "ui/export/report_document.h"
#include "ui/presenters/advice/advice_presenter.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {
namespace {

constexpr int kPatience = 30000;

// Words wrap differently in a PDF: white space is ignored.
QString squeezed(QString text) {
    return text.remove(QRegularExpression(QStringLiteral("\\s+")));
}

QString textOf(const QString& pdf) {
    QProcess process;
    process.start(QStringLiteral("pdftotext"),
                  {QStringLiteral("-enc"), QStringLiteral("UTF-8"), pdf, QStringLiteral("-")});
    EXPECT_TRUE(process.waitForFinished());
    return QString::fromUtf8(process.readAllStandardOutput());
}

class ReportPageTest : public testing::TestWithParam<const char*> {
protected:
    void open(const char* language, bool withRuns = true) {
        m_test = std::make_unique<TestWindow>(TestWindowOptions{.withRuns = withRuns, .withGpus = false});
        ASSERT_TRUE(m_test->languages.use(QString::fromLatin1(language)));
        m_test->window = std::make_unique<MainWindow>(m_test->context);
        m_test->window->show();
        m_test->waitUntilReady();
        QTest::mouseClick(find<QAbstractButton>("navigation_report"), Qt::LeftButton);
        ASSERT_TRUE(QTest::qWaitFor([&] { return m_test->advice.answer() && m_test->advice.backtest(); }, kPatience));
        EXPECT_TRUE(std::string_view(language) != "en" || shows("Recommendation"));
    }
    // The preview is being rendered.
    bool shows(const char* words, bool wanted = true) {
        auto* preview = find<QTextBrowser>("reportPreview");
        return QTest::qWaitFor([&] { return preview->toPlainText().contains(QLatin1String(words)) == wanted; },
                               kPatience);
    }
    template <typename Widget>
    Widget* find(const char* name) {
        auto* widget = m_test->find<Widget>(name);
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }
    QString saveAs(const char* name) {
        return m_test->dialogs.fileToSave = m_test->folder.filePath(QLatin1String(name));
    }

    std::unique_ptr<TestWindow> m_test;
};

TEST_P(ReportPageTest, ThePdfIsTextWithTheRecommendation) {
    if (QStandardPaths::findExecutable(QStringLiteral("pdftotext")).isEmpty()) GTEST_SKIP() << "pdftotext is missing";
    open(GetParam());
    const auto file = saveAs("report.pdf");
    QTest::mouseClick(find<QPushButton>("reportPdfButton"), Qt::LeftButton);
    EXPECT_FALSE(find<QPushButton>("reportPdfButton")->isEnabled()) << "one at a time";
    EXPECT_TRUE(find<QPushButton>("reportCancelButton")->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(file); }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return find<QPushButton>("reportPdfButton")->isEnabled(); }, kPatience));
    const auto text = squeezed(textOf(file));
    const AdvicePresenter presenter(*m_test->advice.answer());
    EXPECT_TRUE(text.contains(squeezed(presenter.verdict()))) << presenter.verdict().toStdString() << "\n"
                                                              << textOf(file).left(1500).toStdString();
    EXPECT_TRUE(text.contains(squeezed(QStringLiteral("ResNet-50"))));
    EXPECT_TRUE(text.contains(squeezed(presenter.pricesInFront().columns.front().title))) << "prices with dates";
    EXPECT_TRUE(text.contains(squeezed(presenter.timeAgainstCost().title))) << "charts are text, too";
}

INSTANTIATE_TEST_SUITE_P(Languages, ReportPageTest, testing::Values("en", "zh_CN", "zh_TW"));

class ReportFormatsTest : public ReportPageTest {};

TEST_P(ReportFormatsTest, AllFormatsAndChartsComeAsAFolder) {
    open(GetParam());
    const auto folder = saveAs("everything");
    find<QAction>("report_all")->trigger();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return find<NoticeBar>("noticeBar")->text().contains(QStringLiteral("everything")); }, kPatience));
    const QDir made(folder);
    EXPECT_EQ(made.entryList(QDir::Files),
              (QStringList{QStringLiteral("report.csv"), QStringLiteral("report.html"), QStringLiteral("report.json"),
                           QStringLiteral("report.md"), QStringLiteral("report.pdf")}));
    EXPECT_GE(QDir(made.filePath(QStringLiteral("charts"))).entryList({QStringLiteral("*.svg")}).size(), 5);
    QFile markdown(made.filePath(QStringLiteral("report.md")));
    ASSERT_TRUE(markdown.open(QIODevice::ReadOnly));
    EXPECT_TRUE(markdown.readAll().contains("ResNet-50"));
}

TEST_P(ReportFormatsTest, TheRawSamplesAndTheRecommendationCanBeLeftOut) {
    open(GetParam());
    EXPECT_FALSE(find<QTextBrowser>("reportPreview")->toPlainText().contains(QStringLiteral("Raw samples")));
    find<QCheckBox>("reportWithRaw")->click();
    EXPECT_TRUE(shows("Raw samples"));
    find<QCheckBox>("reportWithAdvice")->click();
    EXPECT_TRUE(shows("Recommendation", false));
}

TEST_P(ReportFormatsTest, AFileThatCannotBeWrittenIsSaid) {
    open(GetParam());
    m_test->dialogs.fileToSave = QStringLiteral("/nonexistent-folder/report.pdf");
    QTest::mouseClick(find<QPushButton>("reportPdfButton"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_test->dialogs.errors.isEmpty(); }, kPatience));
    EXPECT_EQ(m_test->dialogs.errors.size(), 1);
    EXPECT_TRUE(m_test->dialogs.errors.front().contains(QStringLiteral("/nonexistent-folder/report.pdf")));
}

TEST_P(ReportFormatsTest, WritingCanBeCancelledAndLeavesNoFile) {
    open(GetParam());
    const auto file = saveAs("never.pdf");
    QTest::mouseClick(find<QPushButton>("reportPdfButton"), Qt::LeftButton);
    QTest::mouseClick(find<QPushButton>("reportCancelButton"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return find<NoticeBar>("noticeBar")->text().contains(QStringLiteral("cancelled")); }, kPatience));
    EXPECT_FALSE(QFile::exists(file));
    EXPECT_TRUE(m_test->dialogs.errors.isEmpty());
    EXPECT_FALSE(find<QPushButton>("reportCancelButton")->isVisible());
    EXPECT_TRUE(find<QPushButton>("reportPdfButton")->isEnabled());
}

TEST_P(ReportFormatsTest, WhatIsSavedBeforeItIsShownWaitsForIt) {
    open(GetParam());
    find<QCheckBox>("reportWithRaw")->click();  // another report is rendered
    const auto file = saveAs("soon.md");
    find<QAction>("report_md")->trigger();
    EXPECT_FALSE(find<QPushButton>("reportPdfButton")->isEnabled());
    EXPECT_FALSE(QFile::exists(file));
    ASSERT_TRUE(QTest::qWaitFor([&] { return find<QPushButton>("reportPdfButton")->isEnabled(); }, kPatience));
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    EXPECT_TRUE(written.readAll().contains("Raw samples")) << "the one that was asked for, not the one before";
}

TEST_P(ReportFormatsTest, WhatWaitsForThePreviewCanBeCancelled) {
    open(GetParam());
    find<QCheckBox>("reportWithRaw")->click();
    const auto file = saveAs("never.md");
    find<QAction>("report_md")->trigger();
    QTest::mouseClick(find<QPushButton>("reportCancelButton"), Qt::LeftButton);
    EXPECT_TRUE(find<QPushButton>("reportPdfButton")->isEnabled());
    EXPECT_TRUE(shows("Raw samples"));
    EXPECT_FALSE(QFile::exists(file));
}

TEST_P(ReportFormatsTest, WithoutARunThereIsStillTheRecommendation) {
    open(GetParam(), false);
    EXPECT_TRUE(shows("Recommendation"));
    EXPECT_TRUE(find<QPushButton>("reportPdfButton")->isEnabled());
}

INSTANTIATE_TEST_SUITE_P(English, ReportFormatsTest, testing::Values("en"));

}  // namespace
}  // namespace steelyard::ui
