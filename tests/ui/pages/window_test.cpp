// SPDX-License-Identifier: Apache-2.0
// The window in typical use: by clicking and typing, with the scripted child instead of the measuring program.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QCheckBox>
#include <QClipboard>
#include <QCloseEvent>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QThread>
#include <QToolButton>
#include <QTreeView>
#include <QUrl>

#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/controllers/single_instance.h"
#include "ui/models/runs_model.h"
#include "ui/pages/results/results_page.h"
#include "ui/text/format.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {
namespace {

class WindowTest : public WindowFixture {
protected:
    QString estimate() { return find<QLabel>("estimateLabel")->text(); }
    QString notice() { return find<NoticeBar>("noticeBar")->text(); }
    // Starts the window again, beside a run of so many cases that was killed after some of them.
    void startAfterInterruption(std::size_t finished, int cases) {
        {
            auto store = history::HistoryStore::open(m_test.context.databaseFile().toStdString()).value();
            auto run = sample::run("cccccccccccc");
            run.startedUnixMs += 90'000'000;
            run.finishedUnixMs.reset();
            run.records.resize(finished);
            const QStringList all(cases, QStringLiteral("{}"));
            const auto request = QStringLiteral(R"({"cases": [%1], "process": "1:1:gone"})").arg(all.join(u','));
            ASSERT_TRUE(store->beginRun(run, request.toStdString()));
        }
        m_test.window = std::make_unique<MainWindow>(m_test.context);
        m_test.window->show();
    }
    void showLatestResults() {
        qobject_cast<ResultsPage*>(m_test.window->page(QStringLiteral("results")))->showRun(QStringLiteral("latest"));
        click("navigation_results");
    }
    void selectRuns(std::initializer_list<int> rows) {
        auto* table = find<QTableView>("runsTable");
        table->clearSelection();
        for (const int row : rows) {
            table->selectionModel()->select(table->model()->index(row, 0),
                                            QItemSelectionModel::Select | QItemSelectionModel::Rows);
        }
    }
};

TEST_F(WindowTest, HomeShowsTheLastRunAndTheButton) {
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("home"));
    EXPECT_TRUE(eventually([&] { return find<QLabel>("homeVerdict")->text().contains(QStringLiteral("ResNet-50")); }));
    EXPECT_TRUE(find<QPushButton>("homeRunButton")->text().contains(QStringLiteral("14 cases, about 90 s")));
}

TEST_F(WindowTest, TheBigButtonRunsTheFirstSuite) {
    QSignalSpy finished(&m_test.run, &RunController::finished);
    click("homeRunButton");
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("benchmark"));
    ASSERT_TRUE(eventually([&] { return finished.count() == 1; }));
    EXPECT_TRUE(eventually([&] { return find<QPushButton>("seeResultsButton")->isVisible(); }));
    EXPECT_EQ(find<QTableView>("logTable")->model()->rowCount(), 2);
    click("seeResultsButton");
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("results"));
}

TEST_F(WindowTest, ChoosingWorkloadsByHand) {
    click("navigation_benchmark");
    auto* tree = find<QTreeView>("workloadTree");
    auto* suite = find<QComboBox>("suiteBox");
    EXPECT_EQ(suite->currentData().toString(), QStringLiteral("quick"));
    // Deselect the first family by keyboard: the selection becomes a custom one.
    const auto family = tree->model()->index(0, 0);
    tree->setCurrentIndex(family);
    tree->setFocus();
    QTest::keyClick(tree, Qt::Key_Space);
    EXPECT_EQ(suite->currentData().toString(), QString());
    EXPECT_TRUE(eventually([&] { return find<QPushButton>("runButton")->text() == QStringLiteral("Run 4 cases"); }))
        << find<QPushButton>("runButton")->text().toStdString();
    // Two batch sizes double the number of cases; only training halves it.
    QTest::keyClicks(find<QLineEdit>("batchEdit"), QStringLiteral("8, 16"));
    EXPECT_TRUE(eventually([&] { return find<QPushButton>("runButton")->text() == QStringLiteral("Run 8 cases"); }));
    QTest::mouseClick(find<QCheckBox>("inferBox"), Qt::LeftButton, {},
                      QPoint(12, find<QCheckBox>("inferBox")->height() / 2));
    EXPECT_TRUE(eventually([&] { return find<QPushButton>("runButton")->text() == QStringLiteral("Run 4 cases"); }));
    EXPECT_TRUE(estimate().contains(QStringLiteral("52 s"))) << estimate().toStdString();
    QTest::mouseClick(find<QCheckBox>("trainBox"), Qt::LeftButton, {},
                      QPoint(12, find<QCheckBox>("trainBox")->height() / 2));
    EXPECT_FALSE(find<QPushButton>("runButton")->isEnabled());
    EXPECT_TRUE(estimate().contains(QStringLiteral("training, inference or both")));
    // The choices are remembered.
    EXPECT_EQ(m_test.preferences.load().workloads,
              (QStringList{QStringLiteral("resnet50"), QStringLiteral("lstm_ptb")}));
}

