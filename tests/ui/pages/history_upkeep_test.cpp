// SPDX-License-Identifier: Apache-2.0
// Deleting old runs and compacting, on the pages History and Settings.
#include <gtest/gtest.h>
#include <unistd.h>

#include <QCheckBox>
#include <QDateEdit>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include "engine/bench/run/resume.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/dialogs/prune_dialog.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {
namespace {

class HistoryUpkeep : public WindowFixture {
protected:
    // 30 runs and three more: the newest, and one with a note a day after the third.
    HistoryUpkeep() : WindowFixture({.manyRuns = 30}) {}
    // Finds an enabled button and clicks it.
    void click(const char* name) {
        auto* button = m_test.find<QPushButton>(name);
        ASSERT_TRUE(button && button->isVisible() && button->isEnabled()) << name;
        button->click();
    }
    QString notice() { return m_test.find<NoticeBar>("noticeBar")->text(); }
    QString extent() { return m_test.find<QLabel>("extentLabel")->text(); }
    [[nodiscard]] bool canCompact() { return m_test.find<QPushButton>("compactButton")->isEnabled(); }
};

TEST_F(HistoryUpkeep, OldRunsAreDeletedTogetherAndBroughtBack) {
    m_test.window->showPage(QStringLiteral("history"));
    click("pruneRunsButton");
    QTest::qWait(100);
    EXPECT_EQ(m_test.history.runs().size(), 33U) << "the user changed their mind";
    m_test.dialogs.pruning = history::PruneRule{.keepNewest = 1, .startedBeforeUnixMs = {}};
    click("pruneRunsButton");
    ASSERT_TRUE(eventually([&] { return m_test.history.runs().size() == 2; })) << "the newest, and the one with a note";
    EXPECT_EQ(m_test.history.runs().back().note, "before the new fan");
    EXPECT_EQ(notice(), QStringLiteral("31 runs deleted"));
    click("noticeAction");
    EXPECT_TRUE(eventually([&] { return m_test.history.runs().size() == 33; }));
}

TEST_F(HistoryUpkeep, SettingsShowTheSizeAndGiveSpaceBack) {
    m_test.window->showPage(QStringLiteral("settings"));
    EXPECT_TRUE(eventually([&] { return extent().startsWith(QStringLiteral("33 runs, ")); })) << extent().toStdString();
    m_test.dialogs.pruning = history::PruneRule{.keepNewest = 1, .startedBeforeUnixMs = {}};
    m_test.window->showPage(QStringLiteral("history"));
    click("pruneRunsButton");
    ASSERT_TRUE(eventually([&] { return notice() == QStringLiteral("31 runs deleted"); }));
    const auto before = m_test.history.bytes();
    m_test.window->showPage(QStringLiteral("settings"));
    click("compactButton");
    EXPECT_FALSE(canCompact()) << "once is enough";
    EXPECT_EQ(notice(), QStringLiteral("Compacting…"));
    EXPECT_FALSE(m_test.find<QPushButton>("noticeAction")->isVisible()) << "they cannot be brought back any more";
    ASSERT_TRUE(eventually([&] { return notice().startsWith(QStringLiteral("The history took ")); }))
        << notice().toStdString();
    ASSERT_TRUE(eventually([&] { return m_test.history.bytes() < before; }));
    EXPECT_TRUE(extent().startsWith(QStringLiteral("2 runs, "))) << extent().toStdString();
    EXPECT_TRUE(canCompact());
    EXPECT_TRUE(m_test.dialogs.errors.isEmpty());
}

TEST_F(HistoryUpkeep, NoSpaceIsGivenBackDuringARun) {
    m_test.window->showPage(QStringLiteral("settings"));
    EXPECT_TRUE(canCompact());
    bench::RunRequest request;
    request.suite = "obedient";
    m_test.run.start(request);
    ASSERT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() == 1; }));
    EXPECT_FALSE(canCompact());
    EXPECT_TRUE(extent().contains(QStringLiteral("Not available during a run"))) << extent().toStdString();
    m_test.run.stop();
    EXPECT_TRUE(eventually([&] { return canCompact(); }));
    EXPECT_FALSE(extent().contains(QStringLiteral("in progress"))) << extent().toStdString();
}

// Started by the command line after the list was loaded.
TEST_F(HistoryUpkeep, ARunElsewhereIsToldAndForbidsIt) {
    m_test.window->showPage(QStringLiteral("settings"));
    QTest::qWait(100);
    {
        auto store = history::HistoryStore::open(m_test.context.databaseFile().toStdString()).value();
        auto run = sample::run("cccccccccccc");
        run.finishedUnixMs.reset();
        ASSERT_TRUE(store->beginRun(run, R"({"cases": [], "process": ")" + bench::processIdentity(::getpid()) + "\"}"));
    }
    click("compactButton");
    ASSERT_TRUE(eventually([&] { return !m_test.dialogs.errors.isEmpty(); }));
    EXPECT_TRUE(m_test.dialogs.errors.front().contains(QStringLiteral("run cccccccccccc is in progress")))
        << m_test.dialogs.errors.front().toStdString();
    EXPECT_EQ(notice(), QStringLiteral("The file was not compacted."));
    m_test.window->showPage(QStringLiteral("home"));
    m_test.window->showPage(QStringLiteral("settings"));
    EXPECT_TRUE(eventually([&] { return !canCompact(); })) << "the page looks anew";
    EXPECT_TRUE(extent().contains(QStringLiteral("Not available during a run"))) << extent().toStdString();
}

TEST_F(HistoryUpkeep, TheDialogTellsWhatGoes) {
    PruneDialog dialog(m_test.history.runs(), m_test.window.get());
    dialog.show();
    auto* button = dialog.findChild<QPushButton*>(QStringLiteral("pruneButton"));
    auto* keepBox = dialog.findChild<QCheckBox*>(QStringLiteral("keepBox"));
    auto* sinceBox = dialog.findChild<QCheckBox*>(QStringLiteral("sinceBox"));
    auto* since = dialog.findChild<QDateEdit*>(QStringLiteral("sinceEdit"));
    const auto summary = [&] { return dialog.findChild<QLabel*>(QStringLiteral("pruneSummary"))->text(); };
    EXPECT_EQ(dialog.rule().keepNewest, 20);
    EXPECT_FALSE(dialog.rule().startedBeforeUnixMs);
    EXPECT_TRUE(summary().startsWith(QStringLiteral("13 of 33 runs will be deleted"))) << summary().toStdString();
    EXPECT_TRUE(button->isEnabled());

    dialog.findChild<QSpinBox*>(QStringLiteral("keepEdit"))->setValue(40);
    EXPECT_EQ(summary(), QStringLiteral("No run will be deleted."));
    EXPECT_FALSE(button->isEnabled());

    keepBox->setChecked(false);
    EXPECT_EQ(summary(), QStringLiteral("Choose what to keep."));
    EXPECT_FALSE(button->isEnabled());

    EXPECT_FALSE(since->isEnabled());
    sinceBox->setChecked(true);
    const auto newest = QDateTime::fromMSecsSinceEpoch(m_test.history.runs().front().startedUnixMs).date();
    since->setDate(newest.addDays(1));
    EXPECT_TRUE(summary().startsWith(QStringLiteral("32 of 33 runs"))) << "all but the one with a note";
    EXPECT_EQ(dialog.rule().startedBeforeUnixMs, newest.addDays(1).startOfDay().toMSecsSinceEpoch());
    EXPECT_FALSE(dialog.rule().keepNewest);
}

}  // namespace
}  // namespace steelyard::ui
