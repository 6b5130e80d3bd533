// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "tests/ui/support/test_window.h"
#include "ui/models/rows_model.h"
#include "ui/presenters/hardware_presenter.h"

namespace steelyard::ui {
namespace {

const char* const kMemory = "gpus[0].memory_bytes";

void choose(TestWindow& test, const char* path) {
    auto* table = test.find<QTableView>("factsTable");
    const int row = qobject_cast<RowsModel*>(table->model())->rowOf(QLatin1String(path));
    ASSERT_GE(row, 0) << path;
    table->selectRow(row);
}

TEST(HardwarePage, AWrongFactIsSetMarkedRememberedAndUndone) {
    TestWindow test({.withRuns = false, .withGpus = true});
    test.waitUntilReady();
    test.window->showPage(QStringLiteral("hardware"));
    const auto detected = test.machine.profile()->gpus[0].memoryBytes;
    choose(test, kMemory);
    auto* value = test.find<QLineEdit>("factValue");
    EXPECT_TRUE(value->isEnabled());
    EXPECT_TRUE(value->text().endsWith(QStringLiteral("GiB"))) << value->text().toStdString();
    EXPECT_FALSE(test.find<QPushButton>("undoFactButton")->isEnabled());
    value->selectAll();
    QTest::keyClicks(value, QStringLiteral("48 GiB"));
    test.find<QPushButton>("useFactButton")->click();
    EXPECT_EQ(test.machine.profile()->gpus[0].memoryBytes.value, std::int64_t{48} << 30);
    EXPECT_EQ(test.machine.profile()->gpus[0].memoryBytes.source, hardware::kUserSource);
    EXPECT_EQ(test.preferences.corrections().at(kMemory), std::to_string(std::int64_t{48} << 30));
    auto* table = test.find<QTableView>("factsTable");
    const int row = qobject_cast<RowsModel*>(table->model())->rowOf(QLatin1String(kMemory));
    EXPECT_EQ(table->model()->index(row, 4).data().toString(), QStringLiteral("set by you"));
    EXPECT_TRUE(test.dialogs.errors.isEmpty());

    // A new window, as after a restart.
    test.window = std::make_unique<MainWindow>(test.context);
    test.waitUntilReady();
    EXPECT_EQ(test.machine.profile()->gpus[0].memoryBytes.value, std::int64_t{48} << 30);
    test.window->showPage(QStringLiteral("hardware"));
    choose(test, kMemory);
    EXPECT_TRUE(test.find<QPushButton>("undoFactButton")->isEnabled());
    test.find<QPushButton>("undoFactButton")->click();
    EXPECT_EQ(test.machine.profile()->gpus[0].memoryBytes, detected);
    EXPECT_TRUE(test.preferences.corrections().empty());
}

TEST(HardwarePage, WhatIsNoValueIsRefusedWithTheReason) {
    TestWindow test({.withRuns = false, .withGpus = true});
    test.waitUntilReady();
    choose(test, kMemory);
    auto* value = test.find<QLineEdit>("factValue");
    value->setText(QStringLiteral("a lot"));
    test.find<QPushButton>("useFactButton")->click();
    ASSERT_EQ(test.dialogs.errors.size(), 1);
    EXPECT_TRUE(test.preferences.corrections().empty());
}

TEST(HardwarePage, SizesAreReadInTheUnitThatWasTyped) {
    const auto path = QLatin1String(kMemory);
    EXPECT_EQ(HardwarePresenter::parsed(path, QStringLiteral("24 GiB")), std::to_string(std::int64_t{24} << 30));
    EXPECT_EQ(HardwarePresenter::parsed(path, QStringLiteral("24")), std::to_string(std::int64_t{24} << 30));
    EXPECT_EQ(HardwarePresenter::parsed(path, QStringLiteral("24 gb")), "24000000000");
    EXPECT_EQ(HardwarePresenter::parsed(QStringLiteral("cpu.cores"), QStringLiteral(" 16 ")), "16");
    EXPECT_EQ(HardwarePresenter::parsed(QStringLiteral("cpu.name"), QStringLiteral("EPYC")), "EPYC");
}

}  // namespace
}  // namespace steelyard::ui
