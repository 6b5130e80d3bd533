// SPDX-License-Identifier: Apache-2.0
// The jobs of the window by keys alone: a run, a comparison, an advice, a report. Keys go to the window, as from a
// keyboard, and a control is reached by Tab, or not at all.
#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QShortcut>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QWindow>
#include <functional>

#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/pages/page.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {
namespace {

class KeyboardJobsTest : public WindowFixture {
protected:
    void SetUp() override {
        WindowFixture::SetUp();
        m_test.window->resize(1280, 840);
        m_test.window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_test.window.get()));
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        if (!QGuiApplication::focusWindow()) {
            m_test.window->activateWindow();  // without a window manager nobody does when a menu closes
            ASSERT_TRUE(QTest::qWaitForWindowActive(m_test.window.get()));
        }
        QTest::keyClick(QGuiApplication::focusWindow(), key, modifiers);
        QTest::qWait(5);
    }
    void type(const char* text) {
        for (const char* letter = text; *letter != '\0'; ++letter)
            QTest::keyClick(QGuiApplication::focusWindow(), *letter);
    }
    static QString focusName() {
        const auto* widget = QApplication::focusWidget();
        return widget ? widget->objectName() : QString();
    }
    // A key always has a place to go: what had the focus may have been hidden by its own action.
    void expectFocus(const char* where) {
        const auto* widget = QApplication::focusWidget();
        ASSERT_NE(widget, nullptr) << where;
        EXPECT_TRUE(widget->isVisible()) << where << ": " << focusName().toStdString();
        const auto* page = m_test.window->page(m_test.window->currentPage());
        EXPECT_TRUE(widget == page || page->isAncestorOf(widget))
            << where << ": the focus left the page: " << widget->metaObject()->className() << " "
            << focusName().toStdString();
    }
    void tabTo(const char* name) {
        QStringList passed;
        for (int step = 0; step < 150; ++step) {
            if (focusName() == QLatin1String(name)) return;
            passed << focusName();
            press(Qt::Key_Tab);
        }
        FAIL() << name << " is not reached by Tab: " << passed.join(QLatin1Char(' ')).toStdString();
    }
    // For the menu that opens next. It has an event loop of its own, in which `deed` presses its keys.
    void inMenu(std::function<void(QMenu&)> deed) {
        QTimer::singleShot(100, m_test.window.get(), [deed = std::move(deed)] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            ASSERT_NE(menu, nullptr);
            deed(*menu);
        });
    }
    QString notice() { return find<NoticeBar>("noticeBar")->text(); }
};

TEST_F(KeyboardJobsTest, ARunIsStartedWatchedAndItsResultsSeen) {
    press(Qt::Key_1, Qt::ControlModifier);
    tabTo("homeRunButton");
    press(Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return m_test.window->currentPage() == QLatin1String("benchmark"); }));
    expectFocus("a run was started");
    ASSERT_TRUE(
        eventually([&] { return !m_test.run.isRunning() && find<QPushButton>("seeResultsButton")->isVisible(); }));
    expectFocus("the run has ended");
    tabTo("seeResultsButton");
    press(Qt::Key_Space);
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("results"));
    expectFocus("its results");
}

TEST_F(KeyboardJobsTest, ARunIsChosenStartedAndStopped) {
    press(Qt::Key_3, Qt::ControlModifier);
    tabTo("suiteBox");
    press(Qt::Key_Down);
    tabTo("workloadTree");
    press(Qt::Key_Home);
    press(Qt::Key_Space);  // leaves a family out
    EXPECT_TRUE(eventually([&] { return find<QPushButton>("runButton")->isEnabled(); }));
    tabTo("runButton");
    const QSignalSpy started(&m_test.run, &RunController::started);
    press(Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return started.count() == 1; }));
    expectFocus("the form has gone");
    ASSERT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
    QTest::qWait(50);
    expectFocus("the run has ended");
    tabTo("newRunButton");
    press(Qt::Key_Space);
    expectFocus("the form again");
    tabTo("runButton");

    bench::RunRequest request;
    request.suite = "obedient";
    m_test.run.start(request);
    ASSERT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() == 1; }));
    expectFocus("another one runs");
    tabTo("stopButton");
    press(Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
    QTest::qWait(50);
    expectFocus("it was stopped");
    tabTo("resumeRunButton");
}

