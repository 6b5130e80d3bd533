// SPDX-License-Identifier: Apache-2.0
// A network of one's own in the window, as an ONNX file or in JSON: by the first entry of the list, by the button,
// dropped, or opened where results are imported; the dialog asks for what the file leaves open; what cannot be read is
// explained; it is removed and brought back, and missed when its file is gone.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QUrl>

#include "app/desktop/network_services.h"
#include "app/desktop/user_networks.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/controllers/network_files.h"
#include "ui/dialogs/network_dialog.h"
#include "ui/pages/benchmark/run_setup_view.h"
#include "ui/pages/history/history_page.h"
#include "ui/widgets/basics.h"

namespace steelyard::ui {
namespace {

constexpr const char* kNetwork =
    R"({"name": "tiny_digits", "title": "Tiny digits", "batch": 64, "optimizer": {"kind": "adam", "learning_rate": 0.001},
 "layers": [{"kind": "input", "shape": [1, 28, 28]}, {"kind": "conv2d", "filters": 8, "kernel": 3, "padding": "same"},
            {"kind": "flatten"}, {"kind": "dense", "name": "answer", "units": 10}],
 "outputs": [{"layer": "answer"}]})";

const QString kOnnx = QStringLiteral(STEELYARD_SOURCE_DIR "/tests/data/onnx/");

class AddNetworkTest : public WindowFixture {
protected:
    AddNetworkTest() : WindowFixture({.withRuns = false}) {}
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
    QString copied(const char* onnx) {
        const auto path = m_test.folder.filePath(QStringLiteral("net.onnx"));
        QFile::remove(path);
        EXPECT_TRUE(QFile::copy(kOnnx + QLatin1String(onnx), path));
        return path;
    }
    bool isChosen(const char* title = "Tiny digits") {
        return eventually([&] { return find<QComboBox>("adviceWorkload")->currentText() == QLatin1String(title); });
    }
    bool isListed(const char* title) { return find<QComboBox>("adviceWorkload")->findText(QLatin1String(title)) >= 0; }
    void drop(const QString& file) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_test.window.get(), &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent event(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_test.window.get(), &event);
    }
    bool canAdd() {
        return eventually([&] {
            auto* button = m_test.find<QPushButton>("networkAdd");
            return button && button->isEnabled();
        });
    }
    void add() {
        ASSERT_TRUE(canAdd());
        click("networkAdd");
    }
    // What the dialog says of the file, once it has been read.
    QString said() {
        auto* badge = find<Badge>("networkState");
        EXPECT_TRUE(eventually(
            [&] { return !badge->findChildren<QLabel*>().back()->text().contains(QStringLiteral("Reading")); }));
        QStringList texts;
        for (const auto* label : badge->findChildren<QLabel*>()) texts << label->text();
        texts << find<QLabel>("networkAdvice")->text();
        return texts.join(QLatin1Char('\n'));
    }
};

TEST_F(AddNetworkTest, TheFirstEntryOfTheListAddsOne) {
    m_test.window->showPage(QStringLiteral("advice"));
    auto* box = find<QComboBox>("adviceWorkload");
    const auto before = box->currentText();
    m_test.dialogs.fileToOpen.clear();
    box->setCurrentIndex(0);
    emit box->activated(0);
    EXPECT_EQ(box->currentText(), before) << "nobody chose a file";
    EXPECT_EQ(m_test.find<NetworkDialog>("networkDialog"), nullptr);
    m_test.dialogs.fileToOpen = write("tiny.json", kNetwork);
    box->setCurrentIndex(0);
    emit box->activated(0);
    add();
    ASSERT_TRUE(isChosen());
    ASSERT_TRUE(
        eventually([&] { return m_test.advice.answer() && m_test.advice.answer()->workloadTitle == "Tiny digits"; }));
    EXPECT_EQ(m_test.advice.answer()->question.batch, 64) << "its own batch";
    EXPECT_TRUE(QFile::remove(m_test.dialogs.fileToOpen));
    m_test.advice.load();
    QTest::qWait(100);
    EXPECT_TRUE(isChosen()) << "it is kept as a copy";
}