TEST_F(WindowTest, OnlyNumbersCanBeTypedAsBatch) {
    click("navigation_benchmark");
    auto* batch = find<QLineEdit>("batchEdit");
    QTest::keyClicks(batch, QStringLiteral("1x6-,32"));
    EXPECT_EQ(batch->text(), QStringLiteral("16,32"));
}

TEST(RunSetup, SaysHowManyCoresThereAreOnceItIsKnown) {
    TestWindow test;
    ASSERT_TRUE(test.machine.catalogue().devices.empty());
    const auto* threads = test.find<QLineEdit>("threadsEdit");
    EXPECT_EQ(threads->placeholderText(), QString());
    test.waitUntilReady();
    EXPECT_NE(threads->placeholderText(), QString());
}

TEST_F(WindowTest, WhatCannotRunIsShownOnRequest) {
    click("navigation_benchmark");
    auto* tree = find<QTreeView>("workloadTree");
    EXPECT_EQ(tree->model()->rowCount(), 3);
    auto* only = find<QCheckBox>("onlyRunnableBox");
    QTest::mouseClick(only, Qt::LeftButton, {}, QPoint(12, only->height() / 2));
    EXPECT_EQ(tree->model()->rowCount(), 4);
    for (int family = 0; family < 4; ++family) EXPECT_TRUE(tree->isFirstColumnSpanned(family, {})) << family;
    EXPECT_FALSE(m_test.preferences.load().onlyRunnable);
}

TEST_F(WindowTest, StopKeepsWhatIsFinishedAndOtherPagesShowTheRun) {
    bench::RunRequest request;
    request.suite = "obedient";
    m_test.run.start(request);
    ASSERT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() == 1; }));
    EXPECT_TRUE(find<QToolButton>("navigationRun")->isVisible());
    click("navigationRun");
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("benchmark"));
    click("stopButton");
    EXPECT_FALSE(find<QPushButton>("stopButton")->isEnabled());
    ASSERT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
    EXPECT_EQ(find<QTableView>("logTable")->model()->rowCount(), 1);
    EXPECT_FALSE(find<QToolButton>("navigationRun")->isVisible());
}

