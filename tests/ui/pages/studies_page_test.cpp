// SPDX-License-Identifier: Apache-2.0
// Studies in typical use, with the shipped tables.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSlider>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QUrl>

#include "tests/ui/support/window_fixture.h"
#include "ui/charts/chart_view.h"

namespace steelyard::ui {
namespace {

class StudiesPageTest : public WindowFixture {
protected:
    StudiesPageTest() : WindowFixture({.withRuns = false, .withGpus = false}) {}
    void SetUp() override {
        WindowFixture::SetUp();
        click("navigation_studies");
    }
    QString verdict() { return find<QLabel>("studyVerdict")->text(); }
    QString write(const char* name, const char* text) {
        const auto file = m_test.folder.filePath(QString::fromLatin1(name));
        QFile device(file);
        EXPECT_TRUE(device.open(QIODevice::WriteOnly));
        device.write(text);
        return file;
    }
    QStringList column(const char* table, int column) {
        QStringList texts;
        const auto* model = find<QTableView>(table)->model();
        for (int row = 0; row < model->rowCount(); ++row) texts << model->index(row, column).data().toString();
        return texts;
    }
};

constexpr const char* kTable =
    "# title: Two machines\nworkload,platform,variant,epoch_seconds,price_usd_per_hour\n"
    "net,small,,100,0.1\nnet,large,,10,2\n";

TEST_F(StudiesPageTest, TheCloudStudyOf2017IsThereWithItsWinners) {
    EXPECT_TRUE(verdict().startsWith(QStringLiteral("Best overall: 8 vCPU compiled."))) << verdict().toStdString();
    EXPECT_TRUE(verdict().contains(QStringLiteral("8 vCPU compiled below 1.82"))) << verdict().toStdString();
    EXPECT_TRUE(verdict().contains(QStringLiteral("16 vCPU compiled from 1.82 to 4.08")));
    EXPECT_TRUE(find<QLabel>("studySource")->text().contains(QStringLiteral("minimaxir.com")));
    EXPECT_EQ(column("studyWinners", 3).filter(QStringLiteral("K80")).size(), 5) << "fastest but for one";
}

TEST_F(StudiesPageTest, TheWeightMovesTheWinner) {
    find<QSlider>("studyWeight")->setValue(find<QSlider>("studyWeight")->maximum());
    EXPECT_TRUE(verdict().startsWith(QStringLiteral("Best overall: K80"))) << verdict().toStdString();
    find<QSlider>("studyWeight")->setFocus();
    QTest::keyClick(find<QSlider>("studyWeight"), Qt::Key_Home);
    EXPECT_TRUE(verdict().startsWith(QStringLiteral("Best overall: 8 vCPU compiled"))) << verdict().toStdString();
}

TEST_F(StudiesPageTest, PricesTimesFiveMakeTheGpuCheapestWhereThePaperSaysSo) {
    for (const auto* platform : {"8 vCPU", "16 vCPU", "32 vCPU", "64 vCPU"})
        find<QDoubleSpinBox>(qPrintable(QStringLiteral("studyPrice_") + QLatin1String(platform)))->setValue(5);
    const auto workloads = column("studyWinners", 0);
    const auto cheapest = column("studyWinners", 1);
    QStringList gpu;
    for (int row = 0; row < workloads.size(); ++row)
        if (cheapest[row].startsWith(QStringLiteral("K80"))) gpu << workloads[row];
    gpu.sort();
    EXPECT_EQ(gpu, (QStringList{QStringLiteral("cifar10_cnn"), QStringLiteral("imdb_fasttext"),
                                QStringLiteral("mnist_cnn")}));
}

TEST_F(StudiesPageTest, EveryViewShowsTheTable) {
    auto* tabs = find<QTabBar>("studyTabs");
    const char* charts[] = {"studyTimeChart", "studyCostChart", "studyScatterChart"};
    for (int view = 1; view <= 3; ++view) {
        tabs->setCurrentIndex(view);
        EXPECT_TRUE(find<ChartView>(charts[view - 1])->spec().hasValues()) << view;
    }
    tabs->setCurrentIndex(4);
    EXPECT_GT(find<QTableView>("studyVariants")->model()->rowCount(), 0);
    tabs->setCurrentIndex(5);
    EXPECT_EQ(find<QTableView>("studyFigures")->model()->rowCount(), 54);
    const auto& spec = find<ChartView>("studyTimeChart")->spec();
    ASSERT_EQ(spec.references.size(), 1U);
    EXPECT_EQ(spec.references.front().value, 1);
    EXPECT_EQ(spec.series.front().points.front().basis, Basis::Imported);
}

TEST_F(StudiesPageTest, AnOwnTableIsOpenedAndDropped) {
    m_test.dialogs.fileToOpen = write("mine.csv", kTable);
    QTest::mouseClick(find<QPushButton>("openStudyButton"), Qt::LeftButton);
    EXPECT_EQ(find<QComboBox>("studyBox")->currentText(), QStringLiteral("Two machines"));
    EXPECT_TRUE(verdict().contains(QStringLiteral("large"))) << verdict().toStdString();

    m_test.window->showPage(QStringLiteral("home"));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(write("dropped.csv", kTable))});
    QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_test.window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_test.window.get(), &drop);
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("studies"));
    EXPECT_TRUE(m_test.dialogs.errors.isEmpty());
}

TEST_F(StudiesPageTest, ADamagedTableIsRefusedAndTheOldOneStays) {
    const auto before = verdict();
    m_test.dialogs.fileToOpen = write("bad.csv", "workload,platform\nx,y\n");
    QTest::mouseClick(find<QPushButton>("openStudyButton"), Qt::LeftButton);
    ASSERT_EQ(m_test.dialogs.errors.size(), 1);
    EXPECT_TRUE(m_test.dialogs.errors.front().contains(QStringLiteral("bad.csv")));
    EXPECT_EQ(verdict(), before);
}

}  // namespace
}  // namespace steelyard::ui
