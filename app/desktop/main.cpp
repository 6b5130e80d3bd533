// SPDX-License-Identifier: Apache-2.0
// steelyard: the desktop program. Composition only: engine services, controllers, settings, language, theme, window.
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QIcon>
#include <QStandardPaths>
#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <string_view>

#include "app/common/resource_path.h"
#include "app/common/termination.h"
#include "app/desktop/advice_services.h"
#include "app/desktop/campaign_services.h"
#include "app/desktop/end_on_signal.h"
#include "app/desktop/engine_services.h"
#include "app/desktop/headless.h"
#include "app/desktop/network_services.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/currency_settings.h"
#include "engine/core/clock.h"
#include "engine/core/version.h"
#include "engine/history/history_store.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/campaign_controller.h"
#include "ui/controllers/check_controller.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/controllers/network_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/controllers/single_instance.h"
#include "ui/dialogs/dialogs.h"
#include "ui/settings/languages.h"
#include "ui/settings/preferences.h"
#include "ui/text/format.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/watched_application.h"
#include "ui/window/main_window.h"

namespace {

using namespace steelyard;

struct Options {
    QString database;
    QString page;
    QString language;
    desktop::HeadlessRequest headless;
};

Options parse(const QApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Benchmarks and compares hardware for deep learning"));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption database(QStringLiteral("db"), QCoreApplication::translate("main", "History file."),
                                      QStringLiteral("FILE"));
    const QCommandLineOption page(
        QStringLiteral("page"),
        QCoreApplication::translate("main",
                                    "Page to open: home, hardware, benchmark, results, history, advice, "
                                    "campaigns, studies, report, settings."),
        QStringLiteral("PAGE"));
    const QCommandLineOption language(
        QStringLiteral("language"),
        QCoreApplication::translate("main", "Language of this session: en, zh_CN or zh_TW."),
        QStringLiteral("LANGUAGE"));
    const QCommandLineOption report(
        QStringLiteral("export-report"),
        QCoreApplication::translate("main",
                                    "Write a report (.pdf, .html, .md, .csv, .json) and exit; needs no display."),
        QStringLiteral("FILE"));
    const QCommandLineOption charts(
        QStringLiteral("export-charts"),
        QCoreApplication::translate("main", "Write the charts (PNG, SVG, PDF, CSV) and exit; needs no display."),
        QStringLiteral("FOLDER"));
    const QCommandLineOption run(QStringLiteral("run"),
                                 QCoreApplication::translate("main", "Run to export: an id or latest."),
                                 QStringLiteral("ID"), QStringLiteral("latest"));
    parser.addOptions({database, page, language, report, charts, run});
    parser.process(application);
    Options options{parser.value(database), parser.value(page), parser.value(language), {}};
    options.headless.reportFile = parser.value(report);
    options.headless.chartsFolder = parser.value(charts);
    options.headless.run = parser.value(run);
    return options;
}

bool has(int argc, char** argv, std::initializer_list<std::string_view> options) {
    return std::any_of(argv + 1, argv + argc, [&](const char* argument) {
        return std::find(options.begin(), options.end(), argument) != options.end();
    });
}

// Checked here, since Qt's platform plugin would abort with its own message.
bool hasDisplay() {
    return std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY") || std::getenv("QT_QPA_PLATFORM");
}

QString settingsFile() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::ConfigLocation))
        .filePath(QStringLiteral("steelyard/settings.ini"));
}

}  // namespace

