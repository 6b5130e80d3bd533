// SPDX-License-Identifier: Apache-2.0
#include "ui/export/report_preview.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "ui/export/report_document.h"

namespace steelyard::ui {
namespace {

constexpr int kPatience = 10000;

// A sentence and `charts` charts.
ReportContent content(const char* sentence, int charts = 2) {
    ReportContent result;
    result.summary << QString::fromLatin1(sentence);
    for (int i = 0; i < charts; ++i) {
        ChartSpec chart;
        chart.title = QStringLiteral("chart %1").arg(i);
        ChartPoint point;
        point.y = i + 1;
        chart.categories = {QStringLiteral("one")};
        chart.series.push_back({QStringLiteral("series"), 0, false, {point}});
        result.charts.push_back(std::move(chart));
    }
    return result;
}

TEST(ReportPreview, MakesTheDocumentWithItsChartsForThisThread) {
    ReportPreview preview;
    QSignalSpy made(&preview, &ReportPreview::made);
    QThread* in = nullptr;
    preview.make([&] {
        in = QThread::currentThread();
        return content("what was asked for", 3);
    });
    EXPECT_TRUE(preview.isMaking());
    EXPECT_EQ(preview.take(), nullptr) << "not at once";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !preview.isMaking(); }, kPatience));
    EXPECT_EQ(made.size(), 1);
    EXPECT_NE(in, QThread::currentThread());
    ASSERT_TRUE(preview.content());
    EXPECT_EQ(preview.content()->charts.size(), 3U);
    const auto document = preview.take();
    ASSERT_NE(document, nullptr);
    EXPECT_EQ(document->thread(), QThread::currentThread());
    EXPECT_TRUE(document->toPlainText().contains(QStringLiteral("what was asked for")));
    EXPECT_EQ(document->toPlainText().count(QChar::ObjectReplacementCharacter), 3);
    EXPECT_EQ(preview.take(), nullptr) << "once";
}

TEST(ReportPreview, TheAnswerAndOneChartComeFirst) {
    auto whole = content("the answer", 3);
    whole.advice.push_back({"a table", {}, {{"column"}}, {{"cell"}}});
    const auto text = reportDocument(whole, reportPictures(whole.charts))->toPlainText();
    const auto answer = text.indexOf(QStringLiteral("the answer"));
    const auto chart = text.indexOf(QChar::ObjectReplacementCharacter);
    const auto table = text.indexOf(QStringLiteral("a table"));
    const auto rest = text.indexOf(QStringLiteral("Charts"));
    EXPECT_LT(answer, chart);
    EXPECT_LT(chart, table);
    EXPECT_LT(table, rest);
    EXPECT_EQ(text.count(QChar::ObjectReplacementCharacter), 3);
}

TEST(ReportPreview, AnEmptyPageIsLeftOut) {
    QTextDocument document;
    document.setPageSize(QSizeF(400, 300));
    document.setHtml(
        QStringLiteral("<p>first</p><p style=\"page-break-before: always\">&nbsp;</p>"
                       "<p style=\"page-break-before: always\">last</p>"));
    ASSERT_EQ(document.pageCount(), 3);
    EXPECT_EQ(pagesWithContent(document), (std::vector<int>{0, 2}));
}

TEST(ReportPreview, OnlyWhatWasAskedForLastIsMade) {
    ReportPreview preview;
    QSignalSpy made(&preview, &ReportPreview::made);
    int first = 0;
    preview.make([&] {
        ++first;
        return content("old");
    });
    preview.make([] { return content("new"); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return made.size() == 1; }, kPatience));
    EXPECT_EQ(first, 0) << "nothing is computed for what nobody wants";
    EXPECT_TRUE(preview.take()->toPlainText().contains(QStringLiteral("new")));
    // A request superseded while its charts are drawn.
    preview.make([] { return content("slow", 50); });
    QTest::qWait(1);
    preview.make([] { return content("last"); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return made.size() == 2; }, kPatience));
    EXPECT_TRUE(preview.take()->toPlainText().contains(QStringLiteral("last")));
    QTest::qWait(100);
    EXPECT_EQ(made.size(), 2);
}

QStringList& messages() {
    static QStringList said;
    return said;
}

// Qt warns about a document whose timers run in one thread and that is destroyed in another, and leaks it.
TEST(ReportPreview, ADocumentDroppedOnItsWayEndsQuietly) {
    messages().clear();
    const auto usual =
        qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) { messages() << text; });
    for (int turns = 1; turns <= 8; ++turns) {  // after one of them the document is ready but not yet fetched
        ReportPreview preview;
        preview.make([] {
            auto dropped = content("dropped", 0);
            for (int i = 0; i < 3000; ++i) dropped.summary << QStringLiteral("A sentence of many.");
            return dropped;
        });
        for (int turn = 0; turn < turns; ++turn) {
            QCoreApplication::processEvents();
            QTest::qSleep(20);
        }
    }
    QCoreApplication::processEvents();
    qInstallMessageHandler(usual);
    EXPECT_TRUE(messages().isEmpty()) << messages().join(QLatin1Char('\n')).toStdString();
}

TEST(ReportPreview, CanBeCancelledAndDestroyedOnTheWay) {
    ReportPreview preview;
    QSignalSpy made(&preview, &ReportPreview::made);
    preview.make([] { return content("never"); });
    preview.cancel();
    EXPECT_FALSE(preview.isMaking());
    EXPECT_FALSE(preview.content());
    QTest::qWait(100);
    EXPECT_EQ(made.size(), 0);
    for (int turns = 0; turns < 8; ++turns) {
        auto gone = std::make_unique<ReportPreview>();
        gone->make([] { return content("gone"); });
        for (int i = 0; i < turns; ++i) QCoreApplication::processEvents();
        gone.reset();
        QCoreApplication::processEvents();
    }
}

}  // namespace
}  // namespace steelyard::ui
