// SPDX-License-Identifier: Apache-2.0
// No accidental actions: Esc that closes a drop-down does not stop a run, and scrolling a page changes no value.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTest>
#include <QWheelEvent>

#include "tests/ui/support/window_fixture.h"
#include "ui/pages/page.h"

namespace steelyard::ui {
namespace {

class RunningTest : public WindowFixture {
protected:
    void SetUp() override {
        WindowFixture::SetUp();
        bench::RunRequest request;
        request.suite = "obedient";
        m_test.run.start(request);
        ASSERT_TRUE(eventually([&] { return m_test.run.progress().finishedCount() == 1; }));
        m_test.window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_test.window.get()));
    }
    void pressEscape() {
        auto* popup = QApplication::activePopupWidget();
        auto* focus = QApplication::focusWidget();
        QTest::keyClick(popup ? popup : focus ? focus : m_test.window.get(), Qt::Key_Escape);
    }
};

TEST_F(RunningTest, EscapeStopsOnTheBenchmarkPageOnly) {
    for (const auto& id : m_test.window->pageIds()) {
        if (id == QLatin1String("benchmark")) continue;
        m_test.window->showPage(id);
        pressEscape();
        EXPECT_FALSE(m_test.run.isStopping()) << id.toStdString();
    }
    m_test.window->showPage(QStringLiteral("benchmark"));
    pressEscape();
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
    EXPECT_TRUE(m_test.dialogs.asked.isEmpty()) << "a short run is stopped unasked";
}

TEST_F(RunningTest, EscapeInADropDownOrAFieldStopsNothing) {
    m_test.window->showPage(QStringLiteral("advice"));
    auto* box = find<QComboBox>("advicePrecision");
    box->setFocus();
    box->showPopup();
    ASSERT_TRUE(eventually([&] { return box->view()->isVisible(); }));
    pressEscape();
    EXPECT_TRUE(eventually([&] { return !box->view()->isVisible(); })) << "it closes the drop-down";
    pressEscape();
    find<QDoubleSpinBox>("adviceBudget")->setFocus();
    pressEscape();
    // Also on the page where Esc stops a run: with a field focused.
    m_test.window->showPage(QStringLiteral("benchmark"));
    QLineEdit field(m_test.window->findChild<QWidget*>(QStringLiteral("runHeading"))->window());
    field.show();
    field.setFocus();
    ASSERT_EQ(QApplication::focusWidget(), &field);
    pressEscape();
    QTest::qWait(30);
    EXPECT_TRUE(m_test.run.isRunning());
    EXPECT_FALSE(m_test.run.isStopping());
}

TEST_F(RunningTest, ALongRunIsStoppedByAKeyOnlyAfterAQuestion) {
    m_test.window->setStopAsksAfter(0);
    m_test.dialogs.answer = false;
    m_test.window->showPage(QStringLiteral("benchmark"));
    pressEscape();
    ASSERT_EQ(m_test.dialogs.asked.size(), 1);
    EXPECT_TRUE(m_test.dialogs.asked.front().startsWith(QStringLiteral("Stop the run after")))
        << "and it says how long";
    EXPECT_FALSE(m_test.run.isStopping());
    m_test.dialogs.answer = true;
    m_test.window->showPage(QStringLiteral("settings"));
    QTest::keyClick(m_test.window.get(), Qt::Key_Period, Qt::ControlModifier);
    EXPECT_EQ(m_test.dialogs.asked.size(), 2) << "Ctrl+. works on every page";
    EXPECT_TRUE(eventually([&] { return !m_test.run.isRunning(); }));
}

// The content of a value field, as text.
QString valueOf(const QWidget* widget) {
    if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(widget)) return spin->text();
    if (const auto* combo = qobject_cast<const QComboBox*>(widget)) return QString::number(combo->currentIndex());
    return QString::number(qobject_cast<const QSlider*>(widget)->value());
}

// Sends a wheel event as Qt delivers a real one: to the widget under the pointer, then to its parents until one accepts
// it. (Synthetic events go to their receiver only.)
void turnWheel(QWidget* widget, int steps) {
    for (; widget; widget = widget->isWindow() ? nullptr : widget->parentWidget()) {
        const QPointF middle(widget->rect().center());
        QWheelEvent event(middle, widget->mapToGlobal(middle), {}, QPoint(0, 120 * steps), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        event.ignore();
        if (QApplication::sendEvent(widget, &event) && event.isAccepted()) return;
    }
}

class WheelTest : public testing::TestWithParam<const char*> {};

TEST_P(WheelTest, ChangesNoValueWithoutAClick) {
    TestWindow test({.withRuns = true, .withGpus = true, .usableGpus = 2});
    test.waitUntilReady();
    const QString id = QLatin1String(GetParam());
    test.window->showPage(id);
    if (id == QLatin1String("advice")) {
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.advice.answer() && !test.advice.isBusy(); }, 15000));
        auto* tasks = test.find<QTabBar>("adviceTask");  // and the form of language models
        tasks->setCurrentIndex(tasks->count() - 1);
        ASSERT_TRUE(QTest::qWaitFor([&] { return test.advice.languageAnswer().has_value(); }, 15000));
        ASSERT_NE(test.find<QWidget>("languageContext"), nullptr);
    }
    test.window->setFocus();
    int fields = 0;
    for (auto* widget : test.window->page(id)->findChildren<QWidget*>()) {
        if (!qobject_cast<QAbstractSpinBox*>(widget) && !qobject_cast<QComboBox*>(widget) &&
            !qobject_cast<QSlider*>(widget))
            continue;
        widget->ensurePolished();
        EXPECT_NE(widget->focusPolicy(), Qt::WheelFocus) << widget->objectName().toStdString();
        const auto before = valueOf(widget);
        turnWheel(widget, 1);
        turnWheel(widget, -2);
        EXPECT_EQ(valueOf(widget), before) << widget->objectName().toStdString();
        ++fields;
    }
    EXPECT_GT(fields, 0);
}

INSTANTIATE_TEST_SUITE_P(Pages, WheelTest, testing::Values("benchmark", "results", "history", "advice", "settings"),
                         [](const auto& one) { return std::string(one.param); });

class WheelOnAdviceTest : public WindowFixture {
protected:
    WheelOnAdviceTest() : WindowFixture({.withRuns = false}) {}
};

TEST_F(WheelOnAdviceTest, ScrollsThePageUnlessTheFieldHasTheFocus) {
    m_test.window->resize(1280, 640);
    m_test.window->showPage(QStringLiteral("advice"));
    m_test.window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_test.window.get()));
    ASSERT_TRUE(eventually([&] { return m_test.advice.answer() && !m_test.advice.isBusy(); }));
    QTest::qWait(50);  // layout at its new size
    auto* batch = find<QAbstractSpinBox>("adviceBatch");
    QScrollArea* area = nullptr;
    for (QWidget* parent = batch->parentWidget(); parent && !area; parent = parent->parentWidget()) {
        area = qobject_cast<QScrollArea*>(parent);
        if (area && area->verticalScrollBar()->maximum() == 0) area = nullptr;
    }
    ASSERT_NE(area, nullptr) << "the form is longer than the window";
    const auto before = batch->text();
    m_test.window->setFocus();
    turnWheel(batch, -1);
    EXPECT_EQ(batch->text(), before);
    EXPECT_GT(area->verticalScrollBar()->value(), 0);
    batch->setFocus();
    turnWheel(batch, 1);
    EXPECT_NE(batch->text(), before) << "clicked into, it takes the wheel";
}

}  // namespace
}  // namespace steelyard::ui