TEST_F(AddNetworkTest, TheBenchmarkPageHasAButtonForIt) {
    m_test.window->showPage(QStringLiteral("benchmark"));
    m_test.dialogs.fileToOpen = write("tiny.json", kNetwork);
    int catalogues = 0;
    QObject::connect(&m_test.machine, &MachineController::catalogueReady, m_test.window.get(), [&] { ++catalogues; });
    click("addNetworkButton");
    add();
    EXPECT_TRUE(eventually([&] { return catalogues == 1; })) << "what can be run is read anew";
    EXPECT_TRUE(isChosen());
}

// The command line only infers imported networks unless --mode names more; here both boxes are checked.
TEST_F(AddNetworkTest, IsMeasuredInTheModesThatAreChecked) {
    m_test.window->showPage(QStringLiteral("benchmark"));
    auto* suites = find<QComboBox>("suiteBox");
    const auto* form = m_test.window->findChild<RunSetupView*>();
    suites->setCurrentIndex(0);
    EXPECT_FALSE(form->request().suite.empty());
    EXPECT_TRUE(form->request().modes.empty()) << "a suite knows them";
    suites->setCurrentIndex(suites->findData(QString()));
    EXPECT_TRUE(form->request().suite.empty());
    EXPECT_EQ(form->request().modes, (std::vector{plan::Mode::Train, plan::Mode::Infer}));
}

TEST_F(AddNetworkTest, FilesOfBothKindsCanBeDropped) {
    drop(write("tiny.json", kNetwork));
    EXPECT_EQ(m_test.window->currentPage(), QStringLiteral("advice"));
    add();
    EXPECT_TRUE(isChosen());
    drop(copied("mlp/model.onnx"));
    EXPECT_TRUE(said().contains(QStringLiteral("92"))) << "its parameters: " << said().toStdString();
    find<QLineEdit>("networkName")->setText(QStringLiteral("Fraud model"));
    auto* batch = find<QSpinBox>("networkBatch");
    EXPECT_TRUE(batch->isVisible()) << "the file leaves it open";
    batch->setValue(8);
    EXPECT_FALSE(find<QPushButton>("networkAdd")->isEnabled()) << "until it has been read with that";
    add();
    ASSERT_TRUE(isChosen("Fraud model"));
    ASSERT_TRUE(
        eventually([&] { return m_test.advice.answer() && m_test.advice.answer()->workloadTitle == "Fraud model"; }));
    EXPECT_EQ(m_test.advice.answer()->question.batch, 8);
    EXPECT_EQ(m_test.advice.answer()->question.mode, plan::Mode::Infer);
    EXPECT_EQ(find<QComboBox>("adviceWorkload")->currentIndex(), 1) << "the user's own come first";
}

TEST_F(AddNetworkTest, OpenDimensionsAreAskedFor) {
    drop(copied("refused/open.onnx"));
    EXPECT_TRUE(said().contains(QStringLiteral("dynamic"))) << said().toStdString();
    EXPECT_FALSE(find<QPushButton>("networkAdd")->isEnabled());
    auto* height = find<QSpinBox>("networkDimension");
    EXPECT_EQ(height->accessibleName(), QStringLiteral("height"));
    height->setValue(5);
    ASSERT_TRUE(canAdd());
    EXPECT_TRUE(said().contains(QStringLiteral("Understood"))) << said().toStdString();
    find<QLineEdit>("networkName")->setText(QStringLiteral("Open net"));
    click("networkAdd");
    EXPECT_TRUE(isChosen("Open net"));
    EXPECT_EQ(m_test.find<NetworkDialog>("networkDialog"), nullptr) << "it closes itself";
}

