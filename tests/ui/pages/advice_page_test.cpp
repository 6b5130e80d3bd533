// SPDX-License-Identifier: Apache-2.0
// Cost & advice in typical use, with the shipped catalogue and the real advisor, without measurements.
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
#include <QTest>

#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"
#include "ui/models/rows_model.h"
#include "ui/pages/advice/advice_page.h"
#include "ui/presenters/report_presenter.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {
namespace {

class AdvicePageTest : public WindowFixture {
protected:
    AdvicePageTest() : WindowFixture({.withRuns = false, .withGpus = false}) {}
    void SetUp() override {
        WindowFixture::SetUp();
        click("navigation_advice");
        ASSERT_TRUE(eventually([&] { return m_test.advice.answer().has_value() && !m_test.advice.isBusy(); }));
    }
    QString verdict() { return find<QLabel>("adviceVerdict")->text(); }
    void choose(const char* box, const char* data) {
        auto* combo = find<QComboBox>(box);
        const int row = combo->findData(QString::fromLatin1(data));
        ASSERT_GE(row, 0) << data;
        combo->setCurrentIndex(row);
        emit combo->activated(row);
    }
    // Types a number into a field and moves the focus away.
    template <typename Box>
    void type(const char* name, const char* number) {
        auto* box = find<Box>(name);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QString::fromLatin1(number));
        QTest::keyClick(box, Qt::Key_Return);
    }
    const AdviceQuestion& asked() { return m_test.advice.answer()->question; }
};

TEST_F(AdvicePageTest, AnswersBeforeAnythingWasMeasured) {
    EXPECT_TRUE(verdict().contains(QStringLiteral("ResNet-50"))) << verdict().toStdString();
    EXPECT_TRUE(verdict().contains(QLatin1Char('$')));
    EXPECT_TRUE(find<QLabel>("adviceFooting")->text().startsWith(QStringLiteral("Estimates")));
    EXPECT_TRUE(find<Card>("adviceChoice0")->isVisible());
    find<QTabBar>("adviceTabs")->setCurrentIndex(1);
    auto* table = find<QTableView>("adviceTable");
    const int possible = table->model()->rowCount();
    EXPECT_TRUE(find<QCheckBox>("adviceOnlyPossible")->isChecked());
    find<QCheckBox>("adviceOnlyPossible")->setChecked(false);
    EXPECT_GT(table->model()->rowCount(), possible);
    EXPECT_EQ(static_cast<std::size_t>(table->model()->rowCount()), m_test.advice.answer()->advice.candidates.size())
        << "no machine is left out";
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        EXPECT_FALSE(table->model()->index(row, 4).data().toString().isEmpty()) << "row " << row << " has no why";
    }
    find<QLineEdit>("adviceSearch")->setText(QStringLiteral("h100"));
    ASSERT_GT(table->model()->rowCount(), 0);
    for (int row = 0; row < table->model()->rowCount(); ++row) {
        QString all;
        for (int column = 0; column < table->model()->columnCount(); ++column)
            all += table->model()->index(row, column).data().toString();
        EXPECT_TRUE(all.contains(QStringLiteral("h100"), Qt::CaseInsensitive)) << all.toStdString();
    }
}

TEST_F(AdvicePageTest, TheFirstJobIsWhatMostPeopleTrain) {
    EXPECT_EQ(asked().workload, "resnet50");
    EXPECT_EQ(asked().software, advisor::kUsualSoftware);
    EXPECT_EQ(asked().precision, plan::Precision::Fp16);
    EXPECT_EQ(asked().batch, 256);
    EXPECT_EQ(asked().epochs, 90);
    EXPECT_EQ(asked().samples, 1'281'167);
}