TEST_F(WindowTest, ACrashIsToldWithTheNextStep) {
    bench::RunRequest request;
    request.suite = "crash";
    m_test.run.start(request);
    m_test.window->showPage(QStringLiteral("benchmark"));
    ASSERT_TRUE(eventually([&] { return !m_test.run.isRunning() && m_test.run.progress().finishedCount() == 2; }));
    EXPECT_TRUE(notice().contains(QStringLiteral("ended unexpectedly"))) << notice().toStdString();
    EXPECT_TRUE(notice().contains(QStringLiteral("Finished cases are kept"))) << notice().toStdString();
    EXPECT_EQ(find<QPushButton>("noticeAction")->text(), QStringLiteral("Resume"));
    EXPECT_EQ(find<QLabel>("runHeading")->text(), QStringLiteral("The run failed"));
    EXPECT_EQ(find<QTableView>("logTable")->model()->rowCount(), 2) << "the case under way is shown as crashed";
    click("noticeAction");
    EXPECT_TRUE(m_test.run.isRunning());
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

TEST_F(WindowTest, ARunThatCannotBeStoredIsToldAndCanBeImported) {
    QString atOnce;
    QObject::connect(&m_test.run, &RunController::notStored, m_test.window.get(), [&] { atOnce = notice(); });
    bench::RunRequest request;
    request.suite = "unstored";
    m_test.run.start(request);
    m_test.window->showPage(QStringLiteral("benchmark"));
    ASSERT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
    EXPECT_TRUE(atOnce.contains(QStringLiteral("disk is full"))) << atOnce.toStdString();
    EXPECT_TRUE(atOnce.contains(QStringLiteral("The run continues"))) << atOnce.toStdString();
    const auto file = QString::fromStdString(m_test.run.progress().keptFile());
    EXPECT_TRUE(notice().contains(file)) << notice().toStdString();
    const auto outcome = find<QLabel>("runOutcomeText")->text();
    EXPECT_TRUE(outcome.contains(QStringLiteral("steelyard-cli history import ") + file)) << outcome.toStdString();
    EXPECT_TRUE(outcome.contains(QStringLiteral("Free some space"))) << outcome.toStdString();
    EXPECT_EQ(find<QPushButton>("noticeAction")->text(), QStringLiteral("Import it"));
    click("noticeAction");
    EXPECT_TRUE(eventually([&] { return notice().contains(QStringLiteral("1 run imported")); }))
        << notice().toStdString();
    EXPECT_TRUE(eventually([&] { return m_test.history.runs().size() == 4; }));
    EXPECT_TRUE(m_test.dialogs.errors.isEmpty());
    QFile::remove(file);
}

TEST_F(WindowTest, ADeletedDatabaseIsToldAndBegunAnew) {
    for (const auto* suffix : {"", "-wal", "-shm"})
        QFile::remove(m_test.context.databaseFile() + QLatin1String(suffix));
    m_test.history.refresh();
    EXPECT_TRUE(eventually([&] { return notice().contains(QStringLiteral("moved or deleted")); }))
        << notice().toStdString();
    EXPECT_TRUE(eventually([&] { return m_test.history.runs().empty(); }));
    EXPECT_TRUE(QFile::exists(m_test.context.databaseFile()));
    EXPECT_TRUE(m_test.dialogs.errors.isEmpty()) << m_test.dialogs.errors.join(QLatin1Char('|')).toStdString();
}

// The file as found by the next start after the window and its child were killed.
TEST_F(WindowTest, AnInterruptedRunIsToldAtTheNextStartAndCanBeResumed) {
    startAfterInterruption(3, 5);
    ASSERT_TRUE(eventually([&] { return notice().contains(QStringLiteral("interrupted after 3 of 5 cases")); }))
        << notice().toStdString();
    click("navigation_history");
    const auto* model = find<QTableView>("runsTable")->model();
    EXPECT_EQ(model->index(0, RunsModel::State).data().toString(), QStringLiteral("interrupted after 3 of 5 cases"));
    click("noticeAction");
    EXPECT_TRUE(m_test.run.isRunning());
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("benchmark"));
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

// Results tells why and offers to resume; Home keeps showing the last run that measured something.
TEST_F(WindowTest, ARunStoppedBeforeItsFirstCaseIsNotKeptInFront) {
    ASSERT_TRUE(eventually([&] { return find<QLabel>("homeVerdict")->text().contains(QStringLiteral("ResNet-50")); }));
    startAfterInterruption(0, 3);
    ASSERT_TRUE(eventually([&] { return m_test.history.runs().front().id == "cccccccccccc"; }));
    EXPECT_TRUE(eventually([&] { return find<QLabel>("homeVerdict")->text().contains(QStringLiteral("ResNet-50")); }));
    showLatestResults();
    ASSERT_TRUE(eventually([&] { return find<QPushButton>("resultsResumeButton")->isVisible(); }));
    EXPECT_FALSE(find<ChartView>("chart_train")->isVisible());
    QString texts;
    for (const auto* label : find<EmptyState>("noResult")->findChildren<QLabel*>()) texts += label->text();
    EXPECT_TRUE(texts.contains(QStringLiteral("interrupted after 0 of 3 cases"))) << texts.toStdString();
    click("resultsResumeButton");
    EXPECT_TRUE(m_test.run.isRunning());
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("benchmark"));
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

TEST_F(WindowTest, AnUnfinishedRunCanBeResumedWhereItsResultsAreShown) {
    startAfterInterruption(3, 5);
    ASSERT_TRUE(eventually([&] { return m_test.history.runs().front().id == "cccccccccccc"; }));
    showLatestResults();
    ASSERT_TRUE(eventually([&] { return find<Banner>("unfinishedBanner")->isVisible(); }));
    EXPECT_EQ(find<Banner>("unfinishedBanner")->text(), QStringLiteral("This run was interrupted after 3 of 5 cases."));
    QTest::mouseClick(find<Banner>("unfinishedBanner")->findChild<QPushButton*>(), Qt::LeftButton);
    EXPECT_TRUE(m_test.run.isRunning());
    EXPECT_TRUE(find<Banner>("unfinishedBanner")->isHidden()) << "one run at a time";
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

TEST_F(WindowTest, ClosingDuringARunAsks) {
    bench::RunRequest request;
    request.suite = "obedient";
    m_test.run.start(request);
    ASSERT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() == 1; }));
    m_test.dialogs.answer = false;
    EXPECT_FALSE(m_test.window->close());
    EXPECT_TRUE(m_test.run.isRunning());
    EXPECT_EQ(m_test.dialogs.asked.size(), 1);
    m_test.dialogs.answer = true;
    EXPECT_TRUE(m_test.window->close());
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

