// SPDX-License-Identifier: Apache-2.0
// Dependencies of the pages, created by app/desktop (or a test) and borrowed by the window: controllers, settings,
// dialogs. The owner must outlive the window.
#pragma once

#include <QString>
#include <filesystem>
#include <functional>

namespace steelyard::ui {

class AdviceController;
class CampaignController;
class CheckController;
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
    CheckController& check;
    PreferencesStore& preferences;
    LanguageController& languages;
    ThemeController& theme;
    Dialogs& dialogs;
    QString defaultDatabase;               // if the preferences name none
    QString forcedDatabase;                // from the command line, for this session
    std::filesystem::path currencyFile{};  // catalog::CurrencySettings; empty: the currency is not remembered

    // The current file.
    [[nodiscard]] QString databaseFile() const;
};

}  // namespace steelyard::ui
