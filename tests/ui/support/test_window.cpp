// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/support/test_window.h"

#include <gtest/gtest.h>

#include <QTest>

#include "app/desktop/advice_services.h"
#include "app/desktop/campaign_services.h"
#include "app/desktop/network_services.h"

namespace steelyard::ui {
namespace {

MachineServices servicesOf(const TestWindowOptions& options) {
    MachineServices services;
    services.detect = [withGpus = options.withGpus]() -> Result<hardware::HardwareProfile> {
        return withGpus ? sample::profileWithGpus() : sample::profile();
    };
    services.catalogue = [gpus = options.usableGpus](const hardware::HardwareProfile&) {
        return sample::catalogue(gpus);
    };
    services.diagnosticReport = [](const hardware::HardwareProfile&) {
        return std::string("example readings\nline two\n");
    };
    if (options.otherLoad > 0) {
        services.preflight = [load = options.otherLoad, idle = options.idle](const hardware::HardwareProfile&) {
            if (idle && *idle) return std::vector<hardware::PreflightWarning>();
            return std::vector{hardware::PreflightWarning{hardware::PreflightKind::OtherLoad, Message("busy"), load}};
        };
    }
    return services;
}

}  // namespace

TestWindow::TestWindow(const TestWindowOptions& options)
    : preferences(folder.filePath(QStringLiteral("settings.ini"))),
      languages(*qApp),
      theme(*qApp),
      history([](const std::filesystem::path& file) { return history::HistoryStore::open(file); }),
      machine(servicesOf(options)),
      run(options.executable.isEmpty() ? QStringLiteral(STEELYARD_FAKE_CLI) : options.executable),
      advice(desktop::adviceServices(
          {STEELYARD_SOURCE_DIR "/resources", folder.filePath(QStringLiteral("catalog/user.json")).toStdString(),
           folder.filePath(QStringLiteral("networks")).toStdString()},
          clock)),
      campaigns(options.campaigns.value_or(desktop::campaignServices(STEELYARD_FAKE_CLI, "/usr/bin:/bin", clock))),
      networks(desktop::networkServices(STEELYARD_SOURCE_DIR "/resources",
                                        folder.filePath(QStringLiteral("networks")).toStdString())),
      check(options.executable.isEmpty() ? QStringLiteral(STEELYARD_FAKE_CLI) : options.executable),
      context{machine,   history,
              run,       advice,
              campaigns, networks,
              check,     preferences,
              languages, theme,
              dialogs,   fillDatabase(options),
              {},        folder.filePath(QStringLiteral("currency.json")).toStdString()} {
    clock.advance(Seconds(1'795'219'200));  // 2026-11-21
    languages.use(QStringLiteral("en"));
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    theme.apply(ThemeChoice::Light);
    window = std::make_unique<MainWindow>(context);
    window->show();
}

TestWindow::~TestWindow() {
    window.reset();
}

QString TestWindow::fillDatabase(const TestWindowOptions& options) const {
    const auto file = folder.filePath(QStringLiteral("history.sqlite"));
    auto store = history::HistoryStore::open(file.toStdString());
    EXPECT_TRUE(store.has_value());
    if (!store) return file;
    auto many = sample::run();
    for (int number = 0; number < options.manyRuns; ++number) {
        many.id = QStringLiteral("%1").arg(number, 12, 16, QLatin1Char('0')).toStdString();
        many.startedUnixMs -= 3'600'000;
        many.finishedUnixMs = many.startedUnixMs + 90'000;
        EXPECT_TRUE((*store)->beginRun(many).has_value());
    }
    if (!options.withRuns) return file;
    auto first = sample::run("aaaaaaaaaaaa", 1.1);
    auto second = sample::run("bbbbbbbbbbbb");
    auto sweep = sample::sweepRun();
    sweep.startedUnixMs = first.startedUnixMs - 86'400'000;
    second.startedUnixMs += 3'600'000;
    first.note = "before the new fan";
    for (const auto& one : {sweep, first, second}) EXPECT_TRUE((*store)->beginRun(one).has_value());
    if (!options.withScaling) return file;
    auto scaling = sample::scalingRun();
    scaling.startedUnixMs = sweep.startedUnixMs - 86'400'000;
    EXPECT_TRUE((*store)->beginRun(scaling).has_value());
    return file;
}

void TestWindow::waitUntilReady() {
    ASSERT_TRUE(QTest::qWaitFor([&] { return history.isLoaded() && !machine.catalogue().workloads.empty(); }, 15000));
    QTest::qWait(60);  // subsequent answers: the latest run, the estimate
}

}  // namespace steelyard::ui