TEST_F(WindowTest, AChartIsExportedAndAClickTellsEverything) {
    m_test.window->showPage(QStringLiteral("results"));
    ASSERT_TRUE(eventually([&] { return find<ChartView>("chart_train")->spec().hasValues(); }));
    m_test.dialogs.fileToSave = m_test.folder.filePath(QStringLiteral("chart"));
    QTest::keyClick(m_test.window.get(), Qt::Key_E, Qt::ControlModifier);
    EXPECT_TRUE(eventually([&] { return notice().contains(QStringLiteral("chart.png")); }));
    EXPECT_TRUE(QFile::exists(m_test.folder.filePath(QStringLiteral("chart.png")))) << "the suffix is added";
    const auto day = Format::fileStamp(
        qobject_cast<ResultsPage*>(m_test.window->page(QStringLiteral("results")))->run()->startedUnixMs);
    EXPECT_EQ(m_test.dialogs.lastSuggestion, QStringLiteral("training-speed-%1.png").arg(day));

    auto* canvas = find<ChartView>("chart_train")->canvas();
    QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->chart()->geometry().marks.front().centre.toPoint());
    EXPECT_TRUE(find<Card>("detailCard")->isVisible());
    click("detailClose");
    EXPECT_FALSE(find<Card>("detailCard")->isVisible());
}

TEST_F(WindowTest, AnExportThatFailsSaysWhy) {
    m_test.window->showPage(QStringLiteral("results"));
    ASSERT_TRUE(eventually([&] { return find<ChartView>("chart_train")->spec().hasValues(); }));
    m_test.dialogs.fileToSave = QStringLiteral("/nonexistent-folder/chart.png");
    QTest::keyClick(m_test.window.get(), Qt::Key_E, Qt::ControlModifier);
    ASSERT_TRUE(eventually([&] { return m_test.dialogs.errors.size() == 1; }));
    EXPECT_TRUE(m_test.dialogs.errors.front().contains(QStringLiteral("/nonexistent-folder/chart.png")));
}

TEST_F(WindowTest, TwoRunsAreComparedWithTheOlderAsBase) {
    click("navigation_history");
    selectRuns({0});
    EXPECT_FALSE(find<QPushButton>("compareButton")->isEnabled());
    selectRuns({0, 1});
    click("compareButton");
    ASSERT_TRUE(eventually([&] { return find<Card>("comparisonCard")->isVisible(); }));
    EXPECT_TRUE(find<QLabel>("comparisonSummary")->text().contains(QStringLiteral("12 faster")))
        << find<QLabel>("comparisonSummary")->text().toStdString();
}

