// SPDX-License-Identifier: Apache-2.0
// main() of the window tests: a QApplication with this project's theme and the C locale's numbers, then GoogleTest.
// Settings and data use QStandardPaths' test mode, so no test modifies the user's files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QLocale>
#include <QStandardPaths>
#include <QTemporaryFile>

#include "ui/widgets/theme.h"
#include "ui/widgets/watched_application.h"

int main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    // Also when tests are only listed, or started manually on a machine with a display; set the variable to watch them.
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    // The platform's default screen is smaller than the minimum size of the window.
    QTemporaryFile screens;
    if (qgetenv("QT_QPA_PLATFORM") == "offscreen" && screens.open()) {
        screens.write(R"({"screens": [{"name": "test", "x": 0, "y": 0, "width": 1920, "height": 1200}]})");
        screens.flush();
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + screens.fileName().toUtf8());
    }
    QStandardPaths::setTestModeEnabled(true);
    steelyard::ui::WatchedApplication application(argc, argv);
    application.watch(true);
    QApplication::setApplicationName(QStringLiteral("steelyard-test"));
    QApplication::setQuitOnLastWindowClosed(false);
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    // Only for its palette and font: a window of a test has its own.
    steelyard::ui::ThemeController(application).apply(steelyard::ui::ThemeChoice::Light);
    return RUN_ALL_TESTS();
}
