// SPDX-License-Identifier: Apache-2.0
// steelyard: the desktop program. Only composes: the engine's services, the controllers, settings, language, theme,
// window.
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QIcon>
#include <QStandardPaths>
#include <cstdlib>

#include "app/desktop/engine_services.h"
#include "engine/core/version.h"
#include "engine/history/history_store.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/controllers/single_instance.h"
#include "ui/pages/main_window.h"
#include "ui/settings/languages.h"
#include "ui/settings/preferences.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/theme.h"

namespace {

using namespace steelyard;

struct Options {
    QString database;
    QString page;
};

Options parse(const QApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate("main", "Weighs hardware for deep learning"));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption database(QStringLiteral("db"),
                                      QCoreApplication::translate("main", "File with the stored runs."),
                                      QStringLiteral("FILE"));
    const QCommandLineOption page(
        QStringLiteral("page"),
        QCoreApplication::translate("main",
                                    "Page to start with: home, hardware, benchmark, results, history, settings."),
        QStringLiteral("PAGE"));
    parser.addOptions({database, page});
    parser.process(application);
    return {parser.value(database), parser.value(page)};
}

QString settingsFile() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::ConfigLocation))
        .filePath(QStringLiteral("steelyard/settings.ini"));
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("steelyard"));
    QApplication::setApplicationDisplayName(QStringLiteral("Steelyard"));
    QApplication::setApplicationVersion(
        QString::fromUtf8(programVersion().data(), static_cast<qsizetype>(programVersion().size())));
    QApplication::setDesktopFileName(QStringLiteral("steelyard"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/steelyard/icons/steelyard.svg")));

    ui::PreferencesStore preferences(settingsFile());
    ui::LanguageController languages(application);
    languages.use(preferences.load().language);
    const auto options = parse(application);

    ui::SingleInstance instance(QStringLiteral("steelyard-%1").arg(::getuid()));
    if (!instance.isFirst()) return EXIT_SUCCESS;  // the other window has come to the front

    ui::ThemeController theme(application);
    theme.apply(preferences.load().theme);

    const QDir programFolder(QApplication::applicationDirPath());
    ui::MachineController machine(desktop::engineServices(programFolder.absolutePath().toStdString()));
    ui::HistoryController history([](const std::filesystem::path& file) { return history::HistoryStore::open(file); });
    ui::RunController run(programFolder.filePath(QStringLiteral("steelyard-cli")));
    ui::SystemDialogs dialogs;
    const auto defaultFile = history::defaultHistoryFile(std::getenv("XDG_DATA_HOME"), std::getenv("HOME"));
    ui::WindowContext context{machine,         history, run,     preferences,
                              languages,       theme,   dialogs, QString::fromStdString(defaultFile.string()),
                              options.database};
    ui::MainWindow window(context);
    if (!options.page.isEmpty()) window.showPage(options.page);
    QObject::connect(&instance, &ui::SingleInstance::knocked, &window, &ui::MainWindow::bringToFront);
    window.show();
    return QApplication::exec();
}