TEST_F(WindowTest, DeletionCanBeUndone) {
    click("navigation_history");
    selectRuns({0});
    click("deleteButton");
    ASSERT_TRUE(eventually([&] { return m_test.history.runs().size() == 2; }));
    EXPECT_EQ(notice(), QStringLiteral("1 run deleted"));
    click("noticeAction");
    EXPECT_TRUE(eventually([&] { return m_test.history.runs().size() == 3; }));
}

TEST_F(WindowTest, UndoOutlivesAnExport) {
    click("navigation_history");
    selectRuns({0});
    click("deleteButton");
    ASSERT_TRUE(eventually([&] { return m_test.history.runs().size() == 2; }));
    selectRuns({0});
    m_test.dialogs.fileToSave = m_test.folder.filePath(QStringLiteral("out.json"));
    click("exportRunsButton");
    ASSERT_TRUE(eventually([&] { return notice().contains(QStringLiteral("1 run exported")); }));
    click("noticeAction");
    EXPECT_EQ(m_test.dialogs.opened, QStringList(QUrl::fromLocalFile(m_test.folder.path()).toString()));
    EXPECT_EQ(notice(), QStringLiteral("1 run deleted")) << "below the other one";
    QTest::keyClick(m_test.window.get(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(eventually([&] { return m_test.history.runs().size() == 3; }));
    EXPECT_FALSE(find<NoticeBar>("noticeBar")->isVisible());
}

TEST_F(WindowTest, TheEndOfARunLeadsToItsResultsUntilTheNextStarts) {
    bench::RunRequest request;
    request.suite = "quick";
    m_test.run.start(request);
    ASSERT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
    ASSERT_TRUE(notice().startsWith(QStringLiteral("Benchmark finished"))) << notice().toStdString();
    EXPECT_EQ(find<QPushButton>("noticeAction")->text(), QStringLiteral("See results"));
    m_test.run.start(request);
    EXPECT_FALSE(find<NoticeBar>("noticeBar")->isVisible());
    ASSERT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
    click("noticeAction");
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("results"));
}

TEST_F(WindowTest, ANoteIsTypedInPlace) {
    click("navigation_history");
    auto* table = find<QTableView>("runsTable");
    const auto note = table->model()->index(0, RunsModel::Note);
    table->setCurrentIndex(note);
    table->edit(note);
    auto* editor = table->findChild<QLineEdit*>();
    ASSERT_NE(editor, nullptr);
    QTest::keyClicks(editor, QStringLiteral("quiet night"));
    QTest::keyClick(editor, Qt::Key_Return);
    EXPECT_TRUE(eventually([&] { return m_test.history.runs().front().note == "quiet night"; }));
}

TEST_F(WindowTest, RunsAreExportedAndImportedAndADroppedFileIsImported) {
    click("navigation_history");
    selectRuns({0, 1, 2});
    m_test.dialogs.fileToSave = m_test.folder.filePath(QStringLiteral("out.json"));
    click("exportRunsButton");
    ASSERT_TRUE(eventually([&] { return notice().contains(QStringLiteral("3 runs exported")); }))
        << notice().toStdString();
    m_test.dialogs.fileToOpen = m_test.folder.filePath(QStringLiteral("out.json"));
    click("importButton");
    EXPECT_TRUE(eventually([&] { return notice().contains(QStringLiteral("there already")); }))
        << notice().toStdString();

    m_test.window->showPage(QStringLiteral("home"));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(m_test.folder.filePath(QStringLiteral("nothing.json")))});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_test.window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_test.window.get(), &drop);
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("history"));
    ASSERT_TRUE(eventually([&] { return !m_test.dialogs.errors.isEmpty(); }));
    EXPECT_TRUE(m_test.dialogs.errors.front().contains(QStringLiteral("nothing.json")));
}

TEST_F(WindowTest, AnotherDatabaseIsOpenedAtOnce) {
    click("navigation_settings");
    m_test.dialogs.fileToSave = m_test.folder.filePath(QStringLiteral("other.sqlite"));
    click("chooseDatabaseButton");
    EXPECT_TRUE(eventually([&] { return m_test.history.runs().empty() && m_test.history.isLoaded(); }));
    EXPECT_EQ(find<ElidedLabel>("databaseLabel")->fullText(), m_test.dialogs.fileToSave);
}