TEST_F(AdvicePageTest, TheFirstColumnStaysWhileTheOthersAreScrolled) {
    find<QTabBar>("adviceTabs")->setCurrentIndex(1);
    auto* table = find<QTableView>("adviceTable");
    auto* bar = table->horizontalScrollBar();
    ASSERT_TRUE(eventually([&] { return bar->maximum() > 0; }));
    EXPECT_EQ(table->findChild<QTableView*>(), nullptr) << "made when it is needed";
    bar->setValue(bar->maximum());
    const auto* frozen = table->findChild<QTableView*>();
    ASSERT_NE(frozen, nullptr);
    EXPECT_TRUE(frozen->isVisible());
    EXPECT_EQ(frozen->columnWidth(0), table->columnWidth(0));
    table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum());
    EXPECT_EQ(frozen->verticalScrollBar()->value(), table->verticalScrollBar()->value());
    bar->setValue(0);
    EXPECT_FALSE(frozen->isVisible());
}

// The page is recreated while another one is shown, and restores the kind of job.
TEST_F(AdvicePageTest, AKindOfJobTakenUpShowsItsViews) {
    auto* tasks = find<QTabBar>("adviceTask");
    tasks->setCurrentIndex(tasks->count() - 1);
    click("navigation_settings");
    auto* languages = find<QComboBox>("languageBox");
    languages->setCurrentIndex(languages->findData(QStringLiteral("zh_TW")));
    const QPointer<QComboBox> old = languages;
    emit languages->activated(languages->currentIndex());
    ASSERT_TRUE(eventually([&] { return old.isNull(); }));
    click("navigation_advice");
    tasks = find<QTabBar>("adviceTask");
    EXPECT_EQ(tasks->currentIndex(), tasks->count() - 1);
    const auto* views = find<QTabBar>("languageTabs");
    EXPECT_EQ(views->count(), 3);
    EXPECT_TRUE(eventually([&] { return views->isVisible() && views->height() >= views->fontMetrics().height(); }))
        << views->height();
}