int main(int argc, char** argv) {
    steelyard::app::installTerminationHandlers();
    const bool headless = desktop::isHeadless(argc, argv);
    if (headless || has(argc, argv, {"-h", "--help", "--help-all", "-v", "--version"}))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!hasDisplay()) {
        std::cerr << "steelyard: no display found. steelyard-cli does the same in the terminal, and\n"
                     "steelyard --export-report FILE writes a report without a window.\n";
        return 3;
    }
    ui::WatchedApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("steelyard"));
    QApplication::setApplicationDisplayName(QStringLiteral("Steelyard"));
    QApplication::setApplicationVersion(
        QString::fromUtf8(programVersion().data(), static_cast<qsizetype>(programVersion().size())));
    QApplication::setDesktopFileName(QStringLiteral("steelyard"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/steelyard/icons/steelyard.svg")));

    ui::PreferencesStore preferences(settingsFile());
    ui::LanguageController languages(application);
    languages.use(preferences.load().language);
    auto options = parse(application);
    if (!options.language.isEmpty() && !languages.use(options.language)) {
        std::cerr << "--language: en, zh_CN or zh_TW\n";
        return 2;
    }
    const SystemClock clock;
    const auto program = app::programPath(argv[0]);
    const auto resources = app::resourcePath(program);
    const auto userCatalog = catalog::defaultUserCatalogFile(std::getenv("XDG_DATA_HOME"), std::getenv("HOME"));
    const auto defaultFile = history::defaultHistoryFile(std::getenv("XDG_DATA_HOME"), std::getenv("HOME"));
    const auto currencyFile = catalog::defaultCurrencyFile(std::getenv("XDG_DATA_HOME"), std::getenv("HOME"));
    if (const auto currency = catalog::loadCurrencySettings(currencyFile))
        ui::Format::setCurrency(currency->shownRate());
    else
        std::cerr << "steelyard: " << describe(currency.error()) << "\n";
    if (headless) {
        const auto chosen = options.database.isEmpty() ? preferences.load().databaseFile : options.database;
        options.headless.database = chosen.isEmpty() ? defaultFile : std::filesystem::path(chosen.toStdString());
        options.headless.advice = {resources, userCatalog, defaultFile.parent_path() / "networks"};
        return desktop::runHeadless(options.headless, clock, std::cout, std::cerr);
    }

    const desktop::EndOnSignal endOnSignal;
    const auto display = qEnvironmentVariable("WAYLAND_DISPLAY", qEnvironmentVariable("DISPLAY"));
    auto historyFile = options.database.isEmpty() ? preferences.load().databaseFile : options.database;
    if (historyFile.isEmpty()) historyFile = QString::fromStdString(defaultFile.string());
    ui::SingleInstance instance(ui::SingleInstance::nameFor(::getuid(), display, historyFile));
    if (!instance.isFirst()) {
        std::cerr << "steelyard: already open on " << display.toStdString() << "\n";
        return EXIT_SUCCESS;  // the other window was raised
    }
    QObject::connect(&application, &QCoreApplication::aboutToQuit, &instance, &ui::SingleInstance::close);

    ui::ThemeController theme(application);
    theme.setTextScale(ui::textScaleOf(preferences.load()));
    theme.apply(preferences.load().theme);

    const QDir programFolder(QString::fromStdString(program.parent_path().string()));
    const auto networks = defaultFile.parent_path() / "networks";
    ui::MachineController machine(desktop::engineServices(programFolder.absolutePath().toStdString(), networks));
    ui::HistoryController history([](const std::filesystem::path& file) { return history::HistoryStore::open(file); });
    ui::RunController run(programFolder.filePath(QStringLiteral("steelyard-cli")));
    ui::AdviceController advice(desktop::adviceServices({resources, userCatalog, networks}, clock));
    const char* path = std::getenv("PATH");
    ui::CampaignController campaigns(
        desktop::campaignServices(programFolder.filePath(QStringLiteral("steelyard-cli")).toStdString(),
                                  path != nullptr ? path : "/usr/bin:/bin", clock));
    ui::NetworkController userNetworks(desktop::networkServices(resources, networks));
    ui::CheckController check(programFolder.filePath(QStringLiteral("steelyard-cli")));
    ui::SystemDialogs dialogs(preferences);
    ui::WindowContext context{machine,          history,      run,     advice,
                              campaigns,        userNetworks, check,   preferences,
                              languages,        theme,        dialogs, QString::fromStdString(defaultFile.string()),
                              options.database, currencyFile};
    ui::MainWindow window(context);
    if (!options.page.isEmpty()) window.showPage(options.page);
    QObject::connect(&instance, &ui::SingleInstance::knocked, &window, &ui::MainWindow::bringToFront);
    window.show();
    return QApplication::exec();
}