TEST_F(WindowTest, ShortcutsReachPagesAndHelp) {
    const auto ids = m_test.window->pageIds();
    for (int number = 0; number < ids.size(); ++number) {
        QTest::keyClick(m_test.window.get(), static_cast<Qt::Key>(Qt::Key_0 + (number + 1) % 10), Qt::ControlModifier);
        EXPECT_EQ(m_test.window->currentPage(), ids[number]);
        m_test.dialogs.help.clear();
        QTest::keyClick(m_test.window.get(), Qt::Key_F1);
        EXPECT_GT(m_test.dialogs.help.size(), 40) << ids[number].toStdString();
    }
}

TEST_F(WindowTest, TheReportIsSeenBeforeItIsCopied) {
    click("navigation_hardware");
    click("reportButton");
    ASSERT_TRUE(eventually([&] { return !m_test.dialogs.preview.isEmpty(); }));
    EXPECT_TRUE(eventually([&] { return QGuiApplication::clipboard()->text() == m_test.dialogs.preview; }));
}

TEST_F(WindowTest, ThePlaceOfTheWindowAndTheLastPageAreRemembered) {
    m_test.window->resize(1111, 777);
    m_test.window->showPage(QStringLiteral("hardware"));
    m_test.window->close();
    m_test.window = std::make_unique<MainWindow>(m_test.context);
    EXPECT_EQ(m_test.window->size(), QSize(1111, 777));
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("hardware"));
}

// The second start, in a separate thread: the first instance answers from its event loop.
class SecondStart {
public:
    explicit SecondStart(const QString& name, int patienceMs = SingleInstance::kTimeoutMs)
        : m_thread(
              QThread::create([this, name, patienceMs] { m_first = SingleInstance(name, patienceMs).isFirst(); })) {
        m_thread->start();
    }
    [[nodiscard]] bool isFirst() {
        EXPECT_TRUE(QTest::qWaitFor([&] { return m_thread->isFinished(); }, 15000));
        return m_first;
    }

private:
    std::unique_ptr<QThread> m_thread;
    std::atomic<bool> m_first = false;
};

QString instanceName(const char* test) {
    return QStringLiteral("steelyard-%1-%2").arg(QLatin1String(test)).arg(QCoreApplication::applicationPid());
}

TEST(SingleInstance, TheSecondKnocksAndLeaves) {
    const auto name = instanceName("knock");
    auto first = std::make_unique<SingleInstance>(name);
    ASSERT_TRUE(first->isFirst());
    const QSignalSpy knocked(first.get(), &SingleInstance::knocked);
    EXPECT_FALSE(SecondStart(name).isFirst());
    EXPECT_EQ(knocked.count(), 1);
    first.reset();
    EXPECT_TRUE(SingleInstance(name).isFirst());
}

TEST(SingleInstance, OneThatClosesIsNotInTheWay) {
    const auto name = instanceName("closing");
    SingleInstance first(name);
    first.close();  // its window is closed; it may still wait for a worker
    SingleInstance second(name);
    EXPECT_TRUE(second.isFirst());
    EXPECT_FALSE(SecondStart(name).isFirst());
}

TEST(SingleInstance, OneThatDoesNotAnswerIsNotJoinedByAnother) {
    const auto name = instanceName("silent");
    const SingleInstance first(name);
    EXPECT_FALSE(SingleInstance(name, 300).isFirst()) << "asked from the thread that would answer";
}

TEST(SingleInstance, DisplaysAndHistoriesAreApart) {
    const auto name = SingleInstance::nameFor(1000, QStringLiteral(":0"), QStringLiteral("/a/history.db"));
    EXPECT_EQ(name, SingleInstance::nameFor(1000, QStringLiteral(":0"), QStringLiteral("/a/b/../history.db")));
    EXPECT_NE(name, SingleInstance::nameFor(1001, QStringLiteral(":0"), QStringLiteral("/a/history.db")));
    EXPECT_NE(name, SingleInstance::nameFor(1000, QStringLiteral(":1"), QStringLiteral("/a/history.db")));
    EXPECT_NE(name, SingleInstance::nameFor(1000, QStringLiteral(":0"), QStringLiteral("/b/history.db")));
}

}  // namespace
}  // namespace steelyard::ui