TEST_F(KeyboardJobsTest, TwoRunsAreSelectedAndCompared) {
    press(Qt::Key_5, Qt::ControlModifier);
    tabTo("runsTable");
    press(Qt::Key_Home, Qt::ControlModifier);
    press(Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_TRUE(find<QPushButton>("compareButton")->isEnabled());
    EXPECT_TRUE(find<QPushButton>("compareButton")->toolTip().isEmpty());
    tabTo("compareButton");
    press(Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return find<QWidget>("comparisonCard")->isVisible(); }));
    expectFocus("compared");
    tabTo("chartCanvas");
    press(Qt::Key_Right);
    const auto* canvas = qobject_cast<ChartCanvas*>(QApplication::focusWidget());
    ASSERT_NE(canvas, nullptr);
    EXPECT_FALSE(canvas->property("accessibleValue").toString().isEmpty()) << "the point";
    tabTo("comparisonTabs");
    press(Qt::Key_Right);
    tabTo("comparisonTable");
    press(Qt::Key_Down);
    EXPECT_TRUE(find<QTableView>("comparisonTable")->currentIndex().isValid());
    tabTo("comparisonClose");
    press(Qt::Key_Space);
    EXPECT_FALSE(find<QWidget>("comparisonCard")->isVisible());
    expectFocus("closed");
}

TEST_F(KeyboardJobsTest, ARunIsOpenedNotedAndDeletedInTheTable) {
    press(Qt::Key_5, Qt::ControlModifier);
    tabTo("runsTable");
    press(Qt::Key_Home, Qt::ControlModifier);
    press(Qt::Key_Space);
    // The menu key, as the platform reports it.
    QStringList offered;
    inMenu([&](QMenu& menu) {
        for (const auto* action : menu.actions()) offered << action->text();
        QTest::keyClick(&menu, Qt::Key_Escape);
    });
    QContextMenuEvent menuKey(QContextMenuEvent::Keyboard, {}, {});
    QCoreApplication::sendEvent(m_test.window->windowHandle(), &menuKey);
    EXPECT_TRUE(offered.contains(find<QPushButton>("openButton")->text()));
    expectFocus("the menu was left");
    press(Qt::Key_Return);
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("results"));
    press(Qt::Key_5, Qt::ControlModifier);
    tabTo("runsTable");
    const auto before = m_test.history.runs().size();
    press(Qt::Key_Delete);
    ASSERT_TRUE(eventually([&] { return m_test.history.runs().size() == before - 1; }));
    expectFocus("deleted");
    tabTo("noticeAction");
    press(Qt::Key_Space);
    EXPECT_TRUE(eventually([&] { return m_test.history.runs().size() == before; }));
    expectFocus("brought back");
}

TEST_F(KeyboardJobsTest, AnAdviceIsAskedForAndItsReasonsRead) {
    press(Qt::Key_6, Qt::ControlModifier);
    ASSERT_TRUE(eventually([&] { return m_test.advice.answer() && !m_test.advice.isBusy(); }));
    tabTo("adviceWorkload");
    press(Qt::Key_A, Qt::ControlModifier);
    type("BERT");
    QTest::qWait(50);
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    EXPECT_TRUE(eventually([&] {
        return m_test.advice.answer() &&
               QString::fromStdString(m_test.advice.answer()->workloadTitle).contains(QStringLiteral("BERT"));
    })) << m_test.advice.answer()->workloadTitle;
    tabTo("adviceBudget");
    press(Qt::Key_A, Qt::ControlModifier);
    type("50");
    press(Qt::Key_Return);
    EXPECT_EQ(find<QDoubleSpinBox>("adviceBudget")->value(), 50);
    ASSERT_TRUE(
        eventually([&] { return m_test.advice.answer()->question.budgetUsd == 50 && !m_test.advice.isBusy(); }));
    expectFocus("answered");
    EXPECT_EQ(focusName(), QStringLiteral("adviceBudget")) << "an answer must not take the focus";
    tabTo("adviceTabs");
    press(Qt::Key_Right);
    tabTo("adviceTable");
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    ASSERT_TRUE(eventually([&] { return find<QWidget>("adviceDetailCard")->isVisible(); }));
    tabTo("adviceDetailClose");
    press(Qt::Key_Space);
    EXPECT_FALSE(find<QWidget>("adviceDetailCard")->isVisible());
    expectFocus("the details are closed");
}