TEST_F(AddNetworkTest, WhatIsNotSupportedIsNamedAndCanBeCutOff) {
    drop(copied("refused/operator.onnx"));
    const auto told = said();
    EXPECT_TRUE(told.contains(QStringLiteral("NonMaxSuppression"))) << told.toStdString();
    EXPECT_TRUE(told.contains(QStringLiteral("/head/nms"))) << told.toStdString();
    EXPECT_FALSE(told.contains(QStringLiteral("--outputs"))) << "an option of the command line";
    EXPECT_FALSE(find<QPushButton>("networkAdd")->isEnabled());
    click("networkCut");
    add();
    EXPECT_TRUE(isChosen("net"));
}

TEST_F(AddNetworkTest, IsRemovedAndBroughtBack) {
    m_test.window->showPage(QStringLiteral("advice"));
    drop(write("tiny.json", kNetwork));
    add();
    ASSERT_TRUE(isChosen());
    click("adviceRemoveNetwork");
    EXPECT_TRUE(eventually([&] { return !isListed("Tiny digits"); }));
    EXPECT_FALSE(find<QPushButton>("adviceRemoveNetwork")->isVisible()) << "only one's own can be removed";
    click("noticeAction");
    EXPECT_TRUE(eventually([&] { return isListed("Tiny digits"); }));
}

TEST_F(AddNetworkTest, WithoutItsFileItStaysInTheListAndSaysSo) {
    const auto file = copied("mlp/model.onnx");
    drop(file);
    add();
    ASSERT_TRUE(isChosen("net"));
    ASSERT_TRUE(QFile::remove(file));
    m_test.advice.load();
    ASSERT_TRUE(eventually([&] { return isListed("net (not available)"); }));
    auto* box = find<QComboBox>("adviceWorkload");
    const auto reason = box->itemData(box->findText(QStringLiteral("net (not available)")), Qt::ToolTipRole).toString();
    EXPECT_TRUE(reason.contains(QStringLiteral("missing"))) << reason.toStdString();
    copied("toy_espcn/model.onnx");
    m_test.advice.load();
    EXPECT_TRUE(eventually([&] {
        const auto text = box->itemData(box->findText(QStringLiteral("net (not available)")), Qt::ToolTipRole);
        return text.toString().contains(QStringLiteral("changed"));
    })) << "another network of that name is not taken for it";
}

TEST_F(AddNetworkTest, WhereResultsAreImportedItIsOffered) {
    const auto file = write("tiny.json", kNetwork);
    m_test.dialogs.answer = false;
    m_test.window->findChild<HistoryPage*>()->importFile(file);
    ASSERT_EQ(m_test.dialogs.asked.size(), 1);
    EXPECT_TRUE(m_test.dialogs.asked.front().contains(QStringLiteral("tiny.json describes a network")))
        << m_test.dialogs.asked.front().toStdString();
    EXPECT_TRUE(m_test.dialogs.errors.isEmpty());
    m_test.dialogs.answer = true;
    m_test.window->findChild<HistoryPage*>()->importFile(file);
    add();
    EXPECT_TRUE(isChosen());
}

TEST_F(AddNetworkTest, AMistakeIsToldWithItsPlaceAndTheSchema) {
    auto text = QByteArray(kNetwork);
    text.replace("flatten", "flattern");
    const auto file = write("wrong.json", text);
    ASSERT_TRUE(isNetworkFile(file));
    drop(file);
    const auto told = said();
    EXPECT_TRUE(told.contains(QStringLiteral("flattern"))) << told.toStdString();
    EXPECT_TRUE(told.contains(QStringLiteral("network.schema.json"))) << told.toStdString();
    EXPECT_FALSE(find<QPushButton>("networkAdd")->isEnabled());
    EXPECT_FALSE(isListed("Tiny digits"));
}

