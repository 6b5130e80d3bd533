// SPDX-License-Identifier: Apache-2.0
// A run on a busy machine is marked as such wherever its results are shown, and is not started without asking.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <atomic>
#include <memory>

#include "tests/support/visited_record.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/models/rows_model.h"
#include "ui/pages/benchmark/benchmark_page.h"
#include "ui/presenters/history/compare_presenter.h"
#include "ui/presenters/report_presenter.h"
#include "ui/presenters/results/disturbance_presenter.h"
#include "ui/presenters/results/records_presenter.h"
#include "ui/presenters/results/results_presenter.h"
#include "ui/widgets/banner.h"

namespace steelyard::ui {
namespace {

const WorkloadCatalogue kCatalogue = sample::catalogue();

bench::RunRecord busyRun() {
    auto run = sample::run("cccccccccccc");
    for (auto& record : run.records)
        if (record.figure) test::splitIntoVisits(record, true);
    return run;
}

class DisturbedRunTest : public WindowFixture {
protected:
    void show(const bench::RunRecord& run) {
        emit m_test.history.runLoaded(run);  // as if it had been loaded
    }
};

TEST_F(DisturbedRunTest, HomeAndResultsSayItAndOfferToRunAgain) {
    auto run = busyRun();
    run.id = m_test.history.runs().front().id;
    auto quiet = sample::run();
    quiet.id = run.id;
    show(quiet);
    EXPECT_TRUE(find<Banner>("homeBanner")->isHidden());
    EXPECT_TRUE(find<Banner>("resultsBanner")->isHidden());
    m_test.window->showPage(QStringLiteral("results"));
    show(run);
    for (const auto* name : {"homeBanner", "resultsBanner"}) {
        EXPECT_FALSE(find<Banner>(name)->isHidden()) << name;
        EXPECT_TRUE(find<Banner>(name)->text().startsWith(QStringLiteral("Measured while other programs used the CPU")))
            << find<Banner>(name)->text().toStdString();
    }
    QTest::mouseClick(find<Banner>("resultsBanner")->findChild<QPushButton*>(QStringLiteral("bannerAction")),
                      Qt::LeftButton);
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("benchmark"));
    EXPECT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() > 0; })) << "the same suite runs";
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

TEST_F(DisturbedRunTest, ADisturbedCaseCanBeMeasuredAgainByItself) {
    auto run = sample::run();
    run.id = m_test.history.runs().front().id;
    test::splitIntoVisits(run.records[0], true);
    m_test.window->showPage(QStringLiteral("results"));
    show(run);
    auto* tabs = find<QTabBar>("resultTabs");
    tabs->setCurrentIndex(tabs->count() - 1);
    auto* table = find<QTableView>("recordsTable");
    table->setCurrentIndex(table->model()->index(1, 0));
    EXPECT_TRUE(find<QPushButton>("measureAgainButton")->isHidden());
    table->setCurrentIndex(table->model()->index(0, 0));
    EXPECT_FALSE(find<QPushButton>("measureAgainButton")->isHidden());
    find<QPushButton>("measureAgainButton")->click();
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("benchmark"));
    EXPECT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() > 0; })) << "the case runs";
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

TEST(DisturbedRecords, AreAmberAndNotGreen) {
    const auto green = RecordsPresenter::table(sample::run(), kCatalogue);
    const auto amber = RecordsPresenter::table(busyRun(), kCatalogue);
    ASSERT_EQ(green.rows.size(), amber.rows.size());
    int changed = 0;
    for (std::size_t row = 0; row < amber.rows.size(); ++row) {
        for (std::size_t cell = 0; cell < amber.rows[row].cells.size(); ++cell) {
            EXPECT_NE(amber.rows[row].cells[cell].tone, Tone::Good);
            changed += green.rows[row].cells[cell].tone == Tone::Good;
        }
    }
    EXPECT_GT(changed, 4) << "they would be green";
    const auto run = busyRun();
    EXPECT_NE(ResultsPresenter(run, kCatalogue).verificationTone(), Tone::Good);
}

TEST(DisturbedRecords, SomeOfThemAreCounted) {
    auto run = sample::run();
    test::splitIntoVisits(run.records[0], true);
    ReportSources sources;
    sources.run = &run;
    const auto content = ReportPresenter::content(sources, kCatalogue, {"1", 0});
    ASSERT_GE(content.summary.size(), 2);
    EXPECT_TRUE(content.summary[1].startsWith(QStringLiteral("1 of "))) << content.summary[1].toStdString();
    EXPECT_TRUE(content.summary[1].contains(QStringLiteral("other programs used the CPU")));
}