TEST_F(AdvicePageTest, EveryChoiceChangesTheAnswer) {
    const auto before = verdict();
    choose("adviceWorkload", "mnist_mlp");
    ASSERT_TRUE(eventually([&] { return asked().workload == "mnist_mlp"; }));
    EXPECT_EQ(asked().batch, 128) << "the paper's batch comes with the network";
    EXPECT_EQ(asked().samples, 60'000);
    EXPECT_NE(verdict(), before);
    type<QSpinBox>("adviceBatch", "64");
    ASSERT_TRUE(eventually([&] { return asked().batch == 64; }));
    choose("advicePriority", "fastest");
    ASSERT_TRUE(eventually([&] { return asked().priority == advisor::Priority::Fastest; }));
    EXPECT_FALSE(find<QSlider>("adviceWeight")->isEnabled()) << "the weight belongs to balance";
}

TEST_F(AdvicePageTest, ABudgetNobodyMeetsIsSaidWithTheReason) {
    find<QCheckBox>("adviceOwnComputer")->click();
    type<QDoubleSpinBox>("adviceBudget", "0.1");
    ASSERT_TRUE(eventually([&] { return asked().budgetUsd == 0.1; }));
    EXPECT_TRUE(verdict().contains(QStringLiteral("over the budget"))) << verdict().toStdString();
    EXPECT_FALSE(find<Card>("adviceChoice0")->isVisible());
}

TEST_F(AdvicePageTest, APresetFillsTheFieldsAndAChangeLeavesIt) {
    choose("advicePreset", "beginner");
    ASSERT_TRUE(eventually([&] { return asked().preset == "beginner"; }));
    EXPECT_EQ(asked().budgetUsd, 10);
    EXPECT_TRUE(find<QCheckBox>("adviceSpot")->isChecked());
    find<QCheckBox>("adviceSpot")->click();
    ASSERT_TRUE(eventually([&] { return asked().preset.empty(); }));
    EXPECT_EQ(asked().budgetUsd, 10) << "the other fields stay";
}

TEST_F(AdvicePageTest, WhatWasTypedSurvivesAnotherNetwork) {
    choose("adviceWorkload", "resnet50");
    EXPECT_TRUE(find<QPushButton>("adviceUsual")->isHidden());
    type<QSpinBox>("adviceBatch", "200");
    type<QDoubleSpinBox>("adviceEpochs", "77");
    choose("adviceWorkload", "resnet50");
    EXPECT_EQ(find<QSpinBox>("adviceBatch")->value(), 200) << "the same network again";
    choose("adviceWorkload", "mnist_mlp");
    ASSERT_TRUE(eventually([&] { return asked().workload == "mnist_mlp"; }));
    EXPECT_EQ(asked().batch, 200);
    EXPECT_EQ(asked().epochs, 77);
    EXPECT_EQ(asked().samples, 60'000) << "not typed: the network's own";
    choose("adviceWorkload", "resnet50");
    EXPECT_EQ(find<QSpinBox>("adviceBatch")->value(), 200);
    EXPECT_NE(find<QDoubleSpinBox>("adviceSamples")->value(), 60'000);
    choose("adviceWorkload", "mnist_mlp");
    ASSERT_FALSE(find<QPushButton>("adviceUsual")->isHidden());
    click("adviceUsual");
    EXPECT_EQ(find<QSpinBox>("adviceBatch")->value(), 128);
    EXPECT_TRUE(find<QPushButton>("adviceUsual")->isHidden());
}

TEST_F(AdvicePageTest, APresetSaysWhatItSetsAndCanBeUndone) {
    type<QDoubleSpinBox>("adviceBudget", "123");
    type<QDoubleSpinBox>("adviceDeadline", "45");
    EXPECT_TRUE(find<QLabel>("advicePresetText")->isHidden());
    choose("advicePreset", "beginner");
    EXPECT_EQ(find<QDoubleSpinBox>("adviceBudget")->value(), 10);
    EXPECT_TRUE(find<QLabel>("advicePresetText")->text().contains(QStringLiteral("budget $10")))
        << find<QLabel>("advicePresetText")->text().toStdString();
    choose("advicePreset", "professional");
    click("adviceUndoPreset");
    EXPECT_EQ(find<QDoubleSpinBox>("adviceBudget")->value(), 123);
    EXPECT_EQ(find<QDoubleSpinBox>("adviceDeadline")->value(), 45);
    EXPECT_FALSE(find<QCheckBox>("adviceSpot")->isChecked());
    EXPECT_TRUE(find<QPushButton>("adviceUndoPreset")->isHidden());
    choose("advicePreset", "beginner");
    choose("advicePreset", "");
    EXPECT_EQ(find<QDoubleSpinBox>("adviceBudget")->value(), 123) << "\"My own settings\" are what they were";
}

TEST_F(AdvicePageTest, TheReportTakesTheCardAndItsUseFromTheWindow) {
    find<QTabBar>("adviceTabs")->setCurrentIndex(3);
    auto* card = find<QComboBox>("buyCard");
    ASSERT_GT(card->count(), 2);
    const auto& answer = *m_test.advice.answer();
    for (int row = 0; row < 3; ++row) {
        card->setCurrentIndex(row);
        emit card->activated(row);
        find<QSlider>("buyUtilization")->setValue(20 + 30 * row);
        type<QDoubleSpinBox>("buyHost", row == 1 ? "1234" : "900");
        ReportSources sources;
        sources.advice = &answer;
        sources.purchase = m_test.advice.purchase();
        const auto content = ReportPresenter::content(sources, m_test.machine.catalogue(), {"1", 0});
        EXPECT_TRUE(content.summary.contains(find<QLabel>("buySentence")->text()))
            << find<QLabel>("buySentence")->text().toStdString();
        ASSERT_FALSE(content.charts.empty());
        EXPECT_EQ(content.charts.back().series[0].name, find<ChartView>("buyChart")->spec().series[0].name);
    }
}

TEST_F(AdvicePageTest, ThePointsOfTheChartAreTheAdvisorsFigures) {
    auto* view = find<ChartView>("adviceScatter");
    const auto& spec = view->spec();
    ASSERT_TRUE(spec.hasValues());
    int seen = 0;
    for (const auto& series : spec.series) {
        if (series.guide) continue;
        for (const auto& point : series.points) {
            const auto* candidate = m_test.advice.answer()->advice.find(point.key.toStdString());
            ASSERT_NE(candidate, nullptr);
            EXPECT_EQ(point.x, candidate->hours.median);
            EXPECT_EQ(point.y, candidate->costUsd.median);
            EXPECT_EQ(point.interval->high, candidate->costUsd.high);
            EXPECT_EQ(point.basis, Basis::Predicted);
            ++seen;
        }
    }
    EXPECT_GT(seen, 50);
    QTest::qWait(30);
    const auto& labels = view->canvas()->chart()->geometry().pointLabels;
    EXPECT_GE(labels.size(), 3U);
    for (std::size_t a = 0; a < labels.size(); ++a) {
        EXPECT_TRUE(view->canvas()->chart()->geometry().plot.contains(labels[a].box));
        for (std::size_t b = a + 1; b < labels.size(); ++b)
            EXPECT_FALSE(labels[a].box.intersects(labels[b].box))
                << labels[a].text.toStdString() << " over " << labels[b].text.toStdString();
    }
    const auto& mark = view->canvas()->chart()->geometry().marks.front();
    QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, mark.centre.toPoint());
    EXPECT_TRUE(find<Card>("adviceDetailCard")->isVisible());
}

TEST_F(AdvicePageTest, BuyingIsSetBesideRenting) {
    find<QTabBar>("adviceTabs")->setCurrentIndex(3);
    const auto& spec = find<ChartView>("buyChart")->spec();
    ASSERT_EQ(spec.series.size(), 2U);
    EXPECT_GT(spec.series[0].points.size(), 20U);
    const auto sentence = find<QLabel>("buySentence")->text();
    find<QSlider>("buyUtilization")->setValue(100);
    EXPECT_NE(find<QLabel>("buySentence")->text(), sentence);
    EXPECT_TRUE(find<QLabel>("buySentence")->text().contains(QStringLiteral("100 %")));
}

TEST_F(AdvicePageTest, APriceIsReplacedWithItsSource) {
    find<QTabBar>("adviceTabs")->setCurrentIndex(4);
    auto* table = find<QTableView>("priceTable");
    ASSERT_GT(table->model()->rowCount(), 50);
    table->selectRow(0);
    const auto id = table->model()->index(0, 0).data(RowsModel::KeyRole).toString().toStdString();
    find<QDoubleSpinBox>("priceEdit")->setValue(123.25);
    auto* source = find<QLineEdit>("priceSourceEdit");
    source->clear();
    QTest::keyClicks(source, QStringLiteral("my contract"));
    QTest::mouseClick(find<QPushButton>("savePriceButton"), Qt::LeftButton);
    ASSERT_TRUE(eventually([&] {
        const auto* candidate = m_test.advice.answer()->advice.find(id);
        return candidate && candidate->usdPerHour == 123.25;
    }));
    const auto* candidate = m_test.advice.answer()->advice.find(id);
    EXPECT_EQ(candidate->priceSource, "my contract");
    EXPECT_EQ(candidate->priceDate, "2026-11-21");
    EXPECT_TRUE(QFile::exists(m_test.folder.filePath(QStringLiteral("catalog/user.json"))));
}

TEST_F(AdvicePageTest, APriceWithoutASourceIsRefused) {
    find<QTabBar>("adviceTabs")->setCurrentIndex(4);
    find<QTableView>("priceTable")->selectRow(0);
    find<QLineEdit>("priceSourceEdit")->clear();
    QTest::mouseClick(find<QPushButton>("savePriceButton"), Qt::LeftButton);
    EXPECT_TRUE(eventually([&] { return m_test.dialogs.errors.size() == 1; }));
}

TEST_F(AdvicePageTest, TheFormIsRememberedAndTheChartExported) {
    choose("adviceWorkload", "cifar10_cnn");
    ASSERT_TRUE(eventually([&] { return asked().workload == "cifar10_cnn"; }));
    m_test.dialogs.fileToSave = m_test.folder.filePath(QStringLiteral("scatter.png"));
    QTest::keyClick(m_test.window.get(), Qt::Key_E, Qt::ControlModifier);
    EXPECT_TRUE(eventually([&] { return QFile::exists(m_test.dialogs.fileToSave); }));
    m_test.window = std::make_unique<MainWindow>(m_test.context);
    EXPECT_EQ(find<QComboBox>("adviceWorkload")->currentData().toString(), QStringLiteral("cifar10_cnn"));
}

}  // namespace
}  // namespace steelyard::ui
