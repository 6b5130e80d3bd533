// SPDX-License-Identifier: Apache-2.0
// What the pages work with, made by app/desktop (or a test) and borrowed by the window: controllers, settings, dialogs.
// The owner outlives the window.
#pragma once

#include <QString>
#include <functional>

namespace steelyard::ui {

class AdviceController;
class CampaignController;
class Dialogs;
class HistoryController;
class LanguageController;
class MachineController;
class NetworkController;
class PreferencesStore;
class RunController;
class ThemeController;

struct WindowContext {
    MachineController& machine;
    HistoryController& history;
    RunController& run;
    AdviceController& advice;
    CampaignController& campaigns;
    NetworkController& networks;
    PreferencesStore& preferences;
    LanguageController& languages;
    ThemeController& theme;
    Dialogs& dialogs;
    QString defaultDatabase;  // when the preferences name none
    QString forcedDatabase;   // by the command line, for this session

    // The file in force.
    [[nodiscard]] QString databaseFile() const;
};

}  // namespace steelyard::ui
