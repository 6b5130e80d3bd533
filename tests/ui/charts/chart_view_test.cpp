// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_view.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "ui/charts/chart_table_model.h"
#include "ui/charts/chart_text.h"

namespace steelyard::ui {
namespace {

ChartSpec sample() {
    ChartSpec spec;
    spec.title = QStringLiteral("Training speed");
    spec.y = {QStringLiteral("Throughput"), QStringLiteral("images/s"), ChartScale::Linear, {}};
    spec.categories = {QStringLiteral("LeNet-5"), QStringLiteral("ResNet-50")};
    ChartPoint first;
    first.y = 1234.5678;
    first.interval = ChartInterval{1200, 1260};
    first.key = QStringLiteral("record-1");
    ChartPoint second;
    second.reason = QStringLiteral("does not fit: needs 9 GiB, has 8 GiB");
    spec.series.push_back({QStringLiteral("CPU"), 0, false, {first, second}});
    return spec;
}

class ChartViewTest : public testing::Test {
protected:
    void SetUp() override {
        m_view.resize(640, 400);
        m_view.setSpec(sample());
        m_view.show();
    }
    // Of the focused point, as a screen reader reads it.
    QString value() { return QAccessible::queryAccessibleInterface(m_view.canvas())->text(QAccessible::Value); }
    ChartView m_view;
};

TEST_F(ChartViewTest, AClickHandsTheRecordBack) {
    QSignalSpy spy(&m_view, &ChartView::pointActivated);
    const auto& mark = m_view.canvas()->chart()->geometry().marks.front();
    QTest::mouseClick(m_view.canvas(), Qt::LeftButton, {}, mark.box.center().toPoint());
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.front().front().toString(), QStringLiteral("record-1"));
}

TEST_F(ChartViewTest, TheKeyboardReachesEveryPoint) {
    QSignalSpy spy(&m_view, &ChartView::pointActivated);
    QTest::keyClick(m_view.canvas(), Qt::Key_Right);
    EXPECT_TRUE(value().contains(QStringLiteral("1,234.57"))) << value().toStdString();
    QTest::keyClick(m_view.canvas(), Qt::Key_Return);
    EXPECT_EQ(spy.count(), 1);
    QTest::keyClick(m_view.canvas(), Qt::Key_Right);
    EXPECT_TRUE(value().contains(QStringLiteral("does not fit"))) << value().toStdString();
}

TEST_F(ChartViewTest, TheSameDataIsATable) {
    auto* button = m_view.findChild<QToolButton*>(QStringLiteral("chartTableButton"));
    ASSERT_NE(button, nullptr);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(m_view.showsTable());
    auto* table = m_view.findChild<QTableView*>(QStringLiteral("chartTable"));
    ASSERT_EQ(table->model()->rowCount(), 2);
    EXPECT_EQ(table->model()->index(0, ChartTableModel::Value).data().toString(), QStringLiteral("1,235"));
    EXPECT_EQ(table->model()->index(1, ChartTableModel::Value).data().toString(), QStringLiteral("–"));
    EXPECT_TRUE(
        table->model()->index(1, ChartTableModel::State).data().toString().contains(QStringLiteral("does not fit")));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_FALSE(m_view.showsTable());
}

TEST_F(ChartViewTest, CopyOffersImageAndText) {
    QTest::mouseClick(m_view.findChild<QToolButton*>(QStringLiteral("chartCopyButton")), Qt::LeftButton);
    const auto* data = QGuiApplication::clipboard()->mimeData();
    ASSERT_NE(data, nullptr);
    EXPECT_TRUE(data->hasImage());
    EXPECT_TRUE(data->text().contains(QStringLiteral("1234.5678")));
}

TEST_F(ChartViewTest, IsNamedForWhoCannotSeeIt) {
    const auto* node = QAccessible::queryAccessibleInterface(m_view.canvas());
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->role(), QAccessible::Chart);
    EXPECT_EQ(node->text(QAccessible::Name), QStringLiteral("Training speed"));
    EXPECT_EQ(node->text(QAccessible::Description), ChartText::description(sample()));
    EXPECT_EQ(value(), QString()) << "no point has the focus";
    EXPECT_TRUE(ChartText::description(sample()).contains(QStringLiteral("LeNet-5")));
}

TEST(ChartTableModelTest, KeepsTheRulesOfModels) {
    ChartTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    EXPECT_EQ(model.rowCount(), 0);
    model.setSpec(sample());
    EXPECT_EQ(model.rowCount(), 2);
    model.setSpec({});
    EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace steelyard::ui
