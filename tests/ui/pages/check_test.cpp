// SPDX-License-Identifier: Apache-2.0
// The check on the Hardware page, and the currency in Settings, as a user finds them.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include "engine/bench/check/machine_check.h"
#include "engine/catalog/currency_settings.h"
#include "tests/ui/support/test_window.h"
#include "ui/presenters/check_presenter.h"
#include "ui/text/format.h"

namespace steelyard::ui {
namespace {

constexpr int kPatience = 30000;

class CheckPageTest : public testing::Test {
protected:
    CheckPageTest() {
        m_test.waitUntilReady();
        m_test.window->showPage(QStringLiteral("hardware"));
    }
    void start(int seconds) {
        m_test.find<QSpinBox>("checkSeconds")->setValue(seconds);
        m_test.find<QPushButton>("checkButton")->click();
        EXPECT_TRUE(m_test.check.isRunning());
    }
    bool ends() {
        return QTest::qWaitFor([&] { return !m_test.check.isRunning(); }, kPatience);
    }
    QString verdict() const { return m_test.find<QLabel>("checkVerdict")->text(); }
    bool shows(const QString& words) const {
        for (const auto* label : m_test.window->findChildren<QLabel*>())
            if (label->isVisibleTo(m_test.window.get()) && label->text().contains(words)) return true;
        return false;
    }

    bool comes(const QString& words) {
        return QTest::qWaitFor([&] { return shows(words); }, kPatience);
    }

    TestWindow m_test{{.withRuns = false}};
};

TEST_F(CheckPageTest, OneButtonChecksAndSaysWhatIsWrong) {
    EXPECT_FALSE(m_test.find<QProgressBar>("checkProgress")->isVisible());
    start(1);
    EXPECT_TRUE(m_test.find<QProgressBar>("checkProgress")->isVisible());
    ASSERT_TRUE(ends());
    EXPECT_FALSE(m_test.find<QProgressBar>("checkProgress")->isVisible());
    EXPECT_TRUE(verdict().contains(QStringLiteral("faults were found"))) << verdict().toStdString();
    EXPECT_TRUE(shows(QStringLiteral("Main memory: passed. Every bit as written.")));
    EXPECT_TRUE(shows(QStringLiteral("faults. Results differ.")));
    EXPECT_TRUE(comes(QStringLiteral("3,000 MHz at the beginning, 900 MHz at the end")));
    EXPECT_TRUE(comes(QStringLiteral("99.0 °C")));
    // It stays when the pages are built anew.
    m_test.window = std::make_unique<MainWindow>(m_test.context);
    m_test.waitUntilReady();
    m_test.window->showPage(QStringLiteral("hardware"));
    EXPECT_TRUE(verdict().contains(QStringLiteral("faults were found")));
}

TEST_F(CheckPageTest, TheSameButtonStops) {
    start(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !m_test.check.parts().empty(); }, kPatience));
    EXPECT_EQ(m_test.find<QPushButton>("checkButton")->text(), QStringLiteral("Stop the check"));
    m_test.find<QPushButton>("checkButton")->click();
    ASSERT_TRUE(ends());
    EXPECT_TRUE(verdict().contains(QStringLiteral("stopped"))) << verdict().toStdString();
    EXPECT_EQ(m_test.find<QPushButton>("checkButton")->text(), QStringLiteral("Check this machine"));
}

TEST_F(CheckPageTest, ARefusalIsTold) {
    start(3);
    ASSERT_TRUE(ends());
    EXPECT_TRUE(QTest::qWaitFor([&] { return shows(QStringLiteral("--seconds is odd")); }, kPatience));
}

class CurrencyPageTest : public testing::Test {
protected:
    ~CurrencyPageTest() override { Format::setCurrency({}); }
};

TEST_F(CurrencyPageTest, AChosenCurrencyWithARateShowsOnEveryPage) {
    TestWindow test;
    test.waitUntilReady();
    test.window->showPage(QStringLiteral("settings"));
    auto* box = test.find<QComboBox>("currencyBox");
    const auto rateIsShown = [&] { return test.find<QDoubleSpinBox>("exchangeRateBox")->isVisible(); };
    EXPECT_FALSE(rateIsShown());
    box->setCurrentIndex(box->findData(QStringLiteral("EUR")));
    emit box->activated(box->currentIndex());
    EXPECT_TRUE(rateIsShown());
    EXPECT_EQ(Format::currency().currency, Currency::UsDollar) << "no rate was entered yet";
    const auto* before = box;
    test.find<QLineEdit>("exchangeRateSource")->setText(QStringLiteral("a bank"));
    test.find<QDoubleSpinBox>("exchangeRateBox")->setValue(0.86);
    EXPECT_EQ(Format::currency().currency, Currency::Euro);
    // The window builds its pages anew.
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.find<QComboBox>("currencyBox") != before; }, kPatience));
    EXPECT_EQ(test.find<QComboBox>("currencyBox")->currentData().toString(), QStringLiteral("EUR"));
    const auto stored = catalog::loadCurrencySettings(test.context.currencyFile);
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->shown, Currency::Euro);
    EXPECT_DOUBLE_EQ(stored->shownRate().perUsd, 0.86);
    EXPECT_EQ(stored->shownRate().source, "a bank");

    test.window->showPage(QStringLiteral("advice"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.advice.answer().has_value(); }, kPatience));
    for (const char* field : {"adviceBudget", "usdPerKwhBox"}) {
        ASSERT_NE(test.find<QDoubleSpinBox>(field), nullptr) << field;
        EXPECT_EQ(test.find<QDoubleSpinBox>(field)->prefix(), QStringLiteral("€")) << field;
    }
    // A budget is typed in the currency and kept in US dollars.
    test.find<QDoubleSpinBox>("adviceBudget")->setValue(86);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const auto& answer = test.advice.answer();
            return answer && answer->request.budgetUsd && std::abs(*answer->request.budgetUsd - 100) < 1e-9;
        },
        kPatience));
    // Back: the amount is the same.
    test.window->showPage(QStringLiteral("settings"));
    box = test.find<QComboBox>("currencyBox");
    box->setCurrentIndex(0);
    emit box->activated(0);
    EXPECT_EQ(Format::currency().currency, Currency::UsDollar);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test.find<QComboBox>("currencyBox") != box; }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return test.find<QDoubleSpinBox>("adviceBudget")->value() == 100; }, kPatience));
}

}  // namespace
}  // namespace steelyard::ui
