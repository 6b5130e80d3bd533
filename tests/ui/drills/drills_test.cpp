// SPDX-License-Identifier: Apache-2.0
// The window with the real measuring program: runs are ended at random times in every available way, and the window
// itself is killed: nothing incomplete is marked complete, and missing cases can be measured afterwards.
#include <gtest/gtest.h>
#include <signal.h>

#include <QProcess>
#include <QPushButton>
#include <QTest>

#include "engine/core/random.h"
#include "tests/support/honest_history.h"
#include "tests/ui/support/test_window.h"
#include "ui/models/runs_model.h"

namespace steelyard::ui {
namespace {

constexpr int kPatience = 60000;

bench::RunRequest smallRun(const TestWindow& test) {
    bench::RunRequest request;
    request.workloads = {"mnist_mlp"};
    request.batches = {4, 8, 16};
    request.devices = {"cpu"};
    request.threads = {1};
    request.timeCapSeconds = 0.2;
    request.database = test.context.databaseFile().toStdString();
    return request;
}

TEST(WindowDrills, TenRunsCancelledAtRandomMoments) {
    TestWindow test({.withRuns = false, .executable = QStringLiteral(STEELYARD_CLI)});
    test.waitUntilReady();
    const RandomStream moments(20261122, 4);
    for (std::uint32_t round = 0; round < 10; ++round) {
        const int delay = static_cast<int>(4000 * moments.uniform(round));
        SCOPED_TRACE("round " + std::to_string(round) + " after " + std::to_string(delay) + " ms");
        test.window->showPage(QStringLiteral("benchmark"));
        test.run.start(smallRun(test));
        QTest::qWait(delay);
        if (test.run.isRunning()) {
            if (round % 3 == 0) QTest::mouseClick(test.find<QPushButton>("stopButton"), Qt::LeftButton);
            if (round % 3 == 1) QTest::keyClick(test.window.get(), Qt::Key_Escape);
            if (round % 3 == 2) {
                EXPECT_TRUE(test.window->close()) << "asked, and answered yes";
                test.window->show();
            }
        }
        ASSERT_TRUE(QTest::qWaitFor([&] { return !test.run.isRunning(); }, kPatience));
        test::expectHonest(test.context.databaseFile().toStdString());
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test.history.runs().empty(); }, kPatience));
    for (const auto& run : test.history.runs())
        EXPECT_FALSE(RunsModel::wasInterrupted(run)) << RunsModel::state(run).toStdString();
    EXPECT_TRUE(test.dialogs.errors.isEmpty()) << test.dialogs.errors.join(QLatin1Char('|')).toStdString();
}

// The host represents the window of a run; when killed, finished cases remain.
TEST(WindowDrills, AKilledWindowLeavesARunThatCanBeResumed) {
    for (const int signal : {SIGKILL, SIGTERM}) {
        SCOPED_TRACE(signal);
        QTemporaryDir folder;
        const auto database = folder.filePath(QStringLiteral("history.sqlite"));
        QProcess host;
        host.start(QStringLiteral(STEELYARD_RUN_HOST), {QStringLiteral(STEELYARD_CLI), database});
        ASSERT_TRUE(host.waitForStarted());
        ASSERT_TRUE(host.waitForReadyRead(kPatience)) << host.readAllStandardError().toStdString();
        ::kill(static_cast<pid_t>(host.processId()), signal);
        ASSERT_TRUE(host.waitForFinished(kPatience));
        auto store = history::HistoryStore::open(database.toStdString()).value();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !store->runs()->front().underWay; }, kPatience))
            << "its child must not measure on";
        const auto run = store->runs()->front();
        EXPECT_TRUE(RunsModel::wasInterrupted(run)) << RunsModel::state(run).toStdString();
        EXPECT_GE(run.okCount, 1);
        EXPECT_EQ(run.plannedCount, 6);
        test::expectHonest(database.toStdString());

        RunController controller(QStringLiteral(STEELYARD_CLI));
        bench::RunRequest request;
        request.resume = run.id;
        request.database = database.toStdString();
        controller.start(request);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !controller.isRunning(); }, 2 * kPatience));
        // In parallel with other tests its cases may be disturbed.
        const auto state = RunsModel::state(store->runs()->front());
        EXPECT_TRUE(state == QStringLiteral("complete") || state.endsWith(QStringLiteral(" disturbed")))
            << state.toStdString();
        EXPECT_TRUE(store->runs()->front().finishedUnixMs);
        EXPECT_EQ(store->runs()->front().okCount, 6);
        test::expectHonest(database.toStdString());
    }
}

}  // namespace
}  // namespace steelyard::ui
