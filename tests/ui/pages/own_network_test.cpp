// SPDX-License-Identifier: Apache-2.0
// A network of one's own in the window: by the last entry of the list, by the button, dropped, or opened where results
// are imported; and a file that is none is explained.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QUrl>

#include "tests/ui/support/window_fixture.h"
#include "ui/controllers/network_files.h"
#include "ui/pages/history/history_page.h"

namespace steelyard::ui {
namespace {

constexpr const char* kNetwork =
    R"({"name": "tiny_digits", "title": "Tiny digits", "batch": 64, "optimizer": {"kind": "adam", "learning_rate": 0.001},
 "layers": [{"kind": "input", "shape": [1, 28, 28]}, {"kind": "conv2d", "filters": 8, "kernel": 3, "padding": "same"},
            {"kind": "flatten"}, {"kind": "dense", "name": "answer", "units": 10}],
 "outputs": [{"layer": "answer"}]})";

class OwnNetworkTest : public WindowFixture {
protected:
    OwnNetworkTest() : WindowFixture({.withRuns = false}) {}
    void SetUp() override {
        WindowFixture::SetUp();
        ASSERT_TRUE(eventually([&] { return !m_test.advice.options().workloads.empty(); }));
    }
    QString write(const char* name, const QByteArray& text) {
        const auto path = m_test.folder.filePath(QLatin1String(name));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        return path;
    }
    bool isChosen() {
        return eventually(
            [&] { return find<QComboBox>("adviceWorkload")->currentText() == QLatin1String("Tiny digits"); });
    }
    void drop(const QString& file) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_test.window.get(), &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent event(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_test.window.get(), &event);
    }
};

TEST_F(OwnNetworkTest, TheLastEntryOfTheListAddsOne) {
    m_test.window->showPage(QStringLiteral("advice"));
    auto* box = find<QComboBox>("adviceWorkload");
    const auto before = box->currentText();
    m_test.dialogs.fileToOpen.clear();
    box->setCurrentIndex(box->count() - 1);
    emit box->activated(box->count() - 1);
    EXPECT_EQ(box->currentText(), before) << "nobody chose a file";
    m_test.dialogs.fileToOpen = write("tiny.json", kNetwork);
    box->setCurrentIndex(box->count() - 1);
    emit box->activated(box->count() - 1);
    ASSERT_TRUE(isChosen());
    ASSERT_TRUE(
        eventually([&] { return m_test.advice.answer() && m_test.advice.answer()->workloadTitle == "Tiny digits"; }));
    EXPECT_EQ(m_test.advice.answer()->question.batch, 64) << "its own batch";
    EXPECT_TRUE(QFile::remove(m_test.dialogs.fileToOpen));
    m_test.advice.load();
    QTest::qWait(100);
    EXPECT_TRUE(isChosen()) << "it is kept as a copy";
}

TEST_F(OwnNetworkTest, TheBenchmarkPageHasAButtonForIt) {
    m_test.window->showPage(QStringLiteral("benchmark"));
    m_test.dialogs.fileToOpen = write("tiny.json", kNetwork);
    int catalogues = 0;
    QObject::connect(&m_test.machine, &MachineController::catalogueReady, m_test.window.get(), [&] { ++catalogues; });
    click("ownNetworkButton");
    EXPECT_TRUE(eventually([&] { return catalogues == 1; })) << "what can be run is read anew";
    EXPECT_TRUE(isChosen());
}

TEST_F(OwnNetworkTest, AFileCanBeDropped) {
    drop(write("tiny.json", kNetwork));
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("advice"));
    EXPECT_TRUE(isChosen());
}

TEST_F(OwnNetworkTest, WhereResultsAreImportedItIsOffered) {
    const auto file = write("tiny.json", kNetwork);
    m_test.dialogs.answer = false;
    m_test.window->findChild<HistoryPage*>()->importFile(file);
    ASSERT_EQ(m_test.dialogs.asked.size(), 1);
    EXPECT_TRUE(m_test.dialogs.asked.front().contains(QStringLiteral("tiny.json describes a network")))
        << m_test.dialogs.asked.front().toStdString();
    EXPECT_TRUE(m_test.dialogs.errors.isEmpty());
    m_test.dialogs.answer = true;
    m_test.window->findChild<HistoryPage*>()->importFile(file);
    EXPECT_TRUE(isChosen());
}

TEST_F(OwnNetworkTest, AMistakeIsToldWithItsPlaceAndTheSchema) {
    auto text = QByteArray(kNetwork);
    text.replace("flatten", "flattern");
    const auto file = write("wrong.json", text);
    ASSERT_TRUE(isNetworkFile(file));
    drop(file);
    ASSERT_TRUE(eventually([&] { return !m_test.dialogs.errors.isEmpty(); }));
    const auto told = m_test.dialogs.errors.front();
    EXPECT_TRUE(told.contains(QStringLiteral("wrong.json"))) << told.toStdString();
    EXPECT_TRUE(told.contains(QStringLiteral("flattern"))) << told.toStdString();
    EXPECT_TRUE(told.contains(QStringLiteral("network.schema.json"))) << told.toStdString();
    EXPECT_EQ(find<QComboBox>("adviceWorkload")->findText(QStringLiteral("Tiny digits")), -1);
}

TEST(NetworkFiles, AreToldFromOtherJson) {
    QTemporaryDir folder;
    const auto check = [&](const char* text) {
        QFile file(folder.filePath(QStringLiteral("x.json")));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        return isNetworkFile(file.fileName());
    };
    EXPECT_TRUE(check(R"({"layers": []})"));
    EXPECT_FALSE(check(R"({"format": "steelyard results", "runs": []})"));
    EXPECT_FALSE(check(R"({"layers": 3})"));
    EXPECT_FALSE(check("[1, 2]"));
    EXPECT_FALSE(check("no JSON"));
    EXPECT_FALSE(isNetworkFile(folder.filePath(QStringLiteral("missing.json"))));
}

}  // namespace
}  // namespace steelyard::ui
