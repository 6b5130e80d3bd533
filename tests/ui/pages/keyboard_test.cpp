// SPDX-License-Identifier: Apache-2.0
// Every page without a mouse: Tab reaches each enabled control, in reading order, and the focus is visible.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSet>
#include <QTest>

#include "tests/ui/support/test_window.h"
#include "ui/pages/benchmark/benchmark_page.h"
#include "ui/pages/page.h"

namespace steelyard::ui {
namespace {

QString nameOf(const QWidget* widget) {
    return QStringLiteral("%1 %2 \"%3\"")
        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(), widget->accessibleName());
}

bool isControl(const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) &&
           !widget->focusProxy() && !qobject_cast<const QScrollArea*>(widget) &&
           !qobject_cast<const QComboBox*>(widget->parentWidget()) &&
           widget->objectName() != QLatin1String("qt_spinbox_lineedit");
}

std::vector<QWidget*> controlsOf(QWidget* page) {
    std::vector<QWidget*> list;
    for (auto* widget : page->findChildren<QWidget*>()) {
        if (isControl(widget)) list.push_back(widget);
    }
    return list;
}

// Once around, starting from the page's own focus.
std::vector<QWidget*> walkByTab(TestWindow& test) {
    std::vector<QWidget*> order;
    for (int step = 0; step < 300; ++step) {
        auto* from = QApplication::focusWidget();
        QTest::keyClick(from ? from : test.window.get(), Qt::Key_Tab);
        auto* now = QApplication::focusWidget();
        if (!now || (!order.empty() && now == order.front())) break;
        order.push_back(now);
    }
    return order;
}

class KeyboardTest : public testing::TestWithParam<const char*> {};

TEST_P(KeyboardTest, TabReachesEveryControlAndTheFocusIsSeen) {
    TestWindow test({.withRuns = true, .withGpus = true, .usableGpus = 4});
    test.window->resize(1280, 840);
    test.window->activateWindow();
    test.waitUntilReady();
    test.window->showPage(QLatin1String(GetParam()));
    QTest::qWait(GetParam() == std::string_view("advice") ? 1500 : 150);
    test.window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(test.window.get()));
    QWidget* page = test.window->page(QLatin1String(GetParam()));
    const auto controls = controlsOf(page);
    ASSERT_FALSE(controls.empty());
    test.window->setFocus();
    const auto order = walkByTab(test);
    const QSet<QWidget*> reached(order.begin(), order.end());
    for (auto* control : controls) EXPECT_TRUE(reached.contains(control)) << nameOf(control).toStdString();

    for (auto* control : controls) {
        control->setFocus(Qt::TabFocusReason);
        if (QApplication::focusWidget() != control) continue;
        // Including its frame, which may belong to the parent.
        auto* seen = control->parentWidget() ? control->parentWidget() : control;
        QTest::qWait(1);
        const auto with = seen->grab().toImage();
        control->clearFocus();
        const auto without = seen->grab().toImage();
        EXPECT_NE(with, without) << "no sign of the focus: " << nameOf(control).toStdString();
    }
}

INSTANTIATE_TEST_SUITE_P(Pages, KeyboardTest,
                         testing::Values("home", "hardware", "benchmark", "results", "history", "advice", "campaigns",
                                         "studies", "report", "settings"),
                         [](const auto& one) { return std::string(one.param); });

TEST(Help, EveryPageHasItsOwnAndTheShortcutsAreListed) {
    TestWindow test;
    test.waitUntilReady();
    QSet<QString> texts;
    for (const auto& id : test.window->pageIds()) {
        test.window->showPage(id);
        QTest::keyClick(test.window.get(), Qt::Key_F1);
        EXPECT_GT(test.dialogs.help.size(), 80) << id.toStdString();
        for (const auto* key : {"Ctrl+R", "Ctrl+.", "Esc", "Ctrl+E", "Ctrl+1", "F1"})
            EXPECT_TRUE(test.dialogs.help.contains(QLatin1String(key))) << id.toStdString() << " without " << key;
        texts << test.dialogs.help;
    }
    EXPECT_EQ(texts.size(), test.window->pageIds().size());
}

// Pressed while hardware detection is running.
TEST(Keyboard, RunStartsAsSoonAsItIsKnownWhatThereIs) {
    TestWindow test;
    ASSERT_TRUE(test.machine.catalogue().suites.empty());
    auto* page = test.window->findChild<BenchmarkPage*>();
    ASSERT_NE(page, nullptr);
    page->startFirstSuite();
    EXPECT_FALSE(test.run.isRunning());
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.run.isRunning(); }, 15000));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !test.run.isRunning(); }, 15000));
    test.machine.detect();
    test.waitUntilReady();
    QTest::qWait(200);
    EXPECT_FALSE(test.run.isRunning()) << "once was asked for";
}

}  // namespace
}  // namespace steelyard::ui