TEST(DisturbedRecords, AreNotCompared) {
    const auto base = sample::run("aaaaaaaaaaaa", 1.5);
    EXPECT_GT(ComparePresenter::compare(base, sample::run(), bench::Scope::SameDevice, kCatalogue).faster, 0);
    const auto result = ComparePresenter::compare(base, busyRun(), bench::Scope::SameDevice, kCatalogue);
    EXPECT_EQ(result.faster, 0);
    EXPECT_GT(result.notComparable, 0);
    bool busy = false;
    for (const auto& row : result.table.rows)
        for (const auto& cell : row.cells) busy = busy || cell.text == QStringLiteral("not comparable: CPU busy");
    EXPECT_TRUE(busy);
}

TEST(DisturbedRecords, ACountedFewDoNotCondemnAComparison) {
    const auto quiet = sample::run("aaaaaaaaaaaa", 1.5);
    auto run = sample::run();
    test::splitIntoVisits(run.records[0], true);
    EXPECT_TRUE(DisturbancePresenter::banner(quiet, quiet).isEmpty());
    const auto few = DisturbancePresenter::banner(quiet, run);
    EXPECT_TRUE(few.startsWith(QStringLiteral("1 of "))) << few.toStdString();
    EXPECT_TRUE(few.contains(QStringLiteral("of the second run"))) << few.toStdString();
    EXPECT_TRUE(DisturbancePresenter::banner(busyRun(), quiet).startsWith(QStringLiteral("The first run")));
    EXPECT_TRUE(DisturbancePresenter::banner(busyRun(), busyRun()).startsWith(QStringLiteral("Both runs")));
    const auto mixed = DisturbancePresenter::banner(busyRun(), run);
    EXPECT_TRUE(mixed.contains(QStringLiteral("The first run"))) << mixed.toStdString();
    EXPECT_TRUE(mixed.contains(QStringLiteral("1 of "))) << mixed.toStdString();
}

struct Idle {
    std::shared_ptr<std::atomic<bool>> idle = std::make_shared<std::atomic<bool>>(false);
};

class BusyMachineTest : protected Idle, public WindowFixture {
protected:
    BusyMachineTest() : WindowFixture({.otherLoad = 0.92, .idle = Idle::idle}) {}
    static void press(const Banner& banner) {
        QTest::mouseClick(banner.findChild<QPushButton*>(QStringLiteral("bannerAction")), Qt::LeftButton);
    }
};

TEST_F(BusyMachineTest, ARunThatWasNotStartedCanWaitUntilItIsIdle) {
    m_test.dialogs.answer = false;
    click("navigation_benchmark");
    m_test.window->findChild<BenchmarkPage*>()->startFirstSuite();
    auto* notStarted = find<Banner>("notStartedBanner");
    auto* waiting = find<Banner>("waitingBanner");
    ASSERT_TRUE(eventually([&] { return notStarted->isVisible(); }));
    EXPECT_TRUE(notStarted->text().contains(QStringLiteral("92 %"))) << notStarted->text().toStdString();
    find<QTimer>("idleTimer")->setInterval(20);
    press(*notStarted);
    EXPECT_TRUE(waiting->isVisible());
    EXPECT_FALSE(notStarted->isVisible());
    QTest::qWait(150);
    EXPECT_FALSE(m_test.run.isRunning()) << "still busy";
    EXPECT_EQ(m_test.dialogs.asked.size(), 1) << "it asks once";
    press(*waiting);
    EXPECT_FALSE(find<QTimer>("idleTimer")->isActive());

    m_test.window->findChild<BenchmarkPage*>()->startFirstSuite();
    ASSERT_TRUE(eventually([&] { return notStarted->isVisible(); }));
    press(*notStarted);
    *idle = true;
    EXPECT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() > 0; }));
    EXPECT_TRUE(waiting->isHidden());
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

TEST_F(BusyMachineTest, ARunIsStartedOnlyOnRequest) {
    m_test.dialogs.answer = false;
    m_test.window->findChild<BenchmarkPage*>()->startFirstSuite();
    ASSERT_TRUE(eventually([&] { return m_test.dialogs.asked.size() == 1; }));
    EXPECT_TRUE(m_test.dialogs.asked.front().contains(QStringLiteral("92 %")))
        << m_test.dialogs.asked.front().toStdString();
    EXPECT_FALSE(m_test.run.isRunning());
    m_test.dialogs.answer = true;
    m_test.window->findChild<BenchmarkPage*>()->startFirstSuite();
    EXPECT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() > 0; }));
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

}  // namespace
}  // namespace steelyard::ui