TEST(NetworkInspection, DescribesAFile) {
    const auto summary = desktop::inspectNetwork({(kOnnx + QStringLiteral("mlp/model.onnx")).toStdString()});
    EXPECT_TRUE(summary.isOnnx);
    EXPECT_TRUE(summary.batchIsOpen);
    EXPECT_TRUE(summary.open.empty());
    ASSERT_TRUE(summary.understood.has_value());
    EXPECT_EQ(summary.understood->parameters, 6 * 8 + 8 + 4 * 8 + 4);
    EXPECT_EQ(summary.understood->flopsPerSample, 2 * (6 * 8 + 8 * 4));
    EXPECT_TRUE(summary.understood->trainable);
    ASSERT_EQ(summary.inputs.size(), 1U) << "weights that are listed as inputs are none";
    EXPECT_EQ(summary.inputs.front().dims, (std::vector<std::int64_t>{1, 6}));
    EXPECT_EQ(desktop::inspectNetwork({"/nonexistent/net.onnx"}).problem->kind, ErrorKind::NotFound);
}

TEST(UserNetworksList, KeepsWhatAnOlderVersionHasCopied) {
    QTemporaryDir folder;
    const auto networks = folder.filePath(QStringLiteral("networks"));
    ASSERT_TRUE(QDir().mkpath(networks));
    QFile file(networks + QStringLiteral("/tiny.json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(kNetwork);
    file.close();
    const desktop::UserNetworks own(networks.toStdString());
    ASSERT_EQ(own.list().size(), 1U);
    const auto id = own.list().front().id;
    EXPECT_EQ(own.list().front().title, "Tiny digits");
    EXPECT_TRUE(own.setRemoved(id, true).has_value());
    EXPECT_TRUE(own.list().empty());
    EXPECT_TRUE(own.setRemoved(id, false).has_value());
    EXPECT_EQ(own.list().size(), 1U);
    EXPECT_TRUE(own.setRemoved(id, true).has_value());
    own.purge();
    EXPECT_FALSE(file.exists()) << "gone for good";
    EXPECT_FALSE(own.setRemoved(id, false).has_value());
}

TEST(UserNetworksList, ReplacesOneOfTheSameName) {
    QTemporaryDir folder;
    const desktop::UserNetworks own(folder.filePath(QStringLiteral("networks")).toStdString());
    const auto file = (kOnnx + QStringLiteral("mlp/model.onnx")).toStdString();
    ASSERT_TRUE(own.add("mine", file).has_value());
    ASSERT_TRUE(own.add("other", file + "(batch=4)").has_value());
    EXPECT_EQ(own.list().size(), 2U);
    const auto id = own.add("mine", file + "(batch=8)");
    ASSERT_TRUE(id.has_value());
    ASSERT_EQ(own.list().size(), 2U);
    EXPECT_EQ(own.list().front().workload->batch, 8);
    EXPECT_EQ(own.nameOf(*id), "mine");
}

TEST(UserNetworksList, ADamagedListIsNotWrittenOver) {
    QTemporaryDir folder;
    QFile index(folder.filePath(QStringLiteral("networks.json")));
    ASSERT_TRUE(index.open(QIODevice::WriteOnly));
    const QByteArray damaged(R"({"networks": [{"name": "mine", "workload": "a.onnx"}, )");
    index.write(damaged);
    index.close();
    const desktop::UserNetworks own(folder.filePath(QStringLiteral("networks")).toStdString());
    const auto added = own.add("other", (kOnnx + QStringLiteral("mlp/model.onnx")).toStdString());
    ASSERT_FALSE(added.has_value());
    EXPECT_EQ(added.error().kind, ErrorKind::CorruptData);
    EXPECT_EQ(added.error().subject, index.fileName().toStdString());
    own.purge();
    EXPECT_TRUE(own.entries().empty());
    ASSERT_TRUE(index.open(QIODevice::ReadOnly));
    EXPECT_EQ(index.readAll(), damaged);
}

TEST(UserNetworksList, RefusesAPathThatWouldEndItsName) {
    QTemporaryDir folder;
    const auto file = folder.filePath(QStringLiteral("a,b.onnx"));
    ASSERT_TRUE(QFile::copy(kOnnx + QStringLiteral("mlp/model.onnx"), file));
    const desktop::UserNetworks own(folder.filePath(QStringLiteral("networks")).toStdString());
    const auto added = own.add("mine", file.toStdString());
    ASSERT_FALSE(added.has_value());
    EXPECT_EQ(added.error().detail.id, "app.path_not_listable");
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
