// SPDX-License-Identifier: Apache-2.0
// Shared by tests of a whole window: it is ready when a test starts; its widgets are found by name and clicked. GUI
// thread.
#pragma once

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QTest>

#include "tests/ui/support/test_window.h"

namespace steelyard::ui {

class WindowFixture : public testing::Test {
protected:
    static constexpr int kPatience = 15000;  // milliseconds

    explicit WindowFixture(const TestWindowOptions& options = {}) : m_test(options) {}
    void SetUp() override { m_test.waitUntilReady(); }

    template <typename Widget>
    Widget* find(const char* name) {
        auto* widget = m_test.find<Widget>(name);
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }
    void click(const char* name) { QTest::mouseClick(find<QAbstractButton>(name), Qt::LeftButton); }
    template <typename Condition>
    [[nodiscard]] bool eventually(Condition condition) {
        return QTest::qWaitFor(condition, kPatience);
    }

    TestWindow m_test;
};

}  // namespace steelyard::ui
