// SPDX-License-Identifier: Apache-2.0
// A whole window for tests: fictitious hardware and catalogue, a real history file in a temporary folder, the scripted
// child instead of the measuring program, dialogs with automatic answers. GUI thread.
#pragma once

#include <QApplication>
#include <QTemporaryDir>
#include <atomic>
#include <memory>
#include <optional>

#include "engine/core/clock.h"
#include "tests/ui/support/sample_data.h"
#include "ui/controllers/advice_controller.h"
#include "ui/controllers/campaign_controller.h"
#include "ui/controllers/check_controller.h"
#include "ui/controllers/history_controller.h"
#include "ui/controllers/machine_controller.h"
#include "ui/controllers/network_controller.h"
#include "ui/controllers/run_controller.h"
#include "ui/dialogs/dialogs.h"
#include "ui/pages/window_context.h"
#include "ui/settings/languages.h"
#include "ui/settings/preferences.h"
#include "ui/window/main_window.h"

namespace steelyard::ui {

// Returns the answer set by the test, and records the question.
class FakeDialogs final : public Dialogs {
public:
    QString openFile(QWidget*, const QString& title, const QString&) override {
        asked << title;
        return fileToOpen;
    }
    QString saveFile(QWidget*, const QString& title, const QString& suggestion, const QString&) override {
        asked << title;
        lastSuggestion = suggestion;
        return fileToSave;
    }
    QString chooseFile(QWidget*, const QString& title, const QString&, const QString&) override {
        asked << title;
        return fileToSave;
    }
    QString chooseFolder(QWidget*, const QString& title) override {
        asked << title;
        return fileToOpen;
    }
    bool confirm(QWidget*, const Question& question) override {
        asked << question.text;
        return answer;
    }
    std::optional<history::PruneRule> choosePruning(QWidget*, const std::vector<history::RunOverview>&) override {
        return pruning;
    }
    void showError(QWidget*, const QString&, const QString& text) override { errors << text; }
    void showHelp(QWidget*, const QString& title, const QString& text) override {
        help = title + QLatin1Char('\n') + text;
    }
    bool previewText(QWidget*, const QString&, const QString& text, const QString&) override {
        preview = text;
        return answer;
    }
    void open(const QUrl& place) override { opened << place.toString(); }

    QString fileToOpen, fileToSave, lastSuggestion, help, preview;
    bool answer = true;
    std::optional<history::PruneRule> pruning;
    QStringList asked, errors, opened;
};

struct TestWindowOptions {
    bool withRuns = true;
    bool withGpus = false;
    int usableGpus = 0;                         // simulated ones in the catalogue: several can share a case
    bool withScaling = false;                   // and a scaling run with them
    QString executable;                         // measuring program; empty: the scripted child
    int manyRuns = 0;                           // additional runs of 14 cases each
    std::optional<CampaignServices> campaigns;  // not set: the real ones
    double otherLoad = 0;                       // fraction of the CPU used by other programs before a run
    std::shared_ptr<std::atomic<bool>> idle;    // they stop when it is set
};

class TestWindow {
public:
    explicit TestWindow(const TestWindowOptions& options = {});
    ~TestWindow();

    // Waits until hardware, catalogue and the list of runs are loaded.
    void waitUntilReady();
    QTemporaryDir folder;
    FakeDialogs dialogs;
    PreferencesStore preferences;
    LanguageController languages;
    ThemeController theme;
    HistoryController history;
    MachineController machine;
    RunController run;
    ManualClock clock;
    AdviceController advice;
    CampaignController campaigns;
    NetworkController networks;
    CheckController check;
    WindowContext context;
    std::unique_ptr<MainWindow> window;

    template <typename Widget>
    [[nodiscard]] Widget* find(const char* name) const {
        return window->findChild<Widget*>(QString::fromLatin1(name));
    }

private:
    [[nodiscard]] QString fillDatabase(const TestWindowOptions& options) const;
};

}  // namespace steelyard::ui