TEST_F(KeyboardJobsTest, AReportIsSavedAndShownInItsFolder) {
    press(Qt::Key_9, Qt::ControlModifier);
    ASSERT_TRUE(eventually([&] { return find<QPushButton>("reportPdfButton")->isEnabled(); }));
    m_test.dialogs.fileToSave = m_test.folder.filePath(QStringLiteral("by keys.pdf"));
    tabTo("reportPdfButton");
    press(Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return notice().contains(QStringLiteral("by keys.pdf")); })) << notice().toStdString();
    EXPECT_GT(QFileInfo(m_test.dialogs.fileToSave).size(), 1000);
    expectFocus("saved");
    tabTo("noticeAction");
    press(Qt::Key_Space);
    EXPECT_EQ(m_test.dialogs.opened.size(), 1);
    expectFocus("shown in its folder");
    // Another format, from the menu.
    m_test.dialogs.fileToSave = m_test.folder.filePath(QStringLiteral("by keys.md"));
    tabTo("reportOtherButton");
    inMenu([](QMenu& menu) {
        for (const auto key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Return}) QTest::keyClick(&menu, key);
    });
    press(Qt::Key_Space);
    EXPECT_TRUE(eventually([&] { return QFileInfo(m_test.dialogs.fileToSave).size() > 1000; }));
    expectFocus("from the menu");
}

TEST_F(KeyboardJobsTest, LanguageAndTextSizeAreSteppedThrough) {
    press(Qt::Key_0, Qt::ControlModifier);
    for (const auto* name : {"languageBox", "textSizeBox"}) {
        tabTo(name);
        for (const auto key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Up, Qt::Key_Up}) {
            const QPointer<Page> old = m_test.window->page(QStringLiteral("settings"));
            const int index = find<QComboBox>(name)->currentIndex();
            press(key);
            ASSERT_TRUE(eventually([&] { return old.isNull(); })) << name;
            EXPECT_EQ(focusName(), QLatin1String(name)) << "in the page that replaced the old one";
            EXPECT_EQ(find<QComboBox>(name)->currentIndex(), index + (key == Qt::Key_Down ? 1 : -1));
        }
    }
}

TEST_F(KeyboardJobsTest, NoTwoActionsHaveTheSameKey) {
    QMap<QString, int> keys;
    for (const auto* shortcut : m_test.window->findChildren<QShortcut*>())
        if (shortcut->context() != Qt::WidgetShortcut) ++keys[shortcut->key().toString()];
    for (const auto* action : m_test.window->findChildren<QAction*>())
        if (action->shortcutContext() != Qt::WidgetShortcut && !action->shortcut().isEmpty())
            ++keys[action->shortcut().toString()];
    EXPECT_GE(keys.size(), 15);
    for (auto key = keys.cbegin(); key != keys.cend(); ++key) EXPECT_EQ(key.value(), 1) << key.key().toStdString();
    // The keys that a control names are those which work.
    for (const auto& id : m_test.window->pageIds()) {
        const auto tip = find<QWidget>(("navigation_" + id.toStdString()).c_str())->toolTip();
        const auto key = tip.mid(tip.lastIndexOf(QLatin1Char('(')) + 1).chopped(1);
        EXPECT_TRUE(keys.contains(key)) << tip.toStdString();
    }
}

}  // namespace
}  // namespace steelyard::ui
